/// What a program's exit status tells a script or the service manager.
package enum ExitStatus: Int32, Sendable {
    case success = 0
    /// What was asked for did not happen.
    case failure = 1
    /// The command line is wrong; one line on standard error says how.
    case usage = 2
    /// Hardware, station or daemon are not there yet; trying again makes sense (EX_TEMPFAIL, sysexits.h).
    case notYet = 75
    /// A configuration file is wrong; trying again does not help (EX_CONFIG, sysexits.h).
    case configuration = 78
}

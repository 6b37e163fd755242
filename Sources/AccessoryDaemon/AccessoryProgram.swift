internal import GPIOAdapter
internal import Glibc
package import LinuxRuntime
internal import Octets
internal import Provisioning

/// The program `awared`.
package enum AccessoryProgram {
    /// Runs it with its command line, program name first; returns when it has ended.
    package static func run(_ commandLine: [String]) -> ExitStatus {
        // After a reload the kernel calls it after the path it was started by: exe.
        ProcessIdentity.setName("awared")
        let options: CommandLineOptions<DaemonOption>
        do throws(UsageError) { options = try CommandLineOptions(parsing: commandLine) } catch {
            return fail(.usage(error))
        }
        if options.contains(.help) { return print(DaemonOption.manual.text()) }
        if options.contains(.version) { return print("awared \(ProductVersion.text)\n") }
        do throws(StartFailure) {
            if options.contains(.blankDisplay) || options.contains(.tryDisplay) {
                let display = try DaemonConfiguration.display(options, directories: .current)
                if options.contains(.tryDisplay) { return try DisplayTrial.run(display) }
                try BoardDisplay.blank(display)
                return .success
            }
            if options.contains(.check) { return try check(options) }
            let configuration = try DaemonConfiguration(options, directories: .current)
            guard try serve(configuration, options) == .reloading else { return .success }
        } catch { return fail(error) }
        return startOver(commandLine)
    }

    private static func check(_ options: CommandLineOptions<DaemonOption>) throws(StartFailure) -> ExitStatus {
        do throws(StartFailure) {
            let check = StartCheck(try DaemonConfiguration(options, directories: .current))
            let status = print(check.text)
            return status == .success ? check.status : status
        } catch {
            // A radio is looked at before there is an identity, too.
            if case .configuration = error, let radio = try? DaemonConfiguration.radio(options, directories: .current) {
                _ = print(StartCheck(radio).text)
            }
            throw error
        }
    }

    private static func serve(
        _ configuration: DaemonConfiguration, _ options: CommandLineOptions<DaemonOption>
    ) throws(StartFailure) -> Ending {
        let log = EventLog(threshold: configuration.logLevel)
        log.write(
            .info, "awared", "start",
            [
                ("version", ProductVersion.number), ("commit", ProductVersion.commit ?? "unknown"),
                ("radio", configuration.radioName), ("kernel", KernelRelease.text),
                ("identity", configuration.identityPath), ("profile", configuration.profilePath ?? "built-in"),
            ])
        try checkDisplay(configuration, log)
        do throws(SystemError) {
            try ProcessHardening.setCoreDumps(allowed: configuration.allowsCoreDumps)
        } catch { throw .failure("\(error)") }
        if configuration.allowsCoreDumps { log.write(.warning, "awared", "core dumps are allowed") }
        let daemon = try Daemon(configuration, log: log) {
            do throws(StartFailure) {
                let new = try DaemonConfiguration(options, directories: .current)
                try checkDisplay(new, log)
                try new.checkBoard()
                return nil
            } catch { return error.description }
        }
        do throws(SystemError) { try daemon.run() } catch { throw .failure("\(error)") }
        if let refusal = daemon.refusal { throw refusal }
        log.write(.info, "awared", "ended")
        return daemon.ending
    }

    /// The PIN must not get into a log because somebody started a console display with its output there.
    private static func checkDisplay(_ configuration: DaemonConfiguration, _ log: EventLog) throws(StartFailure) {
        guard configuration.display == .console else { return }
        switch StandardOutput.fault(environment: ProcessEnvironment.variables) {
        case .isLog(let what)?:
            throw .configuration(
                "display console: standard output is \(what), and PINs would be kept there; accepted is a terminal, a "
                    + "pipe or a file of its own")
        case .isNowhere?: log.write(.warning, "display", "standard output is nowhere: nobody will see a PIN")
        case nil: return
        }
    }

    /// Becomes the program anew, with the same command line and process number.
    ///
    /// By this path it is the same program even when another version has been installed meanwhile.
    private static func startOver(_ commandLine: [String]) -> ExitStatus {
        var argv = commandLine.map { strdup($0) } + [nil]
        execv("/proc/self/exe", &argv)
        let error = SystemError(call: "execv", code: errno)
        for string in argv { free(string) }
        return fail(.failure("\(error)"))
    }

    private static func print(_ text: String) -> ExitStatus {
        var text = text
        let isWritten = text.withUTF8 { write(STDOUT_FILENO, $0.baseAddress, $0.count) == $0.count }
        return isWritten ? .success : .failure
    }

    private static func fail(_ failure: StartFailure) -> ExitStatus {
        if case .usage = failure {
            Logger("awared").log(.error, "\(failure); see awared --help")
        } else {
            Logger("awared").log(.error, failure.description)
        }
        return failure.status
    }
}

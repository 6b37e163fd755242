internal import Glibc

/// As whom this process acts.
package enum ProcessIdentity {
    package static var userID: UInt32 { geteuid() }
}

internal import Glibc
package import LinuxRuntime
internal import PeerStore
internal import Ports
internal import Provisioning

/// Why the daemon does not start: one line for a person, an exit status for the service manager.
package enum StartFailure: Error, Equatable, Sendable, CustomStringConvertible {
    case usage(UsageError)
    /// A file or a folder is wrong, and stays so until somebody mends it.
    case configuration(String)
    /// Something that this start needs is not there yet, or still taken.
    case notYet(String)
    case failure(String)

    init(_ error: ProvisioningError) { self = .configuration(error.description) }

    /// What a folder or file of our own is refused for.
    init(_ error: FileError) {
        switch error.cause {
        case .inUse: self = .notYet(error.description)
        case .unsafeFolder, .unsafeFile, .untrustedLink, .notARegularFile, .tooLarge:
            self = .configuration(error.description)
        case .system(let cause) where Self.isPermanent(cause): self = .configuration(error.description)
        case .system: self = .failure(error.description)
        }
    }

    /// Whether the path itself is wrong, or the rights on it: no later start finds it better.
    static func isPermanent(_ error: SystemError) -> Bool {
        [ENOENT, ENOTDIR, EISDIR, ENAMETOOLONG, EINVAL, ELOOP, EROFS, EACCES, EPERM].contains(error.code)
    }

    /// What the radio needs and does not find.
    init(_ failure: RadioFailure) {
        switch failure.cause {
        case .permission: self = .configuration("radio: \(failure.text)")
        default: self = .notYet("radio: \(failure.text)")
        }
    }

    package var status: ExitStatus {
        switch self {
        case .usage: .usage
        case .configuration: .configuration
        case .notYet: .notYet
        case .failure: .failure
        }
    }

    package var description: String {
        switch self {
        case .usage(let error): error.description
        case .configuration(let text), .notYet(let text), .failure(let text): text
        }
    }
}

extension StartFailure {
    init(_ error: PeerStoreError) {
        switch error {
        case .file(let error): self.init(error)
        // No later start will find it better: a person has to decide what is lost.
        case .damaged, .newer: self = .configuration(error.description)
        }
    }
}

/// A failed operation on one file: the path, and why.
package struct FileError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Cause: Equatable, Sendable {
        case system(SystemError)
        /// Longer than the reader is prepared to hold, in octets.
        case tooLarge(limit: Int)
        /// A folder, device, pipe or symbolic link stands where a file belongs.
        case notARegularFile
        /// A symbolic link of somebody else, or to somebody else's file.
        case untrustedLink(owner: UInt32)
        /// Another process holds the file's lock.
        case inUse
        /// Somebody else could replace what is in this folder.
        case unsafeFolder(mode: UInt32, owner: UInt32)
        /// Somebody else can read or replace the secrets in this file, or has written it.
        case unsafeFile(mode: UInt32, owner: UInt32)
    }

    package let path: String
    package let cause: Cause

    package init(path: String, cause: Cause) {
        self.path = path
        self.cause = cause
    }

    package var description: String {
        switch cause {
        case .system(let error): "\(path): \(error)"
        case .tooLarge(let limit): "\(path): longer than the accepted \(limit) octets"
        case .notARegularFile: "\(path): not a regular file"
        case .untrustedLink(let owner):
            "\(path): link of user \(owner), or to a file of theirs; accepted are root's and our own "
                + "(user \(ProcessIdentity.userID))"
        case .inUse: "\(path): in use by another process"
        case .unsafeFolder(let mode, let owner):
            "\(path): folder belongs to user \(owner) with mode \(String(mode, radix: 8)); accepted is one of our own "
                + "(user \(ProcessIdentity.userID)) that nobody else can write to, such as 0700"
        case .unsafeFile(let mode, let owner):
            "\(path): file belongs to user \(owner) with mode \(String(mode, radix: 8)); accepted is our own (user "
                + "\(ProcessIdentity.userID)), 0600, for it holds keys: chmod 600 \(path)"
        }
    }
}

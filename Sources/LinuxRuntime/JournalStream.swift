internal import Glibc

/// The stream on which systemd hands a service's output to the journal.
package enum JournalStream {
    package static let variable = "JOURNAL_STREAM"

    /// Whether `descriptor` is that stream, which `name`, the variable's value, gives by device and inode (systemd.exec(5)).
    package static func isConnected(to descriptor: Int32, name: String?) -> Bool {
        guard let name else { return false }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return name == "\(status.st_dev):\(status.st_ino)"
    }
}

internal import Cryptography
internal import Glibc
internal import LinuxRuntime
internal import Octets
internal import Ports

/// Writes the keys of a pairing to a file, for a test that then looks for them where none may be.
///
/// Reached only with a hidden option and a variable that says the same.
final class KeyRevelation {
    private let file: FileDescriptor

    init(_ path: String, of state: StoredState) throws(SystemError) {
        file = FileDescriptor(
            owning: try systemCall("open \(path)") {
                open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
            })
        write("own-nik", state.ownNIK)
    }

    func note(_ effect: RadioEffect) {
        if case .installManagementKey(_, let key) = effect { write("nm-tk", key.key) }
        if case .installDataKey(_, let key) = effect { write("nd-tk", key.key) }
    }

    func note(_ command: StoreCommand) {
        guard case .save(let record, _) = command else { return }
        write("npk", record.npk)
        write("peer-nik", record.peerNIK)
    }

    private func write(_ name: String, _ key: SecretKey) {
        // In one array that is wiped: a copy left behind here would be found by the test that this is for.
        var line: [UInt8] = []
        line.reserveCapacity(name.utf8.count + 2 * key.count + 2)
        line += name.utf8
        line.append(UInt8(ascii: " "))
        key.withOctets { octets in
            for octet in octets {
                line.append(Self.digit(octet >> 4))
                line.append(Self.digit(octet & 0xF))
            }
        }
        line.append(UInt8(ascii: "\n"))
        _ = Glibc.write(file.raw, line, line.count)
        wipe(&line)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

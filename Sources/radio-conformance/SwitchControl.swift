internal import Glibc
internal import LinuxRuntime

/// Switches radios off and on as a person would (rfkill).
final class SwitchControl {
    private static let change: UInt8 = 2
    private let file: FileDescriptor
    private var indices: [String: UInt32] = [:]

    /// Nil without rfkill, or without the right to use it.
    init?() {
        let number = open("/dev/rfkill", O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { return nil }
        file = FileDescriptor(owning: number)
    }

    func set(_ name: String, on: Bool) {
        learn()
        guard let index = indices[name] else { return }
        let octets = (0..<4).map { UInt8(truncatingIfNeeded: index >> (8 * UInt32($0))) }
        // `struct rfkill_event`: index, type, operation, soft, hard.
        _ = write(file.raw, octets + [0, Self.change, on ? 0 : 1, 0], 8)
    }

    /// The switches' names; the first reads tell all there are.
    private func learn() {
        var event = [UInt8](repeating: 0, count: 32)
        while read(file.raw, &event, event.count) >= 8 {
            let index = (0..<4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32(event[$1]) }
            if let name = Self.name(index) { indices[name] = index }
        }
    }

    private static func name(_ index: UInt32) -> String? {
        let number = open("/sys/class/rfkill/rfkill\(index)/name", O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let file = FileDescriptor(owning: number)
        var octets = [UInt8](repeating: 0, count: 64)
        let count = read(file.raw, &octets, octets.count)
        return String(decoding: octets.prefix(max(0, count)).prefix { $0 > 0x20 }, as: UTF8.self)
    }
}

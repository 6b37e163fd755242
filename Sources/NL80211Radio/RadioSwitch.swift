internal import Glibc
internal import LinuxRuntime
internal import Ports

/// The radio's switch, by hand or by command (rfkill): a switched-off radio ends NAN without an event of nl80211.
final class RadioSwitch {
    private static let path = "/dev/rfkill"
    /// `struct rfkill_event`: index, type, operation, soft, hard; later kernels append.
    private static let eventLength = 8
    private static let typeWLAN: UInt8 = 1
    private static let operationRemove: UInt8 = 1

    private let file: FileDescriptor
    private var blocked: [UInt32: Bool] = [:]

    /// Nil on a kernel or in a container without rfkill: then commands tell, later.
    init?() {
        let number = open(Self.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { return nil }
        file = FileDescriptor(owning: number)
    }

    /// What a start says of a radio that is off.
    static func failure(_ wiphyName: String) -> RadioFailure {
        RadioFailure(
            .radioOff, "\(wiphyName) is switched off (rfkill); switch it on, or run `rfkill unblock wifi`")
    }

    var descriptor: Int32 { file.raw }

    /// Takes what has changed; the first time that is how everything is.
    func update() {
        var event = [UInt8](repeating: 0, count: 32)
        while true {
            let count = read(file.raw, &event, event.count)
            guard count >= Self.eventLength else { return }
            let index = (0..<4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32(event[$1]) }
            guard event[4] == Self.typeWLAN else { continue }
            blocked[index] = event[5] == Self.operationRemove ? nil : event[6] != 0 || event[7] != 0
        }
    }

    /// Whether the switch of that radio is off.
    func isOff(_ wiphyName: String) -> Bool {
        blocked.contains { index, isBlocked in
            isBlocked && SystemFile.firstLine("/sys/class/rfkill/rfkill\(index)/name") == wiphyName
        }
    }
}

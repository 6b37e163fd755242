internal import Glibc
internal import LinuxRuntime
internal import Ports

/// The radio's switch, by hand or by command (rfkill): a switched-off radio ends NAN without an event of nl80211.
package final class RadioSwitch {
    static let path = "/dev/rfkill"
    /// `struct rfkill_event`: index, type, operation, soft, hard; later kernels append.
    private static let eventLength = 8
    private static let typeWLAN: UInt8 = 1
    private static let operationRemove: UInt8 = 1
    private static let operationChange: UInt8 = 2

    private let file: FileDescriptor
    /// By the switch's number; a simulated radio has two.
    private var blocked: [UInt32: Bool] = [:]

    /// Nil on a kernel or in a container without rfkill, where commands tell, later; or without the right to change it.
    package init?(forChanging: Bool = false) {
        let number = open(Self.path, (forChanging ? O_RDWR : O_RDONLY) | O_NONBLOCK | O_CLOEXEC)
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
        blocked.contains { $0.value && Self.isSwitch($0.key, of: wiphyName) }
    }

    /// Switches that radio, as a person would; nothing without the right to change it.
    package func set(_ wiphyName: String, isOn: Bool) {
        update()
        for index in blocked.keys where Self.isSwitch(index, of: wiphyName) {
            let octets = (0..<4).map { UInt8(truncatingIfNeeded: index >> (8 * UInt32($0))) }
            _ = write(file.raw, octets + [0, Self.operationChange, isOn ? 0 : 1, 0], Self.eventLength)
        }
    }

    /// A switch keeps the name that its radio was made with; where it stands tells also after a rename.
    static func isSwitch(_ index: UInt32, of wiphyName: String, in classes: String = "/sys/class") -> Bool {
        SystemFile.firstLine("\(classes)/rfkill/rfkill\(index)/name") == wiphyName
            || FileSystem.exists("\(classes)/ieee80211/\(wiphyName)/rfkill\(index)")
    }
}

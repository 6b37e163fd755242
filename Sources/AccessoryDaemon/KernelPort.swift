internal import LinuxRuntime
internal import NL80211Radio
internal import Octets
internal import Ports
internal import SimulatedMedium

/// The real radio as the daemon's radio port.
///
/// A capture of it has the frames that the accessory sends and is given, in clear: what else is on the air only a
/// monitor interface hears.
final class KernelPort: DaemonRadio {
    /// Neither channel nor signal is known of what is sent, and the kernel takes encryption off.
    private static let writer = CaptureWriter(radiotap: false, opensProtected: true)
    static var captureHeader: [UInt8] { writer.fileHeader }

    var onEvent: (RadioEvent) -> Void = { _ in }

    private let loop: EventLoop
    private let radio: NL80211Radio
    private var sink: (([UInt8]) -> Void)?

    init(_ configuration: NL80211Radio.Configuration, loop: EventLoop) throws(StartFailure) {
        self.loop = loop
        do throws(SystemError) {
            radio = try NL80211Radio(loop: loop, configuration: configuration)
        } catch { throw .failure("radio: \(error)") }
        radio.onEvent = { [unowned self] event in
            if case .received(let frame) = event { record(frame.octets) }
            onEvent(event)
        }
    }

    func perform(_ effect: RadioEffect) {
        if case .transmit(let transmission) = effect { record(transmission.frame) }
        radio.perform(effect)
    }

    /// The kernel counts what its radios drop.
    var dropCounts: [String: Int] { [:] }

    /// The kernel sees the traffic itself.
    func noteTraffic(with address: IPAddress) {}

    func capture(to sink: (([UInt8]) -> Void)?) { self.sink = sink }

    private func record(_ octets: [UInt8]) {
        guard let sink else { return }
        var octets = octets
        if octets.count > 1 { octets[1] &= ~0x40 }
        sink(Self.writer.packet(AirFrame(frequency: 0, sentAt: loop.now, content: .frame(octets, seal: nil))))
    }
}

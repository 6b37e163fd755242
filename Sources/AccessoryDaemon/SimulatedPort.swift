internal import LinuxRuntime
internal import Octets
internal import Ports
internal import SimulatedMedium
internal import SimulatedRadio

/// The simulated radio as the daemon's radio port.
///
/// It also tells the air of traffic on the data interfaces, which are loopback addresses and so no business of the air's.
final class SimulatedPort: DaemonRadio {
    /// What a capture file starts with.
    static var captureHeader: [UInt8] { CaptureWriter().fileHeader }

    /// What a radio's socket adds to its folder's path.
    static var nameLength: Int { AirRadio.socketNameLength }

    var onEvent: (RadioEvent) -> Void = { _ in }

    private let radio: AirRadio
    /// By the peer's address; the radio's data stations bound it.
    private var peers: [IPAddress: DataPeer] = [:]

    init(air folder: String, loop: EventLoop, entropy: Entropy) throws(StartFailure) {
        do throws(FileError) {
            radio = try AirRadio(loop: loop, configuration: .init(folder: folder), entropy: entropy)
        } catch {
            if case .system(let cause) = error.cause, !StartFailure.isPermanent(cause) {
                throw .notYet("air: \(error)")
            }
            throw StartFailure(error)
        }
        radio.onEvent = { [unowned self] event in
            switch event {
            case .dataLinkOpened(let peer, _, let address): peers[address] = peer
            case .stopped: peers = [:]
            default: break
            }
            onEvent(event)
        }
    }

    var dropCounts: [String: Int] { DropCounts.of(radio.linkStatistics, radio.statistics) }

    func perform(_ effect: RadioEffect) {
        if case .removeDataPeer(let gone) = effect { peers = peers.filter { $0.value != gone } }
        radio.perform(effect)
    }

    func noteTraffic(with address: IPAddress) {
        if let peer = peers[address] { radio.noteActivity(of: peer) }
    }

    func capture(to sink: (([UInt8]) -> Void)?) {
        guard let sink else { return radio.stopCapture() }
        var isHeader = true  // each capture has got its own already
        radio.startCapture(CaptureWriter()) { octets in
            if !isHeader { sink(octets) }
            isHeader = false
        }
    }
}

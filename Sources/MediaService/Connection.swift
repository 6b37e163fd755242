internal import Identity
internal import LinuxRuntime
internal import MediaTransport
internal import Octets
internal import Ports

/// One peer's use of one service: its flows, its streams, its figures.
final class Connection {
    /// UDP flows at once: an app has one per traffic class; a reopened socket is another.
    static let flowLimit = 8
    /// Viewers at once, each a whole stream on the one link: a player, and one that was started again.
    static let viewerLimit = 4
    /// A viewer this long silent has missed its reports, of which there is one a second, and gives its place up.
    static let viewerSilence = Duration.seconds(3)
    /// TCP streams at once: an HTTP client opens six to a host.
    static let streamLimit = 16

    let id: ConnectionID
    let service: ServedService
    let local: IPAddress
    let peer: IPAddress

    private var worker: MediaWorker { service.worker }
    private var flows: [UInt16: DatagramFlow] = [:]
    private var streams: [ForwardedStream] = []
    private var isActive = false

    // Since the last performance report.
    private var sent: UInt64 = 0
    private var received: UInt64 = 0
    private var measurement: VideoSender.Measurement?
    private var since: MonotonicInstant

    init(_ id: ConnectionID, service: ServedService, local: IPAddress, peer: IPAddress, since: MonotonicInstant) {
        self.id = id
        self.service = service
        self.local = local
        self.peer = peer
        self.since = since
    }

    /// Ends all flows and streams; a connection that `isReplaced` has left its service already.
    func close(replaced isReplaced: Bool = false) {
        for flow in flows.values { flow.close() }
        flows = [:]
        for stream in streams { stream.close() }
        streams = []
        isActive = false
        if !isReplaced { service.dismiss(self) }
    }

    /// The flow of the peer's port, made with its first datagram; nil when it cannot be made.
    func flow(from sender: SocketAddress, now: MonotonicInstant) -> DatagramFlow? {
        if let flow = flows[sender.port] { return flow }
        if flows.count >= Self.flowLimit {
            // The one longest silent is the socket that the app forgot. One that views stays: viewers are fewer.
            let idle = flows.filter { !$0.value.isViewing }
            guard let oldest = idle.min(by: { $0.value.lastHeard < $1.value.lastHeard }) else { return nil }
            oldest.value.close()
            flows[oldest.key] = nil
            worker.counters.update { $0.overLimit += 1 }
        }
        do throws(SystemError) {
            let flow = try DatagramFlow(self, peer: sender, now: now)
            flows[sender.port] = flow
            markActive()
            return flow
        } catch {
            worker.log.log(.warning, "no socket for a flow", [("peer", "\(sender)"), ("error", "\(error)")])
            return nil
        }
    }

    /// Whether one more flow may have a viewer; one that has fallen silent makes room.
    func admitsViewer(_ now: MonotonicInstant) -> Bool {
        let viewing = flows.filter { $0.value.isViewing }
        guard viewing.count >= Self.viewerLimit else { return true }
        guard let oldest = viewing.min(by: { $0.value.lastHeard < $1.value.lastHeard }),
            oldest.value.lastHeard.duration(to: now) >= Self.viewerSilence
        else { return false }
        oldest.value.close()
        flows[oldest.key] = nil
        worker.counters.update { $0.overLimit += 1 }
        return true
    }

    func accept(_ socket: consuming FileDescriptor, from peer: SocketAddress) {
        guard streams.count < Self.streamLimit, let endpoint = service.localEndpoint else {
            return worker.counters.update { $0.overLimit += 1 }
        }
        do throws(SystemError) {
            try worker.mark(socket, service.marking(isVideo: false), isV6: peer.isV6)
            try socket.setNoDelay()
            let stream = try ForwardedStream(
                peer: socket, localProgram: SocketAddress(endpoint), loop: worker.loop, counters: worker.counters)
            stream.onOctets = { [unowned self] received, sent in
                count(received: received)
                count(sent: sent)
            }
            // On a turn of its own: the stream that ends is in the middle of its handler.
            stream.onEnd = { [unowned self, unowned stream] in
                worker.loop.post { [weak self, weak stream] in self?.streams.removeAll { $0 === stream } }
            }
            streams.append(stream)
            markActive()
        } catch {
            worker.log.log(.warning, "a stream was not forwarded", [("peer", "\(peer)"), ("error", "\(error)")])
        }
    }

    // MARK: - Figures

    func count(received octets: Int) { received += UInt64(octets) }

    func count(sent octets: Int) { sent += UInt64(octets) }

    func note(_ measurement: VideoSender.Measurement) { self.measurement = measurement }

    /// The figures since the last call; nil when nothing has been heard of the peer yet.
    func takePerformance(_ now: MonotonicInstant) -> PerformanceReport? {
        guard isActive else { return nil }
        let seconds = since.duration(to: now) / .seconds(1)
        guard seconds > 0 else { return nil }
        defer {
            sent = 0
            received = 0
            measurement = nil
            since = now
        }
        return PerformanceReport(
            sentPerSecond: Double(sent) / seconds, receivedPerSecond: Double(received) / seconds,
            lossFraction: measurement.map { Double($0.fractionLost) / 256 }, jitter: measurement?.jitter,
            roundTrip: measurement?.roundTrip)
    }

    private func markActive() {
        guard !isActive else { return }
        isActive = true
        worker.report(.active(id))
    }
}

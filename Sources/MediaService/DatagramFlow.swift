internal import CLinux
internal import Glibc
internal import Identity
internal import LinuxRuntime
internal import MediaTransport
internal import Octets
internal import Ports

/// One UDP flow of a peer: a socket of its own, bound to the service's port, connected to the peer and marked.
///
/// It takes the class of what the peer first sends on it. On a port that carries both, a flow that asks for video
/// is marked as video for as long as it has a viewer.
final class DatagramFlow {
    private(set) var lastHeard: MonotonicInstant

    private unowned let connection: Connection
    private let peer: SocketAddress
    private let socket: FileDescriptor
    private var source: EventSource?
    private var relay: LocalRelay?
    private var viewer: Viewer?
    private var marking: TrafficMarking?

    private var service: ServedService { connection.service }
    private var worker: MediaWorker { connection.service.worker }

    init(_ connection: Connection, peer: SocketAddress, now: MonotonicInstant) throws(SystemError) {
        self.connection = connection
        self.peer = peer
        lastHeard = now
        socket = try InternetSocket.datagram(
            at: SocketAddress(connection.local, port: connection.service.port.number), connectedTo: peer,
            isShared: true)
        source = try worker.loop.watch(socket.raw) { [unowned self] in receive() }
    }

    // The watch goes before the descriptor: see `EventSource`.
    deinit { source = nil }

    /// Says goodbye to a viewer and stops hearing.
    func close() {
        if let viewer {
            perform(viewer.sender.handle(.stop, now: worker.loop.now), viewer)
        }
        viewer = nil
        relay = nil
        source = nil
    }

    private func receive() {
        let now = worker.loop.now
        for _ in 0..<ServedService.turnLimit {
            do throws(SystemError) {
                guard try worker.receiver.receive(from: socket) else { break }
            } catch {
                // Our datagrams found no socket at the peer: it is restarting or gone, which silence will tell.
                if error.code == ECONNREFUSED { continue }
                worker.log.log(.warning, "receiving failed", [("peer", "\(peer)"), ("error", "\(error)")])
                break
            }
            let sender = worker.receiver.sender
            if sender == peer {
                take(worker.receiver.octets, now: now)
            } else {
                // It came between binding and connecting this socket.
                service.take(from: sender, at: connection.local, now: now)
            }
            if source == nil { return }
        }
        worker.arm()
    }

    /// Hands on one datagram of the peer.
    func take(_ datagram: UnsafeRawBufferPointer, now: MonotonicInstant) {
        lastHeard = now
        connection.count(received: datagram.count)
        switch service.declaration.handler {
        case .control, .forward: forward(datagram)
        case .video:
            guard Self.kind(of: datagram) == .rtcp else { return worker.counters.update { $0.unexpected += 1 } }
            report(datagram, now: now)
        case .controlAndVideo:
            switch Self.kind(of: datagram) {
            case .rtcp: report(datagram, now: now)
            case .dtls: worker.counters.update { $0.unexpected += 1 }
            case .control: forward(datagram)
            }
        }
    }

    private static func kind(of datagram: UnsafeRawBufferPointer) -> DatagramKind {
        DatagramKind(first: datagram.first, second: datagram.count > 1 ? datagram[1] : nil)
    }

    private func mark(isVideo: Bool) {
        let wanted = service.marking(isVideo: isVideo)
        guard marking != wanted else { return }
        do throws(SystemError) {
            try worker.mark(socket, wanted, isV6: peer.isV6)
            marking = wanted
        } catch {
            worker.log.log(.warning, "a flow was not marked", [("peer", "\(peer)"), ("error", "\(error)")])
        }
    }

    // MARK: - Local program

    private func forward(_ datagram: UnsafeRawBufferPointer) {
        if marking == nil { mark(isVideo: false) }
        do throws(SystemError) {
            if relay == nil, let endpoint = service.localEndpoint {
                relay = try LocalRelay(
                    to: SocketAddress(endpoint), loop: worker.loop, receiver: worker.receiver, counters: worker.counters
                ) { [unowned self] answer in sendToPeer(answer) }
            }
            try relay?.send(datagram)
        } catch {
            worker.counters.update { $0.undeliverable += 1 }
        }
    }

    private func sendToPeer(_ datagram: UnsafeRawBufferPointer) {
        do throws(SystemError) {
            if try socket.send(datagram) { connection.count(sent: datagram.count) }
        } catch {
            // As in `receive`: an earlier datagram's fate, or a link that has just gone.
        }
    }

    // MARK: - Viewer

    var isViewing: Bool { viewer != nil }

    private func report(_ datagram: UnsafeRawBufferPointer, now: MonotonicInstant) {
        if viewer == nil {
            guard connection.admitsViewer(now) else { return worker.counters.update { $0.overLimit += 1 } }
            viewer = Viewer(
                VideoSender(configuration: worker.configuration.video, entropy: worker.streamEntropy()))
        }
        guard let viewer else { return }
        let malformed = viewer.sender.counters.malformedControl
        perform(viewer.sender.handle(.control(Array(datagram)), now: now), viewer)
        if viewer.sender.counters.malformedControl > malformed { worker.counters.update { $0.malformed += 1 } }
        // What has asked for nothing has no place among the viewers.
        guard viewer.isStarted else {
            self.viewer = nil
            return
        }
        advance(now)
    }

    /// When `advance` has something to do.
    var nextDeadline: MonotonicInstant? {
        guard let viewer, let deadline = viewer.sender.nextDeadline else { return nil }
        guard let clock = viewer.clock else { return deadline }
        return min(deadline, clock.nextDeadline)
    }

    /// Sends what is due: nothing on this way allocates, but once a second a report.
    func advance(_ now: MonotonicInstant) {
        guard let viewer else { return }
        perform(viewer.sender.handle(.deadlineReached, now: now), viewer)
        while let due = viewer.clock?.next(atKeyframe: viewer.sender.asksForKeyframe(at: now), now: now) {
            // This thread was held up: what is left of a picture still helps, as long as its successor is in time.
            sendBursts(viewer, now, hurrying: true)
            // Half of the time to the next picture: the other half is for what the air holds up.
            viewer.sender.begin(due.unit, timestamp: due.timestamp, spread: service.frameRate.interval / 2, now: now)
            sendBursts(viewer, now)
        }
        sendBursts(viewer, now)
        countDrops(viewer)
    }

    private func countDrops(_ viewer: Viewer) {
        let dropped = viewer.sender.counters.droppedPackets
        if dropped > viewer.reportedDrops {
            worker.counters.update { $0.droppedPackets += dropped - viewer.reportedDrops }
            viewer.reportedDrops = dropped
        }
    }

    /// Whether what it views is the camera's.
    var viewsCamera: Bool { viewer?.isStarted == true && service.showsCamera }

    /// Sends the camera's next picture.
    ///
    /// What this viewer's socket does not take costs it the pictures up to the next keyframe, and nobody else anything.
    func show(_ picture: LivePicture, now: MonotonicInstant) {
        guard let viewer else { return }
        sendBursts(viewer, now, hurrying: true)
        if picture.followsGap { viewer.sender.skipToKeyframe() }
        viewer.sender.begin(
            picture.unit, timestamp: viewer.timestampBase &+ picture.timestamp, spread: picture.interval / 2, now: now)
        sendBursts(viewer, now)
        countDrops(viewer)
    }

    private func sendBursts(_ viewer: Viewer, _ now: MonotonicInstant, hurrying isHurrying: Bool = false) {
        while let run = viewer.sender.nextBurst(now: now, hurrying: isHurrying) {
            viewer.sender.refused(run.count - send(viewer, first: run.first, count: run.count))
        }
    }

    /// Sends packets of the store; returns how many the kernel took.
    private func send(_ viewer: Viewer, first: UInt16, count: Int) -> Int {
        let batch = worker.batch
        let (sent, octets) = viewer.sender.store.withPackets(first: first, count: count) { packets in
            var octets = 0
            for index in 0..<packets.count {
                batch.append(packets[index])
                octets += packets[index].count
            }
            do throws(SystemError) { return (try batch.flush(to: socket), octets) } catch { return (0, 0) }
        }
        connection.count(sent: octets)
        return sent
    }

    private func perform(_ effects: [VideoSender.Effect], _ viewer: Viewer) {
        for effect in effects {
            switch effect {
            case .started: start(viewer)
            case .send(let datagram): datagram.withUnsafeBytes { sendToPeer($0) }
            case .resend(let numbers): for number in numbers { _ = send(viewer, first: number, count: 1) }
            case .measured(let measurement): connection.note(measurement)
            case .ended(let reason):
                // With it the resend buffer: a phone may come and go many times on one flow.
                viewer.clock = nil
                viewer.isStarted = false
                self.viewer = nil
                worker.stopTiming(self)
                if relay != nil { mark(isVideo: false) }
                worker.report(.viewerEnded(connection.id, ViewerEnd(reason)))
            }
        }
    }

    private func start(_ viewer: Viewer) {
        guard service.clip != nil || service.showsCamera else { return }
        mark(isVideo: true)
        var entropy = worker.streamEntropy()
        viewer.timestampBase = UInt32(truncatingIfNeeded: entropy.next())
        viewer.clock = service.clip.map {
            ClipClock(
                clip: $0, rate: service.frameRate, timestampBase: viewer.timestampBase, start: worker.loop.now)
        }
        viewer.isStarted = true
        worker.startTiming(self)
        worker.report(.viewerStarted(connection.id))
    }

    /// A flow's stream: the sending machine and, while it plays a clip, the clip's clock.
    private final class Viewer {
        var sender: VideoSender
        var clock: ClipClock?
        var isStarted = false
        /// The media clock's random beginning (RFC 3550, 5.1).
        var timestampBase: UInt32 = 0
        var reportedDrops: UInt64 = 0

        init(_ sender: VideoSender) { self.sender = sender }
    }
}

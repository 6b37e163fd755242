internal import Identity
internal import LinuxRuntime
internal import MediaTransport
internal import Octets
internal import Ports

/// One service of the identity, on every local address that a connection named.
final class ServedService {
    /// Datagrams or connections taken in one turn: the loop goes round before the next.
    static let turnLimit = 32

    let declaration: ServiceDeclaration
    let port: ServicePort
    /// What viewers are shown: a clip, or the board's camera; neither without a video handler.
    let clip: Clip?
    let showsCamera: Bool
    let frameRate: FrameRate
    unowned let worker: MediaWorker

    /// A socket that hears new peers, for as long as a connection uses its address.
    private final class Listener {
        let socket: FileDescriptor
        var source: EventSource?

        init(_ socket: consuming FileDescriptor) { self.socket = socket }

        // The watch goes before the descriptor: see `EventSource`.
        deinit { source = nil }
    }

    private struct Path: Hashable {
        let local: IPAddress
        let peer: IPAddress
    }

    private var listeners: [IPAddress: Listener] = [:]
    private var connections: [Path: Connection] = [:]

    init(_ declaration: ServiceDeclaration, worker: MediaWorker) throws(ClipFile.Failure) {
        self.declaration = declaration
        self.worker = worker
        port = ServicePort(declaration)
        switch declaration.handler.video?.source {
        case .file(let path, let framesPerSecond)?:
            clip = try ClipFile.load(path)
            showsCamera = false
            frameRate = FrameRate(Int64(framesPerSecond))
        case .camera?:
            guard worker.camera != nil else {
                throw ClipFile.Failure(description: "the board's profile has no camera")
            }
            clip = nil
            showsCamera = true
            frameRate = FrameRate(Int64(VideoHandler.defaultFrameRate))
        case nil:
            clip = nil
            showsCamera = false
            frameRate = FrameRate(Int64(VideoHandler.defaultFrameRate))
        }
    }

    /// Serves `connection`'s peer from now on; the peer's last connection over the same path ends.
    func admit(_ connection: Connection) throws(SystemError) {
        if listeners[connection.local] == nil { listeners[connection.local] = try listen(at: connection.local) }
        let path = Path(local: connection.local, peer: connection.peer)
        connections.updateValue(connection, forKey: path)?.close(replaced: true)
    }

    func dismiss(_ connection: Connection) {
        let path = Path(local: connection.local, peer: connection.peer)
        guard connections[path] === connection else { return }
        connections[path] = nil
        if !connections.keys.contains(where: { $0.local == connection.local }) { listeners[connection.local] = nil }
    }

    /// The marking of one kind of traffic.
    func marking(isVideo: Bool) -> TrafficMarking {
        if isVideo, let video = declaration.handler.video { return TrafficMarking(video.serviceClass) }
        if let control = declaration.handler.control { return TrafficMarking(control.serviceClass) }
        return TrafficMarking(declaration.handler.video?.serviceClass ?? declaration.serviceClass)
    }

    /// The local program that datagrams go to; nil for video alone.
    var localEndpoint: LocalEndpoint? {
        switch declaration.handler {
        case .control(let control), .controlAndVideo(let control, _): control.local
        case .forward(let endpoint): endpoint
        case .video: nil
        }
    }

    private func listen(at local: IPAddress) throws(SystemError) -> Listener {
        let address = SocketAddress(local, port: port.number)
        let listener: Listener
        switch port.transport {
        case .udp:
            listener = Listener(try InternetSocket.datagram(at: address, isShared: true))
            listener.source = try worker.loop.watch(listener.socket.raw) { [unowned self, unowned listener] in
                receive(on: listener, at: local)
            }
        case .tcp:
            listener = Listener(try InternetSocket.listen(at: address))
            listener.source = try worker.loop.watch(listener.socket.raw) { [unowned self, unowned listener] in
                accept(on: listener, at: local)
            }
        }
        return listener
    }

    private func receive(on listener: Listener, at local: IPAddress) {
        let now = worker.loop.now
        for _ in 0..<Self.turnLimit {
            do throws(SystemError) {
                guard try worker.receiver.receive(from: listener.socket) else { break }
                take(from: worker.receiver.sender, at: local, now: now)
            } catch {
                worker.log.log(.warning, "receiving failed", [("port", "\(port)"), ("error", "\(error)")])
                break
            }
        }
        worker.arm()
    }

    /// Deals with the datagram in the receiver, which came from `sender`: to the flow it belongs to, or nowhere.
    func take(from sender: SocketAddress, at local: IPAddress, now: MonotonicInstant) {
        guard let connection = connections[Path(local: local, peer: sender.ipAddress)] else {
            return worker.counters.update { $0.foreign += 1 }
        }
        guard let flow = connection.flow(from: sender, now: now) else { return }
        flow.take(worker.receiver.octets, now: now)
    }

    private func accept(on listener: Listener, at local: IPAddress) {
        for _ in 0..<Self.turnLimit {
            do throws(SystemError) {
                let isTaken = try InternetSocket.accept(on: listener.socket) {
                    (socket: consuming FileDescriptor, peer) in
                    take(socket, from: peer, at: local)
                }
                if !isTaken { break }
            } catch {
                worker.log.log(.warning, "accepting failed", [("port", "\(port)"), ("error", "\(error)")])
                break
            }
        }
    }

    /// In a method: Swift 6.0.3's optimiser dies of a closure that takes a socket and does not always pass it on.
    private func take(_ socket: consuming FileDescriptor, from peer: SocketAddress, at local: IPAddress) {
        if let connection = connections[Path(local: local, peer: peer.ipAddress)] {
            connection.accept(socket, from: peer)
        } else {
            worker.counters.update { $0.foreign += 1 }
        }
    }
}

import Foundation
import JSONText
import LinuxRuntime
import Varlink

/// A service on a thread of its own that answers from a script, for a client in the test's thread.
///
/// It ends when its socket's `Stop` is called or the test calls `stop`.
struct ControlService: Sendable {
    let path: String
    private let ended = DispatchSemaphore(value: 0)

    typealias Script = @Sendable (VarlinkServer, EventLoop, VarlinkServer.Event) -> Void

    init(limits: VarlinkServer.Limits = .init(), _ script: @escaping Script) throws {
        let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString.prefix(13))"
        let started = DispatchSemaphore(value: 0)
        let ended = ended
        let thread = Thread {
            do {
                let loop = try EventLoop()
                let server = try VarlinkServer(
                    at: UnixAddress(path: path), on: loop,
                    info: VarlinkServiceInfo(vendor: "V", product: "P", version: "1", url: "https://example.org"),
                    interfaces: [ControlInterface.description()], busy: .busy, limits: limits)
                server.onEvent = { [unowned server, unowned loop] event in
                    if case .called(let call) = event, call.method.hasSuffix(".Stop") {
                        server.reply(call.id, [:])
                        loop.exit()
                    } else {
                        script(server, loop, event)
                    }
                }
                started.signal()
                _ = try withExtendedLifetime(server) { try loop.run() }
            } catch { print("service: \(error)") }
            ended.signal()
        }
        self.path = path
        thread.start()
        started.wait()
    }

    func stop() throws {
        let client = try VarlinkClient(path: path)
        _ = try client.call(ControlInterface.Method.stop.qualifiedName)
        ended.wait()
    }

    /// A connection on which a test writes what it likes.
    func raw() throws -> RawConnection { RawConnection(try UnixSocket.connect(to: UnixAddress(path: path))) }
}

/// One end of a stream, read and written octet by octet.
final class RawConnection {
    private let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ octets: [UInt8]) throws {
        var sent = 0
        while sent < octets.count { sent += try descriptor.write(octets, from: sent) }
    }

    /// Whole messages, until there are `count` or the other end closes.
    func messages(_ count: Int) throws -> [String] {
        var octets: [UInt8] = []
        while octets.filter({ $0 == 0 }).count < count {
            guard case .octets(let more) = try descriptor.read(limit: 65536) else { break }
            octets += more
        }
        return octets.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether the other end has closed, after whatever it still had to say.
    func isClosed() throws -> Bool {
        while true {
            guard try descriptor.waitUntilReadable(timeout: .seconds(10)) else { return false }
            do {
                if case .end = try descriptor.read(limit: 65536) { return true }
            } catch { return true }
        }
    }
}

extension Control.Snapshot {
    static let example = Self(
        version: "1.0", radio: "simulated", uptimeMilliseconds: 4711,
        identity: .init(
            vendorName: "Example Air", modelName: "Falcon 2", pairingName: "Falcon 2 A17", serialNumber: "17"),
        services: [
            .init(
                name: "_drone-service._udp", instanceName: nil, port: 5600, handler: "control and video",
                performanceMode: "realtime", serviceClass: "interactive_video", state: .ready, isPublished: true,
                connections: 1)
        ],
        pairing: .init(
            policy: "after_boot", isOpen: true, closesInMilliseconds: 1000, attempt: .pinShown, failedAttempts: 1,
            isLockedOut: false),
        peers: [
            .init(
                id: "0badcafe", pairingName: "Ann's phone", vendorName: "Apple", pairedAt: 1_790_000_000,
                isConnected: true)
        ],
        connections: [
            .init(
                id: 1, peer: "0badcafe", service: "_drone-service._udp", interface: "lo", address: "127.9.0.2",
                ageMilliseconds: 10, isViewing: true)
        ],
        rejected: ["truncated": 3])
}

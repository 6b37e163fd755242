import Foundation
import Identity
import LinuxRuntime
import MediaService
import MediaTransport
import Octets
import Ports
import Synchronization
import Testing

/// Past this, what a test waits for does not come any more.
let patience: Duration = .seconds(10)

let clipPath = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../board/demo/clip.h264").standardizedFileURL.path

/// Loopback addresses that no other test and no other run uses: sockets that share a port would share datagrams.
enum TestAddress {
    private static let count = Atomic<UInt32>(0)

    static func fresh() -> IPAddress {
        let number = count.add(1, ordering: .relaxed).newValue
        return .v4(0x7F00_0000 | (UInt32(getpid()) & 0xFF | 1) << 16 | (number & 0xFF) << 8 | 1 + number >> 8)
    }
}

/// An address family's set-up: an accessory and phones, each at its own address where the family has more than one.
enum Family: CaseIterable, CustomTestStringConvertible {
    case v4
    case v6

    var testDescription: String { self == .v4 ? "127.0.0.0/8" : "::1" }
    var isV6: Bool { self == .v6 }
    func address() -> IPAddress { self == .v4 ? TestAddress.fresh() : .loopback6 }
}

/// A UDP socket of a test: a phone's or a local program's.
final class TestSocket {
    let socket: FileDescriptor
    let address: SocketAddress
    private let receiver = DatagramReceiver()

    /// Bound to a free port of `address`.
    init(at address: IPAddress, connectedTo peer: SocketAddress? = nil) throws {
        let any = SocketAddress(address, port: 0)
        if let peer {
            socket = try InternetSocket.datagram(at: any, connectedTo: peer)
        } else {
            socket = try InternetSocket.datagram(at: any)
        }
        try socket.setBuffers(receive: 1 << 20)
        self.address = try socket.localAddress()
        try socket.reportTrafficClass(isV6: self.address.isV6)
    }

    func send(_ octets: [UInt8]) throws { try socket.send(octets) }

    func send(_ octets: [UInt8], to peer: SocketAddress) throws {
        try #require(sendDatagram(socket.raw, octets, to: peer))
    }

    /// The next datagram, waited for; nil when `limit` is over.
    func receive(within limit: Duration = patience) throws -> (octets: [UInt8], from: SocketAddress, class: UInt8?)? {
        guard try socket.waitUntilReadable(timeout: limit), try receiver.receive(from: socket) else { return nil }
        return (Array(receiver.octets), receiver.sender, receiver.trafficClass)
    }
}

/// The media thread under test, and what it has reported.
final class TestService {
    let media: MediaService
    private(set) var reports: [StreamReport] = []

    init(_ configuration: MediaService.Configuration = .init()) throws {
        media = try MediaService(configuration: configuration)
    }

    func send(_ command: StreamCommand) throws { try #require(media.send(command)) }

    /// Waits for the report that `isWanted` and returns it; earlier ones stay in `reports`.
    @discardableResult
    func wait(for limit: Duration = patience, _ isWanted: (StreamReport) -> Bool) throws -> StreamReport {
        let end = ContinuousClock.now + limit
        while true {
            let fresh = media.takeReports()
            reports += fresh
            if let found = fresh.first(where: isWanted) { return found }
            var entry = pollfd(fd: media.reportDescriptor, events: Int16(POLLIN), revents: 0)
            let left = ContinuousClock.now.duration(to: end)
            try #require(left > .zero, "reported so far: \(reports)")
            _ = poll(&entry, 1, Int32(left / .milliseconds(1)) + 1)
        }
    }

    /// Opens a service at a free port of `address` and admits `peers`.
    func open(
        _ handler: ServiceHandler, name: String = "_test._udp", at address: IPAddress, for peers: [IPAddress],
        serviceClass: ServiceClass = .bestEffort
    ) throws -> SocketAddress {
        let isStream = name.hasSuffix("_tcp")
        let port = try isStream ? freeStreamPort(at: address) : TestSocket(at: address).address.port
        let declaration = try ServiceDeclaration(
            name: ServiceName(name), port: Int(port), handler: handler, serviceClass: serviceClass)
        let servicePort = ServicePort(declaration)
        try send(.openService(declaration))
        try wait { $0 == .serviceOpened(servicePort) }
        for (index, peer) in peers.enumerated() {
            try send(.connect(ConnectionID(UInt64(index)), to: servicePort, local: address, peer: peer))
        }
        // Commands are taken in order: an answer to this one says that the others were.
        let probe = ServicePort(number: 1, transport: .udp)
        try send(.connect(ConnectionID(999), to: probe, local: address, peer: address))
        try wait { if case .serviceFailed(probe, _) = $0 { true } else { false } }
        return SocketAddress(address, port: port)
    }

    private func freeStreamPort(at address: IPAddress) throws -> UInt16 {
        try InternetSocket.listen(at: SocketAddress(address, port: 0)).localAddress().port
    }
}

func endpoint(_ address: SocketAddress) throws -> LocalEndpoint {
    try LocalEndpoint(address.isV6 ? "[::1]:\(address.port)" : "\(address)", field: "local")
}

func videoHandler(
    _ serviceClass: ServiceClass = .interactiveVideo, framesPerSecond: Int = 30
) throws -> VideoHandler {
    try VideoHandler(file: clipPath, framesPerSecond: framesPerSecond, serviceClass: serviceClass)
}

let receiverReport = RTCPPacket.compound([.receiverReport(ssrc: 1, blocks: [])])
let goodbye = RTCPPacket.compound([.receiverReport(ssrc: 1, blocks: []), .goodbye(ssrcs: [1])])

/// sendto on an unconnected test socket.
private func sendDatagram(_ descriptor: Int32, _ octets: [UInt8], to peer: SocketAddress) -> Bool {
    func send<Address>(_ address: Address) -> Bool {
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, octets, octets.count, 0, $0, socklen_t(MemoryLayout<Address>.size)) >= 0
            }
        }
    }
    switch peer.host {
    case .v4(let bits):
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = peer.port.bigEndian
        address.sin_addr.s_addr = bits.bigEndian
        return send(address)
    case .v6:
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = peer.port.bigEndian
        address.sin6_addr = in6addr_loopback
        return send(address)
    }
}

final class TemporaryFolder {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
}

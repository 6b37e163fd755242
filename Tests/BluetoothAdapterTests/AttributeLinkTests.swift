import BluetoothFrames
import Glibc
import LinuxRuntime
import Octets
import Ports
import Testing

@testable import BluetoothAdapter

/// A link over a pair of Unix sockets, which keep packets apart as L2CAP does.
private final class LinkPair {
    let loop: EventLoop
    let far: FileDescriptor
    var events: [BluetoothEvent] = []
    private(set) var link: AttributeLink?

    init() throws {
        loop = try EventLoop()
        var ends: [Int32] = [0, 0]
        try systemCall("socketpair") { socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) }
        for end in ends { try systemCall("fcntl") { fcntl(end, F_SETFL, O_NONBLOCK) } }
        far = FileDescriptor(owning: ends[1])
        link = try AttributeLink(
            loop: loop, descriptor: FileDescriptor(owning: ends[0]), id: BluetoothLinkID(7),
            peer: BluetoothAddress(.random, bits: 0xC0C1_C2C3_C4C5), isConnected: true
        ) { [unowned self] in events.append($0) }
        // A loop's first turn is its own.
        try loop.turn(within: .zero)
    }

    func turn() throws { try loop.turn(within: .milliseconds(100)) }
}

@Suite("ATT links of the kernel") struct AttributeLinkTests {
    private let id = BluetoothLinkID(7)

    @Test("a packet is a PDU, in both directions") func packets() throws {
        let pair = try LinkPair()
        try pair.far.send([0x0A, 0x03, 0x00])
        try pair.far.send([0x02, 0xF7, 0x00])
        try pair.turn()
        #expect(pair.events == [.attReceived(id, [0x0A, 0x03, 0x00]), .attReceived(id, [0x02, 0xF7, 0x00])])
        pair.link?.send([0x0B, 0x61])
        let received = try pair.far.receive(limit: 100)
        #expect(received == [0x0B, 0x61])
    }

    @Test("a flood is taken a bounded number of PDUs at a time") func flood() throws {
        let pair = try LinkPair()
        for _ in 0..<40 { try pair.far.send([0x52, 0x03, 0x00]) }
        try pair.turn()
        #expect(pair.events.count == 16)
        try pair.turn()
        #expect(pair.events.count == 32)
    }

    @Test("a central that does not take what it is sent loses its link, and nothing is kept without bound")
    func stalled() throws {
        let pair = try LinkPair()
        let pdu = [UInt8](repeating: 0x1B, count: 500)
        var sent = 0
        while pair.events.isEmpty, sent < 100_000 {
            pair.link?.send(pdu)
            sent += 1
        }
        #expect(pair.events == [.attClosed(id)])
        pair.link?.send(pdu)
        #expect(pair.events.count == 1)
        var arrived = 0
        while try pair.far.receive(limit: 1000) != nil { arrived += 1 }
        #expect(sent - arrived == 33)  // what waited, and the one that had no place
    }

    @Test("what waited is sent in order once there is room") func room() throws {
        let pair = try LinkPair()
        var sent: [UInt8] = []
        let filling = [UInt8](repeating: 0, count: 500)
        // Until the kernel has no more room, and then some.
        for number in UInt8(0)..<UInt8.max {
            pair.link?.send([number] + filling)
            sent.append(number)
            if pair.link?.isWaiting == true { break }
        }
        for number in UInt8(240)..<UInt8(250) {
            pair.link?.send([number] + filling)
            sent.append(number)
        }
        #expect(pair.events.isEmpty)
        var arrived: [UInt8] = []
        while arrived.count < sent.count {
            while let pdu = try pair.far.receive(limit: 1000) { arrived.append(pdu[0]) }
            try pair.turn()
        }
        #expect(arrived == sent)
    }

    @Test("a link that ends says so once, as does one with an empty PDU") func end() throws {
        let pair = try LinkPair()
        try pair.far.send([])
        try pair.turn()
        #expect(pair.events == [.attClosed(id)])
        try pair.turn()
        #expect(pair.events.count == 1)
    }
}

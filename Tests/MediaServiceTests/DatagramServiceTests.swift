import Identity
import LinuxRuntime
import MediaService
import MediaTransport
import Ports
import Testing

@Suite("Datagrams between phones and local programs") struct DatagramServiceTests {
    @Test("control passes every octet untouched, both ways, and keeps two phones apart", arguments: Family.allCases)
    func untouched(_ family: Family) throws {
        let accessory = family.address()
        let program = try TestSocket(at: family.address())
        let addresses = [family.address(), family.address()]
        let service = try TestService()
        let handler = ControlHandler(local: try endpoint(program.address), serviceClass: .bestEffort)
        // On ::1 both phones have one address, and so one connection.
        let at = try service.open(
            .control(handler), at: accessory, for: family.isV6 ? [addresses[0]] : addresses)
        let phones = try addresses.map { try TestSocket(at: $0, connectedTo: at) }

        var seen: [SocketAddress] = []
        for phone in phones {
            try phone.send([1])
            seen.append(try #require(try program.receive()).from)
        }
        #expect(Set(seen).count == 2)
        // Every first octet, the reserved ones of a shared port among them: this port is not shared.
        for first in UInt8.min ... .max {
            let datagram: [UInt8] = [first, 0xC8, 0, 1]
            let index = Int(first) % 2
            try phones[index].send(datagram)
            let request = try #require(try program.receive())
            #expect(request.octets == datagram)
            #expect(request.from == seen[index])
            try program.send(datagram.reversed(), to: seen[index])
            let answer = try #require(try phones[index].receive())
            #expect(answer.octets == datagram.reversed())
            #expect(answer.from == at)
        }
    }

    @Test("the empty datagram and the largest pass too", arguments: [0, 1, 1472, 65507])
    func sizes(_ count: Int) throws {
        let (accessory, peer) = (TestAddress.fresh(), TestAddress.fresh())
        let program = try TestSocket(at: TestAddress.fresh())
        let service = try TestService()
        let at = try service.open(.forward(try endpoint(program.address)), at: accessory, for: [peer])
        let phone = try TestSocket(at: peer, connectedTo: at)
        let datagram = (0..<count).map { UInt8($0 % 253) }
        try phone.send(datagram)
        let request = try #require(try program.receive())
        #expect(request.octets == datagram)
        try program.send(datagram, to: request.from)
        let answer = try #require(try phone.receive())
        #expect(answer.octets == datagram)
    }

    @Test("who has no data path is not served, is counted, and costs nobody else anything") func foreign() throws {
        let (accessory, peer) = (TestAddress.fresh(), TestAddress.fresh())
        let program = try TestSocket(at: TestAddress.fresh())
        let service = try TestService()
        let at = try service.open(.forward(try endpoint(program.address)), at: accessory, for: [peer])
        let stranger = try TestSocket(at: TestAddress.fresh(), connectedTo: at)
        for _ in 0..<5 { try stranger.send([9]) }
        // Sent after them on the same socket, so dealt with after them.
        let phone = try TestSocket(at: peer, connectedTo: at)
        try phone.send([7])
        #expect(try #require(try program.receive()).octets == [7])
        #expect(try program.receive(within: .zero) == nil)
        #expect(service.media.counters.foreign == 5)
    }

    @Test("each flow has the socket that is connected to it; one more than the limit costs the oldest")
    func flows() throws {
        let (accessory, peer) = (TestAddress.fresh(), TestAddress.fresh())
        let program = try TestSocket(at: TestAddress.fresh())
        let service = try TestService()
        let at = try service.open(.forward(try endpoint(program.address)), at: accessory, for: [peer])
        // Eight is the limit of one connection.
        let phones = try (0..<9).map { _ in try TestSocket(at: peer, connectedTo: at) }
        var relays: [SocketAddress] = []
        for round in 0..<3 {
            for (index, phone) in phones.prefix(8).enumerated() {
                try phone.send([UInt8(round), UInt8(index)])
                let request = try #require(try program.receive())
                #expect(request.octets == [UInt8(round), UInt8(index)])
                if round == 0 { relays.append(request.from) }
                #expect(request.from == relays[index])
                try program.send(request.octets, to: request.from)
                #expect(try #require(try phone.receive()).octets == [UInt8(round), UInt8(index)])
            }
        }
        #expect(Set(relays).count == 8)
        #expect(service.media.counters.overLimit == 0)
        try phones[8].send([8])
        #expect(try program.receive()?.octets == [8])
        #expect(service.media.counters.overLimit == 1)
        // The evicted phone's next datagram makes it a new flow.
        try phones[0].send([0])
        let again = try #require(try program.receive())
        #expect(again.from != relays[0])
    }

    @Test("after a disconnect the peer is a stranger") func disconnect() throws {
        let (accessory, peer) = (TestAddress.fresh(), TestAddress.fresh())
        let program = try TestSocket(at: TestAddress.fresh())
        let service = try TestService()
        let other = TestAddress.fresh()
        let at = try service.open(.forward(try endpoint(program.address)), at: accessory, for: [peer, other])
        let phone = try TestSocket(at: peer, connectedTo: at)
        try phone.send([1])
        #expect(try program.receive()?.octets == [1])
        try service.wait { $0 == .active(ConnectionID(0)) }
        try service.send(.disconnect(ConnectionID(0)))
        try service.send(
            .openService(
                try ServiceDeclaration(
                    name: ServiceName("_again._udp"), port: 2, handler: .forward(try endpoint(program.address)))))
        try service.wait { if case .serviceOpened = $0 { true } else { false } }
        try phone.send([2])
        let second = try TestSocket(at: other, connectedTo: at)
        try second.send([3])
        #expect(try program.receive()?.octets == [3])
        #expect(service.media.counters.foreign == 1)
    }

    @Test("a local program that is not there is counted, and served once it is") func absentProgram() throws {
        let (accessory, peer, home) = (TestAddress.fresh(), TestAddress.fresh(), TestAddress.fresh())
        var program: TestSocket? = try TestSocket(at: home)
        let address = try #require(program).address
        program = nil
        let service = try TestService()
        let at = try service.open(.forward(try endpoint(address)), at: accessory, for: [peer])
        let phone = try TestSocket(at: peer, connectedTo: at)
        let end = ContinuousClock.now + patience
        while service.media.counters.undeliverable == 0, ContinuousClock.now < end { try phone.send([1]) }
        #expect(service.media.counters.undeliverable > 0)
        let late = try InternetSocket.datagram(at: address)
        try phone.send([2])
        #expect(try late.waitUntilReadable(timeout: patience))
    }

    @Test("two flows of different class on one port carry their own marking", arguments: Family.allCases)
    func markings(_ family: Family) throws {
        let (accessory, peer) = (family.address(), family.address())
        let program = try TestSocket(at: family.address())
        let service = try TestService()
        let handler = ServiceHandler.controlAndVideo(
            ControlHandler(local: try endpoint(program.address), serviceClass: .interactiveVoice),
            try videoHandler(.interactiveVideo))
        let at = try service.open(handler, at: accessory, for: [peer])
        let control = try TestSocket(at: peer, connectedTo: at)
        let viewer = try TestSocket(at: peer, connectedTo: at)

        try control.send([0x41])
        let request = try #require(try program.receive())
        #expect(request.octets == [0x41])
        try viewer.send(receiverReport)
        for _ in 0..<20 {
            let packet = try #require(try viewer.receive())
            #expect(packet.class == 34 << 2)
            #expect(packet.octets[1] & 0x7F == 96 || packet.octets[1] == 200)
            try program.send([0x42], to: request.from)
            let answer = try #require(try control.receive())
            #expect(answer.class == 46 << 2)
            #expect(answer.octets == [0x42])
        }
        // DTLS is reserved: neither the program nor the viewer gets it.
        try control.send([22, 254, 253])
        try control.send([0x43])
        #expect(try program.receive()?.octets == [0x43])
        #expect(service.media.counters.unexpected == 1)
    }

    @Test("every class is read back on receipt", arguments: Family.allCases, ServiceClass.allCases)
    func everyClass(_ family: Family, _ serviceClass: ServiceClass) throws {
        let (accessory, peer) = (family.address(), family.address())
        let program = try TestSocket(at: family.address())
        let service = try TestService()
        let at = try service.open(
            .forward(try endpoint(program.address)), at: accessory, for: [peer], serviceClass: serviceClass)
        let phone = try TestSocket(at: peer, connectedTo: at)
        try phone.send([1])
        let request = try #require(try program.receive())
        try program.send([2], to: request.from)
        let answer = try #require(try phone.receive())
        #expect(answer.class == TrafficMarking(serviceClass).trafficClass)
    }
}

import NANEngine
import NANFrames
import NANSecurity
import Octets
import Testing

@Suite("Discovery") struct DiscoveryTests {
    static let own = NMI(MACAddress(bits: 0x02AA_AAAA_AAAA))
    static let peer = NMI(MACAddress(bits: 0x02BB_BBBB_BBBB))
    let start = MonotonicInstant(nanoseconds: 0)

    func sender(_ nmi: NMI = peer) -> Discovery.Sender {
        Discovery.Sender(nmi: nmi, bootstrappingMethods: [], supportsPairing: true, pairing: nil, cipherSuites: nil)
    }

    func descriptor(
        _ kind: ServiceDescriptor.Kind, service: String = "_cam._udp", instance: UInt8 = 9, requestor: UInt8 = 0,
        filter: [UInt8]? = nil, response: ServiceResponseFilter? = nil, info: [UInt8]? = nil
    ) -> ServiceDescriptor {
        ServiceDescriptor(
            serviceID: ServiceID(serviceHash(ofName: service)), instanceID: InstanceID(instance),
            requestorInstanceID: InstanceID(requestor), kind: kind, matchingFilter: filter.map { MatchingFilter($0) },
            serviceResponseFilter: response, serviceInfo: info)
    }

    func publisher(_ change: (inout PublishConfiguration) -> Void = { _ in }) -> Discovery {
        var discovery = Discovery()
        var configuration = PublishConfiguration(instance: InstanceID(1), serviceName: "_cam._udp")
        change(&configuration)
        discovery.publish(configuration, now: start)
        return discovery
    }

    func subscriber(_ change: (inout SubscribeConfiguration) -> Void = { _ in }) -> Discovery {
        var discovery = Discovery()
        var configuration = SubscribeConfiguration(instance: InstanceID(1), serviceName: "_CAM._udp")
        change(&configuration)
        discovery.subscribe(configuration, now: start)
        return discovery
    }

    @Test("every unsolicited publish and active subscribe speaks once per window, each of several") func perWindow() {
        var discovery = publisher()
        discovery.publish(
            PublishConfiguration(instance: InstanceID(2), serviceName: "_other._tcp"), now: start)
        discovery.subscribe(
            SubscribeConfiguration(instance: InstanceID(3), serviceName: "_third._udp"), now: start)
        for _ in 0..<3 {
            let frames = discovery.windowAhead(now: start).compactMap { effect -> InstanceID? in
                if case .send(let frame) = effect { frame.descriptor.instanceID } else { nil }
            }
            #expect(frames == [InstanceID(1), InstanceID(2), InstanceID(3)])
        }
    }

    @Test("a solicited publisher is silent until it is asked, and answers the asker alone") func solicited() throws {
        var discovery = publisher { $0.isUnsolicited = false }
        #expect(discovery.windowAhead(now: start).isEmpty)
        let effects = discovery.receive(descriptor(.subscribe), nil, from: sender(), own: Self.own, now: start)
        guard case .send(let frame)? = effects.first else { throw Missing() }
        #expect(frame.destination == Self.peer)
        #expect(frame.descriptor.requestorInstanceID == InstanceID(9))
        #expect(
            effects.last
                == .subscriberHeard(
                    ServicePeer(nmi: Self.peer, instance: InstanceID(1), peerInstance: InstanceID(9))))
    }

    @Test("a frame that asks the same a hundred times gets one answer, the next frame another one") func sameQuery() {
        var discovery = publisher()
        func ask(_ discovery: inout Discovery, _ nmi: NMI, _ now: MonotonicInstant) -> Int {
            discovery.receive(descriptor(.subscribe), nil, from: sender(nmi), own: Self.own, now: now).count
        }
        let counts = (0..<100).map { _ in ask(&discovery, Self.peer, start) }
        #expect(counts == [2] + [Int](repeating: 0, count: 99))
        #expect(ask(&discovery, NMI(MACAddress(bits: 0x02CC_CCCC_CCCC)), start) == 2)
        #expect(ask(&discovery, Self.peer, start.advanced(by: .nanoseconds(1))) == 2)
    }

    @Test("a frame that asks for a hundred instances gets no more answers than a device has use for")
    func manyQueries() {
        var discovery = publisher()
        discovery.publish(PublishConfiguration(instance: InstanceID(2), serviceName: "_cam._udp"), now: start)
        var effects: [Discovery.Effect] = []
        for instance in 1...100 as ClosedRange<UInt8> {
            let query = descriptor(.subscribe, instance: instance)
            effects += discovery.receive(query, nil, from: sender(), own: Self.own, now: start)
        }
        #expect(effects.count == 2 * Discovery.answerLimit)
    }

    @Test("an unsolicited publisher that is not solicited answers nobody") func unsolicitedOnly() {
        var discovery = publisher { $0.isSolicited = false }
        #expect(discovery.receive(descriptor(.subscribe), nil, from: sender(), own: Self.own, now: start).isEmpty)
    }

    @Test("a passive subscriber sends nothing and hears all the same") func passive() {
        var discovery = subscriber { $0.isActive = false }
        #expect(discovery.windowAhead(now: start).isEmpty)
        let heard = discovery.receive(descriptor(.publish), nil, from: sender(), own: Self.own, now: start)
        #expect(heard.count == 1)
    }

    @Test("names differ in case only where ASCII does; another service is not found") func otherService() {
        var discovery = subscriber()
        let other = descriptor(.publish, service: "_cam._tcp")
        #expect(discovery.receive(other, nil, from: sender(), own: Self.own, now: start).isEmpty)
        let shouted = descriptor(.publish, service: "_CaM._UDP")
        #expect(discovery.receive(shouted, nil, from: sender(), own: Self.own, now: start).count == 1)
    }

    @Test("a publisher is reported once, again when it says something new, and lost when it falls silent") func once() {
        var discovery = subscriber()
        let first = descriptor(.publish, info: [0x50, 0x6F, 0x9A, 0x02, 0x01])
        let second = descriptor(.publish, info: [0x50, 0x6F, 0x9A, 0x02, 0x02])
        #expect(discovery.receive(first, nil, from: sender(), own: Self.own, now: start).count == 1)
        #expect(discovery.receive(first, nil, from: sender(), own: Self.own, now: start).isEmpty)
        #expect(discovery.receive(second, nil, from: sender(), own: Self.own, now: start).count == 1)
        let silence = start.advanced(by: .timeUnits(8 * 512))
        let lost = Discovery.Effect.lost(
            ServicePeer(nmi: Self.peer, instance: InstanceID(1), peerInstance: InstanceID(9)))
        #expect(!discovery.windowAhead(now: silence.advanced(by: .nanoseconds(-1))).contains(lost))
        #expect(discovery.windowAhead(now: silence).contains(lost))
    }

    @Test("filters decide on both sides") func filters() {
        var publisher = publisher { $0.matchingFilter = [1, 1, 1, 2, 1, 3] }
        let asks = { (filter: [UInt8]) in self.descriptor(.subscribe, filter: filter) }
        let wanted = publisher.receive(asks([1, 1, 0, 1, 3]), nil, from: sender(), own: Self.own, now: start)
        #expect(!wanted.isEmpty)
        #expect(publisher.receive(asks([1, 1, 1, 4]), nil, from: sender(), own: Self.own, now: start).isEmpty)
        var subscriber = subscriber { $0.matchingFilter = [1, 7] }
        let offers = { (filter: [UInt8]?) in self.descriptor(.publish, filter: filter) }
        #expect(subscriber.receive(offers(nil), nil, from: sender(), own: Self.own, now: start).isEmpty)
        #expect(subscriber.receive(offers([1, 7]), nil, from: sender(), own: Self.own, now: start).count == 1)
    }

    @Test("a response filter that leaves us out is obeyed before anything else") func responseFilter() {
        var discovery = publisher()
        let others = ServiceResponseFilter([Self.peer])
        let asked = descriptor(.subscribe, response: others)
        #expect(discovery.receive(asked, nil, from: sender(), own: Self.own, now: start).isEmpty)
        let ours = descriptor(.subscribe, response: ServiceResponseFilter([Self.own]))
        #expect(!discovery.receive(ours, nil, from: sender(), own: Self.own, now: start).isEmpty)
    }

    @Test("an instance ends with the window at its time to live, and not before") func timeToLive() {
        var discovery = publisher { $0.timeToLive = .seconds(5) }
        let end = start.advanced(by: .seconds(5))
        #expect(!discovery.windowAhead(now: end.advanced(by: .nanoseconds(-1))).contains(.ended(InstanceID(1))))
        #expect(discovery.windowAhead(now: end) == [.ended(InstanceID(1))])
        #expect(discovery.windowAhead(now: end).isEmpty)
    }

    @Test("a follow-up reaches the instance it names, with the extension's service info before the descriptor's")
    func followUp() {
        var discovery = publisher()
        let extended = ServiceDescriptorExtension(
            instanceID: InstanceID(9), control: [], serviceInfo: ServiceInfo(.generic, [0xAA]))
        let message = descriptor(.followUp, requestor: 1, info: [0x50, 0x6F, 0x9A, 0x02, 0xBB])
        let peer = ServicePeer(nmi: Self.peer, instance: InstanceID(1), peerInstance: InstanceID(9))
        #expect(
            discovery.receive(message, extended, from: sender(), own: Self.own, now: start)
                == [.followUp(peer, serviceInfo: [0xAA])])
        #expect(
            discovery.receive(message, nil, from: sender(), own: Self.own, now: start)
                == [.followUp(peer, serviceInfo: [0xBB])])
    }

    @Test("a crowd of publishers is bounded") func crowd() {
        var discovery = subscriber()
        for number in 0..<1000 {
            let nmi = NMI(MACAddress(bits: 0x0200_0000_0000 + UInt64(number)))
            let at = start.advanced(by: .microseconds(number))
            let effects = discovery.receive(descriptor(.publish), nil, from: sender(nmi), own: Self.own, now: at)
            var forgotten: NMI?
            if case .lost(let peer)? = effects.first { forgotten = peer.nmi }
            // Whoever was silent longest is given up, and the owner is told.
            let oldest = number < 64 ? nil : NMI(MACAddress(bits: 0x0200_0000_0000 + UInt64(number - 64)))
            #expect(forgotten == oldest)
            guard case .discovered(let service)? = effects.last else {
                Issue.record("\(effects)")
                continue
            }
            #expect(service.peer.nmi == nmi)
        }
        let lost = discovery.windowAhead(now: start.advanced(by: .seconds(60))).filter { effect in
            if case .lost = effect { true } else { false }
        }
        #expect(lost.count == 64)
    }

    struct Missing: Error {}
}

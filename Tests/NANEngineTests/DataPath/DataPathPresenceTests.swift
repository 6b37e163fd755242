import NANEngine
import NANFrames
import NANSecurity
import Octets
import Testing

/// Peers that are silent, and peers that are gone.
@Suite("Presence of connected peers") struct DataPathPresenceTests {
    /// Two connected machines; the radios have heard nothing since, and nobody hears a frame from now on.
    private func apart(_ suite: CipherSuiteID? = nil, isProtected: Bool = false, after timeout: Duration? = nil)
        -> Bench
    {
        var bench = connected(suite, isProtected: isProtected, timeout)
        bench.fate = { _, _ in .lost }
        return bench
    }

    private func connected(
        _ suite: CipherSuiteID? = nil, isProtected: Bool = false, _ timeout: Duration? = nil
    ) -> Bench {
        var configuration = DataPathMachine.Configuration()
        if let timeout { configuration.presenceTimeout = timeout }
        var bench = Bench(
            subscriber: Device.schedule(5745, sequenceID: 4), publisher: Device.schedule(5745, sequenceID: 6),
            configuration)
        bench.isProtected = isProtected
        let key = [UInt8](repeating: 7, count: 32)
        bench.answer = { info in
            .accept(.init(credential: info.suite.map { _ in .init(Device.key(key), service: Device.service) }))
        }
        bench.request(suite)
        let start = bench.now
        bench.silence = { _, now in start.duration(to: now) }
        return bench
    }

    private func probes(_ bench: Bench, from side: Bench.Side) throws -> [NAF] {
        try bench.sent.filter { $0.0 == side }.map { try NAF(body: $0.1.body) }.filter { !$0.subtype.isDataPath }
    }

    @Test("a peer that vanishes is let go 5 s after its last sign of life, and sent no farewell")
    func vanished() throws {
        var bench = apart()
        let setUp = bench.sent.count
        bench.run(for: .milliseconds(2499))
        #expect(bench.queries[.publisher] == [] && bench.sent.count == setUp)
        bench.run(for: .milliseconds(1))
        #expect(bench.queries[.publisher] == [Device.subscriberNDI])
        #expect(try probes(bench, from: .publisher).count == 1)
        bench.run(for: .milliseconds(2499))
        #expect(bench.isConnected)
        #expect(try probes(bench, from: .publisher).count == 9)
        bench.run(for: .milliseconds(1))
        for side in [Bench.Side.publisher, .subscriber] {
            #expect(bench.endings[side]?.map(\.cause) == [.idle])
            #expect(bench.endings[side]?.first?.isLastWithPeer == true)
        }
        #expect(try probes(bench, from: .publisher).count == 9)
        #expect(try bench.sent.dropFirst(setUp).allSatisfy { try !NAF(body: $0.1.body).subtype.isDataPath })
        #expect(bench.machines.values.allSatisfy { $0.nextDeadline == nil })
    }

    @Test("a peer that says nothing and acknowledges stays for minutes, at one probe in half the time")
    func silent() throws {
        var bench = connected()
        bench.run(for: .seconds(300))
        #expect(bench.isConnected && bench.drops.values.allSatisfy(\.isEmpty))
        let count = try probes(bench, from: .publisher).count + probes(bench, from: .subscriber).count
        #expect(count >= 119 && count <= 240)
    }

    @Test("a frame of the peer counts from when it came") func heard() throws {
        var bench = apart()
        bench.run(for: .milliseconds(2500))
        bench.tell(.publisher, .heard(Device.subscriber))
        let end = bench.now.advanced(by: .milliseconds(2500))
        #expect(bench.machines[.publisher]?.nextDeadline == end)
        bench.tell(.publisher, .heard(Device.publisher))
        #expect(bench.machines[.publisher]?.nextDeadline == end)
        bench.silence = { [start = bench.now] _, now in start.duration(to: now) }
        bench.run(for: .milliseconds(4999))
        #expect(bench.endings[.publisher]?.isEmpty == true)
        bench.run(for: .milliseconds(1))
        #expect(bench.endings[.publisher]?.map(\.cause) == [.idle])
    }

    @Test("a peer whose data the radio hears is never probed") func busy() throws {
        var bench = apart()
        bench.silence = { _, _ in .milliseconds(100) }
        bench.run(for: .seconds(60))
        #expect(bench.isConnected)
        #expect(try probes(bench, from: .publisher).isEmpty)
    }

    @Test("data that arrive while probes get no acknowledgement keep the paths") func dataOnly() throws {
        var bench = apart()
        let start = bench.now
        // One data frame every 4 s, on the whole seconds.
        bench.silence = { _, now in
            let since = start.duration(to: now)
            return since - .seconds(since.components.seconds / 4 * 4)
        }
        bench.run(for: .seconds(60))
        #expect(bench.isConnected)
        #expect(try probes(bench, from: .publisher).count > 15)
    }

    @Test("eight of nine probes lost in a row are not the end") func lossy() throws {
        var bench = connected()
        let setUp = bench.sent.count
        bench.machines[.subscriber] = nil
        bench.fate = { number, _ in (number - setUp) % 9 == 8 ? .delivered : .lost }
        bench.run(for: .seconds(120))
        #expect(bench.endings[.publisher]?.isEmpty == true)
        #expect(try probes(bench, from: .publisher).count > 200)
    }

    @Test("the time is set in the configuration", arguments: [2, 20]) func setting(_ seconds: Int) {
        var bench = apart(after: .seconds(seconds))
        bench.run(for: .seconds(seconds) - .milliseconds(1))
        #expect(bench.isConnected)
        bench.run(for: .milliseconds(1))
        #expect(bench.endings[.publisher]?.map(\.cause) == [.idle])
    }

    @Test("zero watches nobody") func off() {
        let bench = apart(after: .zero)
        #expect(bench.isConnected && bench.machines.values.allSatisfy { $0.nextDeadline == nil })
    }

    @Test("a radio that answers no question and tells no status delays the end by one status at most")
    func mute() throws {
        var bench = apart()
        bench.silence = { _, _ in nil }
        bench.fate = { _, _ in .forgotten }
        bench.run(for: .seconds(4))
        #expect(bench.isConnected)
        bench.run(for: .seconds(2))
        #expect(bench.endings[.publisher]?.map(\.cause) == [.idle])
    }

    @Test("a clock that jumps ends nothing before one probe went unanswered") func jump() throws {
        var bench = connected()
        bench.now = bench.now.advanced(by: .seconds(60))
        bench.run(for: .seconds(60))
        #expect(bench.isConnected)
        bench.fate = { _, _ in .lost }
        bench.now = bench.now.advanced(by: .seconds(60))
        bench.run(for: .milliseconds(100))
        #expect(bench.endings[.publisher]?.map(\.cause) == [.idle])
    }

    @Test("a path in setup with a vanished peer ends with the connected ones, and the link is negotiated anew")
    func setup() {
        var bench = apart()
        bench.request(token: 2)
        bench.run(for: .seconds(5))
        #expect(bench.endings[.subscriber]?.map(\.cause) == [.idle, .idle])
        #expect(bench.endings[.subscriber]?.last?.isLastWithPeer == true)
        bench.fate = { _, _ in .delivered }
        bench.request(token: 3)
        #expect(bench.isConnected)
        let start = bench.now
        bench.silence = { _, now in start.duration(to: now) }
        bench.run(for: .seconds(60))
        #expect(bench.isConnected)
    }

    @Test("a probe has our availability, and the protection that every frame to the peer has")
    func frame() throws {
        for (suite, isProtected) in [(nil, false), (.ncsSK128, false), (.ncsSK128, true)] as [(CipherSuiteID?, Bool)] {
            var bench = connected(suite, isProtected: isProtected)
            bench.machines[.subscriber] = nil
            bench.run(for: .milliseconds(2500))
            let frame = try #require(bench.sent.last?.1)
            let probe = try NAF(body: frame.body)
            #expect(probe.subtype == .scheduleUpdateNotification)
            #expect(probe.attributes.availability == Device.schedule(5745, sequenceID: 6).availability)
            #expect(probe.attributes.ndp == nil && frame.peer == Device.subscriber)
            #expect(probe.category == (suite == nil && !isProtected ? .publicAction : .protectedDual))
            #expect((frame.dataRoute != nil) == (suite != nil && !isProtected))
        }
    }
}

import AccessoryCore
import Cryptography
import NANFrames
import NANSecurity
import Octets
import Ports
import Testing

@testable import AccessoryDaemon

@Suite("What the log may say") struct RedactionTests {
    private static let peer = NMI(MACAddress(bits: 0x02_1A_2B_3C_4D_5E))
    private static let ndi = NDI(MACAddress(bits: 0x02_1A_2B_3C_4D_5E))
    private static let key = SecretKey(copying: Array("0123456789abcdef".utf8))

    /// Every trace of the peer's address or the key, in any spelling.
    private static let forbidden = ["1a:2b:3c", "1a2b3c", "021A2B", "0123456789abcdef", "482913"]

    private func text(_ summary: EventSummary?) -> String {
        guard let summary else { return "" }
        return "\(summary.subsystem): \(summary.name) \(summary.fields.map { "\($0.0)=\(withoutAddresses($0.1))" })"
    }

    private func expectClean(_ text: String) {
        for trace in Self.forbidden {
            #expect(!text.lowercased().contains(trace.lowercased()), "\(trace) is in the log: \(text)")
        }
    }

    @Test("radio events tell no address and no octet") func radioEvents() {
        let failure = RadioFailure(.unknownStation, "SET_STATION: no station \(Self.peer.address): ENOENT")
        let peer = DataPeer(interface: Self.ndi, peer: Self.ndi)
        var frame = [UInt8](repeating: 0, count: 24) + [4, 9, 0x50, 0x6F, 0x9A, 0x13]
        frame[0] = 0xD0
        frame.replaceSubrange(10..<16, with: [0x02, 0x1A, 0x2B, 0x3C, 0x4D, 0x5E])
        frame += [0xF7, 6, 0, 0x02, 0x1A, 0x2B, 0x3C, 0x4D, 0x5E]
        let events: [RadioEvent] = [
            .started(.simulated), .failed(failure), .stopped(.requested), .stopped(.lost("gone")),
            .clusterJoined(ClusterID(Self.peer.address), isNew: true), .discoveryWindowAhead(frequency: 2437),
            .received(ReceivedFrame(octets: frame, signal: -40)), .transmitted(TransmitID(3), acknowledged: true),
            .dataInterfaceAdded(Self.ndi), .dataLinkOpened(peer, local: .loopback6, peer: .loopback6),
            .inactivity(peer, .seconds(3)), .refused(.peer(Self.peer), failure), .refused(.dataPeer(peer), failure),
        ]
        for event in events { expectClean(text(EventSummary(.radio(event)))) }
        let received = text(EventSummary(.radio(events[6])))
        #expect(received.contains("SDF") && received.contains("f7") && received.contains("-40"))
    }

    @Test("radio effects tell no address and no key") func radioEffects() {
        let peer = DataPeer(interface: Self.ndi, peer: Self.ndi)
        let key = PairwiseKey(cipher: .ccmp128, key: Self.key)
        let groupKey = GroupKey(.gtk, keyID: 1, packetNumber: [UInt8](repeating: 0, count: 6), key: Self.key)
        let effects: [RadioEffect] = [
            .start(RadioConfiguration(nmi: Self.peer)), .stop,
            .transmit(Transmission(id: TransmitID(1), frame: [0xB0] + Array("0123456789abcdef".utf8))),
            .setLocalSchedule(.empty), .addPeer(Self.peer), .protectPeer(Self.peer),
            .installManagementKey(Self.peer, key), .setPeerSchedule(Self.peer, PeerRadioSchedule(committedDW: 1)),
            .authorizePeer(Self.peer, .simulated), .removePeer(Self.peer), .addDataInterface(Self.ndi),
            .removeDataInterface(Self.ndi), .addDataPeer(peer, of: Self.peer, isProtected: true),
            .installDataKey(peer, key), .installPeerGroupKey(Self.peer, groupKey),
            .installDataGroupKey(peer, groupKey), .authorizeDataPeer(peer), .removeDataPeer(peer),
            .openDataLink(peer, interfaceIdentifier: [2, 0x1A, 0x2B, 0x3C], peerIdentifier: nil),
            .queryInactivity(peer),
        ]
        for effect in effects { expectClean(text(EventSummary(.radio(effect)))) }
    }

    @Test("a pairing tells neither its PIN nor its keys nor its names") func pairing() throws {
        let pin = try #require(PIN(typed: "482913"))
        let record = PairingRecord(
            id: PairingID(7), name: "482913", peerNIK: Self.key, npk: Self.key, akm: .sae, cipherSuite: .ncsPKPASN128)
        let effects: [PortEffect<AccessoryReport>] = [
            .display(.pin(pin)), .display(.blank), .store(.save(record, StoreTicket(1))),
            .crypto(CryptoJob(id: CryptoJobID(1), work: .passwordElement(password: pin.password, .p256))),
            .report(.attemptStarted(Self.peer)), .report(.guess(Self.peer, failures: 1)),
            .report(.attemptFailed(Self.peer, "wrong")), .report(.askedToComeBack(Self.peer, after: .seconds(1))),
        ]
        for effect in effects { expectClean(text(EventSummary(effect))) }
        #expect(text(EventSummary(.display(.pin(pin)) as PortEffect<AccessoryReport>)).contains("content=pin"))
        let results: [CryptoResult.Outcome] = [
            .agreedKeys(sharedSecret: Self.key), .failed(.invalidPoint), .refusedPeer(.invalidElement),
        ]
        for outcome in results {
            expectClean(text(EventSummary(.crypto(CryptoResult(id: CryptoJobID(1), outcome: outcome)))))
        }
    }

    @Test(
        "addresses are taken out of other people's words",
        arguments: [
            ("no station 02:1a:2b:3c:4d:5e", "no station <address>"),
            ("02-1A-2B-3C-4D-5E: gone", "<address>: gone"),
            ("at 12:34:56 (errno 2)", "at 12:34:56 (errno 2)"),
            ("fe80:0:0:0:1a:2b", "fe80:0:0:0:1a:2b"),
            ("öffnen: \u{1F4F7}", "öffnen: \u{1F4F7}"),
            ("", ""),
        ])
    func addresses(text: String, expected: String) {
        #expect(withoutAddresses(text) == expected)
    }

    @Test("peers are numbered as they come, and the table does not grow for ever") func labels() {
        var labels = PeerLabels()
        #expect(labels.label(Self.peer) == "1")
        #expect(labels.label(NMI(MACAddress(bits: 9))) == "2")
        #expect(labels.label(Self.peer) == "1")
        for number in 0..<1000 as Range<UInt64> { _ = labels.label(NMI(MACAddress(bits: 0x100 + number))) }
        #expect(labels.label(NMI(MACAddress(bits: 0x100 + 999))) == "1002")
    }

    @Test("strangers cause a burst of lines, then one a second, and the rest is counted") func quota() {
        var quota = LogQuota()
        let start = MonotonicInstant(nanoseconds: 1_000_000_000_000)
        let first = (0..<100).map { _ in quota.take(now: start) }
        #expect(first.prefix(LogQuota.burst).allSatisfy { $0 == 0 })
        #expect(first.dropFirst(LogQuota.burst).allSatisfy { $0 == nil })
        #expect(quota.take(now: start.advanced(by: .milliseconds(999))) == nil)
        #expect(quota.take(now: start.advanced(by: .seconds(1))) == 81)
        #expect(quota.take(now: start.advanced(by: .seconds(1))) == nil)
        #expect(quota.take(now: start.advanced(by: .seconds(2))) == 1)
    }
}

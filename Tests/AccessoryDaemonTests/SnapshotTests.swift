import Identity
import MediaService
import NANFrames
import Octets
import Ports
import Provisioning
import Testing
import Varlink

@testable import AccessoryCore
@testable import AccessoryDaemon

@Suite("Snapshots for people") struct SnapshotTests {
    private let start = MonotonicInstant(nanoseconds: 5_000_000_000)

    private func identity() throws -> AccessoryIdentity {
        try IdentityFile.parse(
            Array(
                """
                {"schema-version": 1, "vendor-name": "V", "model-name": "M", "pairing-name": "P",
                 "serial-number": "S1", "services": [
                  {"name": "_a._udp", "port": 5004, "handler": {"control": {"local-udp": "127.0.0.1:9"}},
                   "performance-mode": "realtime", "service-class": "interactive-video"},
                  {"name": "_b._tcp", "instance-name": "two", "port": 80, "handler": {"forward": {"local": "[::1]:80"}}}],
                 "pairing": {"window": "after-boot"}}
                """.utf8), file: "test")
    }

    @Test("how soon a phone has vanished is the identity's to say", arguments: [nil, 12, 0] as [Int?])
    func presence(_ seconds: Int?) throws {
        let standard = try identity()
        let limits = try seconds.map { try ConnectionLimits(presenceTimeoutSeconds: $0) } ?? .standard
        let identity = try AccessoryIdentity(
            vendorName: standard.vendorName, modelName: standard.modelName, pairingName: standard.pairingName,
            serialNumber: standard.serialNumber, services: standard.services, limits: limits)
        let device = AccessorySetup.configuration(identity, bluetooth: .none).device
        #expect(device.dataPath.presenceTimeout == .seconds(seconds ?? 5))
    }

    private func accessory() -> AccessorySnapshot {
        AccessorySnapshot(
            cluster: nil, address: "",
            services: [
                .init(
                    name: "_a._udp", port: 5004, performanceMode: .realtime, serviceClass: .interactiveVideo,
                    listener: .ready),
                .init(
                    name: "_b._tcp", port: 80, performanceMode: .bulk, serviceClass: .bestEffort,
                    listener: .waiting("no radio")),
            ], pairingWindowIsOpen: true, pairingWindowLeft: .milliseconds(1500), isLocked: false, failedAttempts: 2,
            attemptWait: .seconds(4), attemptIsUnderWay: true,
            peers: [.init(id: PairingID(7), name: "Phone", vendor: "", model: "X", pairedAt: 0, isConnected: true)],
            connections: [
                .init(
                    id: ConnectionID(3), pairing: PairingID(7), service: "udp port 5004", address: "127.1.2.3",
                    isViewing: true,
                    performance: PerformanceReport(
                        sentPerSecond: 1000, receivedPerSecond: 10, lossFraction: 0.25, jitter: .milliseconds(2),
                        roundTrip: .microseconds(700)))
            ],
            bluetooth: .init(
                isAdvertising: true, address: "00:1a:7d:da:71:13", links: 1, server: .kernel, trouble: nil),
            isAsleep: false, dropped: ["frame/clear": 3])
    }

    @Test("the whole state in the interface's words") func whole() throws {
        var ledger = Ledger()
        ledger.note(.attemptStarted(NMI(MACAddress(bits: 1))), now: start, wallClock: 99)
        ledger.note(.paired(PairingID(7)), now: start, wallClock: 100)
        ledger.note(.attemptStarted(NMI(MACAddress(bits: 1))), now: start, wallClock: 100)
        let port = ServicePort(number: 5004, transport: .udp)
        ledger.note(
            .connected(ConnectionID(3), PairingID(7), port, local: .v4(0x7F00_0001), peer: .v4(0x7F01_0203)),
            now: start,
            wallClock: 110)
        let now = start.advanced(by: .seconds(2))
        let figures = PerformanceReport(sentPerSecond: 1000, receivedPerSecond: 10)
        ledger.note(.stream(.performance(ConnectionID(3), figures)), now: now, wallClock: 112)

        let lost = CameraStatus(state: .waiting, delay: .seconds(2), losses: 2, trouble: "it has ended")
        ledger.note(.stream(.camera(lost)), now: now, wallClock: 112)

        let writer = SnapshotWriter(
            identity: try identity(), radio: "simulated", startedAt: start, camera: "/usr/bin/cam",
            outside: { ["air/junk": 2] })
        let snapshot = writer.snapshot(accessory(), ledger, now: now)
        #expect(snapshot.uptimeMilliseconds == 2000)
        #expect(snapshot.services.map(\.state) == [.ready, .waiting])
        #expect(snapshot.services.map(\.reason) == [nil, "no radio"])
        #expect(snapshot.services.map(\.connections) == [1, 0])
        #expect(snapshot.services.map(\.serviceClass) == ["interactive_video", "best_effort"])
        #expect(snapshot.services.map(\.instanceName) == [nil, "two"])
        #expect(snapshot.pairing.policy == "after_boot")
        #expect(snapshot.pairing.attempt == .pinShown)
        #expect(snapshot.pairing.closesInMilliseconds == 1500)
        #expect(snapshot.pairing.nextAttemptInMilliseconds == 4000)
        #expect(snapshot.peers.first?.pairedAt == 100)
        #expect(snapshot.peers.first?.lastSeenAt == 110)
        #expect(snapshot.peers.first?.vendorName == nil)
        #expect(snapshot.connections.first?.ageMilliseconds == 2000)
        #expect(snapshot.connections.first?.interface == "127.0.0.1")
        #expect(
            snapshot.camera == .init(program: "/usr/bin/cam", state: .waiting, losses: 2, trouble: "it has ended"))
        #expect(snapshot.rejected == ["frame/clear": 3, "air/junk": 2])

        let performance = try #require(writer.performance(accessory(), ledger).first)
        #expect(performance.sentOctets == 2000)
        #expect(performance.sentBitsPerSecond == 8000)
        #expect(performance.lossPartsPerMillion == 250_000)
        #expect(performance.roundTripP50Microseconds == 700)
        // What it says is what the interface declares.
        let interface = try ControlInterface.description()
        #expect(interface.fault(inOutput: ["snapshot": snapshot.json], of: "Status") == nil)
    }

    @Test("a forgotten device and an ended connection leave nothing in the ledger") func bounded() {
        var ledger = Ledger()
        let port = ServicePort(number: 1, transport: .udp)
        for number in 0..<1000 as Range<UInt64> {
            let pairing = PairingID(UInt32(number))
            ledger.note(.paired(pairing), now: start, wallClock: 1)
            ledger.note(
                .connected(ConnectionID(number), pairing, port, local: .loopback6, peer: .loopback6), now: start,
                wallClock: 1)
            ledger.note(.disconnected(ConnectionID(number), ""), now: start, wallClock: 1)
            ledger.note(.forgotten([pairing]), now: start, wallClock: 1)
        }
        #expect(ledger.connections.isEmpty && ledger.lastSeen.isEmpty && ledger.pairedAt.isEmpty)
    }

    @Test("the service manager is told in one line") func managerLine() {
        #expect(
            ManagerNotice.status(accessory())
                == "1 of 2 services ready; no radio; 1 paired, 1 connected; pairing window open")
    }

    @Test("what the media thread dropped is told by reason, and what it did not is left out") func dropCounts() {
        var counters = MediaCounters()
        counters.foreign = 7
        counters.unexpected = .max
        #expect(DropCounts.of(counters) == ["media/foreign datagram": 7, "media/unexpected datagram": .max])
    }
}

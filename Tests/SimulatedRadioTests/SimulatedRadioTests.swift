import Cryptography
import Foundation
import Glibc
import LinuxRuntime
import NANFrames
import Octets
import Ports
import SimulatedMedium
import SimulatedRadio
import Testing

/// A fresh folder for one test's air.
private struct AirDirectory: ~Copyable {
    let path: String

    init() throws {
        var template = Array("/tmp/air-XXXXXX".utf8CString)
        let made = try #require(mkdtemp(&template))
        path = String(cString: made)
    }

    var sockets: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Two radios on one loop, each with the steps it takes when something is told.
private final class Stage {
    let loop: EventLoop
    let radios: [AirRadio]
    private(set) var events: [[RadioEvent]] = [[], []]
    /// Called after each event; returns true when the test has seen what it wants.
    var step: (Stage, Int, RadioEvent) -> Bool = { _, _, _ in false }
    private let limit: LoopTimer
    private(set) var isDone = false

    init(folder: String, impairments: Impairments = Impairments(), seconds: Int = 20) throws {
        let loop = try EventLoop()
        self.loop = loop
        let configuration = AirRadio.Configuration(
            folder: folder, kernel: VirtualKernel.Configuration(timing: .acrossProcesses, impairments: impairments))
        radios = try (1...2).map { try AirRadio(loop: loop, configuration: configuration, entropy: .seeded($0)) }
        limit = try loop.timer { loop.exit(1) }
        limit.arm(loop.now.advanced(by: .seconds(seconds)))
        for (index, radio) in radios.enumerated() {
            radio.onEvent = { [unowned self] event in
                events[index].append(event)
                guard !isDone, step(self, index, event) else { return }
                isDone = true
                loop.exit()
            }
        }
    }

    func perform(_ effects: RadioEffect..., on radio: Int) {
        for effect in effects { radios[radio].perform(effect) }
    }

    func start() {
        for index in radios.indices { perform(.start(RadioConfiguration(nmi: Self.nmi(index))), on: index) }
    }

    func forgetEvents(of radio: Int) { events[radio] = [] }

    func cluster(of radio: Int) -> ClusterID? {
        for case .clusterJoined(let id, _) in events[radio].reversed() { return id }
        return nil
    }

    /// Both in one cluster, for the first time when this event came.
    var commonCluster: ClusterID? {
        guard let one = cluster(of: 0), one == cluster(of: 1) else { return nil }
        return one
    }

    static func nmi(_ index: Int) -> NMI { NMI(MACAddress(bits: 0x4200_0000_2000 + UInt64(index))) }
    static func ndi(_ index: Int) -> NDI { NDI(MACAddress(bits: 0x5200_0000_2000 + UInt64(index))) }
    static func data(_ index: Int) -> DataPeer { DataPeer(interface: ndi(index), peer: ndi(1 - index)) }

    static func frame(to: MACAddress, in cluster: ClusterID, category: UInt8 = 4) -> [UInt8] {
        var writer = ByteWriter()
        writer.octets([0xD0, 0, 0, 0])
        to.encode(into: &writer)
        nmi(0).address.encode(into: &writer)
        cluster.address.encode(into: &writer)
        writer.octets([0, 0, category, 0x09, 0x50, 0x6F, 0x9A, 0x13, 0x03, 0x09, 0x00, 1, 2, 3, 4, 5, 6, 1, 0, 2])
        return writer.bytes
    }

    static let schedule: (local: LocalRadioSchedule, peer: PeerRadioSchedule) = {
        let channel = RadioChannel(
            frequency: 5180, centerFrequency: 5210, width: 80, entry: [0x80, 0x01, 0, 0x01, 0, 0], rxNSS: 2)
        let slots = SlotMap([SlotMap.unavailable] + [UInt8](repeating: 0, count: 31))
        let availability: [UInt8] = [
            0x12, 0x13, 0x00, 0x01, 0x31, 0x00,
            0x0E, 0x00, 0xE1, 0x12, 0x18, 0x00, 0x04, 0xFE, 0xFF, 0xFF, 0xFF, 0x11, 0x80, 0x01, 0x00, 0x01,
        ]
        return (
            LocalRadioSchedule(channels: [channel], slots: slots, availability: availability),
            PeerRadioSchedule(
                committedDW: 0x0449, sequenceID: 1, channels: [channel],
                maps: [PeerRadioSchedule.PeerMap(mapID: 1, slots: slots)])
        )
    }()

    /// Everything up to an open data link with this key.
    func connect(_ radio: Int, key octet: UInt8) {
        let peer = Self.nmi(1 - radio)
        let key = PairwiseKey(cipher: .ccmp128, key: SecretKey(copying: [UInt8](repeating: octet, count: 16)))
        perform(
            .setLocalSchedule(Self.schedule.local), .addPeer(peer), .setPeerSchedule(peer, Self.schedule.peer),
            .protectPeer(peer), .installManagementKey(peer, key), .authorizePeer(peer, .simulated),
            .addDataInterface(Self.ndi(radio)), .addDataPeer(Self.data(radio), of: peer, isProtected: true),
            .installDataKey(Self.data(radio), key), .authorizeDataPeer(Self.data(radio)),
            .openDataLink(
                Self.data(radio), interfaceIdentifier: [UInt8](repeating: 1, count: 8), peerIdentifier: nil),
            on: radio)
    }
}

@Suite("Simulated radios between processes") struct SimulatedRadioTests {
    @Test("two radios find one cluster, and a multicast frame of one reaches the other in a window")
    func multicast() throws {
        let directory = try AirDirectory()
        let stage = try Stage(folder: directory.path)
        #expect(directory.sockets.count == 2)
        var sent: [UInt8] = []
        stage.step = { stage, radio, event in
            if let cluster = stage.commonCluster, sent.isEmpty {
                sent = Stage.frame(to: MACAddress(bits: 0x516F_9A01_0000), in: cluster)
                stage.perform(.transmit(Transmission(id: TransmitID(7), frame: sent)), on: 0)
            }
            guard case .received(let frame) = event, radio == 1 else { return false }
            // What follows the header, in which the sequence number is the MAC's.
            return frame.octets.dropFirst(24) == sent.dropFirst(24)
        }
        stage.start()
        #expect(stage.events == [[], []], "nothing is told from within perform")
        let code = try stage.loop.run()
        #expect(code == 0, "\(stage.events)")
        #expect(stage.radios[1].linkStatistics.junk == 0)
    }

    @Test("protected frames and a data link, under loss that the MAC repairs")
    func dataLink() throws {
        let directory = try AirDirectory()
        let stage = try Stage(folder: directory.path, impairments: .lossy(0.1))
        var opened: [Int: (IPAddress, IPAddress)] = [:]
        var isConnected = false
        var isProtected = false
        stage.step = { stage, radio, event in
            if let cluster = stage.commonCluster, !isConnected {
                isConnected = true
                for index in 0...1 { stage.connect(index, key: 3) }
                let frame = Stage.frame(to: Stage.nmi(1).address, in: cluster, category: 9)
                stage.perform(.transmit(Transmission(id: TransmitID(1), frame: frame)), on: 0)
            }
            if case .dataLinkOpened(_, let local, let peer) = event { opened[radio] = (local, peer) }
            if case .received(let frame) = event, frame.octets[1] & 0x40 != 0 { isProtected = true }
            return opened.count == 2 && isProtected
        }
        stage.start()
        let code = try stage.loop.run()
        #expect(code == 0, "\(stage.events)")
        let (one, other) = (try #require(opened[0]), try #require(opened[1]))
        #expect(one.0 == other.1 && one.1 == other.0)
        #expect(one.0 == LoopbackAddress.address(of: Stage.ndi(0)))
    }

    @Test("a radio whose peer is gone hears nothing of it, but its inactivity grows")
    func silence() throws {
        let directory = try AirDirectory()
        let stage = try Stage(folder: directory.path)
        var isConnected = false
        var asked = 0
        let timer = try stage.loop.timer { [unowned stage] in
            stage.perform(.queryInactivity(Stage.data(0)), on: 0)
        }
        stage.step = { stage, radio, event in
            if stage.commonCluster != nil, !isConnected {
                isConnected = true
                for index in 0...1 { stage.connect(index, key: 3) }
            }
            if case .dataLinkOpened = event, radio == 0 {
                stage.perform(.stop, on: 1)
                timer.arm(stage.loop.now.advanced(by: .milliseconds(1500)))
            }
            guard case .inactivity(_, let duration) = event else { return false }
            asked += 1
            return duration >= .milliseconds(1000)
        }
        stage.start()
        let code = try stage.loop.run()
        #expect(code == 0, "\(stage.events)")
        #expect(asked == 1)
    }

    @Test("junk in the socket is counted and disturbs nothing")
    func junk() throws {
        let directory = try AirDirectory()
        let stage = try Stage(folder: directory.path)
        let stranger = try UnixSocket.datagram(at: try UnixAddress(path: "\(directory.path)/stranger"))
        var entropy = Entropy.seeded(4)
        var datagrams = (0..<60).map { entropy.octets($0 * 50) }
        let beacon = AirFrame(
            frequency: 2437, sentAt: stage.loop.now,
            content: .frame([0x80] + [UInt8](repeating: 0, count: 60), seal: nil))
        datagrams += (0..<16).map { Array(beacon.datagram.prefix($0)) }
        for name in directory.sockets where name.hasSuffix(".radio") {
            let address = try UnixAddress(path: "\(directory.path)/\(name)")
            for datagram in datagrams.prefix(8) { _ = try stranger.send(datagram, to: address) }
        }
        stage.step = { stage, _, _ in stage.commonCluster != nil }
        stage.start()
        let code = try stage.loop.run()
        #expect(code == 0)
        #expect(stage.radios.allSatisfy { $0.linkStatistics.junk == 8 })
    }

    @Test("the socket goes with its radio, and an old one that nobody answers is removed")
    func abandonedSockets() throws {
        let directory = try AirDirectory()
        let old = "\(directory.path)/0123456789abcdef.radio"
        let young = "\(directory.path)/fedcba9876543210.radio"
        for path in [old, young] { _ = try UnixSocket.datagram(at: try UnixAddress(path: path)) }
        var times = [timeval(tv_sec: 1_000_000, tv_usec: 0), timeval(tv_sec: 1_000_000, tv_usec: 0)]
        #expect(utimes(old, &times) == 0)
        // A clock set forward must not make a socket old that is being made.
        var future = [timeval(tv_sec: time(nil) + 3600, tv_usec: 0), timeval(tv_sec: time(nil) + 3600, tv_usec: 0)]
        #expect(utimes(young, &future) == 0)
        do {
            let stage = try Stage(folder: directory.path)
            stage.step = { stage, _, _ in stage.commonCluster != nil }
            stage.start()
            let code = try stage.loop.run()
            #expect(code == 0)
            #expect(stage.radios.map(\.linkStatistics.removedSockets).reduce(0, +) == 1)
        }
        #expect(directory.sockets == ["fedcba9876543210.radio"])
    }

    @Test("a folder that others could put sockets into is refused")
    func unsafeFolder() throws {
        let directory = try AirDirectory()
        #expect(chmod(directory.path, 0o777) == 0)
        let loop = try EventLoop()
        let configuration = AirRadio.Configuration(folder: directory.path)
        #expect(throws: FileError.self) {
            _ = try AirRadio(loop: loop, configuration: configuration, entropy: .seeded(1))
        }
    }

    @Test("a missing folder is made for us alone")
    func makesFolder() throws {
        let directory = try AirDirectory()
        let path = directory.path + "/a/air"
        let loop = try EventLoop()
        let radio = try AirRadio(
            loop: loop, configuration: AirRadio.Configuration(folder: path), entropy: .seeded(1))
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o700)
        withExtendedLifetime(radio) {}
    }

    @Test("what one radio hears is captured as pcapng")
    func capture() throws {
        let directory = try AirDirectory()
        let stage = try Stage(folder: directory.path)
        var octets: [UInt8] = []
        stage.radios[0].startCapture(CaptureWriter()) { octets += $0 }
        stage.step = { stage, _, event in
            stage.commonCluster != nil && event == .discoveryWindowAhead(frequency: 2437)
        }
        stage.start()
        let code = try stage.loop.run()
        #expect(code == 0)
        #expect(octets.starts(with: [0x0A, 0x0D, 0x0D, 0x0A]))
        let beacons = octets.indices.dropLast(6).filter {
            Array(octets[$0..<$0 + 6]) == [0xDD, 0x19, 0x50, 0x6F, 0x9A, 0x13]
        }
        #expect(!beacons.isEmpty)
    }

    @Test("a radio whose folder or socket is deleted says so, and start puts it back", arguments: [true, false])
    func deleted(wholeFolder: Bool) throws {
        let directory = try AirDirectory()
        let air = directory.path + "/air"
        let stage = try Stage(folder: air)
        var lost: Set<Int> = []
        stage.step = { stage, radio, event in
            if lost.isEmpty, stage.commonCluster != nil {
                lost = [2]
                for name in (try? FileManager.default.contentsOfDirectory(atPath: air)) ?? [] {
                    unlink("\(air)/\(name)")
                }
                if wholeFolder { rmdir(air) }
            }
            if case .stopped(.lost(let cause)) = event {
                #expect(cause.contains(wholeFolder ? "the air folder is gone" : "socket"))
                lost.insert(radio)
                stage.forgetEvents(of: radio)
                stage.perform(.start(RadioConfiguration(nmi: Stage.nmi(radio))), on: radio)
            }
            return lost == [0, 1, 2] && stage.commonCluster != nil
        }
        stage.start()
        let code = try stage.loop.run()
        #expect(code == 0, "\(stage.events)")
        #expect((try? FileManager.default.contentsOfDirectory(atPath: air))?.count == 2)
    }
}

import Cryptography
import NANFrames
import Octets
import Ports
import SimulatedMedium

/// Radios on a virtual air with a clock, and everything they told.
struct AirHarness {
    var air: VirtualAir
    var now = MonotonicInstant(nanoseconds: 5_000_000_000)
    private(set) var told: [(at: MonotonicInstant, radio: VirtualAir.RadioID, event: RadioEvent)] = []
    private(set) var captured: [UInt8] = []

    init(seed: UInt64, capture: CaptureWriter? = nil) { air = VirtualAir(entropy: .seeded(seed), capture: capture) }

    mutating func handle(_ event: VirtualAir.Event) {
        for effect in air.handle(event, now: now) {
            switch effect {
            case .event(let radio, let event): told.append((now, radio, event))
            case .captured(let octets): captured += octets
            }
        }
    }

    mutating func perform(_ effects: RadioEffect..., on radio: VirtualAir.RadioID) {
        for effect in effects { handle(.perform(radio, effect)) }
    }

    mutating func pass(_ duration: Duration) {
        let end = now.advanced(by: duration)
        while let deadline = air.nextDeadline, deadline <= end {
            now = max(now, deadline)
            handle(.deadlineReached)
        }
        now = end
    }

    func events(of radio: VirtualAir.RadioID) -> [RadioEvent] { told.filter { $0.radio == radio }.map(\.event) }

    func cluster(of radio: VirtualAir.RadioID) -> ClusterID? {
        for case .clusterJoined(let id, _) in events(of: radio).reversed() { return id }
        return nil
    }

    mutating func forget() { told = [] }
}

enum Fixture {
    static func nmi(_ number: UInt64) -> NMI { NMI(MACAddress(bits: 0x4200_0000_0000 + number)) }
    static func ndi(_ number: UInt64) -> NDI { NDI(MACAddress(bits: 0x5200_0000_0000 + number)) }

    static let channel = RadioChannel(
        frequency: 5180, centerFrequency: 5210, width: 80, entry: [0x80, 0x01, 0, 0x01, 0, 0], rxNSS: 2)
    static let slots = SlotMap([SlotMap.unavailable] + [UInt8](repeating: 0, count: 31))
    static let local = LocalRadioSchedule(
        channels: [channel], slots: slots,
        availability: [
            0x12, 0x13, 0x00, 0x01, 0x31, 0x00,
            0x0E, 0x00, 0xE1, 0x12, 0x18, 0x00, 0x04, 0xFE, 0xFF, 0xFF, 0xFF, 0x11, 0x80, 0x01, 0x00, 0x01,
        ])
    static let peer = PeerRadioSchedule(
        committedDW: 0x0449, sequenceID: 1, channels: [channel],
        maps: [PeerRadioSchedule.PeerMap(mapID: 1, slots: slots)])

    static let networkID = MACAddress(bits: 0x516F_9A01_0000)

    static func key(_ octet: UInt8) -> PairwiseKey {
        PairwiseKey(cipher: .ccmp128, key: SecretKey(copying: [UInt8](repeating: octet, count: 16)))
    }

    /// A Service Discovery frame whose Service Descriptor carries `number` in its service id.
    static func frame(
        to: MACAddress, from: NMI, in cluster: ClusterID, category: UInt8 = 4, number: UInt16
    ) -> [UInt8] {
        var writer = ByteWriter()
        writer.octets([0xD0, 0, 0, 0])
        to.encode(into: &writer)
        from.address.encode(into: &writer)
        cluster.address.encode(into: &writer)
        writer.u16(0)
        writer.octets([category, 0x09, 0x50, 0x6F, 0x9A, 0x13, 0x03, 0x09, 0x00, 1, 2, 3, 4])
        writer.u16(number)
        writer.octets([1, 0, 0x02])
        return writer.bytes
    }

    static func number(_ frame: ReceivedFrame) -> Int {
        frame.octets.count > 38 ? Int(frame.octets[37]) | Int(frame.octets[38]) << 8 : -1
    }
}

extension AirHarness {
    /// Two radios in one cluster with schedules and stations for each other.
    mutating func connect(_ impairments: Impairments = Impairments()) -> [VirtualAir.RadioID] {
        let radios = (0...1).map { _ in air.addRadio(VirtualKernel.Configuration(impairments: impairments)) }
        for (index, radio) in radios.enumerated() {
            perform(.start(RadioConfiguration(nmi: Fixture.nmi(UInt64(index)))), on: radio)
        }
        pass(.seconds(6))
        for (index, radio) in radios.enumerated() {
            let peer = Fixture.nmi(UInt64(1 - index))
            perform(.setLocalSchedule(Fixture.local), .addPeer(peer), .setPeerSchedule(peer, Fixture.peer), on: radio)
        }
        pass(.milliseconds(10))
        return radios
    }

    /// Sends `count` numbered frames from radio 0, 20 ms apart, and waits until the last has gone.
    mutating func stream(_ count: UInt16, to destination: MACAddress, from radio: VirtualAir.RadioID) {
        guard let cluster = cluster(of: radio) else { return }
        for number in 0..<count {
            let frame = Fixture.frame(to: destination, from: Fixture.nmi(0), in: cluster, number: number)
            perform(.transmit(Transmission(id: TransmitID(UInt64(number)), frame: frame)), on: radio)
            pass(.milliseconds(20))
        }
        pass(.seconds(2))
    }

    /// The numbers of the frames that a radio delivered, in order.
    func numbers(at radio: VirtualAir.RadioID) -> [Int] {
        events(of: radio).compactMap { if case .received(let frame) = $0 { Fixture.number(frame) } else { nil } }
    }

    /// The numbers of the frames whose status says that they were acknowledged, or not.
    func statuses(at radio: VirtualAir.RadioID, acknowledged wanted: Bool) -> Set<Int> {
        Set(
            events(of: radio).compactMap { event in
                if case .transmitted(let id, wanted) = event { return Int(id.rawValue) }
                return nil
            })
    }
}

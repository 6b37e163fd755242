import Cryptography
import Dot11Frames
import NANEngine
import NANFrames
import NANSecurity
import Octets
import Ports
import Testing

typealias Machine = DataPathMachine

/// The two devices of hostap's module tests and of the captured run.
enum Device {
    static let publisher = NMI(MACAddress(bits: 0x00AA_AAAA_AAAA))
    static let publisherNDI = NDI(MACAddress(bits: 0x00AA_AA00_0000))
    static let subscriber = NMI(MACAddress(bits: 0x00BB_BBBB_BBBB))
    static let subscriberNDI = NDI(MACAddress(bits: 0x00BB_BBBB_0000))

    static let livePublisher = NMI(MACAddress(bits: 0x4200_0000_0000))
    static let livePublisherNDI = NDI(MACAddress(bits: 0x5200_0000_0000))
    static let liveSubscriber = NMI(MACAddress(bits: 0x4200_0000_0100))
    static let liveSubscriberNDI = NDI(MACAddress(bits: 0x5200_0000_0100))

    static let service = ServiceID([UInt8](repeating: 0xAA, count: 6))
    static let liveService = ServiceID([0xD6, 0xC8, 0x84, 0x66, 0x56, 0x13])

    /// HT, VHT and HE as the module tests have them.
    static let elements = container(inLastAttributeOf: Transcript.secureM1)
    static let liveElements = container(inLastAttributeOf: Transcript.liveM1)

    private static func container(inLastAttributeOf body: [UInt8]) -> ElementContainer {
        guard case .action(let naf)? = try? NANFrame.decode(body), let last = naf.attributes.elementContainers.last
        else { preconditionFailure("no element container") }
        return last
    }

    static func module(_ nmi: NMI, _ ndi: NDI, _ schedule: LocalSchedule) -> Machine.Event {
        .localDevice(
            OwnDevice(
                nmi: nmi, ndi: ndi,
                capability: DeviceCapability(
                    committedDW: .init(rawValue: 0x0009), bands: .init(rawValue: 0x94),
                    operationMode: .init(rawValue: 0x11), antennas: 0x22, maximumChannelSwitchTime: 10,
                    capabilities: []),
                capabilityExtension: DeviceCapabilityExtension(pairing: [.setupEnabled, .cachingEnabled]),
                availability: [], elements: elements), schedule)
    }

    static func live(_ nmi: NMI, _ ndi: NDI) -> Machine.Event {
        .localDevice(
            OwnDevice(
                nmi: nmi, ndi: ndi,
                capability: DeviceCapability(
                    committedDW: .everyWindow, bands: [.band24GHz, .band5GHz],
                    operationMode: .init(rawValue: 0x17), antennas: 0x22, capabilities: .ndpeSupported),
                capabilityExtension: DeviceCapabilityExtension(pairing: [.setupEnabled, .cachingEnabled]),
                availability: [], elements: liveElements), liveSchedule)
    }

    /// `2437:0e000000 5180:f0ffffff` and everything else as possible.
    static let liveSchedule: LocalSchedule = {
        guard case .action(let naf)? = try? NANFrame.decode(Transcript.liveM1),
            case .channels(let possible)? = naf.attributes.availability.first?.entries.last?.list.content,
            let low = LocalSchedule.Allotment(Channel(2437), slots: 0x0000_000E, rxNSS: 2),
            let high = LocalSchedule.Allotment(
                Channel(controlFrequency: 5180, centerFrequency: 5210, width: .mhz80), slots: 0xFFFF_FFF0, rxNSS: 2)
        else { preconditionFailure("no availability") }
        return LocalSchedule(
            sequenceID: 1, [low, high], potential: [.init(preference: 1, entries: possible, rxNSS: 2)])
    }()

    /// The module tests' schedules: one channel in slots 1…15 and 17…31, two possible ones, an NDC of seven slots.
    static func schedule(
        _ frequency: Int, sequenceID: UInt8, possible: [Channel] = [Channel(2437), .wide], qos: Bool = true
    ) -> LocalSchedule {
        guard let allotment = LocalSchedule.Allotment(Channel(frequency), slots: 0xFFFE_FFFE, rxNSS: 2) else {
            preconditionFailure("no such channel")
        }
        let potential = zip([UInt8(3), 2], possible.compactMap(ChannelEntry.init(_:))).map {
            LocalSchedule.Potential(preference: $0, entries: [$1], rxNSS: 7)
        }
        return LocalSchedule(
            sequenceID: sequenceID, mapID: 0, [allotment], potential: potential,
            qos: qos ? NDLQoS(minimumSlots: 12, maximumLatency: 3) : nil, ndcSlots: 0xFE, ndcOctetCount: 1)
    }

    static func key(_ octets: [UInt8]) -> DataPathMasterKey { DataPathMasterKey(SecretKey(copying: octets)) }

    static func igtk(_ octets: [UInt8]) -> GroupKey {
        GroupKey(
            .igtk, keyID: 4, packetNumber: [UInt8](repeating: 0, count: 6), key: SecretKey(copying: octets))
    }
}

extension Channel {
    /// 5745 and 5765 MHz together.
    static let wide = Channel(controlFrequency: 5745, centerFrequency: 5755, width: .mhz40)
}

extension NAF {
    init(body: [UInt8]) throws {
        let frame = try NANFrame.decode(body)
        guard case .action(let naf) = frame else { throw BenchError.notAnActionFrame }
        self = naf
    }
}

enum BenchError: Error { case notAnActionFrame }

extension Machine {
    /// A frame comes in.
    mutating func hear(_ body: [UInt8], from peer: NMI, now: MonotonicInstant) throws -> [Effect] {
        let naf = try NAF(body: body)
        guard naf.subtype.isDataPath else { return handle(.heard(peer), now: now) }
        return handle(
            .received(naf, body: body, from: peer, isProtected: body[0] == 0x09), now: now)
    }
}

extension [Machine.Effect] {
    var frames: [Machine.Frame] {
        compactMap { if case .transmit(let frame) = $0 { frame } else { nil } }
    }

    var bodies: [[UInt8]] { frames.map(\.body) }

    /// Of the first frame, 0 without one.
    var token: UInt64 { frames.first?.token ?? 0 }

    var connection: Machine.Connection? {
        for case .connected(let connection) in self { return connection }
        return nil
    }

    var ending: Machine.Ending? {
        for case .ended(let ending) in self { return ending }
        return nil
    }

    var request: Machine.RequestInfo? {
        for case .requested(let request) in self { return request }
        return nil
    }

    var drops: [String] { compactMap { if case .dropped(let key) = $0 { key } else { nil } } }
}

/// Two machines, the air between them and the owners' decisions.
struct Bench {
    enum Side: Hashable { case subscriber, publisher }

    enum Fate {
        case delivered
        /// Not acknowledged, not delivered.
        case lost
        /// Delivered, and the acknowledgement lost.
        case unacknowledged
        /// Acknowledged, and lost inside the receiver.
        case swallowed
        case doubled
        /// Nothing is heard of the frame again, not even from the own radio.
        case forgotten
    }

    private enum Happening {
        case arrives(Machine.Frame, at: Side)
        case status(UInt64, Bool, at: Side)
    }

    var machines: [Side: Machine]
    var now = MonotonicInstant(nanoseconds: 1_000_000_000)
    /// How the publisher answers.
    var answer: (Machine.RequestInfo) -> Machine.Answer = { _ in .accept(.init()) }
    /// How the subscriber meets a counter-proposal; nil terminates.
    var adopts: (DeviceSchedule) -> LocalSchedule? = { _ in nil }
    /// By number of the frame on the air, from 0.
    var fate: (Int, Machine.Frame) -> Fate = { _, _ in .delivered }
    /// Frames are protected: the two are paired.
    var isProtected = false
    /// How long the radio has not heard the peer; nil leaves the question unanswered.
    var silence: (Side, MonotonicInstant) -> Duration? = { _, _ in nil }
    /// A status comes after the answer to its frame.
    var isStatusLate = false

    private(set) var sent: [(Side, Machine.Frame)] = []
    private(set) var connections: [Side: [Machine.Connection]] = [.subscriber: [], .publisher: []]
    private(set) var endings: [Side: [Machine.Ending]] = [.subscriber: [], .publisher: []]
    private(set) var drops: [Side: [String]] = [.subscriber: [], .publisher: []]
    private(set) var requests: [Machine.RequestInfo] = []
    private(set) var queries: [Side: [NDI]] = [.subscriber: [], .publisher: []]
    private var happenings: [Happening] = []

    init(
        subscriber: LocalSchedule, publisher: LocalSchedule, seed: UInt64 = 1,
        _ configuration: Machine.Configuration = .init()
    ) {
        var first = Machine(configuration, entropy: .seeded(seed))
        var second = Machine(configuration, entropy: .seeded(seed + 1000))
        _ = first.handle(Device.module(Device.subscriber, Device.subscriberNDI, subscriber), now: now)
        _ = second.handle(Device.module(Device.publisher, Device.publisherNDI, publisher), now: now)
        machines = [.subscriber: first, .publisher: second]
    }

    mutating func tell(_ side: Side, _ event: Machine.Event) {
        take(machines[side]?.handle(event, now: now) ?? [], side)
        settle()
    }

    mutating func request(
        token: UInt8 = 1, _ suite: CipherSuiteID? = nil, key: [UInt8] = [UInt8](repeating: 7, count: 32)
    ) {
        let credential = Machine.Credential(Device.key(key), service: Device.service)
        tell(
            .subscriber,
            .request(
                Machine.Request(
                    peer: Device.publisher, publishID: InstanceID(12), dialogToken: DialogToken(token),
                    security: suite.map { ($0, credential) }, usesExtension: false, isProtected: isProtected)))
    }

    /// Lets time pass, deadline by deadline.
    mutating func run(for duration: Duration) {
        let end = now.advanced(by: duration)
        while let next = machines.values.compactMap(\.nextDeadline).min(), next <= end {
            now = max(now, next)
            for side in [Side.subscriber, .publisher] { tell(side, .deadlineReached) }
        }
        now = end
    }

    var isConnected: Bool {
        machines.values.allSatisfy { $0.isConnected(with: Device.publisher) || $0.isConnected(with: Device.subscriber) }
    }

    private mutating func take(_ effects: [Machine.Effect], _ side: Side) {
        for effect in effects {
            switch effect {
            case .transmit(let frame): transmit(frame, side)
            case .requested(let info):
                requests.append(info)
                take(machines[side]?.handle(.answer(info.id, answer(info)), now: now) ?? [], side)
            case .counterProposed(let id, _, let peer):
                let event = adopts(peer).map { Machine.Event.adopt(id, $0) } ?? .terminate(id, .ndlUnacceptable)
                take(machines[side]?.handle(event, now: now) ?? [], side)
            case .connected(let connection): connections[side, default: []].append(connection)
            case .ended(let ending): endings[side, default: []].append(ending)
            case .queryInactivity(_, let peer):
                queries[side, default: []].append(peer)
                guard let silence = silence(side, now) else { continue }
                take(machines[side]?.handle(.inactivity(peer, silence), now: now) ?? [], side)
            case .dropped(let key): drops[side, default: []].append(key)
            }
        }
    }

    private mutating func transmit(_ frame: Machine.Frame, _ side: Side) {
        let other: Side = side == .subscriber ? .publisher : .subscriber
        let fate = fate(sent.count, frame)
        sent.append((side, frame))
        guard fate != .forgotten else { return }
        let status = Happening.status(frame.token, [.delivered, .swallowed, .doubled].contains(fate), at: side)
        var copies: [Happening] = []
        if [.delivered, .unacknowledged, .doubled].contains(fate) { copies.append(.arrives(frame, at: other)) }
        if fate == .doubled { copies.append(.arrives(frame, at: other)) }
        happenings += isStatusLate ? copies + [status] : [status] + copies
    }

    private mutating func settle() {
        while !happenings.isEmpty {
            switch happenings.removeFirst() {
            case .status(let token, let acknowledged, let side):
                take(machines[side]?.handle(.transmitted(token, acknowledged: acknowledged), now: now) ?? [], side)
            case .arrives(let frame, let side):
                guard machines[side] != nil else { continue }
                let sender = side == .publisher ? Device.subscriber : Device.publisher
                guard let effects = try? machines[side]?.hear(frame.body, from: sender, now: now) else {
                    Issue.record("a frame that does not decode")
                    continue
                }
                take(effects, side)
            }
        }
    }
}

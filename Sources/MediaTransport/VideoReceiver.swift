package import Octets

/// The viewing end of one stream: reports, repairs, and hands out access units that can be decoded.
///
/// A lost packet is asked for again; what stays lost breaks the reference chain, and from there to the next keyframe,
/// which it asks for, nothing is handed out (RFC 3550, RFC 4585, RFC 6184).
package struct VideoReceiver: Sendable {
    package struct Configuration: Equatable, Sendable {
        package var payloadType: UInt8 = 96
        package var reportInterval: Duration = .seconds(1)
        /// Before the first packet.
        ///
        /// The accessory opens its side a moment after the link. Doubled up to `reportInterval`.
        package var requestInterval: Duration = .milliseconds(50)
        /// How long a missing packet holds up the picture.
        package var holdTime: Duration = .milliseconds(150)
        /// Neighbours that overtook each other arrive within this: asking sooner is asking in vain.
        package var firstAsk: Duration = .milliseconds(4)
        package var askInterval: Duration = .milliseconds(30)
        package var keyframeInterval: Duration = .milliseconds(250)
        package var canonicalName = "viewer"

        package init() {}
    }

    package enum Event: Equatable, Sendable {
        case start
        /// RTP or RTCP of the sender.
        case datagram([UInt8])
        case deadlineReached
        case stop
    }

    package enum Effect: Equatable, Sendable {
        case send([UInt8])
        case deliver(AccessUnit, timestamp: UInt32)
        case report(Report)
        /// The sender said goodbye.
        case ended
    }

    /// One interval of the stream as it was received.
    package struct Report: Equatable, Sendable {
        package var interval: Duration
        package var accessUnits: Int = 0
        package var octets: Int = 0
        package var packets: Int = 0
        /// By the link, in 256ths; repairs do not hide it.
        package var fractionLost: UInt8 = 0
        package var repaired: Int = 0
        /// Given up.
        package var unrepaired: Int = 0
        /// Access units not handed out, for lack of packets or of a reference.
        package var discardedUnits: Int = 0
        package var pictureLossIndications: Int = 0
        package var jitter: Duration = .zero

        package init(interval: Duration) { self.interval = interval }

        package var framesPerSecond: Double { perSecond(accessUnits) }
        package var bitsPerSecond: Double { perSecond(octets * 8) }

        private func perSecond(_ count: Int) -> Double {
            let nanoseconds = interval.nanosecondsValue
            return nanoseconds > 0 ? Double(count) * 1e9 / Double(nanoseconds) : 0
        }
    }

    private enum State: Equatable {
        case idle
        case receiving(nextReport: MonotonicInstant)
    }

    /// Numbers in one request: what `RTCPPacket.feedbackLimit` items can carry even when they are far apart.
    private static let askedAtOnce = RTCPPacket.feedbackLimit

    /// Datagrams that were neither RTP of the expected type nor RTCP.
    package private(set) var malformed = 0

    private let configuration: Configuration
    private let ssrc: UInt32
    private var state = State.idle
    private var statistics: ReceptionStatistics?
    private var buffer: ReorderBuffer
    private var depacketizer = H264Depacketizer()
    private var knowsParameterSets = false
    private var needsKeyframe = true
    private var nextIndication: MonotonicInstant?
    /// When to ask for the stream again, and how long to wait after that; nil once it comes.
    private var request: (due: MonotonicInstant, interval: Duration)?
    private var intervalStart = MonotonicInstant(nanoseconds: 0)
    private var current = Report(interval: .zero)

    package init(configuration: Configuration, entropy: Entropy) {
        var entropy = entropy
        self.configuration = configuration
        ssrc = UInt32(truncatingIfNeeded: entropy.next())
        buffer = Self.emptyBuffer(configuration)
    }

    package mutating func handle(_ event: Event, now: MonotonicInstant) -> [Effect] {
        switch (state, event) {
        case (.idle, .start):
            state = .receiving(nextReport: now.advanced(by: configuration.reportInterval))
            intervalStart = now
            request = (now.advanced(by: configuration.requestInterval), configuration.requestInterval)
            return [.send(RTCPPacket.compound([.receiverReport(ssrc: ssrc, blocks: []), description]))]
        case (.idle, .datagram), (.idle, .deadlineReached), (.idle, .stop), (.receiving, .start): return []
        case (.receiving, .datagram(let datagram)): return receive(datagram, now: now)
        case (.receiving(let nextReport), .deadlineReached):
            var effects = drain(now)
            if nextReport <= now { effects += report(now) }
            return effects + askAgain(now)
        case (.receiving, .stop):
            state = .idle
            return [
                .send(
                    RTCPPacket.compound([
                        .receiverReport(ssrc: ssrc, blocks: []), description, .goodbye(ssrcs: [ssrc]),
                    ]))
            ]
        }
    }

    package var nextDeadline: MonotonicInstant? {
        guard case .receiving(let nextReport) = state else { return nil }
        return [buffer.nextDeadline, nextIndication, request?.due].reduce(nextReport) { min($0, $1 ?? $0) }
    }

    private mutating func askAgain(_ now: MonotonicInstant) -> [Effect] {
        guard let (due, interval) = request, due <= now else { return [] }
        let next = min(interval * 2, configuration.reportInterval)
        request = (now.advanced(by: next), next)
        return [.send(RTCPPacket.compound([.receiverReport(ssrc: ssrc, blocks: []), description]))]
    }

    private mutating func receive(_ datagram: [UInt8], now: MonotonicInstant) -> [Effect] {
        if DatagramKind(of: datagram) == .rtcp { return receiveControl(datagram, now: now) }
        do throws(WireError) {
            let packet = try RTPPacket(parsing: datagram)
            guard packet.header.payloadType == configuration.payloadType else {
                malformed += 1
                return []
            }
            return receive(packet, now: now)
        } catch {
            malformed += 1
            return []
        }
    }

    private mutating func receive(_ packet: RTPPacket, now: MonotonicInstant) -> [Effect] {
        if statistics?.ssrc != packet.header.ssrc {
            // The first source, or the sender started over: nothing of the old stream helps.
            statistics = ReceptionStatistics(first: packet.header)
            buffer = Self.emptyBuffer(configuration)
            depacketizer = H264Depacketizer()
            needsKeyframe = true
            nextIndication = nil
            request = nil
        }
        switch buffer.insert(packet, now: now) {
        case .first: statistics?.receive(packet.header, at: now)
        case .repaired: current.repaired += 1
        case .useless: return []
        }
        current.packets += 1
        current.octets += packet.datagram.count
        return drain(now)
    }

    private mutating func receiveControl(_ datagram: [UInt8], now: MonotonicInstant) -> [Effect] {
        do throws(WireError) {
            var effects: [Effect] = []
            for packet in try RTCPPacket.compound(from: datagram) {
                switch packet {
                case .senderReport(let report) where report.ssrc == statistics?.ssrc:
                    statistics?.receive(report, at: now)
                case .goodbye(let ssrcs):
                    if let ssrc = statistics?.ssrc, ssrcs.contains(ssrc) { effects.append(.ended) }
                case .senderReport, .receiverReport, .sourceDescription, .pictureLossIndication,
                    .negativeAcknowledgement, .unknown:
                    continue
                }
            }
            return effects
        } catch {
            malformed += 1
            return []
        }
    }

    /// Hands on what is in order, gives up what is overdue, and asks for what is missing.
    private mutating func drain(_ now: MonotonicInstant) -> [Effect] {
        var effects: [Effect] = []
        while let item = buffer.pop(now: now) {
            switch item {
            case .lost(let count):
                current.unrepaired += count
                depacketizer.lost()
            case .packet(let packet):
                for unit in depacketizer.receive(packet) { effects += take(unit, now: now) }
            }
        }
        let missing = buffer.takeMissing(limit: Self.askedAtOnce, now: now)
        var feedback: [RTCPPacket] = []
        if let media = statistics?.ssrc, !missing.isEmpty {
            feedback.append(
                .negativeAcknowledgement(
                    sender: ssrc, media: media, lost: RTCPPacket.LostPackets.covering(missing)))
        }
        if let media = statistics?.ssrc, let due = nextIndication, due <= now {
            feedback.append(.pictureLossIndication(sender: ssrc, media: media))
            current.pictureLossIndications += 1
            nextIndication = now.advanced(by: configuration.keyframeInterval)
        }
        if !feedback.isEmpty {
            effects.append(
                .send(RTCPPacket.compound([.receiverReport(ssrc: ssrc, blocks: []), description] + feedback)))
        }
        return effects
    }

    private mutating func take(_ unit: H264Depacketizer.Unit, now: MonotonicInstant) -> [Effect] {
        let accessUnit = unit.accessUnit
        if accessUnit.contains(.sequenceParameterSet), accessUnit.contains(.pictureParameterSet) {
            knowsParameterSets = true
        }
        if unit.isComplete, accessUnit.isKeyframe, knowsParameterSets {
            needsKeyframe = false
            nextIndication = nil
        } else if !unit.isComplete || needsKeyframe {
            current.discardedUnits += 1
            // At once for a fresh loss; while one waits for the answer, at the pace set.
            if nextIndication == nil { nextIndication = now }
            needsKeyframe = true
            return []
        }
        current.accessUnits += 1
        return [.deliver(accessUnit, timestamp: unit.timestamp)]
    }

    private mutating func report(_ now: MonotonicInstant) -> [Effect] {
        state = .receiving(nextReport: now.advanced(by: configuration.reportInterval))
        let block = statistics?.report(at: now)
        var report = current
        report.interval = intervalStart.duration(to: now)
        report.fractionLost = block?.fractionLost ?? 0
        report.jitter = .nanoseconds(Int64(block?.jitter ?? 0) * 100_000 / 9)
        current = Report(interval: .zero)
        intervalStart = now
        return [
            .send(RTCPPacket.compound([.receiverReport(ssrc: ssrc, blocks: block.map { [$0] } ?? []), description])),
            .report(report),
        ]
    }

    private var description: RTCPPacket { .sourceDescription(ssrc: ssrc, canonicalName: configuration.canonicalName) }

    private static func emptyBuffer(_ configuration: Configuration) -> ReorderBuffer {
        ReorderBuffer(
            holdTime: configuration.holdTime, firstAsk: configuration.firstAsk, askInterval: configuration.askInterval)
    }
}

package import Octets

/// One viewer's stream, from its first receiver report to its BYE or its silence (RFC 3550, RFC 4585, RFC 6184).
///
/// Decisions come and go as events and effects. The packets themselves do not: `begin` takes an access unit,
/// `nextBurst` writes what is due into the packet store, and neither allocates. Late data is dropped, never queued;
/// after a drop the stream goes on at a keyframe, for what lies between could not be decoded.
package struct VideoSender: Sendable {
    package struct Configuration: Equatable, Sendable {
        package var payloadType: UInt8 = 96
        /// One datagram at most, RTP header included; below every link's MTU with room for IPv6 and tunnels.
        package var packetSize = 1200
        /// A viewer that reports nothing for this long has left: phones go without a goodbye.
        package var silenceLimit: Duration = .seconds(5)
        /// Between sender reports; short of RFC 3550's 5 s, because the round trip is measured with them.
        package var reportInterval: Duration = .seconds(1)
        /// Packets handed to the kernel at once; the rest of a picture follows in steps.
        package var burst = 8
        /// Packets kept for resending: over a second at 2 Mbit/s.
        package var storeSlots = 256
        /// A packet older than this is past being shown.
        package var resendAge: Duration = .milliseconds(400)
        package var resendLimit: UInt8 = 3
        /// Between two keyframes sent on request: a viewer cannot make the stream out of keyframes.
        package var keyframeInterval: Duration = .milliseconds(100)
        package var canonicalName = "accessory"

        package init() {}
    }

    package enum Event: Equatable, Sendable {
        /// An RTCP datagram of the viewer.
        case control([UInt8])
        case deadlineReached
        /// The flow's socket or data path is going away.
        case stop
    }

    package enum Effect: Equatable, Sendable {
        case started
        /// RTCP to the viewer.
        case send([UInt8])
        /// Send these again, from the store.
        case resend([UInt16])
        case measured(Measurement)
        case ended(EndReason)
    }

    package enum EndReason: String, Equatable, Sendable {
        case goodbye
        case silence
        case stopped
    }

    /// What a viewer's report says about the way to it.
    package struct Measurement: Equatable, Sendable {
        /// In 256ths, since the report before.
        package var fractionLost: UInt8
        package var cumulativeLost: Int32
        package var jitter: Duration
        package var roundTrip: Duration?
    }

    package struct Counters: Equatable, Sendable {
        package var packets: UInt64 = 0
        package var octets: UInt64 = 0
        package var accessUnits: UInt64 = 0
        package var keyframes: UInt64 = 0
        package var resent: UInt64 = 0
        /// Packets given up because the next picture was due or the kernel had no room.
        package var droppedPackets: UInt64 = 0
        /// Access units left out while waiting for a keyframe.
        package var skippedUnits: UInt64 = 0
        package var pictureLossIndications: UInt64 = 0
        package var malformedControl: UInt64 = 0
    }

    /// Packets in the store, numbered from `first` on.
    package struct Run: Equatable, Sendable {
        package let first: UInt16
        package let count: Int
    }

    package private(set) var counters = Counters()
    package private(set) var store: PacketStore
    /// Whether the next access unit has to be a keyframe; others are left out.
    package private(set) var wantsKeyframe = true

    private enum State: Equatable {
        case idle
        case streaming(lastHeard: MonotonicInstant, nextReport: MonotonicInstant)
    }

    private let configuration: Configuration
    private var state = State.idle
    private var packetizer: H264Packetizer
    private var entropy: Entropy
    private var ssrc: UInt32 = 0
    private var nextSequence: UInt16 = 0
    private var sentPackets: UInt32 = 0
    private var sentOctets: UInt32 = 0
    private var lastKeyframe: MonotonicInstant?

    private var burstDue: MonotonicInstant?
    private var burstInterval: Duration = .zero
    private var unitTimestamp: UInt32 = 0
    /// When the picture with `unitTimestamp` was begun, to read the media clock between pictures.
    private var unitBegan: MonotonicInstant?

    /// Draws SSRC and first sequence number from `entropy`, anew for each viewing (RFC 3550, 5.1).
    package init(configuration: Configuration, entropy: Entropy) {
        precondition(configuration.packetSize > RTPHeader.size + 16 && configuration.burst > 0)
        self.configuration = configuration
        self.entropy = entropy
        store = PacketStore(slotCount: configuration.storeSlots, slotSize: configuration.packetSize)
        packetizer = H264Packetizer(payloadLimit: configuration.packetSize - RTPHeader.size)
    }

    package mutating func handle(_ event: Event, now: MonotonicInstant) -> [Effect] {
        switch event {
        case .control(let datagram):
            do throws(WireError) {
                return receive(try RTCPPacket.compound(from: datagram), now: now)
            } catch {
                counters.malformedControl += 1
                return []
            }
        case .deadlineReached: return reachDeadline(now)
        case .stop: return state == .idle ? [] : end(.stopped, goodbye: true)
        }
    }

    package var isStreaming: Bool { state != .idle }

    /// When `handle(.deadlineReached)` or `nextBurst` has something to do.
    package var nextDeadline: MonotonicInstant? {
        guard case .streaming(let lastHeard, let nextReport) = state else { return nil }
        let next = min(lastHeard.advanced(by: configuration.silenceLimit), nextReport)
        guard let burstDue else { return next }
        return min(next, burstDue)
    }

    /// Whether the source is to go to a keyframe now: one is wanted, and the last is not too fresh.
    package func asksForKeyframe(at now: MonotonicInstant) -> Bool {
        guard wantsKeyframe, let lastKeyframe else { return wantsKeyframe }
        return lastKeyframe.advanced(by: configuration.keyframeInterval) <= now
    }

    // MARK: - Packets

    /// Says that the source has lost a picture: the stream goes on at a keyframe.
    package mutating func skipToKeyframe() { wantsKeyframe = true }

    /// Takes up an access unit, to be spaced out over `spread`; what is left of the one before is dropped.
    package mutating func begin(_ unit: AccessUnit, timestamp: UInt32, spread: Duration, now: MonotonicInstant) {
        guard isStreaming else { return }
        if !packetizer.isFinished { giveUpUnit() }
        if wantsKeyframe {
            guard unit.isKeyframe else {
                counters.skippedUnits += 1
                return
            }
            wantsKeyframe = false
        }
        packetizer.begin(unit)
        let bursts = (packetizer.remainingCount + configuration.burst - 1) / configuration.burst
        guard bursts > 0 else { return }
        burstInterval = spread / bursts
        burstDue = now
        unitTimestamp = timestamp
        unitBegan = now
        counters.accessUnits += 1
        if unit.isKeyframe {
            counters.keyframes += 1
            lastKeyframe = now
        }
    }

    /// Writes the packets that are due into the store and says which; nil when none are.
    ///
    /// Hurrying, all that is left of the picture is due: the next one is about to begin.
    package mutating func nextBurst(now: MonotonicInstant, hurrying isHurrying: Bool = false) -> Run? {
        guard isStreaming, let due = burstDue, isHurrying || due <= now else { return nil }
        let first = nextSequence
        var count = 0
        while count < configuration.burst, !packetizer.isFinished {
            writePacket(now: now)
            count += 1
        }
        burstDue = packetizer.isFinished ? nil : due.advanced(by: burstInterval)
        return Run(first: first, count: count)
    }

    /// Says that the kernel did not take the last `count` packets of a burst: the rest of the picture goes too.
    package mutating func refused(_ count: Int) {
        guard count > 0 else { return }
        counters.droppedPackets += UInt64(count)
        giveUpUnit()
    }

    private mutating func giveUpUnit() {
        counters.droppedPackets += UInt64(packetizer.remainingCount)
        packetizer.cancel()
        burstDue = nil
        wantsKeyframe = true
    }

    private mutating func writePacket(now: MonotonicInstant) {
        var packetizer = self.packetizer
        var header = RTPHeader(
            payloadType: configuration.payloadType, marker: false, sequenceNumber: nextSequence,
            timestamp: unitTimestamp, ssrc: ssrc)
        let length = store.write(nextSequence, at: now) { slot in
            let body = UnsafeMutableRawBufferPointer(rebasing: slot[RTPHeader.size...])
            let length = packetizer.next(into: body) ?? 0
            // The last packet of the picture, known only now (RFC 6184, 5.1).
            header.marker = packetizer.isFinished
            header.write(to: slot)
            return RTPHeader.size + length
        }
        self.packetizer = packetizer
        nextSequence &+= 1
        sentPackets &+= 1
        sentOctets &+= UInt32(truncatingIfNeeded: length - RTPHeader.size)
        counters.packets += 1
        counters.octets += UInt64(length)
    }
}

// MARK: - Control

extension VideoSender {
    private mutating func receive(_ packets: [RTCPPacket], now: MonotonicInstant) -> [Effect] {
        var effects: [Effect] = []
        for packet in packets {
            switch packet {
            case .receiverReport(_, let blocks): effects += hear(blocks, now: now)
            case .senderReport(let report): effects += hear(report.blocks, now: now)
            case .pictureLossIndication(_, let media):
                // A viewer may ask before it knows our SSRC.
                guard isStreaming, media == ssrc || media == 0 else { continue }
                counters.pictureLossIndications += 1
                wantsKeyframe = true
            case .negativeAcknowledgement(_, let media, let lost):
                guard isStreaming, media == ssrc else { continue }
                let found = resendable(lost, now: now)
                if !found.isEmpty { effects.append(.resend(found)) }
            case .goodbye: return effects + (isStreaming ? end(.goodbye, goodbye: false) : [])
            case .sourceDescription, .unknown: continue
            }
        }
        return effects
    }

    /// A report starts the stream, or keeps it and may measure it.
    private mutating func hear(_ blocks: [RTCPPacket.ReportBlock], now: MonotonicInstant) -> [Effect] {
        guard case .streaming(_, let nextReport) = state else { return start(now) }
        state = .streaming(lastHeard: now, nextReport: nextReport)
        return blocks.filter { $0.ssrc == ssrc }.map { .measured(measurement(from: $0, now: now)) }
    }

    private mutating func start(_ now: MonotonicInstant) -> [Effect] {
        ssrc = UInt32(truncatingIfNeeded: entropy.next())
        nextSequence = UInt16(truncatingIfNeeded: entropy.next())
        sentPackets = 0
        sentOctets = 0
        wantsKeyframe = true
        lastKeyframe = nil
        unitTimestamp = 0
        unitBegan = nil
        // The first sender report needs a picture's timestamp; it follows within the interval.
        state = .streaming(lastHeard: now, nextReport: now.advanced(by: configuration.reportInterval / 10))
        return [.started]
    }

    private mutating func reachDeadline(_ now: MonotonicInstant) -> [Effect] {
        guard case .streaming(let lastHeard, let nextReport) = state else { return [] }
        if lastHeard.advanced(by: configuration.silenceLimit) <= now { return end(.silence, goodbye: true) }
        guard nextReport <= now else { return [] }
        state = .streaming(lastHeard: lastHeard, nextReport: now.advanced(by: configuration.reportInterval))
        return [.send(RTCPPacket.compound([senderReport(now), description]))]
    }

    private mutating func end(_ reason: EndReason, goodbye: Bool) -> [Effect] {
        state = .idle
        packetizer.cancel()
        burstDue = nil
        let farewell = RTCPPacket.compound([
            .receiverReport(ssrc: ssrc, blocks: []), description, .goodbye(ssrcs: [ssrc]),
        ])
        return (goodbye ? [.send(farewell)] : []) + [.ended(reason)]
    }

    private var description: RTCPPacket { .sourceDescription(ssrc: ssrc, canonicalName: configuration.canonicalName) }

    private func senderReport(_ now: MonotonicInstant) -> RTCPPacket {
        let elapsed = unitBegan.map { $0.duration(to: now).nanosecondsValue * 9 / 100_000 } ?? 0
        return .senderReport(
            RTCPPacket.SenderReport(
                ssrc: ssrc, ntp: NTPTime(now), rtpTimestamp: unitTimestamp &+ UInt32(truncatingIfNeeded: elapsed),
                packetCount: sentPackets, octetCount: sentOctets))
    }

    private func measurement(from block: RTCPPacket.ReportBlock, now: MonotonicInstant) -> Measurement {
        var roundTrip: Duration?
        if block.lastSenderReport != 0 {
            // Modulo 2^32, as the three times are (6.4.1); a clock read twice may come out a tick below zero.
            let ticks = NTPTime(now).middle &- block.lastSenderReport &- block.delaySinceLastSenderReport
            roundTrip = Duration(middleNTP: ticks < 1 << 31 ? ticks : 0)
        }
        return Measurement(
            fractionLost: block.fractionLost, cumulativeLost: block.cumulativeLost,
            jitter: .nanoseconds(Int64(block.jitter) * 100_000 / 9), roundTrip: roundTrip)
    }

    private mutating func resendable(_ lost: [RTCPPacket.LostPackets], now: MonotonicInstant) -> [UInt16] {
        let found = lost.flatMap(\.sequenceNumbers).filter {
            store.takeForResend($0, now: now, age: configuration.resendAge, limit: configuration.resendLimit)
        }
        counters.resent += UInt64(found.count)
        return found
    }
}

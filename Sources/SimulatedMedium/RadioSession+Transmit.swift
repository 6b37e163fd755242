internal import NANFrames
internal import Octets
internal import Ports

extension RadioSession {
    /// Windows after which a committed DW repeats (DW0…DW15), in slots.
    private static let searchedSlots = 17 * 32

    mutating func send(_ transmission: Transmission, _ now: MonotonicInstant) throws(RadioFailure) {
        let header = try checkedHeader(transmission)
        guard queue.count + awaiting.count < Self.queueLimit else {
            throw KernelError.noBuffers.failure("FRAME", "\(Self.queueLimit) frames wait already")
        }
        let isImmediate = header.kind == .authentication && stations[NMI(header.a1)] == nil
        if isImmediate {
            let slot = Slot(at: now)
            guard membership.cluster != nil, listeningFrequency(in: slot) != nil else {
                statistics.unacknowledged += 1
                emit(.transmitted(transmission.id, acknowledged: false))
                return
            }
        }
        enqueue(
            transmission.frame, to: header.a1, for: .program(transmission.id), through: transmission.interface,
            isImmediate: isImmediate, now)
    }

    private func checkedHeader(_ transmission: Transmission) throws(RadioFailure) -> MACHeader {
        func refuse(_ why: String) -> RadioFailure { KernelError.invalid.failure("FRAME", why) }
        guard let header = MACHeader(transmission.frame) else { throw refuse("no management frame") }
        guard !header.isProtected else { throw refuse("Protected bit set") }
        switch transmission.interface {
        case .management:
            guard header.a2 == radio.nmi.address else { throw refuse("source \(header.a2) is not the interface's") }
            switch header.kind {
            case .action:
                guard let category = MACHeader.category(transmission.frame), category == 4 || category == 9 else {
                    throw refuse("action frame of a category that NAN does not send")
                }
            case .authentication:
                guard transmission.frame.count >= MACHeader.length + 6 else { throw refuse("short frame") }
            case .beacon, .data, .other: throw refuse("frame type that NAN does not send")
            }
        case .data(let ndi):
            guard interfaces.contains(ndi) else {
                throw KernelError.noDevice.failure("FRAME", "no interface \(ndi.address)", cause: .invalid)
            }
            guard header.a2 == ndi.address else { throw refuse("source \(header.a2) is not the interface's") }
            guard header.kind == .action, MACHeader.category(transmission.frame) != nil, !header.a1.isGroup else {
                throw refuse("no unicast action frame")
            }
            guard dataIndex(DataPeer(interface: ndi, peer: NDI(header.a1))) != nil else {
                throw KernelError.noEntry.failure("FRAME", "no station \(header.a1)")
            }
        }
        return header
    }

    mutating func enqueue(
        _ octets: [UInt8], to destination: MACAddress, for purpose: Outgoing.Purpose,
        through interface: RadioInterface, isImmediate: Bool = false, _ now: MonotonicInstant
    ) {
        let delay = hardware.timing.transmitDelay
        let microseconds = Int.random(
            in: delay.lowerBound.wholeMicroseconds...delay.upperBound.wholeMicroseconds, using: &entropy)
        if !isImmediate { lastReadyAt = max(lastReadyAt, now + .microseconds(microseconds)) }
        queue.append(
            Outgoing(
                order: nextOrder, purpose: purpose, interface: interface, destination: destination, octets: octets,
                readyAt: isImmediate ? now : lastReadyAt, isImmediate: isImmediate))
        nextOrder += 1
    }

    /// Finds the frame that leaves next: the earliest that may, in order for each destination.
    mutating func planDeparture() {
        departure = nil
        guard membership.cluster != nil else { return }
        var blocked = Set(awaiting.lazy.filter { !$0.isExhausted }.map(\.destination))
        for (index, frame) in queue.enumerated() where blocked.insert(frame.destination).inserted {
            guard let at = earliestDeparture(of: frame) else { continue }
            if let departure, departure.at <= at { continue }
            departure = (at, index)
        }
    }

    private func earliestDeparture(of frame: Outgoing) -> MonotonicInstant? {
        let earliest = max(frame.readyAt, transmitterFreeAt, clock)
        let airtime = AirFrame.airtime(octets: frame.octets.count)
        var slot = Slot(at: earliest)
        for _ in 0..<Self.searchedSlots {
            if frequency(for: frame, in: slot) != nil {
                let at = max(earliest, slot.start)
                if at + airtime <= slot.next.start { return at }
            }
            slot = slot.next
        }
        return nil
    }

    /// Where `frame` may leave in `slot`, MHz (reference: mac80211_hwsim's queues).
    private func frequency(for frame: Outgoing, in slot: Slot) -> Int? {
        let window = slot.windowFrequency(usesFiveGigahertz: radio.usesFiveGigahertz)
        switch frame.interface {
        case .data(let ndi):
            guard window == nil, let index = dataIndex(DataPeer(interface: ndi, peer: NDI(frame.destination))),
                let schedule = stations[dataStations[index].nmi]?.schedule
            else { return nil }
            return commonFrequency(with: schedule, in: slot)
        case .management:
            if frame.isImmediate { return listeningFrequency(in: slot) }
            guard let station = stations[NMI(frame.destination)] else { return window }
            if let window {
                return isCommitted(station.schedule, to: window, in: slot) ? window : nil
            }
            return station.schedule.flatMap { commonFrequency(with: $0, in: slot) }
        }
    }

    /// A peer without a schedule, or with nothing committed, is taken to be in every 2.4 GHz window.
    private func isCommitted(_ schedule: PeerRadioSchedule?, to frequency: Int, in slot: Slot) -> Bool {
        let committed = schedule?.committedDW ?? 0
        let isLow = frequency == Slot.lowBandFrequency
        let value = isLow ? committed & 7 : committed >> 3 & 7
        if value == 0 { return isLow && committed >> 3 & 7 == 0 }
        return slot.period % (1 << Int64(value - 1)) == 0
    }

    /// The control channel that both schedules have in this slot.
    func commonFrequency(with schedule: PeerRadioSchedule, in slot: Slot) -> Int? {
        guard let own = scheduledFrequency(in: slot) else { return nil }
        for map in schedule.maps {
            let index = Int(map.slots.slots[slot.position])
            if index < schedule.channels.count, schedule.channels[index].frequency == own { return own }
        }
        return nil
    }

    private func scheduledFrequency(in slot: Slot) -> Int? {
        let index = Int(local.slots.slots[slot.position])
        return index < local.channels.count ? local.channels[index].frequency : nil
    }

    /// Where the receiver is.
    func listeningFrequency(in slot: Slot) -> Int? {
        slot.windowFrequency(usesFiveGigahertz: radio.usesFiveGigahertz) ?? scheduledFrequency(in: slot)
    }

    mutating func attempt(at index: Int, _ now: MonotonicInstant) {
        var frame = queue.remove(at: index)
        guard let frequency = frequency(for: frame, in: Slot(at: now)) else { return conclude(frame, false) }
        let sequence = frame.sequence ?? takeSequence()
        if frame.attempts == 0 { statistics.frames += 1 }
        frame.sequence = sequence
        frame.attempts += 1
        statistics.attempts += 1
        let key = transmitKey(for: frame)
        MACHeader.complete(
            &frame.octets, sequence: sequence, isRetry: frame.attempts > 1, isProtected: key != nil)
        let air = AirFrame(
            frequency: frequency, sentAt: now,
            content: .frame(frame.octets, seal: key.map { AirFrame.Seal(frame.octets, under: $0) }))
        outputs.append(.air(air))
        let end = now + air.airtime
        let timing = hardware.timing
        frame.isExhausted = frame.destination.isGroup || frame.attempts > timing.retryLimit
        if frame.destination.isGroup {
            frame.deadline = end
            transmitterFreeAt = end
        } else {
            frame.deadline = end + timing.acknowledgementTimeout + (frame.isExhausted ? timing.grace : .zero)
            transmitterFreeAt = end + MACTiming.virtual.acknowledgementTimeout
        }
        awaiting.append(frame)
    }

    /// The key that encrypts a frame; without one a frame of category 9 leaves in clear, to be dropped by everybody.
    private func transmitKey(for frame: Outgoing) -> PairwiseKey? {
        switch frame.interface {
        case .management:
            guard MACHeader(frame.octets)?.kind == .action, MACHeader.category(frame.octets) == 9,
                let station = stations[NMI(frame.destination)], station.isProtected
            else { return nil }
            return station.key
        case .data(let ndi):
            guard let index = dataIndex(DataPeer(interface: ndi, peer: NDI(frame.destination))) else { return nil }
            let station = dataStations[index]
            if frame.purpose == .dataLink { return station.key }
            return station.isProtected && MACHeader.category(frame.octets) == 9 ? station.key : nil
        }
    }

    mutating func acknowledge(sequence: UInt16, from address: MACAddress) {
        func isMeant(_ frame: Outgoing) -> Bool { frame.sequence == sequence && frame.destination == address }
        if let index = awaiting.firstIndex(where: isMeant) {
            conclude(awaiting.remove(at: index), true)
        } else if let index = queue.firstIndex(where: isMeant) {
            conclude(queue.remove(at: index), true)
        }
    }

    /// Repeats or gives up what nobody acknowledged in time.
    mutating func expireAttempts(_ now: MonotonicInstant) {
        var index = 0
        while index < awaiting.count {
            guard let deadline = awaiting[index].deadline, deadline <= now else {
                index += 1
                continue
            }
            var frame = awaiting.remove(at: index)
            guard !frame.isExhausted else {
                conclude(frame, false)
                continue
            }
            frame.deadline = nil
            frame.readyAt = now + hardware.timing.backoff(attempt: frame.attempts, using: &entropy)
            let place = queue.firstIndex { $0.order > frame.order } ?? queue.count
            queue.insert(frame, at: place)
        }
    }

    private mutating func conclude(_ frame: Outgoing, _ acknowledged: Bool) {
        if acknowledged {
            statistics.acknowledged += 1
        } else if !frame.destination.isGroup {
            statistics.unacknowledged += 1
        }
        if case .program(let id) = frame.purpose { emit(.transmitted(id, acknowledged: acknowledged)) }
    }

    /// Ends what waits for a station or an interface that goes away.
    mutating func purge(where isGone: (Outgoing) -> Bool) {
        let gone = (queue + awaiting).filter(isGone).sorted { $0.order < $1.order }
        queue.removeAll(where: isGone)
        awaiting.removeAll(where: isGone)
        for frame in gone { conclude(frame, false) }
    }
}

extension Duration {
    var wholeMicroseconds: Int { Int(components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000) }
}

import NANEngine
import NANFrames
import Octets
import Ports
import Testing

@Suite("Schedules") struct LocalScheduleTests {
    private func schedule(_ parts: (Channel, UInt32)..., qos: NDLQoS? = nil, sequenceID: UInt8 = 1) -> LocalSchedule {
        LocalSchedule(
            sequenceID: sequenceID, parts.compactMap { LocalSchedule.Allotment($0.0, slots: $0.1, rxNSS: 2) }, qos: qos)
    }

    private func heard(_ schedule: LocalSchedule) throws -> DeviceSchedule {
        try #require(try DeviceSchedule(schedule.availability))
    }

    @Test("what the kernel is given for the captured schedule (reference 6.9)")
    func kernelSchedule() throws {
        let radio = Device.liveSchedule.radio
        #expect(radio.channels.map(\.frequency) == [2437, 5180])
        #expect(radio.channels.map(\.centerFrequency) == [2437, 5210])
        #expect(radio.channels.map(\.width) == [20, 80])
        #expect(radio.channels.map(\.entry.hex) == ["512000000000", "800100010000"])
        #expect(radio.slots.slots == [0xFF, 0, 0, 0] + [UInt8](repeating: 1, count: 28))
        #expect(
            radio.availability.hex
                == "122300013100" + "0e00e1121800040e00000011512000" + "00" + "0e00e112180004f0ffffff1180010001")
    }

    @Test("a schedule without channels announces what is possible, and gives the radio nothing")
    func empty() {
        let none = LocalSchedule(sequenceID: 3, [])
        #expect(none.radio == .empty && none.availability.isEmpty && none.ndcEntry == nil)
        let possible = LocalSchedule(
            sequenceID: 3, [],
            potential: [
                .init(
                    preference: 1, entries: [ChannelEntry(operatingClass: .init(rawValue: 81), channelBitmap: 0x20)],
                    rxNSS: 1)
            ])
        #expect(possible.radio == .empty)
        #expect(possible.availability.first?.changes == .potential && possible.availability.first?.entries.count == 1)
    }

    @Test("realtime leaves gaps of one slot, bulk one of nine")
    func modes() {
        let realtime = LocalSchedule(.realtime)
        #expect(realtime.allotments.map(\.slots) == [0xFFFF_FFFE])
        #expect(realtime.qos == NDLQoS(minimumSlots: 8, maximumLatency: 8))
        let bulk = LocalSchedule(.bulk)
        #expect(bulk.allotments.map(\.slots) == [0x00FF_FFFE] && bulk.qos == nil)
        // A window on another channel than the data's takes slot 8; bulk meets others on 2437 MHz first.
        let split = LocalSchedule(.bulk, channel: Channel(5180), fiveGigahertzWindow: .social5GHz)
        #expect(split.allotments.map(\.channel) == [.social24GHz, Channel(5180)])
        #expect(split.allotments.map(\.slots) == [0x0000_000E, 0x00FF_FEF0])
        let social = LocalSchedule(.realtime, channel: .social5GHz, fiveGigahertzWindow: .social5GHz)
        #expect(social.allotments.map(\.slots) == [0xFFFF_FFFE])
        for mode in LocalSchedule.Mode.allCases {
            for channel in [Channel(2437), Channel(5180), Channel(5745)] {
                #expect(LocalSchedule(mode, channel: channel, potential: [.wide]).radio.availability.count <= 54)
            }
        }
    }

    @Test("both modes meet each other and themselves")
    func modesMeet() throws {
        for ours in LocalSchedule.Mode.allCases {
            for theirs in LocalSchedule.Mode.allCases {
                let proposal = LinkProposal(
                    schedule: try heard(LocalSchedule(theirs)), qos: theirs == .bulk ? nil : LocalSchedule(theirs).qos)
                let verdict = LocalSchedule(ours).judge(proposal)
                // Bulk is off the air for nine slots in a row, which is not realtime.
                #expect(verdict == (ours == theirs || false ? .accepted : .counter(.qosUnacceptable)))
            }
        }
    }

    @Test(
        "where the NDC goes",
        arguments: [
            (Channel(2437), UInt32(0xFFFF_FFFE), UInt32(1) << 1), (Channel(2437), 0xFFFF_FFF0, 1 << 4),
            (Channel(5745), 0xFFFF_FFFE, 1 << 9), (Channel(5220), 0xFFFF_FFFE, 1 << 9),
            (Channel(5745), 0x0000_00F0, 1 << 4),
            (Channel(5180), 0xFFFF_FF00, 1 << 8),
        ])
    func ndc(_ channel: Channel, _ slots: UInt32, _ expected: UInt32) {
        #expect(
            schedule((channel, slots)).ndcEntry == ScheduleEntry(mapID: 1, TimeBitmap(everyPeriod: expected)))
    }

    @Test("verdicts, each with its cause")
    func verdicts() throws {
        let ours = schedule((Channel(5745), 0xFFFE_FFFE))
        func judge(
            _ theirs: LocalSchedule, ndc: UInt32? = nil, immutable: UInt32? = nil, qos: NDLQoS? = nil
        ) throws -> LinkVerdict {
            ours.judge(
                LinkProposal(
                    schedule: try heard(theirs),
                    ndc: ndc.map {
                        NDC(ndcID: MACAddress(bits: 1), [ScheduleEntry(mapID: 1, TimeBitmap(everyPeriod: $0))])
                    },
                    immutable: immutable.map { [ScheduleEntry(mapID: 1, TimeBitmap(everyPeriod: $0))] } ?? [], qos: qos)
            )
        }
        let same = schedule((Channel(5745), 0xFFFE_FFFE))
        #expect(try judge(same) == .accepted)
        #expect(try judge(schedule((.wide, 0x0000_0F00))) == .accepted)  // the same primary 20 MHz
        #expect(try judge(schedule((Channel(2437), 0xFFFE_FFFE))) == .counter(.invalidAvailability))
        #expect(try judge(schedule((Channel(5745), 0x0001_0001))) == .counter(.invalidAvailability))
        #expect(try judge(same, ndc: 1 << 9) == .accepted)
        #expect(try judge(same, ndc: 1 << 10) == .counter(.invalidAvailability))
        #expect(try judge(same, immutable: 0x0000_00FE) == .accepted)
        #expect(
            try judge(schedule((Channel(5745), 0x0000_00FE)), immutable: 0x0000_0F00)
                == .rejected(.immutableUnacceptable))
        #expect(try judge(same, qos: NDLQoS(minimumSlots: 29)) == .accepted)
        #expect(try judge(same, qos: NDLQoS(minimumSlots: 30)) == .counter(.qosUnacceptable))
        #expect(try judge(same, qos: NDLQoS(minimumSlots: 0, maximumLatency: 1)) == .accepted)
        #expect(
            try judge(schedule((Channel(5745), 0x0000_00FE)), qos: NDLQoS(minimumSlots: 0, maximumLatency: 24))
                == .counter(.qosUnacceptable))
        let stray = LocalSchedule(
            sequenceID: 1, ours.allotments, ndcSlots: 1, ndcOctetCount: 1)
        #expect(stray.judge(LinkProposal(schedule: try heard(same))) == .rejected(.unspecified))
    }

    @Test("an NDC or immutable slots outside their own availability are inconsistent")
    func consistency() throws {
        let theirs = try heard(schedule((Channel(5745), 0x0000_00FE)))
        func proposal(_ mapID: UInt8, _ slots: UInt32) -> LinkProposal {
            LinkProposal(schedule: theirs, immutable: [ScheduleEntry(mapID: mapID, TimeBitmap(everyPeriod: slots))])
        }
        #expect(proposal(1, 0x0E).isConsistent)
        #expect(!proposal(1, 0x0F).isConsistent)
        #expect(!proposal(2, 0x0E).isConsistent)
    }

    @Test("a counter-proposal is met with the peer's slots first, then ours, one generation on")
    func meeting() throws {
        let ours = LocalSchedule(.bulk, channel: .social24GHz, rxNSS: 2, potential: [Channel(5745), Channel(5180)])
        let peer = try heard(schedule((Channel(5745), 0xFFFF_FF00)))
        let met = try #require(ours.meeting(peer))
        #expect(met.sequenceID == 2)
        #expect(met.allotments.map(\.channel) == [Channel(5745), .social24GHz])
        #expect(met.allotments.map(\.slots) == [0xFFFF_FF00, 0x0000_00FE])
        #expect(met.judge(LinkProposal(schedule: peer)) == .accepted)
        #expect(ours.meeting(try heard(schedule((Channel(5500), 0xFFFF_FF00)))) == nil)
    }

    @Test("a peer's schedule for the kernel: common channels, narrower width, its sequence ID")
    func peerSchedule() throws {
        let peer = try heard(Device.liveSchedule)
        let capability = DeviceCapability(
            committedDW: .everyWindow, bands: [], operationMode: [], antennas: 0x22, maximumChannelSwitchTime: 7,
            capabilities: [])
        let same = Device.liveSchedule.radioSchedule(of: peer, capability: capability)
        #expect(same.committedDW == 0x0449 && same.maxChannelSwitchTime == 7 && same.sequenceID == 1)
        #expect(same.channels.map(\.frequency) == [2437, 5180] && same.channels.map(\.rxNSS) == [2, 2])
        #expect(same.maps.map(\.mapID) == [1])
        #expect(same.maps.first?.slots.slots == [0xFF, 0, 0, 0] + [UInt8](repeating: 1, count: 28))

        let narrow = schedule((Channel(5180), 0xFFFF_FFF0)).radioSchedule(of: peer, capability: capability)
        #expect(narrow.channels.map(\.width) == [20])
        #expect(narrow.maps.first?.slots.slots == [UInt8](repeating: 0xFF, count: 4) + [UInt8](repeating: 0, count: 28))

        let none = schedule((Channel(5745), 0xFFFF_FFFE)).radioSchedule(of: peer, capability: capability)
        #expect(none == PeerRadioSchedule(windowsOf: capability))
        #expect(none.sequenceID == nil && none.channels.isEmpty && none.maps.isEmpty)
        #expect(PeerRadioSchedule(windowsOf: nil) == PeerRadioSchedule(committedDW: 0))
    }

    @Test("conditional slots count once agreed on, and a slot belongs to one channel of one map")
    func overlappingMaps() throws {
        func entry(_ kind: Availability.Entry.Kind, _ frequency: Int, _ slots: UInt32) throws -> Availability.Entry {
            let channel = try #require(ChannelEntry(Channel(frequency)))
            return .init(.init(kind, rxNSS: 1), timeBitmap: TimeBitmap(everyPeriod: slots), .init(.channels([channel])))
        }
        let peer = try #require(
            try DeviceSchedule([
                Availability(
                    sequenceID: 4, mapID: 1, changes: .committed,
                    [try entry(.committed, 2437, 0x00FF), try entry(.conditional, 5745, 0x0F00)]),
                Availability(
                    sequenceID: 4, mapID: 2, changes: .committed, [try entry(.committed, 5180, 0x00F0 | 0xF000)]),
                Availability(sequenceID: 4, mapID: 3, changes: .committed, [try entry(.committed, 5220, 0xFF_0000)]),
            ]))
        let ours = schedule((Channel(2437), 0x0000_FFFE), (Channel(5180), 0x00FF_0000), (Channel(5745), 0xFF00_0000))
        let firm = ours.radioSchedule(of: peer, capability: nil)
        #expect(firm.channels.map(\.frequency) == [2437, 5180] && firm.maps.map(\.mapID) == [1, 2])
        #expect(firm.maps[1].slots.slots.enumerated().filter { $0.element != 0xFF }.map(\.offset) == [12, 13, 14, 15])
        let agreed = PeerRadioSchedule(peer, nil, local: ours, includesConditional: true)
        #expect(agreed.channels.map(\.frequency) == [2437, 5745, 5180])
    }

    @Test("a bitmap longer than 512 TU is cut to what every 512 TU have, or else to the first")
    func longBitmaps() throws {
        func peer(_ octets: [UInt8]) throws -> DeviceSchedule {
            let channel = try #require(ChannelEntry(Channel(2437)))
            let bitmap = TimeBitmap(control: 4 << 3, octets)
            return try #require(
                try DeviceSchedule([
                    Availability(
                        sequenceID: 1, mapID: 1, changes: .committed,
                        [.init(.init(.committed, rxNSS: 1), timeBitmap: bitmap, .init(.channels([channel])))])
                ]))
        }
        func slots(_ octets: [UInt8]) throws -> [Int] {
            let map = LocalSchedule(.realtime).radioSchedule(of: try peer(octets), capability: nil).maps.first
            return map?.slots.slots.enumerated().filter { $0.element == 0 }.map(\.offset) ?? []
        }
        #expect(try slots([0x0E, 0, 0, 0, 0x06, 0, 0, 0]) == [1, 2])
        #expect(try slots([0x0E, 0, 0, 0, 0, 0, 0, 0]) == [1, 2, 3])
    }
}

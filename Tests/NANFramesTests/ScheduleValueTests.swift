import NANFrames
import Octets
import Testing

@Suite("Schedules as values") struct ScheduleValueTests {
    @Test(
        "operating class and bitmap of a channel, and back",
        arguments: [
            (Channel(2437), "512000000000"), (Channel(2412), "510100000000"), (Channel(2484), "520100000000"),
            (Channel(5745), "7d0100000000"), (Channel(5220), "730400000000"), (Channel(5500), "790100000000"),
            (Channel(controlFrequency: 5745, centerFrequency: 5755, width: .mhz40), "7e0100000000"),
            (Channel(controlFrequency: 5200, centerFrequency: 5190, width: .mhz40), "750100000000"),
            (Channel(controlFrequency: 5180, centerFrequency: 5210, width: .mhz80), "800100010000"),
            (Channel(controlFrequency: 5240, centerFrequency: 5210, width: .mhz80), "800100080000"),
            (Channel(controlFrequency: 5745, centerFrequency: 5775, width: .mhz80), "802000010000"),
            (Channel(controlFrequency: 5180, centerFrequency: 5250, width: .mhz160), "810100010000"),
            (Channel(controlFrequency: 2437, centerFrequency: 2447, width: .mhz40), "532000000000"),
        ])
    func channels(_ channel: Channel, _ octets: String) throws {
        let entry = try #require(ChannelEntry(channel))
        #expect(entry.kernelOctets.hex == octets)
        #expect(entry.channel == channel)
    }

    @Test("what no class has, what names several channels and 6 GHz have no one channel")
    func noChannel() {
        #expect(ChannelEntry(Channel(5190)) == nil)
        let several = ChannelEntry(operatingClass: .init(rawValue: 81), channelBitmap: 3)
        #expect(several.channel == nil && several.channels == [Channel(2412), Channel(2417)])
        #expect(ChannelEntry(operatingClass: .init(rawValue: 131), channelBitmap: 1).channels.isEmpty)
        let anyPrimary = ChannelEntry(operatingClass: .init(rawValue: 128), channelBitmap: 1)
        #expect(anyPrimary.channels.map(\.controlFrequency) == [5180, 5200, 5220, 5240])
    }

    @Test("class 124 and 125 mean the same frequency")
    func sameFrequency() {
        #expect(ChannelEntry(operatingClass: .init(rawValue: 124), channelBitmap: 1).channel == Channel(5745))
    }

    @Test("bitmaps of every duration and period expand to 512 slots")
    func expansion() {
        #expect(TimeBitmap(everyPeriod: 0x0E).expanded.slots.prefix(6) == [1, 2, 3, 33, 34, 35])
        #expect(TimeBitmap(everyPeriod: 0x0E).expanded.count == 48)
        // Bit duration 64 TU, period 1024 TU, offset 2 slots: bits 0 and 15.
        let long = TimeBitmap(control: 0x0002 | 4 << 3 | 2 << 6, [0x01, 0x80])
        #expect(long.expanded.slots.prefix(8) == [0, 1, 2, 3, 4, 5, 62, 63])
        #expect(long.expanded.count == 8 * 8)
        // Period 8192 TU, one slot.
        #expect(TimeBitmap(control: 7 << 3 | 9 << 6, [0x01]).expanded.slots == [9])
        // Period 128 TU, bit duration 128 TU: the one bit that counts is always.
        #expect(TimeBitmap(control: 0x0003 | 1 << 3, [0xFF]).expanded == .all)
        // The period 1024 form that the module tests use says the same as 512.
        #expect(
            TimeBitmap(control: 0x0020, [0xFE, 0xFF, 0xFE, 0xFF, 0xFE, 0xFF, 0xFE, 0xFF]).expanded
                == TimeBitmap(everyPeriod: 0xFFFE_FFFE).expanded)
    }

    @Test(
        "implausible bitmaps",
        arguments: [
            (0x0000, 4), (0x001C, 4), (0x0018, 0), (0x0018, 5), (0x0038, 65), (0x0018 | 33 << 6, 4), (0x0019, 3),
        ] as [(UInt16, Int)])
    func implausible(_ control: UInt16, _ count: Int) {
        let bitmap = TimeBitmap(control: control, Array(repeating: 0xFF, count: count))
        #expect(!bitmap.isValid)
        #expect(bitmap.expanded.isEmpty)
    }

    @Test("gaps wrap around")
    func gaps() {
        #expect(SlotSet.none.longestGap == 512)
        #expect(SlotSet.all.longestGap == 0)
        #expect(SlotSet(everyPeriod: [1, 2, 3]).longestGap == 29)
        #expect(SlotSet(everyPeriod: [0, 16]).longestGap == 15)
    }

    @Test("a sequence ID is newer within half the circle")
    func sequence() {
        #expect(Availability.isNewer(1, than: 0))
        #expect(Availability.isNewer(0, than: 255))
        #expect(!Availability.isNewer(7, than: 7))
        #expect(!Availability.isNewer(7, than: 8))
        #expect(Availability.isNewer(128, than: 0))
        #expect(!Availability.isNewer(129, than: 0))
    }

    private static let channel = Availability.BandOrChannelList(
        .channels([ChannelEntry(operatingClass: .init(rawValue: 81), channelBitmap: 0x20)]))
    private static let always = TimeBitmap(everyPeriod: 0xFFFF_FFFE)

    private static func attribute(_ sequenceID: UInt8 = 1, _ entries: Availability.Entry...) -> Availability {
        Availability(sequenceID: sequenceID, mapID: 1, changes: .committed, entries)
    }

    @Test("hostap's checks, each with what breaks it")
    func validation() throws {
        typealias Entry = Availability.Entry
        let good = Entry(.init(.committed, rxNSS: 2), timeBitmap: Self.always, Self.channel)
        let bands = Availability.BandOrChannelList(.bands([.band24GHz]))
        let faults: [(AvailabilityFault, [Availability])] = [
            (.noEntry, [Self.attribute(1)]),
            (.entryKind, [Self.attribute(1, Entry(.init([], rxNSS: 1), Self.channel))]),
            (.entryKind, [Self.attribute(1, Entry(.init([.committed, .conditional], rxNSS: 1), Self.channel))]),
            (.utilization, [Self.attribute(1, Entry(.init(.committed, utilization: 6, rxNSS: 1), Self.channel))]),
            (
                .timeBitmap,
                [
                    Self.attribute(
                        1, Entry(.init(.committed, rxNSS: 1), timeBitmap: TimeBitmap(control: 0, [1]), Self.channel))
                ]
            ),
            (.bands, [Self.attribute(1, Entry(.init(.committed, rxNSS: 1), timeBitmap: Self.always, bands))]),
            (
                .channelCount,
                [Self.attribute(1, Entry(.init(.conditional, rxNSS: 1), timeBitmap: Self.always, .init(.channels([]))))]
            ),
            (.sequenceID, [Self.attribute(1, good), Self.attribute(2, good)]),
        ]
        for (fault, attributes) in faults {
            #expect(throws: fault) { try DeviceSchedule(attributes) }
        }
        #expect(Set(faults.map(\.0)) == Set(AvailabilityFault.allCases))
        #expect(try DeviceSchedule([]) == nil)
    }

    @Test("committed and potential with several channels is split; no bitmap is no slot; NSS 0 is 1")
    func exceptions() throws {
        let list = Availability.BandOrChannelList(
            .channels([
                ChannelEntry(operatingClass: .init(rawValue: 81), channelBitmap: 0x20),
                ChannelEntry(operatingClass: .init(rawValue: 125), channelBitmap: 0x01),
            ]))
        let schedule = try #require(
            try DeviceSchedule([
                Self.attribute(1, .init(.init([.committed, .potential], rxNSS: 0), timeBitmap: Self.always, list)),
                Self.attribute(1, .init(.init(.committed, rxNSS: 2), Self.channel)),
            ]))
        #expect(schedule.allotments.map(\.channel) == [Channel(2437), Channel(2437)])
        #expect(schedule.allotments.map(\.rxNSS) == [1, 2])
        #expect(schedule.allotments[1].slots.isEmpty)
        #expect(schedule.potential.map(\.channels) == [[Channel(5745)]])
    }
}

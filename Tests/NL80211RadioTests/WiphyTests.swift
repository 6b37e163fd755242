import Octets
import Ports
import Testing

@testable import NL80211Radio

/// Radios as a split GET_WIPHY dump tells of them, a message an aspect.
@Suite("Radios") struct WiphyTests {
    private typealias Name = NL80211Attribute

    /// A radio that can do everything, as mac80211_hwsim's NAN radios on Linux 7.3 do.
    static func parts(
        types: [UInt16] = [2, 6, 12, 13], limits: [[UInt16]] = [[12], [13, 13]], flags: [UInt16] = [1, 2],
        feature: Int? = 63, hasPHY: Bool = true, forbidden: Set<UInt32> = []
    ) -> [NetlinkWriter] {
        var name = NetlinkWriter()
        name.string(Name.wiphyName, "phy7")
        name.nest(Name.supportedInterfaceTypes) { nest in for type in types { nest.flag(type) } }
        var combination = NetlinkWriter()
        combination.nest(Name.interfaceCombinations) { list in
            list.nest(1) { nest in
                nest.nest(Name.Combination.limits) { nests in
                    for (number, types) in limits.enumerated() {
                        nests.nest(UInt16(number + 1)) { limit in
                            limit.u32(Name.Combination.limitMaximum, UInt32(types.count))
                            limit.nest(Name.Combination.limitTypes) { $0.flag(types[0]) }
                        }
                    }
                }
                nest.u32(Name.Combination.maximum, 3)
                nest.u32(Name.Combination.channelCount, 3)
            }
        }
        var bands = NetlinkWriter()
        bands.nest(Name.wiphyBands) { list in
            for (band, frequencies) in [(UInt16(0), [UInt32(2437)]), (1, [5180, 5745])] {
                list.nest(band) { nest in
                    nest.nest(Name.Frequency.list) { nests in
                        for (number, frequency) in frequencies.enumerated() {
                            nests.nest(UInt16(number)) { entry in
                                entry.u32(Name.Frequency.frequency, frequency)
                                if forbidden.contains(frequency) { entry.flag(Name.Frequency.noInitiatingRadiation) }
                            }
                        }
                    }
                }
            }
        }
        var nan = NetlinkWriter()
        if let feature {
            var octets = [UInt8](repeating: 0, count: 9)
            octets[feature / 8] = 1 << UInt8(feature % 8)
            nan.octets(Name.extendedFeatures, octets)
        }
        nan.octets(Name.cipherSuites, [0x04, 0xAC, 0x0F, 0x00, 0x09, 0xAC, 0x0F, 0x00, 0x06, 0xAC, 0x0F, 0x00])
        nan.u32(Name.bands, 0b11)
        nan.nest(Name.nanCapabilities) { nest in
            for flag in flags { nest.flag(flag) }
            nest.u8(Name.Capabilities.operationMode, 0x17)
            nest.u8(Name.Capabilities.antennas, 0x22)
            guard hasPHY else { return }
            nest.nest(Name.Capabilities.phy) { phy in
                phy.octets(Name.PHY.htMCSSet, [0xFF, 0xFF] + [UInt8](repeating: 0, count: 10) + [1, 0, 0, 0])
                phy.u16(Name.PHY.htCapabilities, 0x1072)
                phy.u8(Name.PHY.htAMPDUFactor, 3)
                phy.u8(Name.PHY.htAMPDUDensity, 6)
                phy.octets(Name.PHY.vhtMCSSet, [0xAA, 0xAA, 0, 0, 0xAA, 0xAA, 0, 0])
                phy.u32(Name.PHY.vhtCapabilities, 0x0380_04FA)
            }
        }
        return [name, combination, bands, nan]
    }

    static func wiphy(_ parts: [NetlinkWriter]) -> Wiphy {
        var wiphy = Wiphy(index: 7)
        for part in parts { wiphy.merge(NetlinkAttributes(part.octets)) }
        return wiphy
    }

    @Test("a radio that can do everything is fit, and its capabilities are those of the simulated one") func fit()
        throws
    {
        let wiphy = Self.wiphy(Self.parts())
        #expect(wiphy.name == "phy7")
        #expect(wiphy.unfitness == nil)
        var expected = RadioCapabilities.simulated
        expected.frequencies = [2437, 5180, 5745]
        #expect(wiphy.capabilities == expected)
    }

    @Test("an unfit radio says what it lacks and what to do") func unfit() {
        func cause(_ parts: [NetlinkWriter]) -> RadioFailure.Cause? { Self.wiphy(parts).unfitness?.cause }
        #expect(cause(Self.parts(types: [2, 6])) == .noNAN)
        #expect(cause(Self.parts(limits: [[13, 13]])) == .noNAN)
        #expect(cause(Array(Self.parts().dropLast())) == .noNAN)
        #expect(cause(Self.parts(flags: [1])) == .noUserSpaceDiscovery)
        #expect(cause(Self.parts(flags: [])) == .noUserSpaceDiscovery)
        #expect(cause(Self.parts(types: [2, 12])) == .noDataPath)
        #expect(cause(Self.parts(hasPHY: false)) == .noDataPath)
        #expect(cause(Self.parts(feature: nil)) == .noDataPath)
        #expect(cause(Self.parts(forbidden: [2437])) == .regulatory)
        var apart = Self.wiphy(Self.parts())
        apart.combinations = [UInt32(12), 13].map { type in
            Wiphy.Combination(limits: [Wiphy.Limit(maximum: 2, types: [type])], maximum: 2, channelCount: 1)
        }
        #expect(apart.unfitness?.cause == .noDataPath, "either, but not both at once")
        #expect(Self.wiphy(Self.parts(types: [2])).unfitness?.text.hasPrefix("phy7: ") == true)
    }

    @Test("5 GHz is allowed where one of its channels is not marked") func fiveGigahertz() {
        let wiphy = Self.wiphy(Self.parts(forbidden: [5180]))
        #expect(!wiphy.allowsBeaconing(5180))
        #expect(wiphy.allowsBeaconing(5745))
        #expect(!wiphy.allowsBeaconing(5220), "not listed")
    }

    @Test("interfaces fit together as the combination's limits have room") func combinations() {
        let wiphy = Self.wiphy(Self.parts(limits: [[2], [12], [13, 13]]))
        #expect(wiphy.admits([12]))
        #expect(wiphy.admits([2, 12, 13]))
        #expect(wiphy.admits([6, 6, 6, 2, 12]), "monitors take no part")
        #expect(!wiphy.admits([12, 12]))
        #expect(!wiphy.admits([2, 12, 13, 13]), "four of at most three")
        #expect(!wiphy.admits([3, 12]))
        #expect(wiphy.dataInterfaceLimit == 2)
    }
}

import NANFrames
import Octets
import Testing

@Suite("Filters") struct FilterTests {
    /// The 19 rows that hostap's hwsim tests assert; "-" is no filter.
    @Test(
        "matching filters",
        arguments: [
            ("-", "-", true), ("0000000000", "-", true), ("-", "0000000000", true),
            ("01010102010301040105", "-", true), ("-", "01010102010301040105", false),
            ("0000000000", "01010102010301040105", true), ("01010102010301040105", "0000000000", true),
            ("01010102010301040105", "01010102010301040105", true),
            ("01010102010101040105", "01010102010301040105", false),
            ("01010102010301040105", "0101000103000105", true), ("0001020103000105", "01010102010301040105", true),
            ("01010102010301040105", "000102000104", true), ("010100010300", "01010102010301040105", false),
            ("051122334455", "051122334455", true), ("0411223344", "051122334455", false),
            ("051122334455", "03112233", false), ("0001020104", "01010102010301040105", false),
            ("01010102010301040105", "010100010300", true), ("021122", "051122334455", false),
        ])
    func rows(_ publish: String, _ subscribe: String, _ expected: Bool) throws {
        func filter(_ hex: String) throws -> MatchingFilter? { hex == "-" ? nil : MatchingFilter(try bytes(hex)) }
        let publishFilter = try filter(publish)
        let subscribeFilter = try filter(subscribe)
        #expect(MatchingFilter.matches(subscribe: subscribeFilter, publish: publishFilter) == expected)
    }

    @Test("a length that runs past the end never matches")
    func overrun() {
        let short = MatchingFilter([5, 1])
        #expect(!MatchingFilter.matches(subscribe: short, publish: nil))
        #expect(!MatchingFilter.matches(subscribe: MatchingFilter([0]), publish: short))
    }

    private let device = NMI(MACAddress(bits: 0x0200_0000_0000))
    private let other = NMI(MACAddress(bits: 0x0200_0000_0001))

    @Test(
        "Bloom filters of one address",
        arguments: zip(
            0...3, ["0004800008000040", "1000000200200100", "1000000200200100", "0004800008000040"]))
    func bloom(_ index: Int, _ expected: String) throws {
        let filter = ServiceResponseFilter(bloomIndex: index, length: 8, [device])
        #expect(filter.octets.hex == [UInt8(0x03 | index << 2)].hex + expected)
        #expect(filter.admits(device))
        #expect(!filter.admits(other))
        let excluding = ServiceResponseFilter(bloomIndex: index, length: 8, [device], include: false)
        #expect(!excluding.admits(device))
        #expect(excluding.admits(other))
    }

    @Test("address lists, including and excluding")
    func lists() {
        #expect(ServiceResponseFilter([other, device]).admits(device))
        #expect(!ServiceResponseFilter([other]).admits(device))
        #expect(!ServiceResponseFilter([device], include: false).admits(device))
        #expect(ServiceResponseFilter([other], include: false).admits(device))
    }

    @Test("a malformed filter admits nobody", arguments: [[], [0x02], [0x00], [0x02, 1, 2, 3], [0x01]] as [[UInt8]])
    func malformed(_ octets: [UInt8]) { #expect(!ServiceResponseFilter(octets).admits(device)) }
}

import Glibc
import Octets
import Testing

@testable import NL80211Radio

@Suite("Netlink") struct NetlinkTests {
    /// By hand, from netlink(7): length, type, payload, padding.
    @Test("attributes are aligned to four octets, nests marked, integers in the host's order") func writer() {
        var writer = NetlinkWriter()
        writer.u8(5, 0xAB)
        writer.u16(6, 0x1234)
        writer.u32(7, 0x1234_5678)
        writer.u64(8, 0x0102_0304_0506_0708)
        writer.flag(9)
        writer.string(10, "ab")
        writer.nest(11) { $0.octets(1, [1, 2, 3, 4, 5]) }
        let expected =
            "05000500ab000000" + "0600060034120000" + "0800070078563412" + "0c0008000807060504030201" + "04000900"
            + "07000a0061620000" + "10000b80" + "09000100" + "0102030405000000"
        #expect(writer.octets == [UInt8](hex: expected))
    }

    @Test("a secret leaves room for itself, and does not stand in the message") func secret() {
        var writer = NetlinkWriter()
        writer.nest(80) { nest in
            nest.u8(2, 0)
            nest.secret(1, count: 16)
        }
        #expect(writer.octets.count == 4 + 8 + 20)
        #expect(writer.secret == 16..<32)
        #expect(writer.octets[16..<32].allSatisfy { $0 == 0 })
    }

    @Test("what was written reads back, with the marks of nests taken off") func reader() throws {
        var writer = NetlinkWriter()
        writer.nest(344) { $0.u16(5, 700) }
        writer.mac(6, MACAddress(bits: 0x0200_0000_0100))
        writer.u64(153, 0x1_0000_0002)
        writer.string(4, "nan0")
        let read = NetlinkAttributes(writer.octets)
        #expect(read.nest(344)?.u16(5) == 700)
        #expect(read.mac(6) == MACAddress(bits: 0x0200_0000_0100))
        #expect(read.u64(153) == 0x1_0000_0002)
        #expect(read.string(4) == "nan0")
        #expect(read.u32(153) == nil, "another size is no such integer")
    }

    @Test(
        "attributes that lie about their length end the list",
        arguments: ["0300050001", "ffff0500", "040005000900", "0000050000000000", "05", ""])
    func malformed(_ hex: String) throws {
        let octets = try #require([UInt8](hex: hex))
        let read = NetlinkAttributes(octets)
        #expect(read.all.count <= 1)
        #expect(read.u32(5) == nil)
    }

    @Test("every kernel refuses a family that it does not have, in words") func family() throws {
        let socket = try NetlinkSocket(.generic)
        #expect(try socket.family("no such family") == nil)
        #expect(try socket.family("nlctrl") == 16)
    }

    /// The loopback interface, which every machine has, through the same requests that data interfaces get.
    @Test("rtnetlink tells the state of a link, and refuses one that is not there with its errno") func route() throws {
        let route = try RouteClient()
        let loopback = if_nametoindex("lo")
        #expect(loopback != 0)
        // Its operational state is "unknown", for it has no carrier to tell of.
        #expect(try route.isOperational(loopback) == false)
        #expect {
            try route.isOperational(0x7FFF_FFFF)
        } throws: { error in
            (error as? NetlinkError)?.code == ENODEV
        }
    }
}

import NANFrames
import Octets
import Ports
import Testing

@testable import NL80211Radio

/// Against the reference's attribute numbers, put together by hand.
@Suite("nl80211 messages") struct MessageTests {
    @Test("START_NAN's configuration, on both bands") func start() {
        var writer = NetlinkWriter()
        RadioConfiguration(nmi: NMI(MACAddress(bits: 0x0200_0000_0100)), usesFiveGigahertz: true).write(to: &writer)
        #expect(writer.octets.starts(with: [UInt8](hex: "0500ee0002000000" + "0800ef0003000000") ?? []))
        let read = NetlinkAttributes(writer.octets)
        #expect(read.u8(238) == 2)
        #expect(read.u32(239) == 3)
        let nest = read.nest(342)
        #expect(nest?.has(8) == true)
        #expect(nest?.u16(5) == 60)
        #expect(nest?.u16(6) == 150)
        #expect(nest?.u8(7) == 100)
        let bands = nest?.nest(4)?.all ?? []
        #expect(bands.map { $0.nest.u8(1) } == [0, 1])
        #expect(bands.map { $0.nest.u16(2) } == [nil, 5745])
        #expect(bands.map { $0.nest.u8(3) } == [0xCE, 0xCE])
        #expect(bands.map { $0.nest.u8(5) } == [1, 1])
    }

    @Test("five registrations on the management interface, two on a data interface, none a prefix of another")
    func registrations() {
        for list in [FrameRegistration.management, FrameRegistration.data] {
            for (index, one) in list.enumerated() {
                for other in list[(index + 1)...] where one.type == other.type {
                    #expect(!one.prefix.starts(with: other.prefix) && !other.prefix.starts(with: one.prefix))
                }
            }
        }
        #expect(FrameRegistration.management.map(\.prefix.count) == [6, 6, 6, 6, 2])
        var writer = NetlinkWriter()
        FrameRegistration.data[1].write(to: &writer)
        #expect(writer.octets == [UInt8](hex: "06006500d0000000" + "0a005b000909506f9a180000" + "04002101"))
    }

    @Test("station flags are a mask and a set, a word each") func flags() {
        #expect(NANSession.flags(mask: 0xA0, set: 0xA0) == [0xA0, 0, 0, 0, 0xA0, 0, 0, 0])
        #expect(NANSession.flags(mask: 2, set: 0) == [2, 0, 0, 0, 0, 0, 0, 0])
    }

    @Test("a message without a command, or with one that is not used here, is none") func parse() {
        #expect(NL80211Client.parse(NetlinkMessage(type: 30, body: [])) == nil)
        #expect(NL80211Client.parse(NetlinkMessage(type: 30, body: [255, 0, 0, 0])) == nil)
        #expect(NL80211Client.parse(NetlinkMessage(type: 30, body: [158, 1, 0, 0]))?.command == .nanNextDWNotification)
    }
}

import BluetoothEngine
import BluetoothFrames
import Octets
import Ports
import Testing

/// Requests and answers by hand from Core 5.4, Vol 3, Parts F and G.
///
/// The handles: GAP 1-5, GATT 6-9, Device Information 10-18, the accessory's own 19-28.
@Suite("Attributes for centrals")
struct AttributeServerTests {
    private static let service = "115b9d0a1c3f7b9e2a4ec75100002b6d"

    private func bench() -> Bench {
        var bench = Bench()
        bench.advertise()
        bench.connect()
        return bench
    }

    @Test("services are found by group, short ones first, and then no more")
    func services() {
        var bench = bench()
        #expect(bench.ask("10 0100 ffff 0028") == ["1106" + "010005000018" + "060009000118" + "0a0012000a18"])
        #expect(bench.ask("10 1300 ffff 0028") == ["1114" + "13001c00" + Self.service])
        #expect(bench.ask("10 1d00 ffff 0028") == ["01101d000a"])
        #expect(bench.ask("06 0100 ffff 0028 0a18") == ["070a001200"])
        #expect(bench.ask("06 0100 ffff 0028" + Self.service) == ["0713001c00"])
        #expect(bench.ask("06 0100 ffff 0028 0918") == ["010601000a"])
    }

    @Test("characteristics are found by type, a page at a time")
    func characteristics() {
        var bench = bench()
        #expect(bench.ask("08 0100 0500 0328") == ["0907" + "02000203000" + "02a" + "040002050001" + "2a"])
        #expect(bench.ask("08 0a00 1200 0328") == ["0907" + "0b00020c00292a" + "0d00020e00242a" + "0f00021000252a"])
        #expect(bench.ask("04 0900 0900") == ["050109000229"])
        // Types of 128 bits are not mixed with those of 16.
        #expect(bench.ask("04 1400 1500") == ["050114000328"])
    }

    @Test("device information is what was provisioned")
    func deviceInformation() {
        var bench = bench()
        #expect(bench.ask("0a 0c00") == ["0b" + Array("Acme".utf8).hex])
        #expect(bench.ask("0a 0e00") == ["0b" + Array("D1".utf8).hex])
        #expect(bench.ask("0a 1000") == ["0b" + Array("SN-0001".utf8).hex])
        #expect(bench.ask("0a 1200") == ["0b" + Array("1.2.3".utf8).hex])
        #expect(bench.ask("08 0100 ffff 252a") == ["0909" + "1000" + Array("SN-0001".utf8).hex])
        #expect(bench.ask("0a 0300") == ["0b" + Array("Drone".utf8).hex])
    }

    @Test("a long value is read to its end in parts, each as long as the MTU lets it be")
    func long() {
        var bench = bench()
        let value = Array("_drone-service._udp\n_camera-stream._udp".utf8)
        #expect(bench.ask("0a 1500") == ["0b" + Array(value[..<22]).hex])
        #expect(bench.ask("0c 1500 1600") == ["0d" + Array(value[22...]).hex])
        #expect(bench.ask("0c 1500 2700") == ["0d"])
        #expect(bench.ask("0c 1500 2800") == ["010c150007"])
        #expect(bench.ask("02 0002") == ["030502"])
        #expect(bench.ask("0a 1500") == ["0b" + value.hex])
        #expect(bench.ask("0e 1500 1700") == ["0f" + value.hex + "00"])
    }

    @Test("the state is notified to who has subscribed, once a change, and not to others")
    func notifications() {
        var bench = bench()
        let other = BluetoothLinkID(2)
        _ = bench.all(.port(.attConnected(other, peer: BluetoothAddress(.public, bits: 2), mtu: 23)))
        #expect(bench.ask("0a 1700") == ["0b00"])
        #expect(bench.ask("12 1800 0100") == ["13"])
        #expect(bench.ask("0a 1800") == ["0b0100"])
        let effects = bench.all(.command(.set([.pairingWindowOpen], LinkSummary())))
        let sent = effects.filter { if case .port(.attSend) = $0 { true } else { false } }
        #expect(sent == [.port(.attSend(bench.link, bytes("1b 1700 01")))])
        #expect(!bench.all(.command(.set([.pairingWindowOpen], LinkSummary()))).contains { $0 == sent.first })
        // Per connection: a new one has subscribed to nothing.
        _ = bench.all(.port(.attClosed(bench.link)))
        bench.connect()
        #expect(bench.ask("0a 1800") == ["0b0000"])
    }

    @Test("1 written to wake is told, as request and as command; anything else is refused or let be")
    func wake() {
        var bench = bench()
        let asked = bench.all(.port(.attReceived(bench.link, bytes("12 1c00 01"))))
        #expect(asked == [.port(.attSend(bench.link, [0x13])), .report(.wakeAsked)])
        #expect(bench.all(.port(.attReceived(bench.link, bytes("52 1c00 01")))) == [.report(.wakeAsked)])
        #expect(bench.ask("12 1c00 02") == ["01121c0013"])
        #expect(bench.ask("12 1c00 0101") == ["01121c000d"])
        #expect(bench.all(.port(.attReceived(bench.link, bytes("52 1c00 02")))) == [])
    }

    @Test(
        "errors are those of the specification",
        arguments: [
            ("0a 0000", "010a000001"), ("0a 1d00", "010a1d0001"), ("0a 1c00", "010a1c0002"),
            ("12 0300 41", "0112030003"), ("12 1d00 41", "01121d0001"), ("12 1800 01", "011218000d"),
            ("12 1800 0200", "0112180013"), ("10 0100 ffff 0228", "0110010010"), ("10 0000 ffff 0028", "0110000001"),
            ("08 0500 0100 0328", "0108050001"), ("08 0100 ffff 2900", "010801000a"), ("04 0000 0100", "0104000001"),
            ("0a", "010a000004"), ("02 1600", "0102000004"), ("20 0300 0500", "0120000006"),
            ("16 0300 0000 41", "0116030003"),
            ("18 05", "0118000004"), ("0c 0300 ff00", "010c030007"), ("06 0500 0100 0028 0a18", "0106050001"),
        ])
    func errors(_ request: String, _ answer: String) {
        var bench = bench()
        #expect(bench.ask(request) == [answer])
    }

    @Test(
        "what is no request is not answered",
        arguments: ["1e", "52 0300 41", "d2 0300 41", "1b 0300 41", "0b 01", "01 0a 0000 01", ""])
    func silence(_ pdu: String) {
        var bench = bench()
        #expect(bench.ask(pdu) == [])
    }

    @Test("a long write is put together when it is executed, forgotten when it is cancelled, and bounded")
    func prepared() {
        var bench = bench()
        #expect(bench.ask("16 1800 0000 01") == ["171800000001"])
        #expect(bench.ask("16 1800 0100 00") == ["171800010000"])
        #expect(bench.ask("0a 1800") == ["0b0000"])
        #expect(bench.ask("18 01") == ["19"])
        #expect(bench.ask("0a 1800") == ["0b0100"])
        _ = bench.ask("16 1800 0000 0000")
        #expect(bench.ask("18 00") == ["19"])
        #expect(bench.ask("0a 1800") == ["0b0100"])
        _ = bench.ask("16 1800 0100 00")
        #expect(bench.ask("18 01") == ["0118180007"])
        for _ in 0..<32 { #expect(bench.ask("16 1800 0000 00") == ["171800000000"]) }
        #expect(bench.ask("16 1800 0000 00") == ["0116180009"])
    }

    @Test("centrals beyond the limit are sent away, and one that floods loses its own link only")
    func bounds() {
        var bench = bench()
        for number in 2...4 {
            _ = bench.all(
                .port(.attConnected(BluetoothLinkID(UInt64(number)), peer: BluetoothAddress(.public, bits: 9), mtu: 23))
            )
        }
        #expect(bench.peripheral.linkCount == 4)
        let fifth = BluetoothLinkID(5)
        let refused = bench.all(.port(.attConnected(fifth, peer: BluetoothAddress(.public, bits: 5), mtu: 23)))
        #expect(refused == [.port(.attDisconnect(fifth)), .report(.dropped(fifth, "all links are in use"))])
        var answers = 0
        for _ in 0..<1000 { answers += bench.ask("0a 0300").count }
        #expect(answers == 400)
        #expect(bench.peripheral.linkCount == 3)
        let other = bench.all(.port(.attReceived(BluetoothLinkID(2), bytes("0a 0e00"))))
        #expect(other == [.port(.attSend(BluetoothLinkID(2), bytes("0b 4431")))])
    }

    @Test("a central at a hundred requests a second is served for ever")
    func steady() {
        var bench = bench()
        var answers = 0
        for request in 0..<5000 {
            bench.now = at(Int64(request) * 10)
            answers += bench.ask("0a 0300").count
        }
        #expect(answers == 5000)
    }

    @Test("a silent central that has subscribed to nothing makes room after 2 min")
    func idle() {
        var bench = bench()
        bench.now = at(119_999)
        #expect(!bench.all(.deadlineReached).contains(.port(.attDisconnect(bench.link))))
        bench.now = at(120_000)
        #expect(bench.all(.deadlineReached).contains(.port(.attDisconnect(bench.link))))
    }

    @Test("services are told to who serves them otherwise, with the handles they have")
    func announced() throws {
        var bench = Bench()
        _ = bench.sent(.command(.start))
        _ = bench.sent(.port(.managementOpened))
        _ = bench.kernel("0100 ffff 0700 0300 00 0100 0000")
        let effects = bench.all(
            .port(.managementReceived(bytes(Bench.information(supported: 0xBEFF, current: 0x0201)))))
        let services = try #require(
            effects.compactMap { if case .port(.serveAttributes(let services)) = $0 { services } else { nil } }.first)
        #expect(services.map(\.uuid.description) == ["180A", "6D2B0000-51C7-4E2A-9E7B-3F1C0A9D5B11"])
        #expect(services[1].characteristics.map(\.valueHandle) == [21, 23, 26, 28])
        #expect(services[1].characteristics.map(\.configurationHandle) == [nil, 24, nil, nil])
        #expect(services[1].characteristics.map(\.properties) == [0x02, 0x12, 0x02, 0x0C])
    }

    @Test("no octets from a central trap, allocate without bound, or cost another central its link")
    func hostile() {
        var bench = bench()
        let other = BluetoothLinkID(2)
        _ = bench.all(.port(.attConnected(other, peer: BluetoothAddress(.public, bits: 2), mtu: 23)))
        var entropy = Entropy.seeded(12)
        for round in 0..<20_000 {
            bench.now = at(Int64(round) * 20)
            var octets = entropy.octets(Int.random(in: 0...600, using: &entropy) % (round % 3 == 0 ? 600 : 12))
            if !octets.isEmpty { octets[0] &= 0x1F }
            for effect in bench.all(.port(.attReceived(bench.link, octets))) {
                if case .port(.attSend(_, let answer)) = effect { #expect(answer.count <= 517) }
            }
        }
        let answer = bench.all(.port(.attReceived(other, bytes("0a 0e00"))))
        #expect(answer == [.port(.attSend(other, bytes("0b 4431")))])
    }
}

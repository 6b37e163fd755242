import BluetoothEngine
import BluetoothFrames
import Cryptography
import Octets
import Ports
import Testing

/// What the kernel is told and tells of pairing, as octets by hand from BlueZ's doc/mgmt-api.txt.
@Suite("Bonding with a passkey")
struct BondingTests {
    private static let identity = BluetoothAddress(.public, bits: 0x0102_0304_0506)
    private static let longTermKey = "00112233445566778899aabbccddeeff"
    private static let identityKey = "ffeeddccbbaa99887766554433221100"

    private static func bond() -> BondRecord {
        BondRecord(
            id: PairingID(1),
            keys: BondKeys(
                address: identity, longTermKey: SecretKey(copying: bytes(longTermKey)),
                identityKey: SecretKey(copying: bytes(identityKey))))
    }

    private static func bench(_ bonds: [BondRecord] = []) -> Bench {
        Bench(configuration { $0.bonds = bonds })
    }

    /// A bench whose controller has been set up.
    private static func ready(_ bonds: [BondRecord] = []) -> Bench {
        var bench = bench(bonds)
        _ = bench.sent(.command(.start))
        _ = bench.sent(.port(.managementOpened))
        _ = bench.kernel("0100 ffff 0700 0300 00 0100 0000")
        _ = bench.kernel(Bench.information(supported: 0xBEFF, current: 0x0201))
        for answer in ["1800", "2d00", "0900", "3000", "1300"] { _ = bench.kernel("0100 0000 0300 \(answer) 00") }
        _ = bench.kernel(Bench.features)
        return bench
    }

    private static func reports(_ effects: [BluetoothPeripheral.Effect]) -> [BluetoothReport] {
        effects.compactMap { if case .report(let report) = $0 { report } else { nil } }
    }

    private static func sent(_ effects: [BluetoothPeripheral.Effect]) -> [String] {
        effects.compactMap { if case .port(.managementSend(let octets, _)) = $0 { octets.hex } else { nil } }
    }

    @Test("a controller is told that we display, pair by nothing less, admit nobody yet, and whom we know")
    func setUp() throws {
        var bench = Self.bench([Self.bond()])
        _ = bench.sent(.command(.start))
        _ = bench.sent(.port(.managementOpened))
        _ = bench.kernel("0100 ffff 0700 0300 00 0100 0000")
        var steps = bench.kernel(Bench.information(supported: 0xBEFF, current: 0x0201))
        steps += bench.kernel("0100 0000 0300 1800 00")
        steps += bench.kernel("0100 0000 0700 2d00 00 01020000")
        steps += bench.kernel("0100 0000 0700 0900 00 01020000")
        steps += bench.kernel("0100 0000 0300 3000 00")
        #expect(
            steps == [
                "18000000010000", "2d000000010001", "09000000010000", "3000000019000100+key", "1300000026000100+key",
            ])
        let effects = bench.all(.port(.managementReceived(bytes("0100 0000 0300 1300 00"))))
        #expect(Self.reports(effects).contains { if case .controller(.ready) = $0 { true } else { false } })
    }

    @Test("the keys are the documented entries, octet by octet") func entries() throws {
        var bench = Self.bench([Self.bond()])
        _ = bench.sent(.command(.start))
        _ = bench.sent(.port(.managementOpened))
        _ = bench.kernel("0100 ffff 0700 0300 00 0100 0000")
        _ = bench.kernel(Bench.information(supported: 0xBEFF, current: 0x0201))
        _ = bench.kernel("0100 0000 0300 1800 00")
        _ = bench.kernel("0100 0000 0700 2d00 00 01020000")
        let first = bench.all(.port(.managementReceived(bytes("0100 0000 0700 0900 00 01020000"))))
        let second = bench.all(.port(.managementReceived(bytes("0100 0000 0300 3000 00"))))
        let identities = SecretKey(copying: bytes("060504030201 01" + Self.identityKey))
        let keys = SecretKey(copying: bytes("060504030201 01 03 00 10 0000 0000000000000000" + Self.longTermKey))
        #expect(first == [.port(.managementSend(bytes("3000 0000 1900 0100"), key: identities))])
        #expect(second == [.port(.managementSend(bytes("1300 0000 2600 0100"), key: keys))])
    }

    @Test("a dual-mode controller without Secure Simple Pairing gets it first, for it refuses Secure Connections else")
    func dualMode() throws {
        var bench = Self.bench()
        _ = bench.sent(.command(.start))
        _ = bench.sent(.port(.managementOpened))
        _ = bench.kernel("0100 ffff 0700 0300 00 0100 0000")
        let steps = bench.kernel(Bench.information(supported: 0xBEFF, current: 0x0281))
        #expect(steps == ["0b000000010001"])
    }

    // MARK: Attributes

    /// Of the fixture's services the state's value, its configuration, the summary's and the wake's.
    private static let (state, configurationHandle, summary, wake) = ("1700", "1800", "1a00", "1c00")

    @Test("a link that is not protected learns no state and wakes nobody, and is told what it lacks")
    func refusals() throws {
        var bench = Self.bench()
        bench.connect()
        // Error Response: the request, the handle, insufficient authentication.
        #expect(bench.ask("0a" + Self.state) == ["010a" + Self.state + "05"])
        #expect(bench.ask("0a" + Self.summary) == ["010a" + Self.summary + "05"])
        #expect(bench.ask("12" + Self.wake + "01") == ["0112" + Self.wake + "05"])
        #expect(bench.ask("12" + Self.configurationHandle + "0100") == ["0112" + Self.configurationHandle + "05"])
        #expect(bench.ask("16" + Self.wake + "0000" + "01") == ["0116" + Self.wake + "05"])
        #expect(bench.all(.port(.attReceived(bench.link, bytes("52" + Self.wake + "01")))) == [])
        // What says which product it is stays open, and so does whether one is subscribed.
        #expect(bench.ask("0a" + Self.configurationHandle) == ["0b0000"])
        #expect(bench.ask("0a0300").first?.hasPrefix("0b") == true)
        // A key that nobody vouched for, and one that a listener may know, are not enough.
        for level in [BluetoothSecurity.encrypted, .authenticated] {
            _ = bench.all(.port(.attSecured(bench.link, level)))
            #expect(bench.ask("0a" + Self.state) == ["010a" + Self.state + "05"])
        }
        _ = bench.all(.port(.attSecured(bench.link, .secureConnections)))
        #expect(bench.ask("0a" + Self.state) == ["0b00"])
        #expect(bench.ask("12" + Self.configurationHandle + "0100") == ["13"])
        let woken = bench.all(.port(.attReceived(bench.link, bytes("12" + Self.wake + "01"))))
        #expect(woken.contains(.report(.wakeAsked)))
    }

    @Test("a bonded central whose link is in clear is told to encrypt it") func inClear() throws {
        var bond = Self.bond()
        bond.keys.address = BluetoothAddress(.random, bits: 0x4000_0000_0001)
        var bench = Self.bench([bond])
        bench.connect()
        #expect(bench.ask("0a" + Self.state) == ["010a" + Self.state + "0f"])
        _ = bench.all(.command(.setBonds([])))
        #expect(bench.ask("0a" + Self.state) == ["010a" + Self.state + "05"])
    }

    @Test("without bonding everything is open, and the kernel's pairing is somebody else's") func without() throws {
        var bench = Bench()
        bench.advertise()
        bench.connect()
        #expect(bench.ask("0a" + Self.state) == ["0b00"])
        #expect(bench.kernel("1700 0000 0c00 060504030201 01", secret: "40e2010000") == [])
        #expect(bench.all(.port(.managementReceived(bytes("0f00 0000 0c00 060504030201 01 01 00000000")))) == [])
    }

    // MARK: Pairing

    private static let notify = "1700 0000 0c00 060504030201 01"

    @Test("a passkey is handed on, and its bond with the identity that came before the key") func pairs() throws {
        var bench = Self.ready()
        let random = BluetoothAddress(.random, bits: 0x4122_3344_5566)
        let shown = bench.kernel("1700 0000 0c00 665544332241 02", secret: "40e2010000")
        #expect(shown == [.report(.passkey(random, SecretKey(copying: bytes("40e2010000"))))])
        #expect(bench.kernel("1800 0000 1e00 01 665544332241 060504030201 01", secret: Self.identityKey) == [])
        let bonded = bench.kernel(
            "0a00 0000 2500 01 060504030201 01 03 00 10 0000 0000000000000000", secret: Self.longTermKey)
        #expect(bonded == [.report(.bonded(Self.bond().keys, passkeyFor: random, isKept: true))])
    }

    @Test("a wrong passkey, and a central that leaves, end the attempt once") func fails() throws {
        for end in ["1100 0000 0800 060504030201 01 05", "0c00 0000 0800 060504030201 01 03"] {
            var bench = Self.ready()
            _ = bench.kernel(Self.notify, secret: "40e2010000")
            // Another's failure is not this one's.
            #expect(
                Self.reports(bench.all(.port(.managementReceived(bytes("1100 0000 0800 070504030201 01 05"))))) == [])
            let ended = Self.reports(bench.all(.port(.managementReceived(bytes(end)))))
            let again = Self.reports(bench.all(.port(.managementReceived(bytes(end)))))
            #expect(ended.count == 1 && again == [])
            guard case .bondingEnded(Self.identity, _)? = ended.first else {
                Issue.record("\(ended)")
                return
            }
        }
    }

    @Test("a second central's passkey is refused, and so is pairing without one") func refused() throws {
        var bench = Self.ready()
        _ = bench.kernel(Self.notify, secret: "40e2010000")
        let second = bench.kernel("1700 0000 0c00 070504030201 01", secret: "41e2010000")
        #expect(Self.reports(second) == [])
        #expect(Self.sent(second) == ["1f0000000700" + "07050403020101"])
        _ = bench.kernel("0100 0000 0a00 1f00 00 070504030201 01")
        let justWorks = bench.all(.port(.managementReceived(bytes("0f00 0000 0c00 080504030201 01 01 00000000"))))
        #expect(Self.sent(justWorks) == ["1d0000000700" + "08050403020101"])
    }

    @Test("a key for which nobody read a passkey is taken back from the kernel") func unasked() throws {
        var bench = Self.ready()
        let key = bench.kernel(
            "0a00 0000 2500 01 060504030201 01 03 00 10 0000 0000000000000000", secret: Self.longTermKey)
        #expect(Self.reports(key) == [])
        #expect(Self.sent(key) == ["1b0000000800" + "06050403020101" + "01"])
        // Nor is one that no passkey went into, whoever read one.
        bench = Self.ready()
        _ = bench.kernel(Self.notify, secret: "40e2010000")
        let weak = bench.kernel(
            "0a00 0000 2500 01 060504030201 01 02 00 10 0000 0000000000000000", secret: Self.longTermKey)
        guard case .bondingEnded? = Self.reports(weak).first else {
            Issue.record("\(Self.reports(weak))")
            return
        }
        #expect(Self.sent(weak) == ["1b0000000800" + "06050403020101" + "01"])
        // The kernel may know nothing to unpair, and then leaves the link.
        #expect(bench.kernel("0200 0000 0300 1b00 0e") == ["140000000700" + "06050403020101"])
    }

    @Test("the key of a central that pairs without bonding goes with its link") func guest() throws {
        var bench = Self.ready()
        _ = bench.kernel(Self.notify, secret: "40e2010000")
        _ = bench.kernel("0a00 0000 2500 00 060504030201 01 03 00 10 0000 0000000000000000", secret: Self.longTermKey)
        let gone = "0c00 0000 0800 060504030201 01 03"
        #expect(bench.kernel(gone) == ["1b0000000800" + "06050403020101" + "01"])
        _ = bench.kernel("0100 0000 0a00 1b00 00 060504030201 01")
        #expect(bench.kernel(gone) == [])
    }

    @Test("who is forgotten while the controller is being set up is not let in by it") func forgottenEarly() throws {
        var bench = Self.bench([Self.bond()])
        _ = bench.sent(.command(.start))
        _ = bench.sent(.port(.managementOpened))
        _ = bench.kernel("0100 ffff 0700 0300 00 0100 0000")
        _ = bench.kernel(Bench.information(supported: 0xBEFF, current: 0x0201))
        for answer in ["0300 1800 00", "0700 2d00 00 01020000", "0700 0900 00 01020000", "0300 3000 00"] {
            _ = bench.kernel("0100 0000 " + answer)
        }
        #expect(bench.sent(.command(.setBonds([]))) == [])
        #expect(bench.kernel("0100 0000 0300 1300 00") == ["3000000002000000"])
        #expect(bench.kernel("0100 0000 0300 3000 00") == ["1300000002000000"])
        let effects = bench.all(.port(.managementReceived(bytes("0100 0000 0300 1300 00"))))
        #expect(Self.reports(effects).contains { if case .controller(.ready) = $0 { true } else { false } })
    }

    @Test("the kernel hears once when somebody new may bond, and when no longer") func bondable() throws {
        var bench = Self.ready()
        #expect(bench.sent(.command(.setBondable(true))) == ["09000000010001"])
        #expect(bench.sent(.command(.setBondable(true))) == [])
        _ = bench.kernel("0100 0000 0700 0900 00 11020000")
        #expect(bench.sent(.command(.setBondable(false))) == ["09000000010000"])
    }

    @Test("where bluetoothd answers centrals, that is said, for it bonds in its own way") func rival() throws {
        var bench = Self.ready()
        let reports = Self.reports(bench.all(.port(.attributesServed(.bluetoothd))))
        guard case .notServed(let failure)? = reports.first else {
            Issue.record("\(reports)")
            return
        }
        #expect(failure.text.contains("bluetoothd"))
    }
}

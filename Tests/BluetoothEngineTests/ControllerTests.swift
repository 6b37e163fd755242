import BluetoothEngine
import BluetoothFrames
import Cryptography
import Octets
import Ports
import Testing

/// The packets are by hand from BlueZ's doc/mgmt-api.txt.
@Suite("A controller's life")
struct ControllerTests {
    @Test("a controller that is off is set up, powered, and advertises for 30 s every 20 ms, then as provisioned")
    func start() {
        var bench = Bench()
        #expect(bench.all(.command(.start)).contains(.port(.openManagement)))
        #expect(bench.sent(.command(.advertise(true))) == [])
        #expect(bench.sent(.port(.managementOpened)) == ["0300ffff0000"])
        #expect(bench.kernel("0100 ffff 0700 0300 00 0100 0000") == ["040000000000"])
        // Supports all that is needed; has nothing on.
        #expect(bench.kernel(Bench.information(supported: 0xBEFF, current: 0)) == ["0d000000010001"])
        #expect(bench.kernel("0100 0000 0700 0d00 00 00020000") == ["05000000010001"])
        #expect(bench.kernel("0100 0000 0700 0500 00 01020000") == ["3d0000000000"])
        // Instance 5 of 5; connectable, with an interval and a scan response; 32 x 0.625 ms.
        #expect(
            bench.kernel(Bench.features) == ["54000000120005014001000000000020000000200000007f"])
        #expect(
            bench.kernel("0100 0000 0700 5400 00 05 7f 1f 1f")
                == ["550000001200050e01" + "020106" + "03035afd" + "06ffffff010200" + "00"])
        let effects = bench.all(.port(.managementReceived(bytes("0100 0000 0400 5500 00 05"))))
        #expect(effects == [.report(.advertising(true))])
        #expect(bench.peripheral.nextDeadline == at(30_000))
        bench.now = at(30_000)
        #expect(bench.sent(.deadlineReached) == ["540000001200050140010000000000f4000000f40000007f"])
    }

    @Test("the state is the last octet, and only data is set again for it; the name comes with the window")
    func state() {
        var bench = Bench()
        bench.advertise()
        let connected = bench.sent(.command(.set([.connected], LinkSummary())))
        #expect(connected == ["550000001200050e01" + "020106" + "03035afd" + "06ffffff010202" + "00"])
        _ = bench.kernel("0100 0000 0400 5500 00 05")
        let open = bench.sent(.command(.set([.connected, .pairingWindowOpen], LinkSummary())))
        #expect(open == ["550000001800050e07" + "020106" + "03035afd" + "06ffffff010203" + "060944726f6e65"])
    }

    @Test("a change during a change follows it, once")
    func oneAtATime() {
        var bench = Bench()
        bench.advertise()
        #expect(bench.sent(.command(.set([.connected], LinkSummary()))).count == 1)
        #expect(bench.sent(.command(.set([.asleep], LinkSummary()))) == [])
        #expect(bench.sent(.command(.set([.asleep, .connected], LinkSummary()))) == [])
        #expect(
            bench.kernel("0100 0000 0400 5500 00 05")
                == ["550000001200050e01" + "020106" + "03035afd" + "06ffffff010206" + "00"])
        #expect(bench.kernel("0100 0000 0400 5500 00 05") == [])
    }

    @Test("privacy is set while the controller is off, with the key beside the packet")
    func privacy() {
        var bench = Bench(configuration { $0.privacyKey = SecretKey(copying: [UInt8](repeating: 7, count: 16)) })
        _ = bench.sent(.command(.start))
        _ = bench.sent(.port(.managementOpened))
        _ = bench.kernel("0100 ffff 0700 0300 00 0100 0000")
        #expect(bench.kernel(Bench.information(supported: 0xBEFF, current: 0x0201)) == ["05000000010000"])
        #expect(bench.kernel("0100 0000 0700 0500 00 00020000") == ["2f000000110001+key"])
        #expect(bench.kernel("0100 0000 0700 2f00 00 00220000") == ["05000000010001"])
    }

    @Test("a static address is set where there is no public one, while the controller is off, and told as shown")
    func staticAddress() {
        let address = BluetoothAddress(.random, bits: 0xC102_0304_0506)
        var bench = Bench(configuration { $0.staticAddress = address })
        _ = bench.sent(.command(.start))
        _ = bench.sent(.port(.managementOpened))
        _ = bench.kernel("0100 ffff 0700 0300 00 0100 0000")
        let nameless = Bench.information(supported: 0xBE7F, current: 0x0201, address: "000000000000")
        #expect(bench.kernel(nameless) == ["05000000010000"])
        #expect(bench.kernel("0100 0000 0700 0500 00 00020000") == ["2b0000000600" + "0605040302c1"])
        #expect(bench.kernel("0100 0000 0700 2b00 00 00820000") == ["05000000010001"])
        _ = bench.kernel("0100 0000 0700 0500 00 01820000")
        #expect(bench.shownAddress == address)
    }

    @Test("a public address stays, for bluetoothd is deaf on another than the one it found")
    func publicAddress() {
        var bench = Bench(configuration { $0.staticAddress = BluetoothAddress(.random, bits: 0xC102_0304_0506) })
        _ = bench.sent(.command(.start))
        _ = bench.sent(.port(.managementOpened))
        _ = bench.kernel("0100 ffff 0700 0300 00 0100 0000")
        #expect(bench.kernel(Bench.information(supported: 0xBE7F, current: 0x0201)) == ["3d0000000000"])
        #expect(bench.shownAddress == BluetoothAddress(.public, bits: 0x000A_8BAD_F00D))
    }

    @Test("an instance of an earlier life, or of before a fault of the controller, is taken away, wanted or not")
    func staleInstance() {
        let used = "0100 0000 0c00 3d00 00 01400100 1f 1f 05 01 05"
        var bench = Bench()
        _ = bench.sent(.command(.start))
        _ = bench.sent(.port(.managementOpened))
        _ = bench.kernel("0100 ffff 0700 0300 00 0100 0000")
        #expect(bench.kernel(Bench.information(supported: 0xBEFF, current: 0x0201)) == ["3d0000000000"])
        #expect(bench.kernel(used) == ["3f000000010005"])
        #expect(bench.sent(.command(.advertise(true))) == [])
        #expect(
            bench.kernel("0100 0000 0400 3f00 00 05") == ["54000000120005014001000000000020000000200000007f"])

        // Gone by itself meanwhile: it is advertised all the same.
        var gone = Bench()
        gone.advertise()
        _ = gone.kernel("0300 0000 0100 00")
        gone.now = at(2000)
        #expect(gone.sent(.deadlineReached) == ["0300ffff0000"])
        _ = gone.kernel("0100 ffff 0700 0300 00 0100 0000")
        _ = gone.kernel(Bench.information(supported: 0xBEFF, current: 0x0201))
        #expect(gone.kernel(used) == ["3f000000010005"])
        #expect(gone.kernel("0200 0000 0300 3f00 0d") == ["54000000120005014001000000000020000000200000007f"])
    }

    @Test("to stop while the kernel is still being asked waits for its answer, and no longer")
    func stopWhileAsking() {
        var bench = Bench()
        _ = bench.sent(.command(.start))
        _ = bench.sent(.port(.managementOpened))
        _ = bench.kernel("0100 ffff 0700 0300 00 0100 0000")
        _ = bench.kernel(Bench.information(supported: 0xBEFF, current: 0x0201))
        #expect(!bench.all(.command(.stop)).contains(.port(.close)))
        #expect(bench.all(.port(.managementReceived(bytes(Bench.features)))).last == .port(.close))
    }

    @Test("a controller without LE is passed over, and one that is named is waited for")
    func choice() {
        var bench = Bench()
        _ = bench.sent(.command(.start))
        _ = bench.sent(.port(.managementOpened))
        #expect(bench.kernel("0100 ffff 0900 0300 00 0200 0100 0000") == ["040000000000"])
        #expect(bench.kernel(Bench.information(supported: 0x00FF, current: 0)) == ["040001000000"])

        var named = Bench(configuration { $0.controller = 2 })
        _ = named.sent(.command(.start))
        _ = named.sent(.port(.managementOpened))
        let effects = named.all(.port(.managementReceived(bytes("0100 ffff 0900 0300 00 0200 0100 0000"))))
        #expect(effects == [.report(.controller(.absent("there is no hci2")))])
        #expect(named.kernel("0400 0200 0000") == ["0300ffff0000"])
    }

    @Test("a controller that vanishes is told of, and taken up again when it returns")
    func vanishes() {
        var bench = Bench()
        bench.advertise()
        #expect(bench.peripheral.isAdvertising)
        let effects = bench.all(.port(.managementReceived(bytes("0500 0000 0000"))))
        #expect(effects.contains(.report(.advertising(false))))
        #expect(bench.kernel("0100 ffff 0500 0300 00 0000") == [])
        #expect(bench.peripheral.controllerState == .absent("there is no Bluetooth LE controller"))
        #expect(bench.kernel("0400 0000 0000") == ["0300ffff0000"])
        _ = bench.kernel("0100 ffff 0700 0300 00 0100 0000")
        #expect(bench.kernel(Bench.information(supported: 0xBEFF, current: 0x0201)) == ["3d0000000000"])
    }

    @Test("one that somebody switches off is switched on again after 2 s, and after a refusal every 5 s")
    func switchedOff() {
        var bench = Bench()
        bench.advertise()
        let effects = bench.all(.port(.managementReceived(bytes("0600 0000 0400 00020000"))))
        #expect(effects.contains(.report(.controller(.failed("the Bluetooth controller was switched off")))))
        #expect(bench.peripheral.nextDeadline == at(2000))
        bench.now = at(2000)
        #expect(bench.sent(.deadlineReached) == ["0300ffff0000"])
        _ = bench.kernel("0100 ffff 0700 0300 00 0100 0000")
        #expect(bench.kernel(Bench.information(supported: 0xBEFF, current: 0x0200)) == ["05000000010001"])
        _ = bench.kernel("0200 0000 0300 0500 12")
        #expect(bench.peripheral.controllerState == .failed("setPowered was refused: blocked by rfkill"))
        #expect(bench.peripheral.nextDeadline == at(7000))
    }

    @Test("a kernel that does not answer is asked anew, and its late answer is none")
    func silent() {
        var bench = Bench()
        _ = bench.sent(.command(.start))
        _ = bench.sent(.port(.managementOpened))
        #expect(bench.peripheral.nextDeadline == at(10_000))
        bench.now = at(10_000)
        #expect(bench.sent(.deadlineReached) == [])
        #expect(bench.kernel("0100 ffff 0700 0300 00 0100 0000") == [])
        bench.now = at(15_000)
        #expect(bench.sent(.deadlineReached) == ["0300ffff0000"])
    }

    @Test("a kernel without Bluetooth is said so, and asked again after 30 s")
    func absent() {
        var bench = Bench()
        _ = bench.all(.command(.start))
        let failure = BluetoothFailure(.absent, "the kernel has no Bluetooth")
        #expect(
            bench.all(.port(.managementFailed(failure))) == [
                .report(.controller(.absent("the kernel has no Bluetooth")))
            ])
        bench.now = at(30_000)
        #expect(bench.all(.deadlineReached) == [.port(.openManagement)])
    }

    @Test("an older kernel is asked by one command, with the controller's interval set before")
    func legacy() {
        var bench = Bench()
        _ = bench.sent(.command(.start))
        _ = bench.sent(.command(.advertise(true)))
        _ = bench.sent(.port(.managementOpened))
        _ = bench.kernel("0100 ffff 0700 0300 00 0100 0000")
        _ = bench.kernel(Bench.information(supported: 0xBEFF, current: 0x0201))
        #expect(
            bench.kernel("0100 0000 0b00 3d00 00 7f000000 1f 1f 01 00") == ["4c0000000a000a000220000b00022000"])
        #expect(
            bench.kernel("0200 0000 0300 4c00 01")
                == ["3e0000001a00010100000000000000" + "0e01" + "020106" + "03035afd" + "06ffffff010200" + "00"])
    }

    @Test("a connection has the advertisement set again, whoever came")
    func resumes() {
        var bench = Bench()
        bench.advertise()
        let again = "550000001200050e01" + "020106" + "03035afd" + "06ffffff010200" + "00"
        #expect(bench.kernel("0b00 0000 0d00 060504030201 02 00000000 0000") == [again])
        _ = bench.kernel("0100 0000 0400 5500 00 05")
        #expect(bench.kernel("0c00 0000 0800 060504030201 02 03") == [again])
        // The next while that is under way: once more after it.
        #expect(bench.kernel("0b00 0000 0d00 060504030201 02 00000000 0000") == [])
        #expect(bench.kernel("0100 0000 0400 5500 00 05") == [again])
        #expect(bench.kernel("0100 0000 0400 5500 00 05") == [])
    }

    @Test(
        "to stop takes the advertisement back before the port is closed, and a kernel that is silent cannot prevent it")
    func stop() {
        var bench = Bench()
        bench.advertise()
        #expect(bench.sent(.command(.stop)) == ["3f000000010005"])
        #expect(bench.all(.port(.managementReceived(bytes("0100 0000 0400 3f00 00 05")))).last == .port(.close))

        var silent = Bench()
        silent.advertise()
        _ = silent.all(.command(.stop))
        silent.now = at(10_000)
        #expect(silent.all(.deadlineReached).contains(.port(.close)))
    }
}

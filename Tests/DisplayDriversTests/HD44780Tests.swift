import DisplayDrivers
import Testing

/// Hitachi's data sheet of the HD44780U: initialisation by instruction (figure 24), instructions (table 6), timing.
@Suite("HD44780") struct HD44780Tests {
    private struct Transfer: Equatable {
        var octet: UInt8
        var isData: Bool
    }

    /// The controller, which takes nibbles on the fall of E.
    private struct Controller {
        private(set) var nibbles: [(value: UInt8, isData: Bool, time: Int)] = []
        private(set) var transfers: [Transfer] = []
        private(set) var memory: [UInt8] = Array(repeating: 0x3F, count: 0x80)
        private(set) var isOn = true
        private var address = 0
        private var isFourBit = false
        private var upper: UInt8?

        mutating func see(_ edges: [Wire.Edge]) {
            for edge in edges where edge.line == 1 && !edge.isRising {
                let value = UInt8(edge.levels >> 2 & 0xF)
                let isData = Wire.level(edge.levels, 0)
                nibbles.append((value, isData, edge.time))
                guard isFourBit else {
                    // With eight lines wanted, the four that are not wired read as low.
                    isFourBit = value == 0x2
                    continue
                }
                if let upper {
                    take(Transfer(octet: upper << 4 | value, isData: isData))
                    self.upper = nil
                } else {
                    upper = value
                }
            }
        }

        private mutating func take(_ transfer: Transfer) {
            transfers.append(transfer)
            switch (transfer.isData, transfer.octet) {
            case (true, let octet):
                memory[address] = octet
                address += 1
            case (_, let octet) where octet & 0x80 != 0: address = Int(octet & 0x7F)
            case (_, 0x01):
                memory = Array(repeating: 0x20, count: 0x80)
                address = 0
            case (_, let octet) where octet & 0xF8 == 0x08: isOn = octet & 0x04 != 0
            default: break
            }
        }

        func row(_ address: Int, _ count: Int) -> String {
            String(decoding: memory[address..<address + count], as: UTF8.self)
        }
    }

    private func run(_ driver: LatchedDriver, _ programs: [LineProgram]) -> (Controller, Wire) {
        var wire = Wire(driver.idle)
        for program in programs { wire.play(program) }
        var controller = Controller()
        controller.see(wire.edges)
        return (controller, wire)
    }

    private let characters = HD44780()
    private var driver: LatchedDriver { .characters(characters) }
    private var start: LineProgram { program { driver.start(&$0) } }

    private func code(_ digits: String) -> LineProgram {
        let rows = Array(digits.utf8).withUnsafeBytes { DisplayText.rows(code: $0) }
        return program { characters.show(rows, &$0) }
    }

    @Test("it is started by instruction, with the waits that takes") func initialisation() {
        let (controller, _) = run(driver, [start])
        #expect(controller.nibbles.prefix(4).map(\.value) == [3, 3, 3, 2])
        let times = controller.nibbles.map(\.time)
        #expect(times[0] > 40_000_000)
        #expect(times[1] - times[0] > 4_100_000 && times[2] - times[1] > 100_000 && times[3] - times[2] > 37_000)
        #expect(controller.transfers.map(\.octet) == [0x28, 0x08, 0x01, 0x06])
        #expect(!controller.isOn && controller.row(0, 16) == String(repeating: " ", count: 16))
    }

    @Test("the PIN and what to do with it stand in two rows") func code() {
        let (controller, _) = run(driver, [start, code("123456")])
        #expect(controller.row(0x00, 16) == "PIN  123 456    ")
        #expect(controller.row(0x40, 16) == "Type it on phone")
        #expect(controller.isOn)
    }

    @Test(
        "every text fits 16 columns, and what follows a longer one leaves nothing of it",
        arguments: DisplayText.allCases)
    func texts(_ text: DisplayText) {
        #expect(text.rows.count <= 2 && text.rows.allSatisfy { $0.count <= 16 })
        let (controller, _) = run(driver, [start, code("123456"), program { characters.show(text.rows, &$0) }])
        let shown = controller.row(0x00, 16) + controller.row(0x40, 16)
        #expect(!shown.contains { "0"..."9" ~= $0 })
        #expect(shown.hasPrefix(String(decoding: text.rows[0], as: UTF8.self)))
    }

    @Test("blank is dark, and forgets") func blank() {
        let (controller, _) = run(driver, [start, code("123456"), program { driver.blank(&$0) }])
        #expect(!controller.isOn && controller.row(0, 16) == String(repeating: " ", count: 16))
        #expect(controller.row(0x40, 16) == String(repeating: " ", count: 16))
    }

    @Test("the backlight is on while something is shown; RW stays low") func backlight() {
        let characters = HD44780(hasReadWrite: true, hasBacklight: true)
        let driver = LatchedDriver.characters(characters)
        let (_, wire) = run(
            driver,
            [
                program { driver.start(&$0) }, program { characters.show(DisplayText.paired.rows, &$0) },
                program { driver.blank(&$0) },
            ])
        #expect(wire.edges(of: 7).map(\.isRising) == [true, false])
        #expect(wire.edges(of: 6).isEmpty)
        let alone = HD44780(hasBacklight: true)
        let (_, other) = run(.characters(alone), [program { alone.show(DisplayText.paired.rows, &$0) }])
        #expect(other.edges(of: 6).map(\.isRising) == [true])
    }

    @Test("a part of one row is told so, and gets the first row only") func oneRow() {
        let characters = HD44780(rows: 1)
        let driver = LatchedDriver.characters(characters)
        let (controller, _) = run(
            driver, [program { driver.start(&$0) }, program { characters.show(DisplayText.locked.rows, &$0) }])
        #expect(controller.transfers.first?.octet == 0x20)
        #expect(controller.row(0x00, 16) == "Locked          ")
        #expect(controller.row(0x40, 16) == String(repeating: " ", count: 16))
    }

    @Test("pulses, set-up, hold and execution times are the data sheet's at least") func timing() {
        let (controller, wire) = run(driver, [start, code("102938")])
        #expect(wire.shortest(1, high: true) >= 450)  // PW_EH
        let rises = wire.edges(of: 1, rising: true)
        #expect(zip(rises, rises.dropFirst()).allSatisfy { $1.time - $0.time >= 1000 })  // t_cycE
        #expect(wire.setUp(of: [0], before: 1, rising: true) >= 60)  // t_AS
        #expect(wire.setUp(of: [2, 3, 4, 5], before: 1, rising: false) >= 195)  // t_DSW
        #expect(wire.hold(of: [0, 2, 3, 4, 5], after: 1, rising: false) >= 20)  // t_AH, t_H
        // After the second nibble of each octet: 41 µs at 270 kHz are 58.3 µs at 190 kHz; a clear takes 2.16 ms.
        let octets = Array(controller.nibbles.dropFirst(4))
        for (index, transfer) in controller.transfers.enumerated() where 2 * index + 2 < octets.count {
            let wait = octets[2 * index + 2].time - octets[2 * index + 1].time
            #expect(wait >= (transfer == Transfer(octet: 1, isData: false) ? 2_160_000 : 58_300))
        }
    }
}

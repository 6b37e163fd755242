import DisplayDrivers
import Foundation
import LinuxRuntime
import Provisioning
import Testing

@Suite("Board profile: display and button") struct ProfileDisplayTests {
    private func parse(_ rest: String) throws -> BoardProfile {
        let text = #"{"schema-version":1,"board":"b","radio":{"simulated":{}},"# + rest + "}"
        return try ProfileFile.parse(Array(text.utf8), file: "p")
    }

    private func display(_ text: String) throws -> BoardProfile.Display { try parse("\"display\":" + text).display }

    private func lines(_ names: [String]) -> [LineName] { names.compactMap { LineName($0) } }

    @Test("every profile in board/profiles can be read") func shipped() throws {
        let folder = package.appending(path: "board/profiles")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
        #expect(names.contains("demo.json") && names.count >= 4)
        for name in names {
            let profile = try ProfileFile.parse(try packageFile("board/profiles/\(name)"), file: name)
            #expect("\(profile.board).json" == name)
        }
    }

    @Test("the boards for people have a display on lines, and a button that opens and forgets") func boards() throws {
        for name in ["raspberry-pi-5-mt7925", "x86-be200", "lab"] {
            let profile = try ProfileFile.parse(try packageFile("board/profiles/\(name).json"), file: name)
            guard case .wired = profile.display else {
                Issue.record("\(name): \(profile.display.name)")
                continue
            }
            #expect(profile.radio == .nl80211(wiphy: nil, country: nil))
            #expect(profile.button?.onShortPress == .openWindow && profile.button?.onLongPress == .forgetAll)
        }
    }

    @Test("a MAX7219 by its three lines alone, and with all there is to say") func max7219() throws {
        let plain = try display(#"{"max7219":{"din":"A","clk":"B","load":"!C"}}"#)
        #expect(
            plain
                == .wired(
                    WiredDisplay(driver: .latched(.max7219(MAX7219())), lines: lines(["A", "B", "!C"]))))
        let full = try display(
            #"{"max7219":{"din":"A","clk":"B","load":"C","digits":6,"digit-order":[0,1,2,3,4,5],"segment-order":"abcdefgp","#
                + #""brightness-percent":100,"chips":4,"position":3}}"#)
        let driver = MAX7219(
            digitOrder: .ascending(6), segmentOrder: .ascending, brightness: .full, chips: 4, position: 3)
        #expect(full == .wired(WiredDisplay(driver: .latched(.max7219(driver)), lines: lines(["A", "B", "C"]))))
    }

    @Test("a TM1637 of six digits in two groups") func tm1637() throws {
        let found = try display(
            #"{"tm1637":{"clk":"A","dio":"B","digits":6,"digit-order":[2,1,0,5,4,3],"half-clock-microseconds":100}}"#)
        let order = try #require(DigitOrder([2, 1, 0, 5, 4, 3]))
        let driver = TM1637(digitOrder: order, halfClockMicroseconds: 100)
        #expect(found == .wired(WiredDisplay(driver: .latched(.tm1637(driver)), lines: lines(["A", "B"]))))
    }

    @Test("74HC595 chains, one register a digit or two for all") func registers() throws {
        let latched = try display(#"{"74hc595":{"ser":"A","srclk":"B","rclk":"C","oe":"!D","common":"anode"}}"#)
        let each = LatchedRegisters(terminal: .anode, hasEnable: true)
        #expect(
            latched == .wired(WiredDisplay(driver: .latched(.registers(each)), lines: lines(["A", "B", "C", "!D"]))))
        let multiplexed = try display(
            #"{"74hc595":{"ser":"A","srclk":"B","rclk":"C","layout":"multiplexed","segment-register":1,"refresh-hertz":200}}"#
        )
        let two = MultiplexedRegisters(segmentRegister: 1, hertz: 200)
        #expect(
            multiplexed == .wired(WiredDisplay(driver: .multiplexed(.registers(two)), lines: lines(["A", "B", "C"]))))
    }

    @Test("an HD44780's optional lines come last, in one order") func characters() throws {
        let found = try display(
            #"{"hd44780":{"backlight":"K","rs":"A","e":"B","d4":"C","d5":"D","d6":"E","d7":"F","rw":"W","columns":20}}"#
        )
        let driver = HD44780(columns: 20, hasReadWrite: true, hasBacklight: true)
        #expect(
            found
                == .wired(
                    WiredDisplay(
                        driver: .latched(.characters(driver)), lines: lines(["A", "B", "C", "D", "E", "F", "W", "K"]))))
    }

    @Test("bare digits: segments first, then digits") func segments() throws {
        let found = try display(
            #"{"segments":{"segment-lines":["a","b","c","d","e","f","g"],"digit-lines":["1","2","3","4"],"common":"anode","#
                + #""digit-drivers-invert":true,"brightness-percent":50}}"#)
        let driver = MultiplexedLines(
            segments: 7, digits: 4, polarity: CommonPolarity(.anode, driversInvert: true), brightness: .half)
        let names = ["a", "b", "c", "d", "e", "f", "g", "1", "2", "3", "4"]
        #expect(found == .wired(WiredDisplay(driver: .multiplexed(.lines(driver)), lines: lines(names))))
    }

    @Test("a program of the maker's") func program() throws {
        #expect(
            try display(#"{"exec":{"program":"/usr/bin/show","arguments":["-r","90"]}}"#)
                == .exec(BoardProgram(path: "/usr/bin/show", arguments: ["-r", "90"])))
    }

    @Test("a button's defaults follow its line") func button() throws {
        let low = try #require(try parse(#""button":{"line":"!GPIO3"}"#).button)
        #expect(low.bias == .pullUp && low.debounce == .milliseconds(20) && low.longPress == .seconds(5))
        #expect(low.onShortPress == .openWindow && low.onLongPress == .forgetAll)
        let high = try #require(
            try parse(
                #""button":{"line":"c:3","short-press":"unlock","long-press":"none","long-press-milliseconds":9000}"#
            )
            .button)
        #expect(high.bias == .pullDown && high.onShortPress == .unlock && high.onLongPress == .none)
        #expect(high.longPress == .seconds(9))
        #expect(try parse(#""log-level":"info""#).button == nil)
    }

    @Test(
        "what is wrong is refused with its place and what is accepted",
        arguments: [
            (#""display":"oled""#, "display: oled: accepted is console, none, or an object with one key"),
            (#""display":{}"#, "display: : accepted is"),
            (#""display":{"max7219":{},"exec":{}}"#, "display: max7219 and exec: accepted is"),
            (
                #""display":{"max7219":{"din":"A","clk":"B"}}"#,
                "display.max7219.load: missing: accepted is a line's name"
            ),
            (
                #""display":{"max7219":{"din":"","clk":"B","load":"C"}}"#,
                "display.max7219.din: : accepted is a line's name"
            ),
            (
                #""display":{"max7219":{"din":"A","clk":"B","load":"C","digits":3}}"#,
                "display.max7219.digits: 3: accepted is 4 to 8"
            ),
            (
                #""display":{"max7219":{"din":"A","clk":"B","load":"C","position":1}}"#,
                "display.max7219.position: 1: accepted is 0 to 0"
            ),
            (
                #""display":{"tm1637":{"clk":"A","dio":"B","digit-order":[0,1,2,2]}}"#,
                "display.tm1637.digit-order: [0, 1, 2, 2]: accepted is each of 0 to 3 once"
            ),
            (
                #""display":{"tm1637":{"clk":"A","dio":"B","segment-order":"abc"}}"#,
                "display.tm1637.segment-order: abc: accepted is the 8 letters"
            ),
            (
                #""display":{"74hc595":{"ser":"A","srclk":"B","rclk":"C","refresh-hertz":200}}"#,
                "display.74hc595.refresh-hertz: given: accepted is with layout multiplexed only"
            ),
            (
                #""display":{"74hc595":{"ser":"A","srclk":"B","rclk":"C","layout":"multiplexed","refresh-hertz":50}}"#,
                "display.74hc595.refresh-hertz: 50: accepted is 100 to 1000"
            ),
            (
                #""display":{"segments":{"segment-lines":["a"],"digit-lines":["1","2","3","4"]}}"#,
                "display.segments.segment-lines: a: accepted is a list of 7 to 8"
            ),
            (#""display":{"exec":{"program":"show"}}"#, "display.exec.program: show: accepted is an absolute path"),
            (#""button":{}"#, "button.line: missing: accepted is a line's name"),
            (
                #""button":{"line":"A","short-press":"reboot"}"#,
                "button.short-press: reboot: accepted is one of open-window"
            ),
            (
                #""button":{"line":"A","long-press-milliseconds":10}"#,
                "button.long-press-milliseconds: 10: accepted is 1000 to 30000"
            ),
            (#""display":{"exec":{"program":"/p","pin":"123456"}}"#, "display.exec.pin:"),
        ])
    func refusals(_ text: String, _ message: String) {
        do {
            _ = try parse(text)
            Issue.record("accepted: \(text)")
        } catch {
            #expect("\(error)".hasPrefix("p:1: " + message), "\(error)")
            #expect(!"\(error)".contains("123456"))
        }
    }
}

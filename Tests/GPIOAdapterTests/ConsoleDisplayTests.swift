import GPIOAdapter
import Glibc
import LinuxRuntime
import NANSecurity
import Ports
import Testing

@Suite("Console display") struct ConsoleDisplayTests {
    private func pin(_ digits: String) throws -> PIN { try #require(PIN(typed: digits)) }

    /// What the display writes into a pipe.
    private func lines(_ contents: [DisplayContent]) throws -> String {
        let (reader, writer) = try FileDescriptor.pipe()
        let source = FileDescriptor(owning: reader)
        do {
            let target = FileDescriptor(owning: writer)
            let display = ConsoleDisplay(descriptor: target.raw)
            for content in contents { try display.show(content) }
        }
        var text: [UInt8] = []
        while case .octets(let octets) = try source.read(limit: 4096) { text += octets }
        return String(decoding: text, as: UTF8.self)
    }

    /// What the display writes to a terminal of so many columns.
    private func screen(
        _ contents: [DisplayContent], columns: UInt16 = 80, isShared: Bool = false
    ) throws -> String {
        let master = FileDescriptor(owning: try systemCall("open") { open("/dev/ptmx", O_RDWR | O_NOCTTY) })
        // TIOCSPTLCK and TIOCGPTN, asm-generic/ioctls.h: what unlockpt(3) and ptsname(3) do.
        var lock: Int32 = 0
        try systemCall("TIOCSPTLCK") { ioctl(master.raw, 0x4004_5431, &lock) }
        var number: Int32 = 0
        try systemCall("TIOCGPTN") { ioctl(master.raw, 0x8004_5430, &number) }
        let name = "/dev/pts/\(number)"
        let terminal = FileDescriptor(owning: try systemCall("open") { open(name, O_RDWR | O_NOCTTY) })
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try systemCall("TIOCSWINSZ") { ioctl(master.raw, UInt(TIOCSWINSZ), &size) }
        let null = FileDescriptor(owning: try systemCall("open") { open("/dev/null", O_WRONLY) })
        let display = ConsoleDisplay(descriptor: terminal.raw, log: isShared ? terminal.raw : null.raw)
        for content in contents { try display.show(content) }
        var text: [UInt8] = []
        while try master.waitUntilReadable(timeout: .zero), case .octets(let octets) = try master.read(limit: 65536) {
            text += octets
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// A terminal's picture of inverted spaces: one text line per row.
    private func picture(_ screen: String) -> [String] {
        var rows: [String] = [""]
        var isInverted = false
        var rest = screen[...]
        while let character = rest.first {
            if rest.hasPrefix("\u{1B}[7m") || rest.hasPrefix("\u{1B}[0m") {
                isInverted = rest.hasPrefix("\u{1B}[7m")
                rest.removeFirst(4)
                continue
            }
            rest.removeFirst()
            if character.isNewline {
                rows.append("")
            } else {
                rows[rows.count - 1] += isInverted ? "#" : String(character)
            }
        }
        return rows
    }

    @Test("a reader of lines gets the PIN on one line and every other content as a word") func asLines() throws {
        let text = try lines([.ready, .pin(pin("042137")), .paired, .blank, .failed, .locked])
        #expect(text == "READY\nPIN 042137\nPAIRED\nBLANK\nFAILED\nLOCKED\n")
    }

    @Test("on a terminal the digits are large, and there as text to copy") func large() throws {
        let screen = try screen([.pin(pin("172839"))])
        #expect(screen.contains(" PIN 172 839"))
        // Read back by eye: the rows of 1, 7 and 2, two columns a dot.
        let rows = picture(screen).filter { $0.contains("#") }
        #expect(rows.count == 7)
        #expect(rows.first?.hasPrefix("     ##      ##########    ######") == true, "\(rows)")
        #expect(rows.last?.hasPrefix("   ######      ##        ##########") == true, "\(rows)")
        #expect(rows.allSatisfy { $0.count <= 80 })
    }

    @Test("a narrow terminal gets narrower digits, none of which is wrapped") func narrow() throws {
        let rows = picture(try screen([.pin(pin("888888"))], columns: 40)).filter { $0.contains("#") }
        #expect(rows.count == 7)
        #expect(rows.allSatisfy { $0.count <= 40 })
    }

    @Test("a shown PIN is cleared before anything else is shown", arguments: [DisplayContent.blank, .paired, .failed])
    func cleared(next: DisplayContent) throws {
        let screen = try screen([.pin(pin("123456")), next])
        let shown = try #require(screen.firstRange(of: "\u{1B}[?1049h"))
        let cleared = try #require(screen.firstRange(of: "\u{1B}[H\u{1B}[2J\u{1B}[?1049l"))
        #expect(shown.upperBound <= cleared.lowerBound)
        #expect(!picture(String(screen[cleared.upperBound...])).contains { $0.contains("#") })
    }

    @Test("on a terminal that the log goes to as well nothing is cleared, and what comes next is below")
    func shared() throws {
        let screen = try screen([.ready, .pin(pin("123456")), .paired], isShared: true)
        let lines = screen.unicodeScalars.filter { $0 != "\r" }.map(String.init).joined()
        #expect(lines.hasPrefix("Ready to pair.\n\n PIN 123 456\n"), "\(lines)")
        #expect(lines.hasSuffix(" Enter it on the phone.\nPaired.\n"), "\(lines)")
        #expect(picture(screen).filter { $0.contains("#") }.count == 7)
        for control in ["[2J", "[H", "[?1049h", "[?1049l"] { #expect(!screen.contains("\u{1B}\(control)")) }
    }

    @Test("a display whose reader has gone fails, and nothing traps") func gone() throws {
        signal(SIGPIPE, SIG_IGN)
        let (reader, writer) = try FileDescriptor.pipe()
        _ = FileDescriptor(owning: reader)
        let target = FileDescriptor(owning: writer)
        let display = ConsoleDisplay(descriptor: target.raw)
        #expect(throws: SystemError.self) { try display.show(.ready) }
    }
}

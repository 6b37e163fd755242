internal import Glibc
package import LinuxRuntime
internal import NANSecurity
package import Ports

/// Shows pairing on a text console: large digits on a terminal, one line for each content elsewhere.
///
/// On a terminal of its own a PIN is shown on the alternate screen, which leaves nothing in what can be scrolled back to.
/// On one that the log goes to as well it is printed below what is there and nothing is cleared, for that would take
/// lines of the log away; the PIN that stays there is spent. A reader of lines finds `PIN 123456` and the other contents as a word in capitals.
package final class ConsoleDisplay: PairingDisplay {
    private let descriptor: Int32
    private let isTerminal: Bool
    private let isShared: Bool
    private var showsPIN = false

    private static let enterAlternateScreen = "\u{1B}[?1049h\u{1B}[H\u{1B}[2J"
    // Cleared first: a console without a second screen keeps what is on its only one.
    private static let leaveAlternateScreen = "\u{1B}[H\u{1B}[2J\u{1B}[?1049l"
    /// More than the largest PIN takes, so that no array with digits is ever moved.
    private static let capacity = 16 * 1024

    /// - Parameters:
    ///   - descriptor: stays its owner's.
    ///   - log: where others write.
    package init(descriptor: Int32 = STDOUT_FILENO, log: Int32 = STDERR_FILENO) {
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
        var (own, others) = (stat(), stat())
        let isSame = fstat(descriptor, &own) == 0 && fstat(log, &others) == 0 && own.st_rdev == others.st_rdev
        isShared = isTerminal && isSame
    }

    package func show(_ content: DisplayContent) throws(SystemError) {
        var text: [UInt8] = []
        text.reserveCapacity(Self.capacity)
        if showsPIN { text += Array(Self.leaveAlternateScreen.utf8) }
        showsPIN = false
        defer { wipe(&text) }
        if case .pin(let pin) = content {
            showsPIN = isTerminal && !isShared
            append(pin, to: &text)
        } else {
            text += Array((isTerminal ? Self.sentence(content) : content.word.uppercased() + "\n").utf8)
        }
        try write(text)
    }

    private func append(_ pin: PIN, to text: inout [UInt8]) {
        guard isTerminal else {
            text += Array("PIN ".utf8)
            // Shown on purpose: this is the display.
            pin.withDigits { text += $0 }
            text.append(UInt8(ascii: "\n"))
            return
        }
        var digits: [UInt8] = []
        digits.reserveCapacity(PIN.digitCount)
        pin.withDigits { for octet in $0 { digits.append(octet &- UInt8(ascii: "0")) } }
        defer { wipe(&digits) }
        let isWide = BlockDigits.width(of: digits.count, dotWidth: 2) < columns
        if !isShared { text += Array(Self.enterAlternateScreen.utf8) }
        // As text as well, for who copies it or has it read out.
        text += Array("\r\n PIN ".utf8)
        pin.withDigits { text += $0.prefix(3) }
        text.append(UInt8(ascii: " "))
        pin.withDigits { text += $0.dropFirst(3) }
        text += Array("\r\n\r\n".utf8)
        BlockDigits.append(digits, dotWidth: isWide ? 2 : 1, to: &text)
        text += Array("\r\n Enter it on the phone.\r\n".utf8)
    }

    /// Empty for blank: a terminal in use by others needs no line that says nothing.
    private static func sentence(_ content: DisplayContent) -> String {
        switch content {
        case .blank, .pin: ""
        case .ready: "Ready to pair.\r\n"
        case .paired: "Paired.\r\n"
        case .failed: "Not paired.\r\n"
        case .locked: "Too many wrong PINs: pairing is locked.\r\n"
        }
    }

    /// The terminal's width; 80 where it does not say.
    private var columns: Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Writes everything, waiting where a terminal is stopped or somebody made it non-blocking.
    private func write(_ text: [UInt8]) throws(SystemError) {
        var offset = 0
        while offset < text.count {
            let written = try text.withUnsafeBytes { buffer in
                Result { () throws(SystemError) in
                    let rest = UnsafeRawBufferPointer(rebasing: buffer[offset...])
                    return try nonBlockingCall("write to the display") {
                        Glibc.write(descriptor, rest.baseAddress, rest.count)
                    }
                }
            }.get()
            if let written {
                offset += written
            } else {
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                try systemCall("poll") { poll(&entry, 1, -1) }
            }
        }
    }
}

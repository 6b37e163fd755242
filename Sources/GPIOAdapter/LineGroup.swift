internal import CGPIOShim
package import DisplayDrivers
internal import Glibc
package import LinuxRuntime

/// What a display's driver does its steps on.
package protocol LinePlayer: AnyObject {
    /// Plays steps in order, and is done when the last of them has had its time.
    ///
    /// - Parameter range: all steps if nil.
    /// - Throws: `ENXIO` when `insists` is set and a line that should have been pulled low was not.
    func play(_ steps: [LineStep], _ range: Range<Int>?, insists: Bool) throws(SystemError)
}

extension LinePlayer {
    func play(_ steps: [LineStep], _ range: Range<Int>? = nil) throws(SystemError) {
        try play(steps, range, insists: false)
    }
}

/// The output lines of one display, requested together: one call to the kernel sets any of them.
///
/// They are let go of when the value goes away. `@unchecked`: one thread at a time uses it; it is made on the loop's and
/// then handed to the display's.
package final class LineGroup: LinePlayer, @unchecked Sendable {
    /// Nil when their chip has gone.
    private var handle: OpaquePointer?
    private let names: [LineName]
    private let isOpenDrain: Bool
    private let idle: LineSet

    /// What `gpioinfo` shows as the user of these lines.
    static let consumer = "awared display"

    /// Requests the lines, at the levels of `idle`.
    package init(_ names: [LineName], isOpenDrain: Bool, idle: LineSet) throws(LineFailure) {
        self.names = names
        self.isOpenDrain = isOpenDrain
        self.idle = idle
        handle = try Self.open(names, isOpenDrain, idle)
    }

    private static func open(
        _ names: [LineName], _ isOpenDrain: Bool, _ idle: LineSet
    ) throws(LineFailure) -> OpaquePointer {
        let places = try LinePlace.ofDisplay(names)
        guard let first = places.first else { throw LineFailure(line: "", cause: .noSuchLine) }
        var inverted: UInt32 = 0
        for (index, name) in names.enumerated() where name.isActiveLow { inverted |= 1 << UInt32(index) }
        errno = 0
        let handle = cgpio_lines_open(
            first.path, places.map(\.offset), places.count, consumer,
            Int32(isOpenDrain ? CGPIO_OPEN_DRAIN : CGPIO_PUSH_PULL), inverted, idle.rawValue)
        let code = errno
        guard let handle else {
            let index = places.firstIndex { $0.holder != nil } ?? 0
            throw places[index].failure(names[index], call: "request lines of \(first.path)", code: code)
        }
        return handle
    }

    deinit { close() }

    /// Their chip has gone; nothing can be played until they are requested anew.
    var isLost: Bool { handle == nil }

    /// Hangs up when their chip goes away; nil where that cannot be told.
    var descriptor: Int32? {
        guard let handle else { return nil }
        let descriptor = cgpio_lines_fd(handle)
        return descriptor < 0 ? nil : descriptor
    }

    /// Whether their chip has gone is found out without playing anything.
    func checkChip() {
        guard let descriptor else { return }
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        if poll(&entry, 1, 0) > 0 { close() }
    }

    /// Lets go of the lines, as if their chip had gone.
    func close() {
        cgpio_lines_close(handle)
        handle = nil
    }

    /// Requests the lines anew.
    func reopen() throws(LineFailure) { handle = try Self.open(names, isOpenDrain, idle) }

    /// The first line, which stands for the display in what people are told.
    var name: String { names.first?.text ?? "" }

    package func play(_ steps: [LineStep], _ range: Range<Int>?, insists: Bool) throws(SystemError) {
        guard let handle else { throw SystemError(call: "set GPIO lines", code: ENODEV) }
        let range = range ?? 0..<steps.count
        let result = steps.withUnsafeBytes { buffer in
            // The two are laid out alike: four 32-bit numbers.
            guard let base = buffer.baseAddress?.assumingMemoryBound(to: cgpio_step.self) else { return Int32(0) }
            return cgpio_lines_play(handle, base + range.lowerBound, range.count, insists)
        }
        switch result {
        case 0: return
        case 1: throw SystemError(call: "acknowledge of the display", code: ENXIO)
        default:
            let error = SystemError(call: "set GPIO lines", code: errno)
            if error.code == ENODEV { close() }
            throw error
        }
    }
}

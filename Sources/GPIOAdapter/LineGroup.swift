internal import CGPIOShim
package import DisplayDrivers
internal import Glibc
internal import LinuxRuntime

/// The output lines of one display, requested together: one call to the kernel sets any of them.
///
/// They are let go of when the value goes away. `@unchecked`: one thread at a time uses it; it is made on the loop's and
/// then handed to the display's.
package final class LineGroup: @unchecked Sendable {
    private let handle: OpaquePointer
    private let names: [LineName]

    /// What `gpioinfo` shows as the user of these lines.
    static let consumer = "awared display"

    /// Requests the lines, at the levels of `idle`.
    package init(_ names: [LineName], isOpenDrain: Bool, idle: LineSet) throws(LineFailure) {
        var places: [LinePlace] = []
        for name in names {
            let place = try LinePlace(name)
            if let first = places.first, first.path != place.path {
                throw LineFailure(line: name.text, cause: .severalChips(first.path, place.path))
            }
            places.append(place)
        }
        guard let first = places.first else { throw LineFailure(line: "", cause: .noSuchLine) }
        var inverted: UInt32 = 0
        for (index, name) in names.enumerated() where name.isActiveLow { inverted |= 1 << UInt32(index) }
        errno = 0
        let handle = cgpio_lines_open(
            first.path, places.map(\.offset), places.count, Self.consumer,
            Int32(isOpenDrain ? CGPIO_OPEN_DRAIN : CGPIO_PUSH_PULL), inverted, idle.rawValue)
        let code = errno
        guard let handle else {
            let index = places.firstIndex { $0.holder != nil } ?? 0
            throw places[index].failure(names[index], call: "request lines of \(first.path)", code: code)
        }
        self.handle = handle
        self.names = names
    }

    deinit { cgpio_lines_close(handle) }

    /// The first line, which stands for the display in what people are told.
    var name: String { names.first?.text ?? "" }

    /// Plays steps in order, and is done when the last of them has had its time.
    ///
    /// - Parameter range: all steps if left out.
    /// - Throws: `ENXIO` when `insists` is set and a line that should have been pulled low was not.
    func play(_ steps: [LineStep], _ range: Range<Int>? = nil, insists: Bool = false) throws(SystemError) {
        let range = range ?? 0..<steps.count
        let result = steps.withUnsafeBytes { buffer in
            // The two are laid out alike: four 32-bit numbers.
            guard let base = buffer.baseAddress?.assumingMemoryBound(to: cgpio_step.self) else { return Int32(0) }
            return cgpio_lines_play(handle, base + range.lowerBound, range.count, insists)
        }
        switch result {
        case 0: return
        case 1: throw SystemError(call: "acknowledge of the display", code: ENXIO)
        default: throw SystemError(call: "set GPIO lines", code: errno)
        }
    }
}

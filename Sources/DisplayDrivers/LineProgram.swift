/// One thing done to the lines of a display, and how long nothing else is done after it.
///
/// Four 32-bit numbers in this order, as the GPIO shim takes them.
package struct LineStep: Equatable, Sendable, BitwiseCopyable {
    /// The lines that are set.
    package var mask: UInt32
    /// To these levels.
    package var levels: UInt32
    /// Time that passes at least before the next step.
    package var nanoseconds: UInt32
    /// A line that is read first, and should be low; -1 for none.
    package var sense: Int32

    package static let none: Int32 = -1

    package init(mask: UInt32, levels: UInt32, nanoseconds: UInt32, sense: Int32 = none) {
        self.mask = mask
        self.levels = levels
        self.nanoseconds = nanoseconds
        self.sense = sense
    }
}

/// Steps in order: what a driver wants done.
///
/// They spell the PIN while there is one: whoever plays them wipes them.
package struct LineProgram: Equatable, Sendable {
    /// More than any driver's longest takes, so that steps with digits in them are never moved.
    package static let capacity = 4096

    package var steps: [LineStep] = []

    package init() { steps.reserveCapacity(Self.capacity) }

    /// Sets `lines` to what `levels` has of them.
    mutating func drive(_ lines: LineSet, to levels: LineSet, for nanoseconds: UInt32) {
        steps.append(
            LineStep(
                mask: lines.rawValue, levels: levels.intersection(lines).rawValue, nanoseconds: nanoseconds))
    }

    /// Expects line number `index` to be low.
    mutating func sense(_ index: Int, for nanoseconds: UInt32) {
        steps.append(LineStep(mask: 0, levels: 0, nanoseconds: nanoseconds, sense: Int32(index)))
    }
}

/// A recorded H.264 stream, cut into access units, that starts with a keyframe.
package struct Clip: Equatable, Sendable {
    /// Why a file is no clip that can be played to a viewer.
    package enum Unplayable: Error, Equatable, Sendable {
        case noAccessUnit
        /// The first picture is no IDR with both parameter sets before it.
        case startsWithoutParameterSets
        case accessUnitTooLarge(limit: Int)
    }

    package let units: [AccessUnit]

    /// Cuts a byte stream, H.264 Annex B, into access units.
    package init(byteStream octets: [UInt8]) throws(Unplayable) {
        var splitter = AccessUnitSplitter()
        var units = splitter.append(octets)
        if let last = splitter.finish() { units.append(last) }
        guard splitter.oversized == 0 else { throw .accessUnitTooLarge(limit: AccessUnitSplitter.octetLimit) }
        guard let first = units.first else { throw .noAccessUnit }
        guard Self.isEntryPoint(first) else { throw .startsWithoutParameterSets }
        self.units = units
    }

    /// Whether a viewer that knows nothing can start with `unit`.
    package static func isEntryPoint(_ unit: AccessUnit) -> Bool {
        unit.isKeyframe && unit.contains(.sequenceParameterSet) && unit.contains(.pictureParameterSet)
    }

    /// The first entry point at or after `index`, around the end if need be.
    package func entryPoint(from index: Int) -> Int {
        for offset in 0..<units.count {
            let candidate = (index + offset) % units.count
            if Self.isEntryPoint(units[candidate]) { return candidate }
        }
        return 0
    }
}

/// What one radio counted; add them up for the whole air.
package struct AirStatistics: Equatable, Sendable {
    /// Why a radio's kernel did not hand a heard frame to the program.
    package enum Drop: Int, CaseIterable, Sendable {
        /// Impairments: this attempt, every attempt, or after the acknowledgement.
        case lost
        case lostForGood
        case lostInside
        /// Not on that channel at that time.
        case notListening
        /// No member of a cluster yet.
        case notJoined
        case wrongCluster
        case notAddressed
        /// Nobody registered for such frames.
        case notRegistered
        /// A frame of category 9 that came in clear, or data that should have been encrypted.
        case notProtected
        /// Encrypted, but no key for it here.
        case noKey
        case wrongKey
        /// The MAC has had it already.
        case repetition
        case malformed
        /// Sent too long ago or in the future.
        case stale
        case overflow
    }

    /// Frames that left the queue.
    package var frames = 0
    /// Transmissions of them, repetitions included.
    package var attempts = 0
    package var acknowledged = 0
    package var unacknowledged = 0
    package var beacons = 0
    package var acknowledgementsSent = 0
    package var acknowledgementsLost = 0
    package var delivered = 0
    package var duplicated = 0
    package var reordered = 0
    private var drops = [Int](repeating: 0, count: Drop.allCases.count)

    package init() {}

    package subscript(_ drop: Drop) -> Int { drops[drop.rawValue] }

    mutating func count(_ drop: Drop) { drops[drop.rawValue] += 1 }

    package static func += (left: inout AirStatistics, right: AirStatistics) {
        left.frames += right.frames
        left.attempts += right.attempts
        left.acknowledged += right.acknowledged
        left.unacknowledged += right.unacknowledged
        left.beacons += right.beacons
        left.acknowledgementsSent += right.acknowledgementsSent
        left.acknowledgementsLost += right.acknowledgementsLost
        left.delivered += right.delivered
        left.duplicated += right.duplicated
        left.reordered += right.reordered
        for drop in Drop.allCases { left.drops[drop.rawValue] += right[drop] }
    }
}

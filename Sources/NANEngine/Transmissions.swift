internal import NANFrames
internal import Ports

/// Frames that were given to the radio and whose transmit status is awaited.
struct Transmissions: Sendable {
    /// Whom a transmit status concerns.
    enum Purpose: Equatable, Sendable {
        /// A unicast service discovery frame: sent again while the addressee's MAC does not acknowledge.
        case unicast(NMI, body: [UInt8], triesLeft: Int)
        case followUp(ServicePeer)
        case pairing(UInt64)
        case dataPath(UInt64)
    }

    /// Statuses awaited at once; a radio that never answers must not fill the memory.
    static let limit = 256

    private var awaited: [TransmitID: Purpose] = [:]
    private var last: UInt64 = 0

    /// A number for the next frame; with a purpose its status will be looked for.
    mutating func begin(_ purpose: Purpose?) -> TransmitID {
        last += 1
        let id = TransmitID(last)
        if let purpose {
            if awaited.count >= Self.limit, let oldest = awaited.keys.min(by: { $0.rawValue < $1.rawValue }) {
                awaited[oldest] = nil
            }
            awaited[id] = purpose
        }
        return id
    }

    mutating func end(_ id: TransmitID) -> Purpose? { awaited.removeValue(forKey: id) }

    mutating func removeAll() { awaited = [:] }
}

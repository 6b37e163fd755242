internal import BluetoothFrames
internal import Octets
internal import Ports

/// One central's connection to the attributes: what the specification has per connection, and what bounds it.
struct AttributeBearer: Sendable {
    /// Larger than any value with its header: a longer PDU would have nothing to carry.
    static let longestMTU = 517
    /// PDUs that a central may send at once, and then a second: a discovery of everything here takes about fifty.
    static let burst = 400
    static let rate = 100
    /// A central that says nothing for this long, and has subscribed to nothing, makes room for others.
    static let idleTime: Duration = .seconds(120)

    let peer: BluetoothAddress
    var security = BluetoothSecurity.none
    var mtu: Int
    /// An MTU is exchanged once (Core 5.4, Vol 3, Part F, 3.4.2.1).
    var hasExchanged = false
    var configuration: [UInt16: UInt16] = [:]
    /// Parts of a long write, which come before it is executed.
    var prepared: [PreparedWrite] = []
    private(set) var heard: MonotonicInstant
    private var tokens: Int
    private var filled: MonotonicInstant

    struct PreparedWrite: Equatable, Sendable {
        var handle: UInt16
        var offset: Int
        var value: [UInt8]
    }

    /// What may be prepared: a value of the longest kind at the smallest MTU (18 octets a part).
    static let preparedLimit = 32

    init(peer: BluetoothAddress, mtu: Int, now: MonotonicInstant) {
        self.peer = peer
        self.mtu = max(23, min(mtu, Self.longestMTU))
        heard = now
        filled = now
        tokens = Self.burst
    }

    /// Counts a PDU; false when there are too many.
    mutating func admit(_ now: MonotonicInstant) -> Bool {
        heard = now
        let passed = filled.duration(to: now)
        let earned = min(Self.burst, Int(passed / .milliseconds(1000 / Self.rate)))
        if earned > 0 {
            tokens = min(Self.burst, tokens + earned)
            filled = now
        }
        tokens -= 1
        return tokens >= 0
    }

    /// When it will have been silent for too long; nil while it has subscribed to something.
    var idleDeadline: MonotonicInstant? {
        configuration.values.contains { $0 != 0 } ? nil : heard.advanced(by: Self.idleTime)
    }
}

internal import NANSecurity

/// Hands out the numbers by which answers find back.
struct PairingNumbers: Sendable {
    private var lastJob: UInt64 = 0
    private var lastToken: UInt64 = 0

    mutating func job() -> CryptoJobID {
        lastJob += 1
        return CryptoJobID(lastJob)
    }

    mutating func token() -> UInt64 {
        lastToken += 1
        return lastToken
    }
}

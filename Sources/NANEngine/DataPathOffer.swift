package import NANFrames

/// What the initiator of a data path brings.
package struct DataPathOffer: Equatable, Sendable {
    /// Nil takes the suite that PASN used.
    package var cipherSuite: CipherSuiteID?
    /// Generic service protocol TLVs.
    package var serviceInfo: [UInt8]

    package init(cipherSuite: CipherSuiteID? = nil, serviceInfo: [UInt8] = []) {
        self.cipherSuite = cipherSuite
        self.serviceInfo = serviceInfo
    }
}

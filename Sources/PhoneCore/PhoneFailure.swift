package import NANFrames

/// Why pairing or verification came to nothing.
package enum PhoneFailure: Equatable, Sendable {
    case refused(ReasonCode)
    case failed(PairingFailureText)
    case notStored(String)
}

/// A failure's cause in words.
package typealias PairingFailureText = String

internal import NANEngine
internal import NANFrames
internal import NANSecurity
internal import Octets

/// One device's try at pairing, from its request to the end of the identity exchange.
struct Attempt: Equatable {
    enum Stage: Equatable {
        /// Its PIN's password elements are not ready yet.
        case preparing
        /// The guess that its PIN will allow is being written to disk.
        case recording
        /// The PIN is on its way to the display.
        case showing
        /// The PIN is on the display, and what the device's first frame is answered with is being computed.
        case arming
        /// The PIN is on the display, and the device was told to go ahead.
        case shown
        /// A commit was answered: this PIN is spent.
        case guessed
        /// PASN has succeeded; the identities are being exchanged, for a limited time, or stored.
        case authenticated
    }

    let peer: ServicePeer
    /// As the device's request gave them.
    let names: PeerNames
    var stage: Stage
    var pin: PIN?
    /// The PIN's password elements, while the PIN may still be typed.
    var elements: [PasswordElement] = []

    /// When it began, or its PIN went to the display.
    var began = MonotonicInstant(nanoseconds: 0)
    /// Another device has asked meanwhile.
    var isContended = false

    func isRecording(_ device: NMI) -> Bool { peer.nmi == device && stage == .recording }
}

/// What a device calls itself; in clear, so only for people.
struct PeerNames: Equatable {
    var name = ""
    var vendor = ""
    var model = ""
}

/// A PIN made ready while nobody waits: its password elements cost tens of milliseconds on a small board.
struct PreparedPIN: Equatable {
    let pin: PIN
    /// Jobs not answered yet.
    var pending: Set<CryptoJobID>
    var elements: [PasswordElement] = []

    var isReady: Bool { pending.isEmpty }
}

package import BluetoothEngine
package import NANFrames
package import Ports

/// What an accessory tells people and programs; after each of them its snapshot may have changed.
package enum AccessoryReport: Equatable, Sendable {
    case listener(ServicePort, ListenerState)
    case joined(ClusterID)
    case pairingWindow(isOpen: Bool)
    /// A PIN is on the display for this device.
    case attemptStarted(NMI)
    case askedToComeBack(NMI, after: Duration)
    /// A guess was spent; how many in a row that makes.
    case guess(NMI, failures: UInt32)
    case locked
    case attemptFailed(NMI, String)
    case attemptExpired(NMI)
    /// Kept, durably.
    case paired(PairingID)
    /// A passkey is on the display, for whoever bonds over Bluetooth.
    case passkeyShown
    /// Kept, durably.
    case bonded(PairingID)
    case bondingFailed(String)
    /// A central wants to bond, and nobody new may now: somebody else does, or the wait after a wrong guess is not over.
    case bondingRefused
    case forgotten([PairingID])
    case verified(PairingID)
    case verificationFailed(PairingID?, String)
    case connected(ConnectionID, PairingID, ServicePort, local: IPAddress, peer: IPAddress)
    case refusedConnection(NMI, ReasonCode)
    case disconnected(ConnectionID, String)
    /// A paired device says something to the application.
    case message(PairingID, [UInt8])
    case messageSent(PairingID, acknowledged: Bool)
    case stream(StreamReport)
    case bluetooth(BluetoothReport)
    /// NAN sleeps until a phone asks over Bluetooth, or is awake again.
    case asleep(Bool)
    case storeFailed(String)
    case dropped(key: String)
    case stopped
}

/// How a service stands, in the phone framework's terms (Network framework, NWListener.State).
package enum ListenerState: Equatable, Sendable {
    /// Not started yet.
    case setup
    /// Cannot serve now and tries again by itself.
    case waiting(String)
    case ready
    /// Cannot serve until somebody changes something.
    case failed(String)
    case cancelled(String)

    package var name: String {
        switch self {
        case .setup: "setup"
        case .waiting: "waiting"
        case .ready: "ready"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }

    package var reason: String? {
        switch self {
        case .setup, .ready: nil
        case .waiting(let reason), .failed(let reason), .cancelled(let reason): reason
        }
    }
}

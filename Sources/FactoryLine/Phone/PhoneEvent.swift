package import BluetoothEngine
package import LinuxRuntime
package import PhoneCore
package import Ports

/// What a run of the phone tells, in the order in which it happens.
package enum PhoneEvent: Equatable, Sendable {
    /// The radio is up and has joined a cluster.
    case joined(cluster: String)
    case discovered(Sighting)
    case lost(String)
    /// An advertisement over Bluetooth LE that is new, or says something new.
    case heardOverBluetooth(BluetoothSighting)
    /// What an accessory told over GATT.
    case inspected(BluetoothInspection)
    case bluetoothFailed(String)
    /// Asked to show a PIN.
    case requested(String)
    /// Somebody else is being paired, or a wrong PIN is too fresh: the comeback names no cause. It asks again by itself.
    case askedToWait(Duration)
    case pinNeeded(PINRequest)
    /// A PIN was given, or the keys of an earlier pairing are being used.
    case authenticating
    case authenticated(isVerification: Bool)
    case paired(PairingID)
    case connecting
    case connected(PhoneLink)
    case firstPicture
    case controlAnswered
    case live(LiveFigures)
    case loop(LoopResult)
    case disconnected(String)
    /// The accessory's program says something.
    case message(String)
    case messageSent(isAcknowledged: Bool)
    /// Something went wrong that trying again may mend.
    case tryingAgain(after: Duration, because: String)
    case leaving
    case ended(ExitStatus, String)

    /// An accessory in sight.
    package struct Sighting: Equatable, Sendable {
        package var accessory: DiscoveredAccessory
        package var title: String

        package init(accessory: DiscoveredAccessory, title: String) {
            self.accessory = accessory
            self.title = title
        }
    }

    package enum PINRequest: String, Equatable, Sendable {
        case first
        /// The last one was wrong, or came too late; a new one is shown.
        case again
        /// What was given is not six digits; the same one is still shown.
        case malformed
    }
}

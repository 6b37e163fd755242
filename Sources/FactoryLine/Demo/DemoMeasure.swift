/// What the demo times, in the order of its table.
package enum DemoMeasure: Int, CaseIterable, Sendable {
    case discovery
    case bluetoothDiscovery
    case authentication
    case identityExchange
    case firstPicture
    case reconnection

    package var title: String {
        switch self {
        case .discovery: "both up -> discovered"
        case .bluetoothDiscovery: "both up -> heard over Bluetooth"
        case .authentication: "PIN typed -> authenticated"
        case .identityExchange: "identities exchanged, paired"
        case .firstPicture: "connected -> first picture"
        case .reconnection: "phone restarted -> first picture"
        }
    }

    /// What it should not be above; nil has no target of its own.
    package var target: Duration? {
        switch self {
        case .discovery: .microseconds(2 * 512 * 1024)  // two discovery windows
        case .bluetoothDiscovery: .seconds(1)
        case .authentication: .seconds(1)
        case .identityExchange, .firstPicture: nil
        case .reconnection: .milliseconds(2500)
        }
    }
}

internal import NANEngine
internal import NANSecurity
internal import Ports

/// What the air and the crypto worker can tell a machine.
enum Stimulus {
    case radio(RadioEvent)
    case crypto(CryptoResult)
    case deadlineReached
}

/// The events of a machine that a stimulus can be.
protocol StimulusEvent {
    static var deadlineReached: Self { get }
    static func radio(_ event: RadioEvent) -> Self
    static func crypto(_ result: CryptoResult) -> Self
}

extension NANDevice.Event: StimulusEvent {}
extension PortEvent: StimulusEvent {}

extension Stimulus {
    /// The same, as a machine's event.
    func event<Event: StimulusEvent>() -> Event {
        switch self {
        case .radio(let event): .radio(event)
        case .crypto(let result): .crypto(result)
        case .deadlineReached: .deadlineReached
        }
    }
}

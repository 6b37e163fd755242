internal import BluetoothEngine
package import JSONText
internal import LinuxRuntime
internal import MediaService
internal import NANFrames
package import Octets
internal import PhoneCore
internal import Ports

extension PhoneEvent {
    /// What the `event` member says.
    package var name: String {
        switch self {
        case .joined: "joined"
        case .discovered: "discovered"
        case .lost: "lost"
        case .heardOverBluetooth: "heard_over_bluetooth"
        case .inspected: "inspected"
        case .bluetoothFailed: "bluetooth_failed"
        case .requested: "requested"
        case .askedToWait: "asked_to_wait"
        case .pinNeeded: "pin_needed"
        case .authenticating: "authenticating"
        case .authenticated: "authenticated"
        case .paired: "paired"
        case .connecting: "connecting"
        case .connected: "connected"
        case .firstPicture: "first_picture"
        case .controlAnswered: "control_answered"
        case .live: "live"
        case .loop: "loop"
        case .disconnected: "disconnected"
        case .message: "message"
        case .messageSent: "message_sent"
        case .tryingAgain: "trying_again"
        case .leaving: "leaving"
        case .ended: "ended"
        }
    }

    /// One object a line: `event`, `at_us` on the clock that counts from boot, `text` for people, and what it carries.
    ///
    /// Units end the members' names, as in the control interface. No secret is in it.
    package func json(at now: MonotonicInstant) -> JSONValue {
        let head: [(String, JSONValue)] = [
            ("event", .string(name)), ("at_us", .integer(now.nanoseconds / 1000)),
        ]
        let text = sentence.map { [("text", JSONValue.string($0))] } ?? []
        return .object(JSONObject(head + text + members))
    }

    private var members: [(String, JSONValue)] {
        switch self {
        case .joined(let cluster): return [("cluster", .string(cluster))]
        case .discovered(let sighting): return Self.members(of: sighting)
        case .lost(let title), .requested(let title): return [("accessory", .string(title))]
        case .heardOverBluetooth(let sighting):
            return [
                ("address", .string("\(sighting.address)")), ("name", Self.text(sighting.name)),
                ("octets", .string(sighting.octets.hex)),
            ] + Self.members(of: sighting.state)
        case .inspected(let inspection):
            return [
                ("serial_number", Self.text(inspection.serialNumber)), ("vendor", Self.text(inspection.manufacturer)),
                ("model", Self.text(inspection.model)), ("firmware", Self.text(inspection.firmware)),
                ("services", .array(inspection.nanServices.map { .string($0) })),
            ] + Self.members(of: inspection.state)
        case .bluetoothFailed(let cause): return [("cause", .string(cause))]
        case .askedToWait(let delay): return [("delay_ms", Self.milliseconds(delay))]
        case .pinNeeded(let request): return [("request", .string(request.rawValue))]
        case .authenticated(let isVerification): return [("by", isVerification ? "verification" : "pin")]
        case .paired(let id): return [("pairing", .string("\(id)"))]
        case .connected(let link):
            return [
                ("local", .string("\(link.local)")), ("accessory", .string("\(link.accessory)")),
                ("transport", link.transport == 6 ? "tcp" : "udp"),
                ("pairing", link.pairing.map { .string("\($0)") } ?? .null),
            ]
        case .live(let figures): return Self.members(of: figures)
        case .loop(let loop):
            return [
                ("number", .integer(Int64(loop.number))), ("nal_units", .integer(Int64(loop.nalUnits))),
                ("sha256", .string(loop.digest.hex)), ("is_as_expected", loop.isAsExpected.map { .bool($0) } ?? .null),
            ]
        case .message(let text): return [("message", .string(text))]
        case .messageSent(let isAcknowledged): return [("is_acknowledged", .bool(isAcknowledged))]
        case .disconnected(let cause): return [("cause", .string(cause))]
        case .tryingAgain(let delay, let cause):
            return [("delay_ms", Self.milliseconds(delay)), ("cause", .string(cause))]
        case .ended(let status, let cause):
            return [("status", .integer(Int64(status.rawValue))), ("cause", .string(cause))]
        case .authenticating, .connecting, .firstPicture, .controlAnswered, .leaving: return []
        }
    }

    private static func members(of state: BeaconState?) -> [(String, JSONValue)] {
        guard let state else { return [] }
        return [
            ("pairing_window_is_open", .bool(state.contains(.pairingWindowOpen))),
            ("is_connected", .bool(state.contains(.connected))), ("nan_is_asleep", .bool(state.contains(.asleep))),
        ]
    }

    private static func members(of sighting: Sighting) -> [(String, JSONValue)] {
        let accessory = sighting.accessory
        return [
            ("accessory", .string(sighting.title)), ("nmi", .string("\(accessory.nmi.address)")),
            ("name", text(accessory.name)), ("vendor", text(accessory.vendor)), ("model", text(accessory.model)),
            ("port", accessory.port.map { .integer(Int64($0)) } ?? .null),
            ("pairing_window_is_open", .bool(accessory.pairingWindowIsOpen)),
            ("pairing", accessory.pairing.map { .string("\($0)") } ?? .null),
        ]
    }

    private static func members(of figures: LiveFigures) -> [(String, JSONValue)] {
        let roundTrip = figures.roundTrip
        return [
            ("frames_per_second", .number(figures.framesPerSecond)),
            ("bits_per_second", .integer(Int64(figures.bitsPerSecond))),
            ("loss_ppm", .integer(Int64(figures.lossFraction * 1_000_000))),
            ("discarded_pictures", .integer(Int64(figures.discardedPictures))),
            ("round_trip_p50_us", roundTrip.map { microseconds($0.median) } ?? .null),
            ("round_trip_p99_us", roundTrip.map { microseconds($0.ninetyNinth) } ?? .null),
            ("probes_sent", roundTrip.map { .integer(Int64($0.sent)) } ?? .null),
            ("probes_answered", roundTrip.map { .integer(Int64($0.answered)) } ?? .null),
        ]
    }

    private static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    private static func milliseconds(_ duration: Duration) -> JSONValue {
        .integer(duration.nanosecondsCount / 1_000_000)
    }

    private static func microseconds(_ duration: Duration) -> JSONValue { .integer(duration.nanosecondsCount / 1000) }
}

extension Duration {
    /// Whole nanoseconds; what is past the range of 64 bits, 292 years, is its end.
    package var nanosecondsCount: Int64 {
        let (seconds, attoseconds) = components
        let (product, isOver) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isOverToo) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return isOver || isOverToo ? (seconds < 0 ? .min : .max) : sum
    }
}

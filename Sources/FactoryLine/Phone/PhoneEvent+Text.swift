internal import BluetoothEngine
internal import LinuxRuntime
internal import MediaService
internal import NANFrames
internal import Octets
internal import PhoneCore
internal import Ports

extension PhoneEvent {
    /// The event in words; nil for one that says nothing to a person.
    ///
    /// Names are a stranger's: control characters in them are replaced.
    package var sentence: String? {
        switch self {
        case .joined(let cluster): "joined cluster \(cluster)"
        case .discovered(let sighting): "discovered \(printable(sighting.title)): \(Self.state(of: sighting))"
        case .lost(let title): "lost sight of \(printable(title))"
        case .heardOverBluetooth(let sighting): "heard over Bluetooth LE: \(Self.text(of: sighting))"
        case .inspected(let inspection): "told over Bluetooth LE: \(Self.text(of: inspection))"
        case .bluetoothFailed(let cause): "Bluetooth LE: \(printable(cause))"
        case .requested(let title): "asking \(printable(title)) to show a PIN"
        case .askedToWait(let delay):
            "asked to come back in \((Double(delay.nanosecondsCount) / 1e9).text(decimals: 1)) s"
        case .pinNeeded(.first): "the accessory shows a PIN"
        case .pinNeeded(.again): "the accessory shows a new PIN"
        case .pinNeeded(.malformed): "that is not a PIN of six digits"
        case .authenticating: "authenticating"
        case .authenticated(let isVerification): isVerification ? "verified, without a PIN" : "authenticated by PIN"
        case .paired(let id): "paired; identities exchanged and kept as \(id)"
        case .connecting: "opening the data path"
        case .connected(let link): "connected to \(link.accessory), encrypted"
        case .firstPicture: "the first picture is here"
        case .controlAnswered: "control datagrams go both ways"
        case .live(let figures): figures.line
        case .loop(let loop): Self.sentence(for: loop)
        case .message(let text): "the accessory says: \(printable(text))"
        case .messageSent(let isAcknowledged): isAcknowledged ? "the message is delivered" : "the message is lost"
        case .disconnected(let cause): "disconnected: \(cause)"
        case .tryingAgain(let delay, let cause): "\(cause); trying again in \(delay.text)"
        case .leaving: "leaving"
        case .ended(.success, _): nil
        case .ended(_, let text): "failed: \(text)"
        }
    }

    private static func text(of sighting: BluetoothSighting) -> String {
        let name = sighting.name.map { printable($0) } ?? "an accessory without a name"
        guard let state = sighting.state else { return name }
        var words = [state.contains(.pairingWindowOpen) ? "pairing window open" : "pairing window closed"]
        if state.contains(.connected) { words.append("connected") }
        if state.contains(.asleep) { words.append("NAN asleep") }
        return name + ": " + words.joined(separator: ", ")
    }

    private static func text(of inspection: BluetoothInspection) -> String {
        let names = [inspection.manufacturer, inspection.model].compactMap { $0 }.map { printable($0) }
        let serial = inspection.serialNumber.map { ", serial \(printable($0))" } ?? ""
        return names.joined(separator: " ") + serial + "; over NAN "
            + inspection.nanServices.map { printable($0) }.joined(separator: ", ")
    }

    private static func state(of sighting: Sighting) -> String {
        if sighting.accessory.pairing != nil { return "paired" }
        return sighting.accessory.pairingWindowIsOpen ? "can be paired" : "its pairing window is closed"
    }

    private static func sentence(for loop: LoopResult) -> String {
        let verdict =
            switch loop.isAsExpected {
            case nil: ""
            case true?: ", every one as sent"
            case false?: ", not as sent"
            }
        return "loop \(loop.number): \(loop.nalUnits) NAL units\(verdict), SHA-256 \(loop.digest.hex.prefix(16))…"
    }
}

extension LiveFigures {
    /// The line that is written over each second.
    package var line: String {
        var parts = [
            "\(framesPerSecond.text(decimals: 1)) frames/s", "\((bitsPerSecond / 1000).text(decimals: 0)) kbit/s",
            "loss \((lossFraction * 100).text(decimals: 1)) %",
        ]
        if let roundTrip {
            parts.append("round trip p50 \(roundTrip.median.text) p99 \(roundTrip.ninetyNinth.text)")
        }
        return parts.joined(separator: "  ")
    }
}

extension Double {
    /// With a fixed number of decimals, 0 to 3, rounded; not for what is beyond 64 bits.
    package func text(decimals: Int) -> String {
        let scale = [1.0, 10, 100, 1000][min(max(decimals, 0), 3)]
        let scaled = (self * scale).rounded()
        guard scaled.isFinite, scaled.magnitude < 9e15 else { return "-" }
        let whole = Int64(scaled.magnitude)
        let digits = String(whole % Int64(scale))
        let sign = scaled < 0 ? "-" : ""
        let fraction = decimals == 0 ? "" : "." + String(repeating: "0", count: decimals - digits.count) + digits
        return sign + String(whole / Int64(scale)) + fraction
    }
}

extension Duration {
    /// In the unit that suits its size.
    package var text: String {
        let milliseconds = Double(nanosecondsCount) / 1e6
        if milliseconds >= 1000 { return (milliseconds / 1000).text(decimals: 2) + " s" }
        return milliseconds.text(decimals: milliseconds < 10 ? 2 : 0) + " ms"
    }
}

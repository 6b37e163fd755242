import Glibc
import LinuxRuntime
import Varlink

/// What people read: lines and tables.
enum Rendering {
    /// - Parameter isFiltered: there are paired devices beside those of the snapshot.
    static func text(of snapshot: Control.Snapshot, isFiltered: Bool = false) -> String {
        let identity = snapshot.identity
        var text = printable(
            "\(identity.pairingName) (\(identity.vendorName) \(identity.modelName), serial \(identity.serialNumber))")
        text += "\nawared \(printable(snapshot.version)), radio \(printable(snapshot.radio)), "
        text += "up \(duration(milliseconds: snapshot.uptimeMilliseconds))\n\n"
        if let bluetooth = snapshot.bluetooth { text += self.bluetooth(bluetooth) + "\n" }
        if let camera = snapshot.camera { text += self.camera(camera) + "\n" }
        if snapshot.nanIsAsleep { text += "NAN: sleeps until a phone asks over Bluetooth\n" }
        text += pairing(snapshot.pairing) + "\n\n" + services(snapshot.services)
        text += "\n" + (snapshot.peers.isEmpty ? noPeers(isFiltered: isFiltered) + "\n" : peers(snapshot.peers))
        if !snapshot.connections.isEmpty { text += "\n" + connections(snapshot.connections) }
        if !snapshot.rejected.isEmpty {
            let counts = snapshot.rejected.sorted { $0.key < $1.key }.map { "\(printable($0.key)) \($0.value)" }
            text += "\nRejected frames: \(counts.joined(separator: ", "))\n"
        }
        return text
    }

    static func noPeers(isFiltered: Bool) -> String {
        isFiltered ? "No paired device matches." : "No device is paired."
    }

    static func bluetooth(_ bluetooth: Control.Bluetooth) -> String {
        var text = "Bluetooth LE: \(bluetooth.isAdvertising ? "advertising" : "not advertising")"
        if let address = bluetooth.address { text += " as \(printable(address))" }
        if bluetooth.links > 0 { text += ", \(count(bluetooth.links, "link"))" }
        if bluetooth.servedBy == "bluetoothd" { text += ", through bluetoothd" }
        if let trouble = bluetooth.trouble { text += "; \(printable(trouble))" }
        return text
    }

    static func camera(_ camera: Control.Camera) -> String {
        var text = "Camera: \(printable(camera.program)), "
        switch camera.state {
        case .idle: text += "idle: nobody views"
        case .starting: text += "starting"
        case .running: text += "running"
        case .ending: text += "ending"
        case .waiting: text += "lost, to be started again"
        }
        if camera.losses > 0 { text += "; lost \(count(camera.losses, "time"))" }
        if let trouble = camera.trouble { text += "; \(printable(trouble))" }
        return text
    }

    static func pairing(_ pairing: Control.Pairing) -> String {
        var text = "Pairing window: "
        if pairing.isLockedForGood {
            text += "locked after \(count(pairing.failedAttempts, "failed attempt")); awarectl pair unlocks it"
            return text
        }
        if pairing.isOpen {
            text += "open"
            if let left = pairing.closesInMilliseconds { text += ", closes in \(remainder(milliseconds: left))" }
        } else {
            text += "closed"
        }
        switch pairing.attempt {
        case .none: break
        case .requested: text += ", a phone asks to pair"
        case .pinShown: text += ", the PIN is on the display"
        case .verifying: text += ", a PIN is being checked"
        }
        text += " (policy \(printable(hyphenated(pairing.policy))))"
        let failures = pairing.settledFailures
        if failures > 0 { text += "; \(count(failures, "failed attempt"))" }
        // While one is under way, there is no next one yet.
        if pairing.attempt == .none, let wait = pairing.nextAttemptInMilliseconds {
            text += ", the next one in \(remainder(milliseconds: wait))"
        }
        return text
    }

    static func services(_ services: [Control.Service]) -> String {
        var table = TextTable("SERVICE", "PORT", "HANDLER", "MODE", "CLASS", "CONNECTIONS", "STATE")
        for service in services {
            var state = service.state.rawValue
            if let reason = service.reason { state += ": \(reason)" }
            if service.state == .ready, !service.isPublished { state += ", not published" }
            let name = service.instanceName.map { "\(service.name) \"\($0)\"" } ?? service.name
            table.append(
                name, "\(service.port)", service.handler, hyphenated(service.performanceMode),
                hyphenated(service.serviceClass),
                "\(service.connections)", state)
        }
        return table.text
    }

    static func peers(_ peers: [Control.Peer]) -> String {
        var table = TextTable("DEVICE", "NAME", "VENDOR", "MODEL", "PAIRED (UTC)", "LAST SEEN (UTC)", "STATE")
        for peer in peers {
            table.append(
                peer.id, peer.pairingName ?? "-", peer.vendorName ?? "-", peer.modelName ?? "-",
                peer.pairedAt.map { date($0) } ?? "-", peer.lastSeenAt.map { date($0) } ?? "-",
                peer.isConnected ? "connected" : "away")
        }
        return table.text
    }

    static func connections(_ connections: [Control.Connection]) -> String {
        var table = TextTable("CONNECTION", "DEVICE", "SERVICE", "INTERFACE", "ADDRESS", "AGE", "VIDEO")
        for connection in connections {
            table.append(
                "\(connection.id)", connection.peer, connection.service, connection.interface, connection.address,
                duration(milliseconds: connection.ageMilliseconds), connection.isViewing ? "playing" : "-")
        }
        return table.text
    }

    /// A choice as the identity file spells it.
    private static func hyphenated(_ name: String) -> String { String(name.map { $0 == "_" ? "-" : $0 }) }

    static func count(_ number: Int, _ what: String) -> String { "\(number) \(what)\(number == 1 ? "" : "s")" }

    static func duration(milliseconds: Int) -> String { duration(seconds: max(0, milliseconds) / 1000) }

    /// What is left, a begun second counted whole: a window that was just opened for 10 s closes in 10 s.
    static func remainder(milliseconds: Int) -> String {
        let left = max(0, milliseconds)
        return duration(seconds: left / 1000 + (left % 1000 > 0 ? 1 : 0))
    }

    /// As much as a person wants to know: two units at most.
    private static func duration(seconds: Int) -> String {
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3600: return "\(seconds / 60) min \(seconds % 60) s"
        case ..<86400: return "\(seconds / 3600) h \(seconds / 60 % 60) min"
        default: return "\(seconds / 86400) d \(seconds / 3600 % 24) h"
        }
    }

    /// Year to minute or second, UTC: the same on every board, whatever its time zone.
    static func date(_ seconds: Int, withSeconds: Bool = false) -> String {
        var time = time_t(seconds)
        var parts = tm()
        guard gmtime_r(&time, &parts) != nil else { return "?" }
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday)) "
            + "\(two(parts.tm_hour)):\(two(parts.tm_min))" + (withSeconds ? ":\(two(parts.tm_sec))" : "")
    }
}

internal import JSONText
internal import Octets

extension DemoScript {
    /// Takes up what a phone tells; the times are the phone's own.
    mutating func take(_ event: JSONValue, of index: Int, _ now: MonotonicInstant) -> [Effect] {
        guard let object = event.object, let name = object["event"]?.string else { return [] }
        let at = object["at_us"]?.integer.map { MonotonicInstant(nanoseconds: $0 * 1000) } ?? now
        let spoken = object["text"]?.string.map { [Effect.say(.phone(index), $0)] } ?? []
        switch name {
        case "live":
            phones[index].isViewing = true
            viewedTogether = max(viewedTogether, phones.filter(\.isViewing).count)
            return object["text"]?.string.map { text in
                [.show(configuration.phones == 1 ? text : "phone \(index + 1): \(text)")]
            } ?? []
        case "joined": phones[index].joined = at
        case "discovered": discovered(index, at)
        case "heard_over_bluetooth": heardOverBluetooth(index, at)
        case "inspected": phones[index].serialNumber = object["serial_number"]?.string
        case "asked_to_wait":
            phones[index].wasAskedToWait = true
            return spoken + typeIfDue(now)
        case "pin_needed":
            guard phones[index].life == 1 else { return spoken + fail("a paired phone was asked for a PIN", now) }
            return spoken + pinNeeded(index, object["request"]?.string ?? "", now)
        case "authenticating":
            // A person has typed it; the last one counts, for the others were wrong.
            if configuration.isInteractive || phones[index].typed == nil { phones[index].typed = at }
        case "authenticated":
            phones[index].authenticated = at
            if phones[index].life == 1, let typed = phones[index].typed {
                measured.add(.authentication, typed.duration(to: at))
            }
        case "paired":
            phones[index].wasPaired = true
            if let start = phones[index].authenticated { measured.add(.identityExchange, start.duration(to: at)) }
        case "connected":
            phones[index].connected = at
        case "first_picture":
            phones[index].hadPicture = true
            if let restart = phones[index].started {
                measured.add(.reconnection, restart.duration(to: at))
            } else if let connection = phones[index].connected {
                measured.add(.firstPicture, connection.duration(to: at))
            }
        case "control_answered": phones[index].hadControl = true
        case "disconnected", "leaving": phones[index].isViewing = false
        case "loop":
            if object["is_as_expected"]?.bool == true { phones[index].loop = object["sha256"]?.string }
        default: break
        }
        return spoken
    }

    /// A phone that waits for its PIN tells nothing; when it does, it waits no longer.
    mutating func endPrompt() -> [Effect] {
        defer { isPrompting = false }
        return isPrompting ? [.endPrompt] : []
    }

    /// Counts from when both sides were up, the accessory by its own account.
    private mutating func discovered(_ index: Int, _ at: MonotonicInstant) {
        guard phones[index].life == 1, index == 0, !wasDiscovered, let joined = phones[index].joined else { return }
        wasDiscovered = true
        let up = max(joined, publishing ?? joined)
        measured.add(.discovery, max(up.duration(to: at), .zero))
    }

    private mutating func heardOverBluetooth(_ index: Int, _ at: MonotonicInstant) {
        guard phones[index].life == 1, index == 0, !phones[0].wasHeardOverBluetooth else { return }
        phones[0].wasHeardOverBluetooth = true
        // Heard before the phone has a cluster, or before the accessory's own account has come: not later than both were up.
        let up = max(phones[0].joined ?? at, publishing ?? at)
        measured.add(.bluetoothDiscovery, max(up.duration(to: at), .zero))
    }

    private mutating func pinNeeded(_ index: Int, _ request: String, _ now: MonotonicInstant) -> [Effect] {
        phones[index].isPINDue = true
        var effects: [Effect] = []
        if configuration.isInteractive {
            isPrompting = true
            effects.append(.prompt("Type the PIN that the accessory shows: "))
        }
        if index == 0, phones.count > 1, phones[1].life == 0 {
            phones[1].life = 1
            let role = Role.phone(1, life: 1)
            running.insert(role)
            effects += [.say(.demo, "a second phone comes while the first is being paired"), .start(role)]
        }
        return effects + typeIfDue(now)
    }
}

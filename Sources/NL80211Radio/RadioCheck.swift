internal import Glibc
internal import LinuxRuntime
internal import Ports

/// What a real radio needs of this machine, looked at without changing anything.
package enum RadioCheck {
    package struct Finding: Equatable, Sendable {
        package var isGood: Bool
        /// One line for a person; of a bad finding also what to do.
        package var text: String
    }

    /// CAP_NET_ADMIN.
    private static let networkAdministration = 12

    /// Looks at radios, country, rights and switches, in the order in which a start would stumble over them.
    package static func findings(_ configuration: NL80211Radio.Configuration) -> [Finding] {
        var findings: [Finding] = []
        do throws(RadioFailure) {
            let client = try NL80211Client()
            findings += try radios(client, named: configuration.wiphy)
            let selection = RadioSelection(name: configuration.wiphy, country: configuration.country)
            let chosen = try selection.inspect(client)
            findings.append(Finding(isGood: true, text: "\(chosen.name) will be used: \(chosen.summary)"))
            findings.append(switchFinding(chosen.name, RadioSwitch()))
            if let beside = try besides(client, chosen) { findings.append(beside) }
        } catch { findings.append(Finding(isGood: false, text: error.text)) }
        if let permission { findings.append(permission) }
        return findings
    }

    /// What is there besides the one that will be used.
    private static func radios(_ client: NL80211Client, named name: String?) throws(RadioFailure) -> [Finding] {
        do throws(NetlinkError) {
            let country = try client.country().map { $0 == "00" ? "unset" : $0 } ?? "unknown"
            let others = try client.wiphys().filter { $0.unfitness != nil && $0.name != name }
            return [Finding(isGood: true, text: "regulatory domain: \(country)")]
                + others.map { Finding(isGood: true, text: "not for NAN: \($0.unfitness?.text ?? $0.name)") }
        } catch { throw error.failure }
    }

    /// Other interfaces on the same radio, with which NAN shares it.
    private static func besides(_ client: NL80211Client, _ wiphy: Wiphy) throws(RadioFailure) -> Finding? {
        do throws(NetlinkError) {
            let names = try client.interfaces().filter { $0.wiphy == wiphy.index }.map(\.title)
            guard !names.isEmpty else { return nil }
            return Finding(isGood: true, text: "\(wiphy.name) also has \(names.joined(separator: ", ")), which stays")
        } catch { throw error.failure }
    }

    /// - Parameter radioSwitch: nil where it cannot be opened.
    static func switchFinding(_ name: String, _ radioSwitch: RadioSwitch?) -> Finding {
        guard let radioSwitch else {
            return Finding(
                isGood: true, text: "it cannot be told whether \(name) is switched on (\(RadioSwitch.path))")
        }
        radioSwitch.update()
        guard !radioSwitch.isOff(name) else { return Finding(isGood: false, text: RadioSwitch.failure(name).text) }
        return Finding(isGood: true, text: "\(name) is switched on")
    }

    /// Nil where /proc does not tell.
    private static var permission: Finding? {
        guard let text = SystemFile.line("/proc/self/status", beginning: "CapEff:"), let bits = UInt64(text, radix: 16)
        else { return nil }
        guard bits >> UInt64(networkAdministration) & 1 == 0 else {
            return Finding(isGood: true, text: "allowed to use radios (CAP_NET_ADMIN)")
        }
        return Finding(isGood: false, text: RadioSelection.noPermission)
    }
}

extension Wiphy {
    /// What it can do, in half a line.
    var summary: String {
        let bands = hasFiveGigahertz ? "2.4 and 5 GHz" : "2.4 GHz"
        let names = (capabilities?.ciphers ?? []).map { $0 == .ccmp128 ? "CCMP-128" : "GCMP-256" }.sorted()
        return "\(bands), \(dataInterfaceLimit) data interfaces, \(names.joined(separator: " and "))"
    }
}

internal import Glibc
internal import LinuxRuntime
internal import Ports

/// Picks the radio that serves, or says why none does and what to do.
struct RadioSelection: Equatable, Sendable {
    /// `phy0`, say; nil for the first that is fit and free.
    var name: String?
    /// Two letters; nil leaves the regulatory domain as it is.
    var country: String?
    /// Of the radio that had the name last: when its driver is loaded anew, the kernel gives it another name.
    var address: String?

    /// The kernel loads a country's rules in the background: asked so often, every so many milliseconds.
    private static let countryTries = 50
    private static let countryStep: Int32 = 20
    /// The world's rules, which forbid to begin on 5 GHz.
    private static let world = "00"
    /// What is left where the rules of the wished country and of an access point's meet.
    private static let intersection = "98"
    private static let noRadio = RadioFailure(.noRadio, "there is no Wi-Fi radio; is its driver loaded? see dmesg")

    /// What a refusal for lack of rights says.
    static let noPermission =
        "no permission to use radios: it needs the capability CAP_NET_ADMIN; run it from its systemd unit, or as root"

    /// Picks, after the country is set.
    func choose(_ client: NL80211Client) throws(RadioFailure) -> Wiphy {
        do throws(NetlinkError) { try setCountry(client) } catch { throw Self.explain(error) }
        return try inspect(client)
    }

    /// Picks without changing anything.
    func inspect(_ client: NL80211Client) throws(RadioFailure) -> Wiphy {
        let wiphys: [Wiphy]
        let interfaces: [WirelessInterface]
        let current: String?
        do throws(NetlinkError) {
            current = try client.country()
            wiphys = try client.wiphys()
            interfaces = try client.interfaces()
        } catch { throw Self.explain(error) }
        return try pick(wiphys, beside: interfaces, country: current)
    }

    /// Notes the address of the radio that has the name.
    mutating func remember(_ wiphy: Wiphy, addressOf: (String) -> String? = Self.address(of:)) {
        guard wiphy.name == name, let found = addressOf(wiphy.name) else { return }
        address = found
    }

    /// Sets the country where one is asked for, and waits until its rules are in force.
    private func setCountry(_ client: NL80211Client) throws(NetlinkError) {
        guard let country, try client.country() != country else { return }
        try client.request(country: country)
        for _ in 0..<Self.countryTries {
            if try Self.isInForce(country, client.country()) { return }
            _ = poll(nil, 0, Self.countryStep)
        }
        throw NetlinkError(
            command: "REQ_SET_REG", code: ENODATA,
            text: "the kernel has no rules for \(country); install wireless-regdb, see dmesg")
    }

    /// Whether a wished country has its effect: alone, or together with an access point's.
    static func isInForce(_ country: String, _ current: String?) -> Bool {
        current == country || current == intersection
    }

    /// The first candidate that can serve beside what is there; else what keeps the first of them from it.
    func pick(
        _ wiphys: [Wiphy], beside interfaces: [WirelessInterface], country current: String?,
        addressOf: (String) -> String? = Self.address(of:)
    ) throws(RadioFailure) -> Wiphy {
        // Before a wished country is set, nobody can say what its rules allow.
        let isJudged = country.map { Self.isInForce($0, current) } ?? true
        var failure: RadioFailure?
        for wiphy in try candidates(wiphys, addressOf) {
            do throws(RadioFailure) {
                if isJudged { try Self.check(wiphy, country: current) }
                try Self.check(wiphy, interfaces: interfaces.filter { $0.wiphy == wiphy.index })
                return wiphy
            } catch { failure = failure ?? error }
        }
        throw failure ?? Self.noRadio
    }

    /// Radios that have all that is needed, in the order in which they are tried.
    private func candidates(_ wiphys: [Wiphy], _ addressOf: (String) -> String?) throws(RadioFailure) -> [Wiphy] {
        if let name {
            guard let found = find(name, wiphys, addressOf) else {
                let others = wiphys.map(\.name).joined(separator: ", ")
                throw RadioFailure(
                    .noRadio, "no radio \(name); " + (others.isEmpty ? "there is none" : "there are \(others)"))
            }
            if let failure = found.unfitness { throw failure }
            return [found]
        }
        let fit = wiphys.filter { $0.unfitness == nil }
        guard fit.isEmpty else { return fit }
        // Of several unfit ones, the one that lacks least.
        let failures = wiphys.compactMap(\.unfitness)
        throw failures.first { $0.cause != .noNAN } ?? failures.first ?? Self.noRadio
    }

    private func find(_ name: String, _ wiphys: [Wiphy], _ addressOf: (String) -> String?) -> Wiphy? {
        if let found = wiphys.first(where: { $0.name == name }) { return found }
        guard let address else { return nil }
        return wiphys.first { addressOf($0.name) == address }
    }

    /// Nil for a radio that has none of its own.
    static func address(of name: String) -> String? {
        let line = SystemFile.firstLine("/sys/class/ieee80211/\(name)/macaddress")
        return line == "00:00:00:00:00:00" ? nil : line
    }

    private static func check(_ wiphy: Wiphy, country: String?) throws(RadioFailure) {
        guard wiphy.hasFiveGigahertz, !wiphy.allowsBeaconing(5180), !wiphy.allowsBeaconing(5745) else { return }
        let isUnset = country == nil || country == world
        let rules = country == intersection ? "this country and an access point's together" : country ?? world
        throw RadioFailure(
            .regulatory,
            isUnset
                ? "\(wiphy.name): the regulatory domain is unset, which forbids 5 GHz; set `country` in the board "
                    + "profile, or run `iw reg set` and a country"
                : "\(wiphy.name): the rules of \(rules) allow neither 5180 nor 5745 MHz; is it the right country?")
    }

    /// NAN and a data interface beside what is there already.
    private static func check(_ wiphy: Wiphy, interfaces: [WirelessInterface]) throws(RadioFailure) {
        if let other = interfaces.first(where: { $0.type == NL80211.interfaceTypeNAN }) {
            throw RadioFailure(
                .busy, "\(wiphy.name): NAN is in use already (\(other.title)); stop the program that uses it")
        }
        let active = interfaces.filter { $0.index.map(isUp) ?? true }
        let needed = active.map(\.type) + [NL80211.interfaceTypeNAN, NL80211.interfaceTypeNANData]
        guard !wiphy.admits(needed) else { return }
        let names = active.map(\.title).joined(separator: ", ")
        throw RadioFailure(
            .busy, "\(wiphy.name): it cannot run NAN beside \(names); take that down, or use another radio")
    }

    /// Without a network device it is up as long as it is there.
    private static func isUp(_ index: UInt32) -> Bool {
        var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard if_indextoname(index, &name) != nil else { return false }
        let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard let flags = SystemFile.firstLine("/sys/class/net/\(text)/flags"),
            let bits = UInt32(flags.dropFirst(2), radix: 16)
        else { return true }
        return bits & 1 != 0
    }

    /// - Parameter wiphyName: the radio that was asked, where the error is one radio's.
    static func explain(_ error: NetlinkError, of wiphyName: String? = nil) -> RadioFailure {
        switch error.code {
        case EPERM, EACCES: RadioFailure(.permission, "\(noPermission) (\(error))")
        case ERFKILL: wiphyName.map { RadioSwitch.failure($0) } ?? error.failure
        default: error.failure
        }
    }
}

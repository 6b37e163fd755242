internal import Glibc
internal import LinuxRuntime
internal import Ports

/// Picks the radio that serves, or says why none does and what to do.
struct RadioSelection: Equatable, Sendable {
    /// `phy0`, say; nil for the first that is fit.
    var name: String?
    /// Two letters; nil leaves the regulatory domain as it is.
    var country: String?

    /// The kernel loads a country's rules in the background: asked so often, every so many milliseconds.
    private static let countryTries = 50
    private static let countryStep: Int32 = 20
    /// The world's rules, which forbid to begin on 5 GHz.
    private static let world = "00"

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
        let chosen = try pick(wiphys)
        if country == nil || country == current { try Self.check(chosen, country: current) }
        try Self.check(chosen, interfaces: interfaces.filter { $0.wiphy == chosen.index })
        return chosen
    }

    /// Sets the country where one is asked for, and waits until its rules are in force.
    private func setCountry(_ client: NL80211Client) throws(NetlinkError) {
        guard let country, try client.country() != country else { return }
        try client.request(country: country)
        for _ in 0..<Self.countryTries {
            if try client.country() == country { return }
            _ = poll(nil, 0, Self.countryStep)
        }
        throw NetlinkError(
            command: "REQ_SET_REG", code: ENODATA,
            text: "the kernel has no rules for \(country); install wireless-regdb, see dmesg")
    }

    private func pick(_ wiphys: [Wiphy]) throws(RadioFailure) -> Wiphy {
        if let name {
            guard let found = wiphys.first(where: { $0.name == name }) else {
                let others = wiphys.map(\.name).joined(separator: ", ")
                throw RadioFailure(
                    .noRadio, "no radio \(name); " + (others.isEmpty ? "there is none" : "there are \(others)"))
            }
            if let failure = found.unfitness { throw failure }
            return found
        }
        if let found = wiphys.first(where: { $0.unfitness == nil }) { return found }
        // Of several unfit ones, the one that lacks least.
        let failures = wiphys.compactMap(\.unfitness)
        throw failures.first { $0.cause != .noNAN } ?? failures.first
            ?? RadioFailure(.noRadio, "there is no Wi-Fi radio; is its driver loaded? see dmesg")
    }

    private static func check(_ wiphy: Wiphy, country: String?) throws(RadioFailure) {
        guard wiphy.hasFiveGigahertz, !wiphy.allowsBeaconing(5180), !wiphy.allowsBeaconing(5745) else { return }
        let isUnset = country == nil || country == world
        throw RadioFailure(
            .regulatory,
            isUnset
                ? "\(wiphy.name): the regulatory domain is unset, which forbids 5 GHz; set `country` in the board "
                    + "profile, or run `iw reg set` and a country"
                : "\(wiphy.name): the rules of \(country ?? world) allow neither 5180 nor 5745 MHz")
    }

    /// NAN beside what is there already.
    private static func check(_ wiphy: Wiphy, interfaces: [WirelessInterface]) throws(RadioFailure) {
        if let other = interfaces.first(where: { $0.type == NL80211.interfaceTypeNAN }) {
            throw RadioFailure(
                .busy, "\(wiphy.name): NAN is in use already (\(other.name)); stop the program that uses it")
        }
        let active = interfaces.filter { $0.index.map(isUp) ?? true }
        let needed = active.map(\.type) + [NL80211.interfaceTypeNAN]
        guard !wiphy.admits(needed) else { return }
        let names = active.map(\.name).joined(separator: ", ")
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

    static func explain(_ error: NetlinkError) -> RadioFailure {
        guard error.code == EPERM || error.code == EACCES else { return error.failure }
        return RadioFailure(.permission, "\(noPermission) (\(error))")
    }
}

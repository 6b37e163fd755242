internal import Cryptography
internal import Glibc
internal import Octets
internal import Ports

/// nl80211 as a list of calls: one socket for commands, which nothing but their answers reaches.
final class NL80211Client {
    private let socket: NetlinkSocket
    private let family: UInt16
    /// NLM_F_ROOT and NLM_F_MATCH.
    private static let dump: UInt16 = 0x300

    /// - Throws: `noRadio` when the kernel has no cfg80211.
    init() throws(RadioFailure) {
        do throws(NetlinkError) {
            socket = try NetlinkSocket(.generic)
            guard let family = try socket.family(NL80211.familyName) else {
                throw NetlinkError(command: "", code: ENOENT)
            }
            self.family = family
        } catch {
            guard error.code == ENOENT else { throw error.failure }
            throw RadioFailure(
                .noRadio, "this kernel has no wireless configuration (nl80211); load the radio's driver, see dmesg")
        }
    }

    /// The header of generic netlink.
    static func message(_ command: NL80211Command, _ body: (inout NetlinkWriter) -> Void) -> NetlinkWriter {
        var writer = NetlinkWriter()
        writer.fixed([command.rawValue, 0, 0, 0])
        body(&writer)
        return writer
    }

    /// Of a received message, nil for a command that is not used here.
    static func parse(_ message: NetlinkMessage) -> (command: NL80211Command, attributes: NetlinkAttributes)? {
        guard message.body.count >= 4, let command = NL80211Command(rawValue: message.body[0]) else { return nil }
        return (command, NetlinkAttributes(message.body.dropFirst(4)))
    }

    /// Sends `command` and waits for its end; the answers' attributes.
    @discardableResult
    func call(
        _ command: NL80211Command, on other: NetlinkSocket? = nil, secret: SecretKey? = nil, isDump: Bool = false,
        _ body: (inout NetlinkWriter) -> Void
    ) throws(NetlinkError) -> [NetlinkAttributes] {
        let replies = try (other ?? socket).request(
            family, flags: isDump ? Self.dump : 0, command.name, Self.message(command, body), secret: secret)
        return replies.compactMap { $0.body.count >= 4 ? NetlinkAttributes($0.body.dropFirst(4)) : nil }
    }

    /// Every radio, in the order of their indices.
    func wiphys() throws(NetlinkError) -> [Wiphy] {
        var found: [UInt32: Wiphy] = [:]
        for attributes in try call(.getWiphy, isDump: true, { $0.flag(NL80211Attribute.splitWiphyDump) }) {
            guard let index = attributes.u32(NL80211Attribute.wiphy) else { continue }
            found[index, default: Wiphy(index: index)].merge(attributes)
        }
        return found.values.sorted { $0.index < $1.index }
    }

    /// Every interface: its radio, kind and name.
    func interfaces() throws(NetlinkError) -> [WirelessInterface] {
        try call(.getInterface, isDump: true) { _ in }.compactMap { WirelessInterface($0) }
    }

    /// Makes an interface; what the kernel tells of it.
    ///
    /// - Parameter owner: it goes when this socket closes; nil for the client's own.
    func addInterface(
        _ name: String, _ type: UInt32, _ address: MACAddress, on wiphy: Wiphy, ownedBy owner: NetlinkSocket? = nil
    ) throws(NetlinkError) -> NetlinkAttributes {
        let answers = try call(.newInterface, on: owner) { message in
            message.u32(NL80211Attribute.wiphy, wiphy.index)
            message.string(NL80211Attribute.interfaceName, name)
            message.u32(NL80211Attribute.interfaceType, type)
            message.mac(NL80211Attribute.mac, address)
            message.flag(NL80211Attribute.socketOwner)
        }
        guard let told = answers.first else {
            throw NetlinkError(command: NL80211Command.newInterface.name, code: ENODEV, text: "no answer")
        }
        return told
    }

    /// The regulatory domain's country, "00" when it is not set.
    func country() throws(NetlinkError) -> String? {
        try call(.getRegulatory) { _ in }.first?.string(NL80211Attribute.regulatoryDomain)
    }

    /// Asks for a country's rules; whether they came is told by `country()`, a moment later.
    func request(country: String) throws(NetlinkError) {
        try call(.requestRegulatory) { $0.string(NL80211Attribute.regulatoryDomain, country) }
    }
}

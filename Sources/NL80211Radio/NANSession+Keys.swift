internal import Cryptography
internal import Octets
internal import Ports

extension NANSession {
    private typealias Name = NL80211Attribute.Key

    func install(_ key: PairwiseKey, for address: MACAddress, on place: Place) throws(RadioFailure) {
        guard key.key.count == key.cipher.keyLength else {
            throw RadioFailure(.invalid, "NEW_KEY: a key of \(key.key.count) octets for \(key.cipher)")
        }
        try addKey(key.key) { message in
            write(place, address, to: &message)
            message.nest(NL80211Attribute.key) { nest in
                nest.secret(Name.data, count: key.key.count)
                nest.u32(Name.cipher, key.cipher.rawValue)
                nest.octets(Name.sequence, [UInt8](repeating: 0, count: 6))
                nest.u8(Name.index, 0)
            }
        }
    }

    /// A peer's, for what it sends to all: it begins with the packet number that the peer said.
    func install(_ key: GroupKey, of address: MACAddress, on place: Place) throws(RadioFailure) {
        guard let cipher = key.cipher else {
            throw RadioFailure(.invalid, "NEW_KEY: a group key of \(key.key.count) octets")
        }
        try addKey(key.key) { message in
            write(place, address, to: &message)
            message.nest(NL80211Attribute.key) { nest in
                nest.secret(Name.data, count: key.key.count)
                nest.u32(Name.cipher, cipher)
                nest.octets(Name.sequence, key.packetNumber)
                nest.u32(Name.type, NL80211.keyTypeGroup)
                nest.u8(Name.index, UInt8(truncatingIfNeeded: key.keyID))
            }
        }
    }

    private func addKey(_ secret: SecretKey, _ body: (inout NetlinkWriter) -> Void) throws(RadioFailure) {
        do throws(NetlinkError) { try client.call(.newKey, secret: secret, body) } catch {
            if error.saysDown { lose("\(wiphy.name): \(error)") }
            throw error.failure
        }
    }
}

extension GroupKey {
    /// By what it protects and its length; nil for a length that no cipher has.
    var cipher: UInt32? {
        switch (kind, key.count) {
        case (.gtk, 16): PairwiseCipher.ccmp128.rawValue
        case (.gtk, 32): PairwiseCipher.gcmp256.rawValue
        case (.igtk, 16), (.bigtk, 16): NL80211.cipherBIPCMAC128
        case (.igtk, 32), (.bigtk, 32): NL80211.cipherBIPGMAC256
        default: nil
        }
    }
}

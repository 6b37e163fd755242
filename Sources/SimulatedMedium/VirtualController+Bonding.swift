internal import BluetoothFrames
internal import Cryptography
internal import Octets
internal import Ports

/// Pairing by passkey as net/bluetooth/smp.c lets management see it, in both roles; only what is said on the air is simpler.
extension VirtualController {
    struct Pairing: Equatable, Sendable {
        /// What is typed, or shown; nil while it is not typed yet.
        var passkey: SecretKey?
        /// Pair Device, which is answered when it is over; nil for who accepts.
        var command: ManagementPacket?
        /// SMP_TIMEOUT.
        var deadline: MonotonicInstant
    }

    static let pairingTime: Duration = .seconds(30)

    private enum Reason {
        static let passkeyEntryFailed: UInt8 = 1
        static let authenticationRequirements: UInt8 = 3
        static let confirmValueFailed: UInt8 = 4
        static let pairingNotSupported: UInt8 = 5
    }

    /// False for a command about something else.
    mutating func manageBonding(_ packet: ManagementPacket, _ command: ManagementCommand, _ key: SecretKey?) -> Bool {
        switch command {
        case .setIOCapability(let capability):
            ioCapability = capability
            complete(packet, [])
        case .setSecureConnections(let mode):
            guard settings.contains(.lowEnergy) else {
                refuse(packet, .notSupported)
                return true
            }
            set(.secureConnections, mode != 0, packet)
        case .loadIdentityKeys: complete(packet, [])  // it hears the addresses that stay
        case .loadLongTermKeys(let count): loadKeys(Int(count), key, packet)
        case .unpairDevice(let address): unpair(address, packet)
        case .pairDevice(let address, _):
            guard let number = openLink(to: address) else {
                refuse(packet, .notConnected)
                return true
            }
            links[number]?.pairing = Pairing(command: packet, deadline: latest.advanced(by: Self.pairingTime))
            send(.security(number, .pairingWanted), to: address)
        case .passkeyReply(let address, let passkey):
            guard let number = openLink(to: address), links[number]?.pairing != nil else {
                refuse(packet, .notConnected)
                return true
            }
            complete(packet, address.encoded)
            let typed = Self.key(passkey.value)
            links[number]?.pairing?.passkey = typed
            send(.security(number, .passkeyTyped(Self.proof(of: typed, number))), to: address)
        case .refusePasskey(let address), .refuseConfirmation(let address):
            guard let number = openLink(to: address), links[number]?.pairing != nil else {
                refuse(packet, .notConnected)
                return true
            }
            complete(packet, address.encoded)
            fail(number, Reason.passkeyEntryFailed)
        default: return false
        }
        return true
    }

    private func openLink(to peer: BluetoothAddress) -> UInt32? {
        links.first { $0.value.isOpen && $0.value.peer == peer }?.key
    }

    private mutating func loadKeys(_ count: Int, _ keys: SecretKey?, _ packet: ManagementPacket) {
        guard keys?.count ?? 0 == count * LongTermKey.entryLength else { return refuse(packet, .invalidParameters) }
        longTermKeys = [:]
        for index in 0..<count {
            let start = index * LongTermKey.entryLength
            let head = keys?.part(start..<start + LongTermKey.entryLength - LongTermKey.keyLength)
            var reader = ByteReader(head?.withOctets { Array($0) } ?? [])
            guard let entry = try? LongTermKey(from: &reader) else { return refuse(packet, .invalidParameters) }
            let end = start + LongTermKey.entryLength
            longTermKeys[entry.address] = keys?.part(end - LongTermKey.keyLength..<end)
        }
        complete(packet, [])
    }

    private mutating func unpair(_ address: BluetoothAddress, _ packet: ManagementPacket) {
        guard longTermKeys.removeValue(forKey: address) != nil else { return refuse(packet, .notPaired) }
        if let number = openLink(to: address) {
            send(.terminated(number), to: address)
            end(number)
        }
        complete(packet, address.encoded)
    }

    // MARK: On the air

    /// A central that has a key encrypts at once.
    mutating func encryptIfBonded(_ number: UInt32) {
        guard let peer = links[number]?.peer, let key = longTermKeys[peer] else { return }
        send(.security(number, .encryptionWanted(Self.proof(of: key, number))), to: peer)
    }

    mutating func heard(_ message: BluetoothAirFrame.SecurityMessage, _ number: UInt32) {
        guard let link = links[number] else { return }
        switch message {
        case .pairingWanted:
            guard settings.contains(.bondable) else {
                return send(.security(number, .failed(Reason.pairingNotSupported)), to: link.peer)
            }
            guard ioCapability == IOCapability.displayOnly, link.pairing == nil else {
                return send(.security(number, .failed(Reason.authenticationRequirements)), to: link.peer)
            }
            let passkey = UInt32.random(in: 0..<1_000_000, using: &entropy)
            links[number]?.pairing = Pairing(
                passkey: Self.key(passkey), deadline: latest.advanced(by: Self.pairingTime))
            var shown = ByteWriter()
            shown.u32(passkey)
            shown.u8(0)
            tell(.passkey(link.peer), key: SecretKey(copying: shown.bytes))
            send(.security(number, .passkeyShown), to: link.peer)
        case .passkeyShown where link.pairing?.command != nil: tell(.passkeyWanted(link.peer))
        case .passkeyTyped(let proof):
            guard let passkey = link.pairing?.passkey, link.pairing?.command == nil else { return }
            guard proof == Self.proof(of: passkey, number) else { return fail(number, Reason.confirmValueFailed) }
            send(.security(number, .paired), to: link.peer)
            paired(number)
        case .paired where link.pairing?.command != nil: paired(number)
        case .failed(let reason) where link.pairing == nil && reason == 0:
            // The key is missing: the kernel ends the link.
            send(.terminated(number), to: link.peer)
            end(number)
        case .failed: unpaired(number)
        case .encryptionWanted(let proof):
            guard let key = longTermKeys[link.peer], proof == Self.proof(of: key, number) else {
                return send(.security(number, .failed(0)), to: link.peer)
            }
            send(.security(number, .encrypted), to: link.peer)
            outputs.append(.event(.attSecured(link.id, .secureConnections)))
        case .encrypted where longTermKeys[link.peer] != nil:
            outputs.append(.event(.attSecured(link.id, .secureConnections)))
        case .passkeyShown, .paired, .encrypted: break
        }
    }

    private mutating func paired(_ number: UInt32) {
        guard let link = links[number], let pairing = link.pairing, let passkey = pairing.passkey else { return }
        links[number]?.pairing = nil
        let key = HashFunction.sha256.derive(
            LongTermKey.keyLength, from: passkey, label: "simulated long term key", context: Self.octets(number))
        longTermKeys[link.peer] = key
        tell(
            .newLongTermKey(LongTermKey(address: link.peer, kind: .authenticatedSecureConnections), isKept: true),
            key: key)
        outputs.append(.event(.attSecured(link.id, .secureConnections)))
        if let command = pairing.command { complete(command, link.peer.encoded) }
    }

    private mutating func fail(_ number: UInt32, _ reason: UInt8) {
        guard let peer = links[number]?.peer else { return }
        send(.security(number, .failed(reason)), to: peer)
        unpaired(number)
    }

    private mutating func unpaired(_ number: UInt32) {
        guard let link = links[number], let pairing = link.pairing else { return }
        links[number]?.pairing = nil
        tell(.authenticationFailed(link.peer, .authenticationFailed))
        if let command = pairing.command { refuse(command, .authenticationFailed) }
    }

    mutating func expirePairings() {
        for (number, link) in links.sorted(by: { $0.key < $1.key }) {
            guard let deadline = link.pairing?.deadline, deadline <= latest else { continue }
            send(.terminated(number), to: link.peer)
            end(number)
        }
    }

    // MARK: What stands for cryptography

    private static func octets(_ number: UInt32) -> [UInt8] {
        var writer = ByteWriter()
        writer.u32(number)
        return writer.bytes
    }

    private static func key(_ passkey: UInt32) -> SecretKey { SecretKey(copying: octets(passkey)) }

    private static func proof(of key: SecretKey, _ link: UInt32) -> [UInt8] {
        Array(
            HashFunction.sha256.authenticationCode(key: key, octets(link)).prefix(
                BluetoothAirFrame.SecurityMessage.proofLength))
    }
}

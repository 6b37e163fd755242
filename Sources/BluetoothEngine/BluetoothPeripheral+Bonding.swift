internal import BluetoothFrames
internal import Cryptography
internal import Octets
internal import Ports

/// Bonding: the kernel's security manager pairs, its owner shows the passkey and keeps the keys.
extension BluetoothPeripheral {
    struct Pairing: Sendable {
        /// The central whose user is typing; one at a time, for there is one display.
        var peer: BluetoothAddress?
        /// Told just before the long term key: which addresses the central will come with.
        var identity: (address: BluetoothAddress, random: BluetoothAddress, key: SecretKey)?
        /// Paired for as long as their link: the kernel would keep their keys longer.
        var guests: Set<BluetoothAddress> = []
        /// What the kernel was told last, and what it should be.
        var isBondable = false
        var wantsBondable = false
    }

    /// bluetoothd pairs for itself, and keeps keys of its own in the same place.
    static let rival = BluetoothFailure(
        .busy, "bluetoothd answers centrals, and bonds them without the passkey on the display; stop it")

    mutating func bond(_ command: BluetoothCommand) -> [Effect] {
        guard controller.bonding != nil else { return [] }
        switch command {
        case .setBonds(let bonds):
            controller.bonding?.bonds = bonds
            server.bonded = Set(bonds.map(\.keys.address))
            return []
        case .setBondable(let isBondable):
            pairing.wantsBondable = isBondable
            return updateBondable()
        case .refuseBonding(let peer):
            if pairing.peer == peer { pairing.peer = nil }
            return route(controller.send(.refusePasskey(peer), now: latest))
        case .forgetBond(let address): return route(controller.send(.unpairDevice(address), now: latest))
        default: return []
        }
    }

    /// The kernel refuses by itself whoever wants to bond when nobody new may come.
    mutating func updateBondable() -> [Effect] {
        guard controller.bonding != nil, controller.readyIndex != nil, pairing.isBondable != pairing.wantsBondable
        else { return [] }
        pairing.isBondable = pairing.wantsBondable
        return route(controller.send(.setBondable(pairing.isBondable), now: latest))
    }

    mutating func endPairing(_ reason: String) -> [Effect] {
        guard let peer = pairing.peer else { return [] }
        pairing.peer = nil
        return [.report(.bondingEnded(peer, reason))]
    }

    mutating func heardOfPairing(_ event: ManagementEvent, _ key: SecretKey?) -> [Effect] {
        // Where pairing is none of ours it may be bluetoothd's.
        guard controller.bonding != nil else { return [] }
        switch event {
        case .passkey(let peer):
            guard let key, pairing.peer == nil || pairing.peer == peer else {
                return route(controller.send(.refusePasskey(peer), now: latest))
            }
            pairing.peer = peer
            return [.report(.passkey(peer, key))]
        case .confirmationWanted(let peer):
            // Without a passkey anybody could be in between.
            return route(controller.send(.refuseConfirmation(peer), now: latest))
        case .newIdentityKey(let address, let random):
            if let key { pairing.identity = (address, random, key) }
            return []
        case .newLongTermKey(let new, let isKept):
            guard let key else { return [] }
            return bonded(new, key, isKept: isKept)
        case .authenticationFailed(let peer, let status):
            return peer == pairing.peer ? endPairing("\(status)") : []
        case .disconnected(let peer, _):
            let forgotten =
                pairing.guests.remove(peer) == nil ? [] : route(controller.send(.unpairDevice(peer), now: latest))
            return forgotten + (peer == pairing.peer ? endPairing("the central has left") : [])
        default: return []
        }
    }

    private mutating func bonded(_ new: LongTermKey, _ key: SecretKey, isKept: Bool) -> [Effect] {
        let identity = pairing.identity?.address == new.address ? pairing.identity : nil
        pairing.identity = nil
        guard let peer = pairing.peer, peer == new.address || peer == identity?.random,
            new.kind == .authenticatedSecureConnections, key.count == LongTermKey.keyLength
        else {
            // Nobody has read a passkey for it, or it is no key to rely on; the kernel may not have kept it, and then does
            // not end the link. A central that told another identity than the one it came with is known by that.
            let isOurs = pairing.peer.map { $0 == new.address || $0 == identity?.random || identity?.random.bits == 0 }
            var effects = route(controller.send(.unpairDevice(new.address), now: latest))
            effects += route(controller.send(.disconnect(new.address), now: latest))
            return effects + (isOurs == true ? endPairing("its key was not accepted") : [])
        }
        pairing.peer = nil
        if !isKept { pairing.guests.insert(new.address) }
        let keys = BondKeys(
            address: new.address, longTermKey: key, keySize: new.size,
            identityKey: identity?.key.count == IdentityKey.keyLength ? identity?.key : nil)
        return [.report(.bonded(keys, passkeyFor: peer, isKept: isKept))]
    }
}

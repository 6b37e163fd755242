internal import BluetoothFrames
internal import Cryptography
internal import NANFrames
internal import NANSecurity
internal import Octets
internal import Ports

/// The state file's octets (docs/STATE.md), in memory that is wiped.
///
/// Integers are little-endian. The checksum finds damage; it is no protection against somebody who may write
/// the file, and who could as well read the keys in it.
enum StateFormat {
    static let magic = Array("AWARESTA".utf8)
    /// The newest; without a bond there is nothing in a file that the first has not.
    static let version: UInt16 = 2
    static let firstVersion: UInt16 = 1
    /// Magic, version, generation, length of the body.
    static let headerLength = 22
    static let checksumLength = 32
    /// Far more than `maximumPairings` need.
    static let maximumLength = 64 * 1024
    /// Pairings of one accessory: each costs a keyed hash for every unknown address that is heard.
    static let maximumPairings = 64
    /// Bonds: far more than people of one accessory have phones.
    static let maximumBonds = 32
    static let bondKeyLength = 16
    /// Octets of UTF-8 of a name; phones send fewer.
    static let maximumNameLength = 64
    static let keyLengths = 16...64
    /// Half of what the field holds: no writer counts that far, and adding one never overflows.
    static let maximumGeneration = UInt64.max >> 1

    /// Not a secret: it only makes this hash a different one from any other.
    private static let checksumKey = SecretKey(copying: Array("AwareAccessory state file 1".utf8))

    enum Tag: UInt8 {
        case ownNIK = 1
        case attempts = 2
        case pairing = 3
        case bond = 4
    }

    struct Content {
        var generation: UInt64
        var state: StoredState
    }

    static func checksum(_ octets: SecretKey) -> SecretKey {
        HashFunction.sha256.authenticationCode(key: checksumKey, secret: octets)
    }

    static func encode(_ content: Content) -> SecretKey {
        var parts = SecretParts()
        parts.key(content.state.ownNIK, tag: .ownNIK)
        parts.record(.attempts) {
            $0.u32(content.state.attempts.failures)
            $0.u8(content.state.attempts.isLocked ? 1 : 0)
        }
        for pairing in content.state.pairings { parts.record(.pairing) { encode(pairing, into: &$0) } }
        for bond in content.state.bonds { parts.record(.bond) { encode(bond, into: &$0) } }
        var header = ByteWriter()
        header.octets(magic)
        header.u16(content.state.bonds.isEmpty ? firstVersion : version)
        header.u32(UInt32(truncatingIfNeeded: content.generation))
        header.u32(UInt32(truncatingIfNeeded: content.generation >> 32))
        header.u32(UInt32(parts.count))
        var checked = SecretParts()
        checked.octets(header.bytes)
        checked.append(parts)
        let body = checked.joined()
        return SecretKey(concatenating: [body, checksum(body)])
    }

    private static func encode(_ pairing: PairingRecord, into parts: inout SecretParts) {
        parts.u32(pairing.id.rawValue)
        parts.u8(pairing.akm.rawValue)
        parts.u8(pairing.cipherSuite.rawValue)
        parts.u64(pairing.pairedAt)
        let seconds = pairing.lifetime.map { UInt64(clamping: $0.components.seconds) }
        parts.u64(seconds ?? .max)
        for name in [pairing.name, pairing.vendor, pairing.model] {
            let octets = Array(name.utf8.prefix(maximumNameLength))
            parts.u8(UInt8(octets.count))
            parts.octets(octets)
        }
        for key in [pairing.peerNIK, pairing.npk] {
            parts.u8(UInt8(clamping: key.count))
            parts.key(key)
        }
    }

    private static func encode(_ bond: BondRecord, into parts: inout SecretParts) {
        parts.u32(bond.id.rawValue)
        parts.u64(bond.bondedAt)
        parts.octets(bond.keys.address.encoded)
        parts.u8(bond.keys.keySize)
        parts.key(bond.keys.longTermKey)
        parts.u8(bond.keys.identityKey == nil ? 0 : 1)
        if let key = bond.keys.identityKey { parts.key(key) }
    }

    static func decode(_ file: SecretKey) throws(StateFormatError) -> Content {
        guard file.count >= headerLength + checksumLength else { throw .damaged }
        let checkedLength = file.count - checksumLength
        let header = try file.withOctets { octets throws(StateFormatError) in
            var reader = SecretReader(octets)
            guard try reader.octets(magic.count, "magic") == magic else { throw .notAStateFile }
            let version = try reader.u16("version")
            guard (firstVersion...Self.version).contains(version) else { throw .newer(version: version) }
            return (generation: try reader.u64("generation"), length: Int(try reader.u32("length")))
        }
        guard header.length == checkedLength - headerLength,
            checksum(file.part(0..<checkedLength)) == file.part(checkedLength..<file.count)
        else { throw .damaged }
        guard header.generation <= maximumGeneration else { throw .invalid(field: "generation") }
        let state = try file.withOctets { octets throws(StateFormatError) in
            try decodeBody(UnsafeRawBufferPointer(rebasing: octets[headerLength..<checkedLength]))
        }
        return Content(generation: header.generation, state: state)
    }

    private static func decodeBody(_ octets: UnsafeRawBufferPointer) throws(StateFormatError) -> StoredState {
        var reader = SecretReader(octets)
        var ownNIK: SecretKey?
        var attempts: AttemptRecord?
        var pairings: [PairingRecord] = []
        var bonds: [BondRecord] = []
        while reader.remaining > 0 {
            let tag = try reader.u8("tag")
            var record = try reader.slice(Int(try reader.u16("record length")), "record")
            switch Tag(rawValue: tag) {
            case .ownNIK?:
                guard ownNIK == nil else { throw .invalid(field: "second own NIK") }
                ownNIK = try record.key(record.remaining, "own NIK")
            case .attempts?:
                guard attempts == nil else { throw .invalid(field: "second attempt record") }
                attempts = AttemptRecord(
                    failures: try record.u32("failures"), isLocked: try record.u8("lock") != 0)
            case .pairing?:
                guard pairings.count < maximumPairings else { throw .invalid(field: "number of pairings") }
                pairings.append(try pairing(&record))
            case .bond?:
                guard bonds.count < maximumBonds else { throw .invalid(field: "number of bonds") }
                let bond = try bond(&record)
                guard !bonds.contains(where: { $0.id == bond.id }) else { throw .invalid(field: "second bond ID") }
                bonds.append(bond)
            case nil: throw .invalid(field: "tag \(tag)")
            }
            guard record.remaining == 0 else { throw .invalid(field: "length of record \(tag)") }
        }
        guard let ownNIK, let attempts else { throw .invalid(field: "absence of own NIK or attempt record") }
        return StoredState(ownNIK: ownNIK, pairings: pairings, attempts: attempts, bonds: bonds)
    }

    private static func bond(_ record: inout SecretReader) throws(StateFormatError) -> BondRecord {
        let id = PairingID(try record.u32("bond ID"))
        let bondedAt = try record.u64("bonding time")
        var octets = ByteReader(try record.octets(7, "Bluetooth address"))
        guard let address = try? BluetoothAddress(from: &octets) else { throw .invalid(field: "Bluetooth address") }
        let size = try record.u8("key size")
        guard (7...16).contains(size) else { throw .invalid(field: "key size") }
        let longTermKey = try record.key(bondKeyLength, "long term key")
        let hasIdentity = try record.u8("identity key") != 0
        let identityKey = hasIdentity ? try record.key(bondKeyLength, "identity key") : nil
        return BondRecord(
            id: id,
            keys: BondKeys(address: address, longTermKey: longTermKey, keySize: size, identityKey: identityKey),
            bondedAt: bondedAt)
    }

    private static func pairing(_ record: inout SecretReader) throws(StateFormatError) -> PairingRecord {
        let id = PairingID(try record.u32("pairing ID"))
        guard let akm = PairingAKM(rawValue: try record.u8("AKM")) else { throw .invalid(field: "AKM") }
        let cipherSuite = CipherSuiteID(rawValue: try record.u8("cipher suite"))
        let pairedAt = try record.u64("pairing time")
        let lifetime = try record.u64("lifetime")
        let name = try record.text("name")
        let vendor = try record.text("vendor")
        let model = try record.text("model")
        let peerNIK = try record.key(Int(try record.u8("NIK length")), "NIK")
        let npk = try record.key(Int(try record.u8("NPK length")), "NPK")
        return PairingRecord(
            id: id, name: name, vendor: vendor, model: model, peerNIK: peerNIK, npk: npk, akm: akm,
            cipherSuite: cipherSuite, lifetime: lifetime == .max ? nil : .seconds(Int64(clamping: lifetime)),
            pairedAt: pairedAt)
    }
}

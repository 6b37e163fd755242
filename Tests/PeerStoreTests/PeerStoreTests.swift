import BluetoothFrames
import Cryptography
import Foundation
import LinuxRuntime
import NANFrames
import NANSecurity
import Octets
import PeerStore
import Ports
import Testing

@Suite("Peer store") struct PeerStoreTests {
    private let folder = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"

    private func open(at time: Int64 = 1_800_000_000) throws -> PeerStore {
        try PeerStore(folder: folder, entropy: .seeded(1), wallClock: { time })
    }

    private func record(_ id: UInt32, name: String = "phone", lifetime: Duration? = nil) -> PairingRecord {
        PairingRecord(
            id: PairingID(id), name: name, vendor: "V", model: "M",
            peerNIK: SecretKey(copying: Array(repeating: UInt8(truncatingIfNeeded: id), count: 16)),
            npk: SecretKey(copying: Array(repeating: 0xA5, count: 32)), akm: .sae, cipherSuite: .ncsPKPASN128,
            lifetime: lifetime)
    }

    private func fixture(_ name: String = "state-1") throws -> [UInt8] {
        let url = try #require(Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: "hex"))
        return try #require([UInt8](hex: String(contentsOf: url, encoding: .utf8)))
    }

    private func put(_ octets: [UInt8], _ name: String) throws {
        try ServiceDirectories.make(folder)
        try DurableFile(path: "\(folder)/\(name)").write(octets)
    }

    private func octets(_ name: String) throws -> [UInt8]? {
        try DurableFile(path: "\(folder)/\(name)").read(limit: 65536)
    }

    @Test("a file made by other means, from the documented format, is read") func witness() throws {
        try put(fixture(), PeerStore.fileName)
        let store = try open(at: 1_790_000_001)
        #expect(store.opening == .newest && store.generation == 9)
        let state = store.state
        #expect(state.ownNIK == SecretKey(copying: Array(0x10..<0x20)))
        #expect(state.attempts == AttemptRecord(failures: 7, isLocked: true))
        try #require(state.pairings.count == 2)
        let ann = state.pairings[0]
        #expect(
            "\(ann.id)" == "0badcafe" && ann.name == "Ann’s phone" && ann.vendor == "Apple" && ann.model == "iPhone")
        #expect(ann.akm == .sae && ann.cipherSuite == .ncsPKPASN128 && ann.pairedAt == 1_790_000_000)
        #expect(ann.lifetime == .seconds(86400 * 365))
        #expect(
            ann.peerNIK == SecretKey(copying: Array(0x40..<0x50)) && ann.npk == SecretKey(copying: Array(0x80..<0xA0)))
        let other = state.pairings[1]
        #expect(other.akm == .opportunistic && other.cipherSuite == .ncsPKPASN256 && other.lifetime == nil)
        #expect(other.npk.count == 48 && other.name.isEmpty)
    }

    private func bond(_ id: UInt32) -> BondRecord {
        BondRecord(
            id: PairingID(id),
            keys: BondKeys(
                address: BluetoothAddress(.public, bits: UInt64(id)),
                longTermKey: SecretKey(copying: Array(repeating: 1, count: 16))))
    }

    @Test("a file with bonds, made by other means, is read, and written again octet for octet") func bonds() throws {
        try put(fixture("state-2"), PeerStore.fileName)
        do {
            let store = try open()
            let bonds = store.state.bonds
            try #require(bonds.count == 2 && store.state.pairings.isEmpty)
            #expect("\(bonds[0].id)" == "0badcafe" && bonds[0].bondedAt == 1_790_000_000)
            #expect(bonds[0].keys.address == BluetoothAddress(.public, bits: 0x0102_0304_0506))
            #expect(bonds[0].keys.longTermKey == SecretKey(copying: Array(0x60..<0x70)) && bonds[0].keys.keySize == 16)
            #expect(bonds[0].keys.identityKey == SecretKey(copying: Array(0x70..<0x80)))
            #expect(bonds[1].keys.address == BluetoothAddress(.random, bits: 0xC000_0000_0001))
            #expect(bonds[1].keys.identityKey == nil && bonds[1].keys.keySize == 7)
            #expect(store.handle(.setAttempts(AttemptRecord(failures: 1), StoreTicket(1))) == .saved(StoreTicket(1)))
            #expect(store.handle(.setAttempts(AttemptRecord(), StoreTicket(1))) == .saved(StoreTicket(1)))
        }
        let written = try #require(try octets(PeerStore.fileName))
        let expected = try fixture("state-2")
        #expect(written[10] == 5 && written[8] == 2 && written.count == expected.count)
        #expect(written[18..<written.count - 32] == expected[18..<expected.count - 32])
    }

    @Test("bonds survive reopening, are bounded, and go with what is removed; without one the file is of format 1")
    func bonding() throws {
        do {
            let store = try open()
            for id in 1...UInt32(PeerStore.maximumBonds) {
                #expect(store.handle(.saveBond(bond(id), StoreTicket(1))) == .saved(StoreTicket(1)))
            }
            guard case .failed = store.handle(.saveBond(bond(99), StoreTicket(2))) else {
                Issue.record("one too many was taken")
                return
            }
            var short = bond(1)
            short.keys.longTermKey = SecretKey(copying: [1, 2, 3])
            guard case .failed = store.handle(.saveBond(short, StoreTicket(3))) else {
                Issue.record("a short key was taken")
                return
            }
            #expect(store.handle(.remove(PairingID(1), StoreTicket(4))) == .saved(StoreTicket(4)))
        }
        let store = try open()
        #expect(store.state.bonds.map(\.id.rawValue) == Array(2...UInt32(PeerStore.maximumBonds)))
        #expect(store.state.bonds.allSatisfy { $0.bondedAt == 1_800_000_000 })
        #expect(store.handle(.removeAll(StoreTicket(5))) == .saved(StoreTicket(5)))
        let written = try #require(try octets(PeerStore.fileName))
        #expect(written[8] == 1)
    }

    @Test("what is written is, octet for octet, what the documentation says") func writing() throws {
        try put(fixture(), PeerStore.fileName)
        do {
            let store = try open(at: 1_790_000_001)
            // There and back: the generation is the one thing that differs.
            #expect(store.handle(.setAttempts(AttemptRecord(), StoreTicket(1))) == .saved(StoreTicket(1)))
            let back = AttemptRecord(failures: 7, isLocked: true)
            #expect(store.handle(.setAttempts(back, StoreTicket(2))) == .saved(StoreTicket(2)))
        }
        let written = try #require(try octets(PeerStore.fileName))
        let expected = try fixture()
        #expect(written[10] == 11 && expected[10] == 9)
        #expect(written.count == expected.count)
        #expect(written[18..<written.count - 32] == expected[18..<expected.count - 32])
    }

    @Test("a new store draws a NIK once, and everything survives reopening") func reopening() throws {
        let nik: SecretKey
        do {
            let store = try open()
            #expect(store.opening == .fresh && store.state.pairings.isEmpty)
            nik = store.state.ownNIK
            #expect(nik.count == 16)
            for id in [1, 2, 3] as [UInt32] {
                #expect(store.handle(.save(record(id), StoreTicket(9))) == .saved(StoreTicket(9)))
            }
            #expect(store.handle(.save(record(2, name: "renamed"), StoreTicket(9))) == .saved(StoreTicket(9)))
            #expect(store.handle(.remove(PairingID(1), StoreTicket(9))) == .saved(StoreTicket(9)))
            #expect(store.handle(.setAttempts(AttemptRecord(failures: 3), StoreTicket(9))) == .saved(StoreTicket(9)))
        }
        do {
            let store = try open()
            #expect(store.opening == .newest && store.state.ownNIK == nik)
            #expect(store.state.pairings.map(\.name) == ["renamed", "phone"])
            #expect(store.state.pairings.allSatisfy { $0.pairedAt == 1_800_000_000 })
            #expect(store.state.attempts.failures == 3 && store.generation == 7)
            #expect(store.handle(.removeAll(StoreTicket(1))) == .saved(StoreTicket(1)))
        }
        let store = try open()
        #expect(store.state.pairings.isEmpty && store.state.ownNIK == nik && store.state.attempts.failures == 3)
    }

    @Test("a change that changes nothing writes nothing") func idempotence() throws {
        let store = try open()
        let generation = store.generation
        #expect(store.handle(.remove(PairingID(5), StoreTicket(1))) == .saved(StoreTicket(1)))
        #expect(store.handle(.setAttempts(AttemptRecord(), StoreTicket(2))) == .saved(StoreTicket(2)))
        #expect(store.generation == generation)
    }

    @Test("every single octet changed, and every cut, is noticed, and the generation before is used") func damage()
        throws
    {
        do {
            let store = try open()
            _ = store.handle(.save(record(1), StoreTicket(1)))
            _ = store.handle(.save(record(2), StoreTicket(1)))
        }
        let newest = try #require(try octets(PeerStore.fileName))
        let previous = try #require(try octets(PeerStore.previousName))
        func expectPrevious(_ damaged: [UInt8]) throws {
            try put(damaged, PeerStore.fileName)
            let store = try open()
            guard case .previous = store.opening else {
                Issue.record("opened as \(store.opening)")
                return
            }
            #expect(store.state.pairings.map(\.id) == [PairingID(1)])
        }
        for index in newest.indices where index < 8 || index > 9 {  // not the version, which is its own matter
            var damaged = newest
            damaged[index] ^= 0x40
            try expectPrevious(damaged)
        }
        for count in stride(from: 0, to: newest.count, by: 7) { try expectPrevious(Array(newest.prefix(count))) }
        try expectPrevious(newest + [0])
        try expectPrevious(Array(repeating: 0, count: 70_000))
        try put(previous, PeerStore.previousName)
        try FileManager.default.removeItem(atPath: "\(folder)/\(PeerStore.fileName)")
        let store = try open()
        #expect(store.opening == .previous(.absent))
    }

    @Test("a damaged newest generation never takes the good one's place") func rotation() throws {
        do {
            let store = try open()
            _ = store.handle(.save(record(1), StoreTicket(1)))
        }
        let good = try #require(try octets(PeerStore.previousName))
        try put([1, 2, 3], PeerStore.fileName)
        do {
            let store = try open()
            _ = store.handle(.save(record(2), StoreTicket(1)))
            let kept = try octets(PeerStore.previousName)
            #expect(kept == good)
            _ = store.handle(.save(record(3), StoreTicket(1)))
            let rotated = try octets(PeerStore.previousName)
            #expect(rotated != good)
        }
        let store = try open()
        #expect(store.opening == .newest && store.state.pairings.map(\.id) == [PairingID(2), PairingID(3)])
    }

    @Test("two damaged generations, or a later format, stop the start") func refusals() throws {
        try put([1], PeerStore.fileName)
        try put([2], PeerStore.previousName)
        #expect(throws: PeerStoreError.damaged(path: "\(folder)/\(PeerStore.fileName)", .damaged)) { try open() }
        var later = try fixture()
        later[8] = 3
        try put(later, PeerStore.fileName)
        #expect(throws: PeerStoreError.newer(path: "\(folder)/\(PeerStore.fileName)", version: 3)) { try open() }
    }

    @Test("a count of changes that nobody has made is damage, and the highest that is read is kept")
    func generations() throws {
        func file(generation: UInt64) throws -> [UInt8] {
            var octets = Array(try fixture().dropLast(32))
            for index in 0..<8 { octets[10 + index] = UInt8(truncatingIfNeeded: generation >> UInt64(8 * index)) }
            let key = SecretKey(copying: Array("AwareAccessory state file 1".utf8))
            let code = HashFunction.sha256.authenticationCode(key: key, secret: SecretKey(copying: octets))
            return octets + code.withOctets { Array($0) }
        }
        let (made, expected) = (try file(generation: 9), try fixture())
        #expect(made == expected, "the checksum is made right")
        for generation in [UInt64.max, 1 << 63] {
            try put(file(generation: generation), PeerStore.fileName)
            #expect(throws: PeerStoreError.self) { try open() }
        }
        try put(file(generation: .max >> 1), PeerStore.fileName)
        let store = try open()
        guard case .failed(StoreTicket(1), _) = store.handle(.setAttempts(AttemptRecord(), StoreTicket(1))) else {
            Issue.record("one change too many was counted")
            return
        }
    }

    @Test("a second process, or a second store, is kept out") func exclusive() throws {
        let store = try open()
        #expect(throws: PeerStoreError.file(FileError(path: "\(folder)/\(PeerStore.lockName)", cause: .inUse))) {
            try open()
        }
        withExtendedLifetime(store) {}
    }

    @Test("a failed write is said, and memory stays what the disk is") func failedWrite() throws {
        let store = try open()
        _ = store.handle(.save(record(1), StoreTicket(1)))
        let before = store.state
        try FileManager.default.removeItem(atPath: folder)
        guard case .failed(StoreTicket(2), _) = store.handle(.save(record(2), StoreTicket(2))) else {
            Issue.record("a folder that is gone took a file")
            return
        }
        #expect(store.state == before)
    }

    @Test("devices, names and keys are bounded") func bounds() throws {
        let store = try open()
        let long = String(repeating: "é", count: 60)
        for id in 0..<UInt32(PeerStore.maximumPairings) {
            #expect(store.handle(.save(record(id, name: long), StoreTicket(1))) == .saved(StoreTicket(1)))
        }
        #expect(store.state.pairings[0].name == String(repeating: "é", count: 32))
        guard case .failed = store.handle(.save(record(999), StoreTicket(2))) else {
            Issue.record("one too many was taken")
            return
        }
        #expect(store.handle(.save(record(3, name: "new"), StoreTicket(3))) == .saved(StoreTicket(3)))
        var bad = record(4)
        bad.npk = SecretKey(copying: [1])
        guard case .failed = store.handle(.save(bad, StoreTicket(4))) else {
            Issue.record("a key of one octet was taken")
            return
        }
    }

    /// A lifetime is about the peer's NIK: a phone that has another by then fails verification, and says so.
    @Test("a pairing stays, whatever its lifetime and the clock say", arguments: [0, -5, 60, 1_800_000_000, .max])
    func lifetime(time: Int64) throws {
        do {
            let store = try open(at: 60)
            _ = store.handle(.save(record(1, lifetime: .seconds(100)), StoreTicket(1)))
        }
        let store = try open(at: time)
        #expect(store.state.pairings.count == 1)
        _ = store.handle(.save(record(2), StoreTicket(1)))
        #expect(store.state.pairings.count == 2)
    }

    @Test("neither files nor descriptions let others in") func privacy() throws {
        let store = try open()
        _ = store.handle(.save(record(1), StoreTicket(1)))
        _ = store.handle(.save(record(2), StoreTicket(1)))
        for name in [PeerStore.fileName, PeerStore.previousName, PeerStore.lockName] {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
        var text = ""
        dump(store.state, to: &text)
        #expect(!text.contains("165") && !text.lowercased().contains("a5a5"))
    }
}

import Cryptography
import NANFrames
import NANSecurity
import Ports

/// The sequence of changes a writer makes: each follows from its number alone, so that whoever counts knows the state.
struct History {
    private(set) var pairings: [PairingRecord] = []
    private(set) var attempts = AttemptRecord()
    private(set) var length: UInt32 = 0

    /// Fewer than the store takes, so that changes never fail for want of room.
    private static let slots: UInt32 = 48
    private static let stamp: UInt64 = 1_800_000_000

    /// The command of change `number`, counted from 1.
    static func command(_ number: UInt32) -> StoreCommand {
        let ticket = StoreTicket(UInt64(number))
        let id = PairingID(number &* 0x9E37_79B1 >> 8 % slots)
        switch number % 8 {
        case 5: return .setAttempts(AttemptRecord(failures: number, isLocked: number % 16 == 5), ticket)
        case 7: return .remove(id, ticket)
        default:
            func key(_ count: Int, _ salt: UInt32) -> SecretKey {
                SecretKey(count: count) { buffer in
                    for index in buffer.indices {
                        buffer[index] = UInt8(
                            truncatingIfNeeded: (number &+ salt &+ UInt32(index)) &* 0x85EB_CA6B >> 24)
                    }
                }
            }
            return .save(
                PairingRecord(
                    id: id, name: "change \(number)", vendor: "Torture", peerNIK: key(16, 1), npk: key(32, 2),
                    akm: .sae, cipherSuite: .ncsPKPASN128, pairedAt: stamp), ticket)
        }
    }

    mutating func advance() {
        length += 1
        switch Self.command(length) {
        case .save(let record, _):
            if let place = pairings.firstIndex(where: { $0.id == record.id }) {
                pairings[place] = record
            } else {
                pairings.append(record)
            }
        case .remove(let id, _): pairings.removeAll { $0.id == id }
        case .removeAll: pairings = []
        case .setAttempts(let record, _): attempts = record
        case .saveBond: break  // none of this history's commands
        }
    }

    func matches(_ state: StoredState) -> Bool { state.pairings == pairings && state.attempts == attempts }
}

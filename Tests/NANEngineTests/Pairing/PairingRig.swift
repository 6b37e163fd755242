import Cryptography
import Dot11Frames
import NANEngine
import NANFrames
import NANSecurity
import Octets
import Testing

/// One machine whose crypto jobs are run on the spot.
struct PairingRig {
    var machine: PairingMachine
    var now = MonotonicInstant(nanoseconds: 1_000_000_000)
    private(set) var jobCount = 0

    init(_ configuration: PairingMachine.Configuration = .init(), entropy: Entropy) {
        machine = PairingMachine(configuration, entropy: entropy)
    }

    /// Handles an event and, in turn, the results of the jobs it asks for; jobs do not appear among the effects.
    mutating func handle(_ event: PairingMachine.Event) -> [PairingMachine.Effect] {
        var out: [PairingMachine.Effect] = []
        var queue = [event]
        while !queue.isEmpty {
            for effect in machine.handle(queue.removeFirst(), now: now) {
                if case .crypto(let job) = effect {
                    jobCount += 1
                    queue.append(.crypto(job.run()))
                } else {
                    out.append(effect)
                }
            }
        }
        return out
    }

    mutating func pass(_ duration: Duration) -> [PairingMachine.Effect] {
        now = now.advanced(by: duration)
        return handle(.deadlineReached)
    }
}

extension [PairingMachine.Effect] {
    var frames: [[UInt8]] {
        compactMap { if case .transmit(let body, _, _) = $0 { body } else { nil } }
    }

    var token: UInt64? {
        compactMap { if case .transmit(_, _, let token) = $0 { token } else { nil } }.last
    }

    var descriptors: [SharedKeyDescriptor] {
        compactMap { if case .sendSharedKey(let descriptor, _) = $0 { descriptor } else { nil } }
    }

    var failures: [PairingFailure] {
        compactMap { if case .failed(_, let failure) = $0 { failure } else { nil } }
    }

    var rejections: [PairingFailure.Reason] {
        compactMap { if case .rejected(_, let reason) = $0 { reason } else { nil } }
    }

    var credentials: [PairingCredential] {
        compactMap { if case .completed(_, let credential) = $0 { credential } else { nil } }
    }

    var authentications: [AuthenticatedPairing] {
        compactMap { if case .authenticated(_, let pairing) = $0 { pairing } else { nil } }
    }

    var guesses: Int { filter { if case .guessAnswered = $0 { true } else { false } }.count }

    var requests: [PairingRequest] {
        compactMap { if case .needsResponder(_, let request) = $0 { request } else { nil } }
    }
}

/// Two machines that know each other, for tests that need no particular octets.
struct PairingPair {
    static let phone = NMI(MACAddress(bits: 0x02BB_BBBB_BBBB))
    static let board = NMI(MACAddress(bits: 0x02AA_AAAA_AAAA))
    static let phoneIdentity = SecretKey(copying: Array(0xB0...0xBF))
    static let boardIdentity = SecretKey(copying: Array(0xA0...0xAF))

    var phone: PairingRig
    var board: PairingRig

    init(_ configuration: PairingMachine.Configuration = .init(), seed: UInt64 = 1) {
        phone = PairingRig(configuration, entropy: Entropy.seeded(seed).fork(label: "phone"))
        board = PairingRig(configuration, entropy: Entropy.seeded(seed).fork(label: "board"))
    }

    static func password(_ pin: String, _ groups: [EllipticCurveGroup] = [.p256]) throws
        -> PairingParameters.Authentication
    {
        .password(
            try groups.map { try PasswordElement(password: SecretKey(copying: Array(pin.utf8)), group: $0) })
    }

    static func cached(_ npk: [UInt8], _ peer: SecretKey, _ akm: PairingAKM = .sae) throws
        -> PairingParameters.Authentication
    {
        .cached(npk: SecretKey(copying: npk), akm: akm, peerIdentity: try #require(IdentityKey(peer)))
    }

    static func phoneParameters(
        _ authentication: PairingParameters.Authentication, _ suites: [CipherSuiteID] = [.ncsPKPASN128]
    ) throws -> PairingParameters {
        PairingParameters(
            own: phone, peer: board, instance: InstanceID(1), authentication: authentication, suites: suites,
            identity: try #require(IdentityKey(phoneIdentity)))
    }

    static func boardParameters(
        _ authentication: PairingParameters.Authentication, _ suites: [CipherSuiteID] = [.ncsPKPASN128]
    ) throws -> PairingParameters {
        PairingParameters(
            own: board, peer: phone, instance: InstanceID(5), authentication: authentication, suites: suites,
            identity: try #require(IdentityKey(boardIdentity)))
    }

    /// Both sides begin: the responder armed, the initiator's frame 1 as the result.
    mutating func begin(
        _ phoneSide: PairingParameters.Authentication, _ boardSide: PairingParameters.Authentication,
        _ suites: [CipherSuiteID] = [.ncsPKPASN128]
    ) throws -> [UInt8] {
        let armed = board.handle(.arm(try Self.boardParameters(boardSide, suites)))
        #expect(armed == [.ready(Self.phone)])
        return try #require(phone.handle(.start(try Self.phoneParameters(phoneSide, suites))).frames.first)
    }

    mutating func toBoard(_ body: [UInt8]) -> [PairingMachine.Effect] {
        board.handle(.received(body, from: Self.phone))
    }

    mutating func toPhone(_ body: [UInt8]) -> [PairingMachine.Effect] {
        phone.handle(.received(body, from: Self.board))
    }

    mutating func pass(_ duration: Duration) -> (phone: [PairingMachine.Effect], board: [PairingMachine.Effect]) {
        (phone.pass(duration), board.pass(duration))
    }

    /// Up to the end of PASN on both sides.
    mutating func authenticate(_ first: [UInt8]) throws {
        let second = try #require(toBoard(first).frames.first)
        let third = toPhone(second)
        let pairedCount = toBoard(try #require(third.frames.first)).authentications.count
        #expect(pairedCount == 1)
        let token = try #require(third.token)
        #expect(phone.handle(.transmitted(token, acknowledged: true)).authentications.count == 1)
    }
}

/// Takes a frame apart and puts it together again, changed.
func changed(_ body: [UInt8], _ change: (inout AuthenticationBody) throws -> Void) throws -> [UInt8] {
    var reader = ByteReader(body)
    var decoded = try AuthenticationBody(from: &reader)
    try change(&decoded)
    return decoded.encoded
}

extension AuthenticationBody {
    mutating func replace(_ id: ElementID, with element: Element) {
        elements = elements.map { $0.id == id ? element : $0 }
    }

    /// Flips the lowest bit of an element's octet; negative counts from its end.
    mutating func flip(_ id: ElementID, at offset: Int) {
        elements = elements.map { element in
            guard element.id == id else { return element }
            var octets = element.body
            octets[offset < 0 ? octets.count + offset : offset] ^= 1
            return Element(id, octets)
        }
    }
}

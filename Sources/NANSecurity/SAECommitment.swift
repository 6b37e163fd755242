package import Cryptography
package import NANFrames

/// One side's commit in an SAE exchange, and what it has to keep until the peer's arrives (IEEE 802.11-2020 12.4.5.3).
package struct SAECommitment: Equatable, Sendable {
    let passwordElement: EllipticCurvePoint
    private let random: SecretKey
    /// Sent as is.
    package let scalar: [UInt8]
    private let point: EllipticCurvePoint

    package var group: EllipticCurveGroup { point.group }
    /// Sent as x then y.
    package var element: [UInt8] { point.publicCoordinates }

    /// A commit whose shared key will come from `random`, which `mask` hides in the scalar; both are in 2…r-1.
    ///
    /// - Throws: `CryptoError.scalarOutOfRange` for other numbers, and when their sum is 0 or 1.
    package init(
        _ password: PasswordElement, own: NMI, peer: NMI, random: SecretKey, mask: SecretKey
    ) throws(CryptoError) {
        let curve = try EllipticCurve(password.group)
        try self.init(
            passwordElement: password.element(between: own, and: peer, on: curve), random: random, mask: mask, on: curve
        )
    }

    /// A commit to a known PWE, as published vectors have it.
    package init(
        passwordElement: EllipticCurvePoint, random: SecretKey, mask: SecretKey, on curve: borrowing EllipticCurve
    ) throws(CryptoError) {
        let sum = try curve.addScalars(random, mask)
        guard curve.group.contains(scalar: random), curve.group.contains(scalar: mask),
            curve.group.contains(scalar: sum)
        else { throw .scalarOutOfRange }
        self.passwordElement = passwordElement
        self.random = random
        scalar = sum.withOctets { Array($0) }
        point = try curve.negate(curve.multiply(mask, passwordElement))
    }

    /// What both sides share when they know one password; otherwise two things that differ.
    package func agree(peerScalar: [UInt8], peerElement: [UInt8]) throws(SAEFailure) -> SAEKeys {
        let theirs = SecretKey(copying: peerScalar)
        guard group.contains(scalar: theirs) else { throw .invalidScalar }
        guard peerScalar != scalar, peerElement != element else { throw .reflected }
        do throws(CryptoError) {
            return try keys(theirs, peerElement, on: EllipticCurve(group))
        } catch {
            throw error == .invalidPoint ? .invalidElement : .noSharedKey
        }
    }

    /// On a curve that is lent, a step at a time: Swift 6.0.3's optimiser dies of one that is made here.
    private func keys(
        _ theirs: SecretKey, _ peerElement: [UInt8], on curve: borrowing EllipticCurve
    ) throws(CryptoError) -> SAEKeys {
        let peerPoint = try EllipticCurvePoint(group: group, coordinates: SecretKey(copying: peerElement))
        try curve.check(peerPoint)
        let hidden = try curve.multiply(theirs, passwordElement)
        let revealed = try curve.add(hidden, peerPoint)
        let shared = try curve.multiply(random, revealed)
        let sum = try curve.addScalars(SecretKey(copying: scalar), theirs)
        return SAEKeys(group: group, sharedX: shared.x, scalarSum: sum.withOctets { Array($0) })
    }
}

/// Why a peer's commit leads to no key.
package enum SAEFailure: Error, Equatable, Sendable {
    /// Not between 2 and r - 1.
    case invalidScalar
    /// Of another length than the group's, or off the curve.
    case invalidElement
    /// The peer sent our own scalar or element back.
    case reflected
    /// The shared point is infinity.
    case noSharedKey
}

/// What an SAE exchange yields once both commits are known.
package struct SAEKeys: Equatable, Sendable {
    package let group: EllipticCurveGroup
    /// KCK of SAE: 32 octets in group 19, 48 in group 20.
    package let confirmationKey: SecretKey
    /// Always 32 octets (hostap sae.c).
    package let pmk: SecretKey
    /// The first 16 octets of the scalars' sum.
    package let pmkid: [UInt8]

    /// Both `send-confirm` counters of a PASN exchange (hostap pasn_common.c).
    package static let sendConfirm: UInt16 = 1

    init(group: EllipticCurveGroup, sharedX: SecretKey, scalarSum: [UInt8]) {
        let hash = group.hash
        let zeros = SecretKey(copying: [UInt8](repeating: 0, count: hash.length))
        let seed = hash.authenticationCode(key: zeros, secret: sharedX)
        let keys = hash.derive(hash.length + 32, from: seed, label: "SAE KCK and PMK", context: scalarSum)
        self.group = group
        confirmationKey = keys.part(0..<hash.length)
        pmk = keys.part(hash.length..<hash.length + 32)
        pmkid = Array(scalarSum.prefix(16))
    }

    /// The confirm value that the sender of `sender`'s commit sends (IEEE 802.11-2020 12.4.5.5).
    package func confirm(
        sendConfirm: UInt16 = SAEKeys.sendConfirm, sender: PublicCommit, receiver: PublicCommit
    ) -> [UInt8] {
        let counter = [UInt8(truncatingIfNeeded: sendConfirm), UInt8(truncatingIfNeeded: sendConfirm >> 8)]
        return group.hash.authenticationCode(
            key: confirmationKey,
            counter + sender.scalar + sender.element + receiver.scalar + receiver.element)
    }

    /// Whether `received` is the sender's confirm; in constant time.
    package func verifies(
        confirm received: [UInt8], sendConfirm: UInt16 = SAEKeys.sendConfirm, sender: PublicCommit,
        receiver: PublicCommit
    ) -> Bool {
        constantTimeEqual(received, confirm(sendConfirm: sendConfirm, sender: sender, receiver: receiver))
    }
}

/// The two public numbers of a commit.
package struct PublicCommit: Equatable, Sendable {
    package let scalar: [UInt8]
    /// x then y.
    package let element: [UInt8]

    package init(scalar: [UInt8], element: [UInt8]) {
        self.scalar = scalar
        self.element = element
    }

    package init(_ own: SAECommitment) { self.init(scalar: own.scalar, element: own.element) }
}

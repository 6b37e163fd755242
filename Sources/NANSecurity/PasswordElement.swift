package import Cryptography
package import NANFrames

/// SAE's password token PT: the point a password hashes to, the same for every peer (IEEE 802.11-2020 12.4.4.2.3).
///
/// The slow part of a password element. It is computed once per password, before any frame.
package struct PasswordElement: Equatable, Sendable {
    /// What takes the place of an SSID in NAN: twelve ASCII characters (hostap nan_pairing.c).
    package static let pairingSSID = Array("516F9A010000".utf8)

    let token: EllipticCurvePoint

    package var group: EllipticCurveGroup { token.group }

    /// - Throws: `CryptoError` when the two mapped points add up to infinity, or without memory.
    package init(
        password: SecretKey, group: EllipticCurveGroup, ssid: [UInt8] = PasswordElement.pairingSSID
    ) throws(CryptoError) {
        let curve = try EllipticCurve(group)
        let seed = group.hash.extract(salt: ssid, password)
        let length = group.coordinateLength + (group.coordinateLength + 1) / 2
        let u1 = group.hash.expand(length, from: seed, info: Array("SAE Hash to Element u1 P1".utf8))
        let u2 = group.hash.expand(length, from: seed, info: Array("SAE Hash to Element u2 P2".utf8))
        token = try curve.add(curve.simplifiedSWU(u1), curve.simplifiedSWU(u2))
    }

    /// PWE, the element that two devices of these addresses commit to; the order of the addresses does not matter.
    package func element(
        between one: NMI, and other: NMI, on curve: borrowing EllipticCurve
    ) throws(CryptoError) -> EllipticCurvePoint {
        let high = one.address.bits > other.address.bits ? one : other
        let low = high == one ? other : one
        let zeros = SecretKey(copying: [UInt8](repeating: 0, count: group.hash.length))
        let value = group.hash.authenticationCode(
            key: zeros, secret: SecretKey(copying: high.wireOctets + low.wireOctets))
        return try curve.multiply(curve.nonzeroScalar(reducing: value), token)
    }

    /// The token itself, for published vectors.
    package var coordinates: EllipticCurvePoint { token }
}

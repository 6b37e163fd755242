/// Two coordinates in a group, not yet known to lie on its curve: every operation on them checks.
///
/// Held as a secret, because password elements are; a public point loses nothing by it.
package struct EllipticCurvePoint: Equatable, Sendable {
    package let group: EllipticCurveGroup
    /// x then y, big-endian, each of the group's coordinate length.
    package let coordinates: SecretKey

    /// - Throws: `CryptoError.invalidPoint` when the coordinates have another length than the group's.
    package init(group: EllipticCurveGroup, coordinates: SecretKey) throws(CryptoError) {
        guard coordinates.count == 2 * group.coordinateLength else { throw .invalidPoint }
        self.init(group: group, sized: coordinates)
    }

    init(group: EllipticCurveGroup, sized coordinates: SecretKey) {
        self.group = group
        self.coordinates = coordinates
    }

    package var x: SecretKey { coordinates.part(0..<group.coordinateLength) }
    package var y: SecretKey { coordinates.part(group.coordinateLength..<2 * group.coordinateLength) }

    /// x and y as they are sent by SAE; for points that are no secret.
    package var publicCoordinates: [UInt8] { coordinates.withOctets { Array($0) } }

    /// The compressed form 02 ‖ x or 03 ‖ x (SEC 1, 2.3.3); for points that are no secret.
    package var compressed: [UInt8] {
        let octets = publicCoordinates
        return [2 | octets[octets.count - 1] & 1] + octets.prefix(group.coordinateLength)
    }

    /// 02 ‖ x whatever the parity of y, as hostap sends public keys of which only x is used.
    package var compressedIgnoringParity: [UInt8] { [2] + publicCoordinates.prefix(group.coordinateLength) }
}

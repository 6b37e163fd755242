import Cryptography
import Octets
import Testing

@Suite("Elliptic curves") struct EllipticCurveTests {
    private func secret(_ hex: String) throws -> SecretKey { SecretKey(copying: try #require([UInt8](hex: hex))) }

    private func number(_ value: UInt8, _ group: EllipticCurveGroup) -> SecretKey {
        SecretKey(count: group.coordinateLength) { $0[$0.count - 1] = value }
    }

    @Test("2G and 3G of P-256 are the published ones") func multiples() throws {
        let curve = try EllipticCurve(.p256)
        let two = try curve.publicKey(of: number(2, .p256))
        let x2 = try secret("7cf27b188d034f7e8a52380304b51ac3c08969e277f21b35a60b48fc47669978")
        let y2 = try secret("07775510db8ed040293d9ac69f7430dbba7dade63ce982299e04b79d227873d1")
        #expect(two.x == x2 && two.y == y2)
        let three = try curve.publicKey(of: number(3, .p256))
        let x3 = try secret("5ecbe4d1a6330a44c8f7ef951d4bf165e6c6b721efada985fb41661bc6e7fd6c")
        #expect(three.x == x3)
        let five = try curve.add(two, three)
        let expected = try curve.publicKey(of: number(5, .p256))
        #expect(five == expected)
        let four = try curve.add(two, two)
        let product = try curve.multiply(number(2, .p256), two)
        #expect(four == product)
    }

    @Test("ECDH with P-256, RFC 5903 8.1, and with P-384, 8.2") func agreement() throws {
        struct Vector {
            let group: EllipticCurveGroup
            let mine: String
            let theirs: String
            let shared: String
        }
        let vectors = [
            Vector(
                group: .p256, mine: "c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433",
                theirs: "c6ef9c5d78ae012a011164acb397ce2088685d8f06bf9be0b283ab46476bee53",
                shared: "d6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de"),
            Vector(
                group: .p384,
                mine:
                    "099f3c7034d4a2c699884d73a375a67f7624ef7c6b3c0f160647b67414dce655e35b538041e649ee3faef896783ab194",
                theirs:
                    "41cb0779b4bdb85d47846725fbec3c9430fab46cc8dc5060855cc9bda0aa2942e0308312916b8ed2960e4bd55a7448fc",
                shared:
                    "11187331c279962d93d604243fd592cb9d0a926f422e47187521287e7156c5c4d603135569b9e9d09cf5d4a270f59746"),
        ]
        for vector in vectors {
            let curve = try EllipticCurve(vector.group)
            let (mine, theirs) = (try secret(vector.mine), try secret(vector.theirs))
            let expected = try secret(vector.shared)
            let one = try curve.multiply(mine, curve.publicKey(of: theirs)).x
            let other = try curve.multiply(theirs, curve.publicKey(of: mine)).x
            #expect(one == expected && other == expected)
        }
    }

    @Test("a public key is read in all three forms", arguments: EllipticCurveGroup.allCases)
    func forms(_ group: EllipticCurveGroup) throws {
        let curve = try EllipticCurve(group)
        for value in UInt8(2)..<12 {
            let point = try curve.publicKey(of: number(value, group))
            let compressed = try curve.decode(publicKey: point.compressed)
            let uncompressed = try curve.decode(publicKey: [4] + point.publicCoordinates)
            #expect(compressed == point && uncompressed == point)
            // The other sign is the negative point.
            var other = point.compressed
            other[0] ^= 1
            let negative = try curve.decode(publicKey: other)
            let expected = try curve.negate(point)
            #expect(negative == expected)
        }
    }

    @Test("what is no point is refused", arguments: EllipticCurveGroup.allCases)
    func refused(_ group: EllipticCurveGroup) throws {
        let curve = try EllipticCurve(group)
        let length = group.coordinateLength
        let good = try curve.publicKey(of: number(7, group))
        var offCurve = good.publicCoordinates
        offCurve[2 * length - 1] ^= 1
        let bad: [[UInt8]] = [
            [], [2], [4] + offCurve, [5] + good.publicCoordinates, [6] + good.publicCoordinates,
            Array(good.compressed.dropLast()), good.compressed + [0], [0],
            [4] + [UInt8](repeating: 0, count: 2 * length), [2] + [UInt8](repeating: 0xFF, count: length),
        ]
        for octets in bad {
            #expect(throws: CryptoError.invalidPoint, "\(octets.count) octets") {
                try curve.decode(publicKey: octets)
            }
        }
        // About half of all x belong to no point.
        let results = (UInt8(0)..<40).map { value in
            (try? curve.decode(publicKey: [2] + number(value, group).withOctets { Array($0) })) != nil
        }
        #expect(results.contains(true) && results.contains(false))
        let raw = try EllipticCurvePoint(group: group, coordinates: SecretKey(copying: offCurve))
        #expect(throws: CryptoError.invalidPoint) { try curve.multiply(number(3, group), raw) }
        #expect(throws: CryptoError.invalidPoint) { try curve.add(good, raw) }
    }

    @Test("a point and its negative have no sum", arguments: EllipticCurveGroup.allCases)
    func infinity(_ group: EllipticCurveGroup) throws {
        let curve = try EllipticCurve(group)
        let point = try curve.publicKey(of: number(7, group))
        let negative = try curve.negate(point)
        #expect(throws: CryptoError.self) { try curve.add(point, negative) }
    }

    @Test("scalars are between 2 and r - 1", arguments: EllipticCurveGroup.allCases)
    func scalars(_ group: EllipticCurveGroup) throws {
        #expect(!group.contains(scalar: number(0, group)))
        #expect(!group.contains(scalar: number(1, group)))
        #expect(group.contains(scalar: number(2, group)))
        #expect(!group.contains(scalar: SecretKey(copying: [2])))
        let order =
            group == .p256
            ? "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
            : "ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973"
        let r = try #require([UInt8](hex: order))
        #expect(!group.contains(scalar: SecretKey(copying: r)))
        var last = r
        last[last.count - 1] -= 1
        #expect(group.contains(scalar: SecretKey(copying: last)))
        // (r - 1) + 3 wraps around to 2.
        let sum = try EllipticCurve(group).addScalars(SecretKey(copying: last), number(3, group))
        #expect(sum == number(2, group))
    }

    @Test("a drawn scalar skips what is too large") func drawing() {
        var entropy = Entropy.scripted([UInt8](repeating: 0xFF, count: 32) + [UInt8](repeating: 7, count: 32))
        let scalar = EllipticCurveGroup.p256.drawScalar(from: &entropy)
        #expect(scalar == SecretKey(copying: [UInt8](repeating: 7, count: 32)))
    }
}

import Cryptography
import Octets
import Testing

@Suite("Simplified SWU") struct HashToElementTests {
    @Test("zero, where 1/m does not exist, maps to a point of the curve", arguments: EllipticCurveGroup.allCases)
    func zero(_ group: EllipticCurveGroup) throws {
        let curve = try EllipticCurve(group)
        let point = try curve.simplifiedSWU(SecretKey(copying: [UInt8](repeating: 0, count: 48)))
        try curve.check(point)
        // The lowest bit of y is that of u.
        #expect(point.y.withOctets { $0[$0.count - 1] & 1 } == 0)
    }

    @Test("RFC 9380 J.1.1: u of the empty message maps to Q") func published() throws {
        // P256_XMD:SHA-256_SSWU_RO_, msg "": u[0] and Q0. RFC 9380 takes the sign of y from u as SAE does.
        let u = try #require([UInt8](hex: "ad5342c66a6dd0ff080df1da0ea1c04b96e0330dd89406465eeba11582515009"))
        let x = try #require([UInt8](hex: "ab640a12220d3ff283510ff3f4b1953d09fad35795140b1c5d64f313967934d5"))
        let y = try #require([UInt8](hex: "dccb558863804a881d4fff3455716c836cef230e5209594ddd33d85c565b19b1"))
        let point = try EllipticCurve(.p256).simplifiedSWU(SecretKey(copying: u))
        #expect(point.x == SecretKey(copying: x) && point.y == SecretKey(copying: y))
    }
}

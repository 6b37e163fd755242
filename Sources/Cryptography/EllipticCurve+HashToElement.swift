internal import CCryptoShim

/// Field arithmetic for the simplified SWU map; every value may be a secret.
///
/// Selections do not branch. What is left is mbedTLS's own arithmetic, whose modular reduction is not in constant
/// time: a password element is therefore computed once per password, before any frame, and never at a peer's wish.
extension EllipticCurve {
    /// The point that a number, reduced modulo p, maps to (IEEE 802.11-2020 12.4.4.2.3, RFC 9380 6.6.2).
    package func simplifiedSWU(_ number: SecretKey) throws(CryptoError) -> EllipticCurvePoint {
        let u = try self.number("reduction") { out in
            number.withBytes { ccrypto_field_reduce(handle, $0, number.count, out) }
        }
        let one = small(1)
        let a = try negate(small(3))
        let b = try self.number("b") { ccrypto_field_b(handle, $0) }
        // z is -10 for group 19 and -12 for group 20.
        let z = try negate(small(group == .p256 ? 10 : 12))

        let zu2 = try multiply(z, multiply(u, u))
        let m = try add(multiply(zu2, zu2), zu2)
        let t = try inverse(m)
        let x1 = try select(
            isZero(m),
            multiply(b, inverse(multiply(z, a))),
            multiply(multiply(negate(b), inverse(a)), add(one, t)))
        let x2 = try multiply(zu2, x1)
        let squared1 = try rightHandSide(x1, a, b)
        let squared2 = try rightHandSide(x2, a, b)

        // The Legendre symbol is 0, 1 or p - 1: adding 1 makes zero of the last, and of no other.
        let notSquare = isZero(try add(legendre(squared1), one))
        let x = select(notSquare, x2, x1)
        let root = try squareRoot(select(notSquare, squared2, squared1))
        let y = select(lowestBit(u) ^ lowestBit(root), try negate(root), root)
        return EllipticCurvePoint(group: group, sized: SecretKey(concatenating: [x, y]))
    }

    /// x³ + ax + b.
    private func rightHandSide(_ x: SecretKey, _ a: SecretKey, _ b: SecretKey) throws(CryptoError) -> SecretKey {
        try add(multiply(x, add(multiply(x, x), a)), b)
    }

    private func small(_ value: UInt8) -> SecretKey {
        let length = group.coordinateLength
        return SecretKey(count: length) { $0[length - 1] = value }
    }

    private func add(_ left: SecretKey, _ right: SecretKey) throws(CryptoError) -> SecretKey {
        try number("field addition") { out in
            left.withBytes { l in right.withBytes { ccrypto_field_add(handle, l, $0, out) } }
        }
    }

    private func multiply(_ left: SecretKey, _ right: SecretKey) throws(CryptoError) -> SecretKey {
        try number("field multiplication") { out in
            left.withBytes { l in right.withBytes { ccrypto_field_multiply(handle, l, $0, out) } }
        }
    }

    private func negate(_ element: SecretKey) throws(CryptoError) -> SecretKey {
        try number("field negation") { out in element.withBytes { ccrypto_field_negate(handle, $0, out) } }
    }

    /// 1/element, and 0 for 0.
    private func inverse(_ element: SecretKey) throws(CryptoError) -> SecretKey {
        try number("field inversion") { out in element.withBytes { ccrypto_field_inverse(handle, $0, out) } }
    }

    private func legendre(_ element: SecretKey) throws(CryptoError) -> SecretKey {
        try number("Legendre symbol") { out in element.withBytes { ccrypto_field_legendre(handle, $0, out) } }
    }

    private func squareRoot(_ element: SecretKey) throws(CryptoError) -> SecretKey {
        try number("square root") { out in element.withBytes { ccrypto_field_square_root(handle, $0, out) } }
    }

    private func isZero(_ element: SecretKey) -> UInt8 { element.withBytes { ccrypto_is_zero($0, element.count) } }

    private func lowestBit(_ element: SecretKey) -> UInt8 { element.withOctets { $0[$0.count - 1] & 1 } }

    private func select(_ bit: UInt8, _ left: SecretKey, _ right: SecretKey) -> SecretKey {
        SecretKey.written(count: left.count) { out in
            left.withBytes { l in right.withBytes { ccrypto_select(bit, l, $0, left.count, out) } }
            return 0
        }.key
    }
}

internal import CCryptoShim

/// Arithmetic in one group.
///
/// Cheap to make; used by one thread and one calculation.
package struct EllipticCurve: ~Copyable {
    package let group: EllipticCurveGroup
    let handle: OpaquePointer

    package init(_ group: EllipticCurveGroup) throws(CryptoError) {
        guard let handle = ccrypto_curve_new(group.hash.rawValue) else {
            throw .refused(operation: "loading group \(group.rawValue)", code: -1)
        }
        self.group = group
        self.handle = handle
    }

    deinit { ccrypto_curve_free(handle) }

    /// The public key of a private one.
    package func publicKey(of scalar: SecretKey) throws(CryptoError) -> EllipticCurvePoint {
        guard group.contains(scalar: scalar) else { throw .scalarOutOfRange }
        return try point("base multiplication") { out in
            scalar.withBytes { ccrypto_curve_multiply_base(handle, $0, out) }
        }
    }

    /// scalar · point, never infinity.
    ///
    /// - Throws: `CryptoError.invalidPoint` for a point off the curve.
    package func multiply(_ scalar: SecretKey, _ point: EllipticCurvePoint) throws(CryptoError) -> EllipticCurvePoint {
        try check(point)
        guard scalar.count == group.coordinateLength else { throw .scalarOutOfRange }
        return try self.point("multiplication") { out in
            scalar.withBytes { s in point.coordinates.withBytes { ccrypto_curve_multiply(handle, s, $0, out) } }
        }
    }

    /// left + right.
    ///
    /// - Throws: `CryptoError.refused` when the sum is the point at infinity.
    package func add(
        _ left: EllipticCurvePoint, _ right: EllipticCurvePoint
    ) throws(CryptoError) -> EllipticCurvePoint {
        try check(left)
        try check(right)
        return try point("addition") { out in
            left.coordinates.withBytes { l in
                right.coordinates.withBytes { ccrypto_curve_add(handle, l, $0, out) }
            }
        }
    }

    package func negate(_ point: EllipticCurvePoint) throws(CryptoError) -> EllipticCurvePoint {
        try check(point)
        return try self.point("negation") { out in
            point.coordinates.withBytes { ccrypto_curve_negate(handle, $0, out) }
        }
    }

    /// - Throws: `CryptoError.invalidPoint` for another group's point and for one that is off the curve.
    package func check(_ point: EllipticCurvePoint) throws(CryptoError) {
        guard point.group == group,
            point.coordinates.withBytes({ ccrypto_curve_check(handle, $0) }) == 0
        else { throw .invalidPoint }
    }

    /// A public key as sent: 02 or 03 with x, or 04 with x and y (SEC 1, 2.3.4).
    package func decode(publicKey octets: [UInt8]) throws(CryptoError) -> EllipticCurvePoint {
        let length = group.coordinateLength
        switch (octets.first, octets.count) {
        case (2, 1 + length), (3, 1 + length):
            let x = Array(octets.dropFirst())
            let result = SecretKey.written(count: 2 * length) {
                ccrypto_curve_decompress(handle, Int32(octets[0]), x, $0)
            }
            guard result.code == 0 else { throw .invalidPoint }
            return EllipticCurvePoint(group: group, sized: result.key)
        case (4, 1 + 2 * length):
            let point = EllipticCurvePoint(group: group, sized: SecretKey(copying: Array(octets.dropFirst())))
            try check(point)
            return point
        default: throw .invalidPoint
        }
    }

    /// (left + right) mod r.
    package func addScalars(_ left: SecretKey, _ right: SecretKey) throws(CryptoError) -> SecretKey {
        guard left.count == group.coordinateLength, right.count == group.coordinateLength else {
            throw .scalarOutOfRange
        }
        return try number("scalar addition") { out in
            left.withBytes { l in right.withBytes { ccrypto_scalar_add(handle, l, $0, out) } }
        }
    }

    /// (number mod (r - 1)) + 1, a scalar that is not zero.
    package func nonzeroScalar(reducing number: SecretKey) throws(CryptoError) -> SecretKey {
        try self.number("scalar reduction") { out in
            number.withBytes { ccrypto_scalar_reduce_nonzero(handle, $0, number.count, out) }
        }
    }

    func number(_ operation: String, _ body: (UnsafeMutablePointer<UInt8>?) -> Int32) throws(CryptoError) -> SecretKey {
        let result = SecretKey.written(count: group.coordinateLength, by: body)
        guard result.code == 0 else { throw .refused(operation: operation, code: result.code) }
        return result.key
    }

    private func point(
        _ operation: String, _ body: (UnsafeMutablePointer<UInt8>?) -> Int32
    ) throws(CryptoError) -> EllipticCurvePoint {
        let result = SecretKey.written(count: 2 * group.coordinateLength, by: body)
        guard result.code == 0 else { throw .refused(operation: operation, code: result.code) }
        return EllipticCurvePoint(group: group, sized: result.key)
    }
}

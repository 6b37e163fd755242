package import Cryptography
package import Octets

/// Six decimal digits shown by one device and typed on the other, kept as the secret they are.
package struct PIN: Equatable, Sendable {
    package static let digitCount = 6

    /// The digits in ASCII: the password that SAE takes.
    package let password: SecretKey

    /// A PIN out of a million, all equally likely.
    package static func draw(from entropy: inout Entropy) -> PIN {
        let number = UInt32.random(in: 0..<1_000_000, using: &entropy)
        return PIN(
            password: SecretKey(count: digitCount) { target in
                var rest = number
                for index in (0..<digitCount).reversed() {
                    target[index] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                }
            })
    }

    /// What a person typed, when it is exactly six digits.
    package init?(typed text: String) {
        let octets = text.utf8
        guard octets.count == Self.digitCount,
            octets.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        password = SecretKey(count: Self.digitCount) { $0.copyBytes(from: octets) }
    }

    private init(password: SecretKey) { self.password = password }

    /// Lends the digits in ASCII, for a display; whoever copies them has to wipe them.
    package func withDigits<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try password.withOctets(body)
    }
}

extension PIN: CustomStringConvertible, CustomReflectable {
    package var description: String { "<PIN>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

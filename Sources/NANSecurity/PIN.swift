package import Cryptography
package import Octets

/// Six decimal digits shown by one device and typed on the other, kept as the secret they are.
package struct PIN: Equatable, Sendable {
    package static let digitCount = 6

    /// The digits in ASCII: the password that SAE takes.
    package let password: SecretKey

    /// A PIN out of a million, all equally likely.
    package static func draw(from entropy: inout Entropy) -> PIN {
        PIN(number: UInt32.random(in: 0..<1_000_000, using: &entropy))
    }

    /// What a person typed, when it is exactly six digits.
    package init?(typed text: String) {
        let octets = text.utf8
        guard octets.count == Self.digitCount,
            octets.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        password = SecretKey(count: Self.digitCount) { $0.copyBytes(from: octets) }
    }

    /// A Bluetooth passkey, a number of at least 4 octets, least significant first, of which the rest is not read.
    package init?(passkey: SecretKey) {
        let number = passkey.withOctets { $0.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
        guard passkey.count >= 4, number < 1_000_000 else { return nil }
        self.init(number: number)
    }

    private init(number: UInt32) {
        self.init(
            password: SecretKey(count: Self.digitCount) { target in
                var rest = number
                for index in (0..<Self.digitCount).reversed() {
                    target[index] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                }
            })
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

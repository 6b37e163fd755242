import Octets

/// Finds attempts to give every unit, or one unit for ever, the same PIN.
package enum StaticPIN {
    package static let refusal =
        "a static PIN is refused: a PIN printed on a label or in a file is no secret, so one is drawn for each attempt"

    /// Whether a key or an option, in whatever spelling, would carry a PIN.
    package static func isNamed(by key: String) -> Bool {
        let words = key.lowercased().split(whereSeparator: { !$0.isLetter }).map(String.init)
        let telling: Set<String> = ["pin", "pincode", "passcode", "passphrase", "passkey", "password", "staticpin"]
        return words.contains(where: telling.contains)
            || telling.contains(where: { $0.count > 3 && words.joined().holds($0) })
    }
}

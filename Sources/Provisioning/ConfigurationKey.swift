/// One key of a configuration file, as `docs/CONFIG.md` lists it.
package struct ConfigurationKey: Hashable, Sendable {
    /// Its path, `services[].port`.
    package let path: String
    package let accepted: String
    /// What holds when the key is absent; nil when the key must be there.
    package let standard: String?
    package let meaning: String

    init(_ path: String, accepted: String, default standard: String?, _ meaning: String) {
        self.path = path
        self.accepted = accepted
        self.standard = standard
        self.meaning = meaning
    }

    /// The keys as a table in Markdown.
    package static func markdown(_ keys: [ConfigurationKey]) -> String {
        keys.reduce("| key | accepted | default | meaning |\n| --- | --- | --- | --- |\n") { text, key in
            text + "| `\(key.path)` | \(key.accepted) | \(key.standard ?? "required") | \(key.meaning) |\n"
        }
    }
}

extension StringProtocol {
    /// Whether a text stands somewhere in this one.
    ///
    /// The `contains` that Swift has for it brings the engine of regular expressions: 1 MB in every program.
    package func holds(_ text: String) -> Bool {
        text.isEmpty || indices.contains { self[$0...].hasPrefix(text) }
    }
}

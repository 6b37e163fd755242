/// Rows of text in aligned columns, for people.
package struct TextTable: Sendable {
    private let heading: [String]
    private var rows: [[String]] = []

    package init(_ heading: String...) { self.heading = heading }

    package var isEmpty: Bool { rows.isEmpty }

    /// Adds a row; control characters in a cell become `?`, so that a peer's name cannot move the cursor.
    package mutating func append(_ cells: String...) { rows.append(cells.map(printable)) }

    /// The table, two spaces between columns, no spaces at line ends.
    package var text: String {
        let all = [heading] + rows
        let widths = heading.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return trimmed(cells.joined(separator: "  ")) + "\n"
        }.joined()
    }

    private func trimmed(_ line: String) -> Substring {
        var line = line[...]
        while line.last == " " { line.removeLast() }
        return line
    }
}

/// `text` with every control character replaced: names from the air may be printed to a terminal.
package func printable(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        let isControl = scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
        scalars.append(isControl ? "?" : scalar)
    }
    return String(scalars)
}

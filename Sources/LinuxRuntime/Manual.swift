/// The help of a program or of one of its commands, laid out as a manual page.
package struct Manual: Sendable {
    package struct Entry: Equatable, Sendable {
        package let term: String
        package let text: String

        package init(_ term: String, _ text: String) {
            self.term = term
            self.text = text
        }
    }

    package var name: String
    package var summary: String
    package var synopsis: [String]
    /// Paragraphs.
    package var description: [String]
    package var commands: [Entry]
    package var options: [Entry]
    package var files: [Entry]
    package var environment: [Entry]
    package var exitStatus: [Entry]
    /// What is achieved, and the command that does.
    package var examples: [Entry]

    package init(
        name: String, summary: String, synopsis: [String], description: [String], commands: [Entry] = [],
        options: [Entry] = [], files: [Entry] = [], environment: [Entry] = [], exitStatus: [Entry] = [],
        examples: [Entry] = []
    ) {
        self.name = name
        self.summary = summary
        self.synopsis = synopsis
        self.description = description
        self.commands = commands
        self.options = options
        self.files = files
        self.environment = environment
        self.exitStatus = exitStatus
        self.examples = examples
    }

    private static let indent = 7
    /// Two past the indent of running text, as man(1) hangs the text of an entry.
    private static let hang = 14

    /// The text, `width` columns at most, ending in a line break.
    package func text(width: Int = 80) -> String {
        var lines: [String] = []
        func section(_ title: String, _ body: [String]) {
            if body.isEmpty { return }
            lines += (lines.isEmpty ? [] : [""]) + [title] + body
        }
        func wrapped(_ text: String, _ indent: Int) -> [String] { Self.wrap(text, indent: indent, width: width) }
        func list(_ entries: [Entry]) -> [String] {
            entries.flatMap { entry in
                let term = String(repeating: " ", count: Self.indent) + entry.term
                let body = wrapped(entry.text, Self.hang)
                guard let first = body.first, term.count < Self.hang - 1 else { return [term] + body }
                return [term + first.dropFirst(term.count)] + body.dropFirst()
            }
        }
        section("NAME", wrapped("\(name) - \(summary)", Self.indent))
        section("SYNOPSIS", synopsis.map { String(repeating: " ", count: Self.indent) + $0 })
        let paragraphs = description.map { wrapped($0, Self.indent) }
        section("DESCRIPTION", Array(paragraphs.joined(separator: [""])))
        section("COMMANDS", list(commands))
        section("OPTIONS", list(options))
        section("FILES", list(files))
        section("ENVIRONMENT", list(environment))
        section("EXIT STATUS", list(exitStatus))
        section(
            "EXAMPLES",
            Array(
                examples.map { example in
                    wrapped(example.text, Self.indent) + [String(repeating: " ", count: Self.hang) + example.term]
                }.joined(separator: [""])))
        return lines.map { $0 + "\n" }.joined()
    }

    private static func wrap(_ text: String, indent: Int, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, indent + line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        if !line.isEmpty { lines.append(line) }
        return lines.map { String(repeating: " ", count: indent) + $0 }
    }
}

/// The way from a document's root to one of its values, printed as `services[0].port`.
package struct JSONPath: Hashable, Sendable, CustomStringConvertible {
    package enum Step: Hashable, Sendable {
        case member(String)
        case element(Int)
    }

    package var steps: [Step]

    package init(_ steps: [Step] = []) { self.steps = steps }

    /// Reads what `description` prints, for names without dots and brackets.
    package init(_ text: String) {
        steps = text.split(separator: ".").flatMap { part in
            let pieces = part.split(separator: "[", omittingEmptySubsequences: false)
            let elements = pieces.dropFirst().compactMap { Int($0.dropLast()).map(Step.element) }
            return [.member(String(pieces[0]))] + elements
        }
    }

    package func member(_ name: String) -> Self { Self(steps + [.member(name)]) }
    package func element(_ index: Int) -> Self { Self(steps + [.element(index)]) }

    package var description: String {
        steps.reduce("") { text, step in
            switch step {
            case .member(let name): text.isEmpty ? name : "\(text).\(name)"
            case .element(let index): "\(text)[\(index)]"
            }
        }
    }
}

/// A parsed file: its value, and where each part of it stands.
package struct JSONDocument: Equatable, Sendable {
    package let root: JSONValue
    private let lines: [JSONPath: Int]

    init(root: JSONValue, lines: [JSONPath: Int]) {
        self.root = root
        self.lines = lines
    }

    /// A value without a text behind it: every line is unknown.
    package init(root: JSONValue) { self.init(root: root, lines: [:]) }

    /// A changed value whose unchanged parts stand where they stood.
    package func replacing(root: JSONValue) -> Self { Self(root: root, lines: lines) }

    /// The line of the value at `path`, or of the nearest value around it.
    package func line(of path: JSONPath) -> Int? {
        var path = path
        while true {
            if let line = lines[path] { return line }
            if path.steps.popLast() == nil { return nil }
        }
    }
}

/// Why a text does not describe an interface, and where.
package struct InterfaceError: Error, Equatable, Sendable, CustomStringConvertible {
    package let line: Int
    package let expected: String
    package var description: String { "line \(line): expected \(expected)" }
}

extension InterfaceDescription {
    package init(_ text: String) throws(InterfaceError) {
        var parser = Parser(text)
        try parser.take("interface")
        self.name = try parser.name("the interface's name", where: Parser.isInterfaceName)
        var types: [String: Shape] = [:]
        var methods: [String: Method] = [:]
        var errors: [String: [Field]] = [:]
        while let keyword = parser.nextToken() {
            let name = try parser.name("a name in capital letters", where: Parser.isTypeName)
            guard types[name] == nil, methods[name] == nil, errors[name] == nil else {
                throw parser.error("a name that is new")
            }
            switch keyword {
            case "type": types[name] = try parser.group()
            case "error": errors[name] = try parser.fields()
            case "method":
                let input = try parser.fields()
                try parser.take("->")
                methods[name] = Method(input: input, output: try parser.fields())
            default: throw parser.error("type, method or error")
            }
        }
        self.text = text
        self.types = types
        self.methods = methods
        self.errors = errors
        let shapes =
            Array(types.values) + methods.values.flatMap { [.structure($0.input), .structure($0.output)] }
            + errors.values.map { .structure($0) }
        for name in shapes.flatMap(Self.names) where types[name] == nil {
            throw InterfaceError(line: 0, expected: "a definition of type \(name)")
        }
    }

    private static func names(in shape: Shape) -> [String] {
        switch shape {
        case .bool, .int, .float, .string, .object, .enumeration: []
        case .named(let name): [name]
        case .array(let inner), .map(let inner), .optional(let inner): names(in: inner)
        case .structure(let fields): fields.flatMap { names(in: $0.shape) }
        }
    }

    private struct Parser {
        private let tokens: [(text: String, line: Int)]
        private var place = 0

        init(_ text: String) {
            var tokens: [(String, Int)] = []
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                var word = ""
                func flush() {
                    if !word.isEmpty { tokens.append((word, index + 1)) }
                    word = ""
                }
                for character in line.prefix(while: { $0 != "#" }) {
                    switch character {
                    case "(", ")", ",", ":", "?", "[", "]":
                        flush()
                        tokens.append((String(character), index + 1))
                    case " ", "\t": flush()
                    default: word.append(character)
                    }
                }
                flush()
            }
            self.tokens = tokens
        }

        func error(_ expected: String) -> InterfaceError {
            let line = place > 0 && place <= tokens.count ? tokens[place - 1].line : tokens.last?.line ?? 1
            return InterfaceError(line: line, expected: expected)
        }

        mutating func nextToken() -> String? {
            guard place < tokens.count else { return nil }
            defer { place += 1 }
            return tokens[place].text
        }

        private func isNext(_ token: String) -> Bool { place < tokens.count && tokens[place].text == token }

        mutating func take(_ token: String) throws(InterfaceError) {
            guard nextToken() == token else { throw error(token) }
        }

        mutating func name(_ expected: String, where isValid: (String) -> Bool) throws(InterfaceError) -> String {
            guard let token = nextToken(), isValid(token) else { throw error(expected) }
            return token
        }

        /// Parentheses: fields, or the names of an enumeration.
        mutating func group() throws(InterfaceError) -> Shape {
            try take("(")
            if isNext(")") {
                place += 1
                return .structure([])
            }
            var names: [String] = []
            var fields: [Field] = []
            while true {
                let name = try name("a name", where: Self.isFieldName)
                guard !names.contains(name) else { throw error("a name that is new") }
                names.append(name)
                if isNext(":") {
                    place += 1
                    fields.append(Field(name: name, shape: try shape()))
                }
                guard fields.isEmpty || fields.count == names.count else { throw error("a colon") }
                guard isNext(",") else { break }
                place += 1
            }
            try take(")")
            return fields.isEmpty ? .enumeration(names) : .structure(fields)
        }

        mutating func fields() throws(InterfaceError) -> [Field] {
            guard case .structure(let fields) = try group() else { throw error("fields with types") }
            return fields
        }

        mutating func shape() throws(InterfaceError) -> Shape {
            if isNext("?") {
                place += 1
                let inner = try shape()
                if case .optional = inner { throw error("one question mark") }
                return .optional(inner)
            }
            if isNext("[") {
                place += 1
                let isMap = isNext("string")
                if isMap { place += 1 }
                try take("]")
                return isMap ? .map(try shape()) : .array(try shape())
            }
            if isNext("(") { return try group() }
            switch nextToken() {
            case "bool": return .bool
            case "int": return .int
            case "float": return .float
            case "string": return .string
            case "object": return .object
            case let name? where Self.isTypeName(name): return .named(name)
            default: throw error("a type")
            }
        }

        static func isInterfaceName(_ text: String) -> Bool {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count > 1 && text.first?.isASCIILetter == true
                && parts.allSatisfy { part in
                    part.first != "-" && part.last != "-" && !part.isEmpty
                        && part.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == "-" }
                }
        }

        static func isTypeName(_ text: String) -> Bool {
            text.first.map { $0.isASCIILetter && $0.isUppercase } == true
                && text.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
        }

        static func isFieldName(_ text: String) -> Bool {
            text.first?.isASCIILetter == true && text.last != "_"
                && text.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == "_" }
                && !zip(text, text.dropFirst()).contains { $0 == "_" && $1 == "_" }
        }
    }
}

extension Character {
    fileprivate var isASCIILetter: Bool { isASCII && isLetter }
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}

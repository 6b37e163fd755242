/// A JSON value (RFC 8259); an object keeps the order of its members.
package enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    /// A number without fraction and exponent that fits.
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// The kind of value, as an error message says it.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .integer: "whole number"
        case .number: "number"
        case .string: "text"
        case .array: "list"
        case .object: "object"
        }
    }
}

extension JSONValue {
    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    package var string: String? { if case .string(let value) = self { value } else { nil } }
    package var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    package var object: JSONObject? { if case .object(let value) = self { value } else { nil } }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(elements)) }
}

/// The members of a JSON object, in order, each name once.
package struct JSONObject: Sendable {
    package private(set) var members: [(name: String, value: JSONValue)] = []
    private var places: [String: Int] = [:]

    package init() {}

    /// Of a name given twice the last value counts, at the first one's place.
    package init(_ members: [(String, JSONValue)]) {
        for (name, value) in members { self[name] = value }
    }

    package var isEmpty: Bool { members.isEmpty }
    package var names: [String] { members.map(\.name) }

    /// Setting nil removes nothing; it is for members that are left out when there is nothing to say.
    package subscript(name: String) -> JSONValue? {
        get { places[name].map { members[$0].value } }
        set {
            guard let newValue else { return }
            if let place = places[name] {
                members[place].value = newValue
            } else {
                places[name] = members.count
                members.append((name, newValue))
            }
        }
    }
}

extension JSONObject: Equatable {
    /// Order does not count.
    package static func == (left: Self, right: Self) -> Bool {
        left.members.count == right.members.count && left.members.allSatisfy { right[$0.name] == $0.value }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}

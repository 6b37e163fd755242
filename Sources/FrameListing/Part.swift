internal import Octets

/// A value under the name tshark has for it.
struct NamedValue {
    enum Value {
        case number(UInt64)
        case octets([UInt8])
        case text(String)
    }

    let name: String
    let value: Value

    init(_ name: String, _ number: some BinaryInteger) {
        self.name = name
        value = .number(UInt64(number))
    }

    init(_ name: String, _ flag: Bool) { self.init(name, flag ? 1 : 0) }

    init(_ name: String, _ octets: [UInt8]) {
        self.name = name
        value = .octets(octets)
    }

    init(_ name: String, text: String) {
        self.name = name
        value = .text(text)
    }

    var json: String {
        switch value {
        case .number(let number): "[\"\(name)\",\(number)]"
        case .octets(let octets): "[\"\(name)\",\"\(octets.hex)\"]"
        case .text(let text): "[\"\(name)\",\"\(text)\"]"
        }
    }
}

/// An attribute or element: its name, the octets our codec writes for it, and its values in their order.
struct Part {
    /// One number for an attribute; one or, with an extension, two for an element.
    let id: [UInt8]
    let octets: [UInt8]
    let values: [NamedValue]

    /// An element's name is a list.
    func json(isElement: Bool) -> String {
        let numbers = id.map(String.init).joined(separator: ",")
        let fields = values.map(\.json).joined(separator: ",")
        return "{\"id\":\(isElement ? "[\(numbers)]" : numbers),\"octets\":\"\(octets.hex)\",\"values\":[\(fields)]}"
    }
}

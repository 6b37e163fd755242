package import JSONText

/// A Varlink interface: its text, and what the text says (varlink.org, "Interface Definition").
package struct InterfaceDescription: Sendable {
    package indirect enum Shape: Equatable, Sendable {
        case bool
        case int
        case float
        case string
        case object
        case named(String)
        case array(Shape)
        case map(Shape)
        case optional(Shape)
        case structure([Field])
        case enumeration([String])
    }

    package struct Field: Equatable, Sendable {
        package let name: String
        package let shape: Shape
    }

    package struct Method: Equatable, Sendable {
        package let input: [Field]
        package let output: [Field]
    }

    package let text: String
    package let name: String
    package let types: [String: Shape]
    package let methods: [String: Method]
    package let errors: [String: [Field]]

    /// The path of the first parameter of `method` that is missing, unknown or of the wrong shape.
    package func fault(inInput input: JSONObject, of method: String) -> String? {
        methods[method].flatMap { fault(input, $0.input, "") }
    }

    package func fault(inOutput output: JSONObject, of method: String) -> String? {
        methods[method].flatMap { fault(output, $0.output, "") }
    }

    private func fault(_ object: JSONObject, _ fields: [Field], _ path: String) -> String? {
        func member(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
        for name in object.names where !fields.contains(where: { $0.name == name }) { return member(name) }
        for field in fields {
            if let fault = fault(object[field.name] ?? .null, field.shape, member(field.name)) { return fault }
        }
        return nil
    }

    private func fault(_ value: JSONValue, _ shape: Shape, _ path: String) -> String? {
        func unless(_ isRight: Bool) -> String? { isRight ? nil : path }
        switch shape {
        case .bool: return unless(value.bool != nil)
        case .int: return unless(value.integer != nil)
        case .float:
            if case .number = value { return nil }
            return unless(value.integer != nil)
        case .string: return unless(value.string != nil)
        case .object: return unless(value.object != nil)
        case .optional(let inner): return value == .null ? nil : fault(value, inner, path)
        case .enumeration(let names): return unless(value.string.map(names.contains) ?? false)
        case .named(let name): return types[name].map { fault(value, $0, path) } ?? path
        case .structure(let fields): return value.object.map { fault($0, fields, path) } ?? path
        case .array(let inner):
            guard let values = value.array else { return path }
            for (index, value) in values.enumerated() {
                if let fault = fault(value, inner, "\(path)[\(index)]") { return fault }
            }
            return nil
        case .map(let inner):
            guard let object = value.object else { return path }
            for (name, value) in object.members {
                if let fault = fault(value, inner, "\(path).\(name)") { return fault }
            }
            return nil
        }
    }
}

import Foundation
import JSONText

/// As much of JSON Schema 2020-12 as `provisioning/identity.schema.json` uses; an unknown keyword is a fault.
struct JSONSchema {
    private let root: JSONObject

    struct Property {
        let path: String
        let schema: JSONObject
        let isRequired: Bool
    }

    init(_ octets: [UInt8]) throws {
        guard let object = try JSONParser.value(octets, limits: .file).object else {
            throw CocoaError(.fileReadCorruptFile)
        }
        root = object
    }

    private func resolved(_ schema: JSONObject) -> JSONObject {
        guard let reference = schema["$ref"]?.string, let name = reference.split(separator: "/").last,
            var target = root["$defs"]?.object?[String(name)]?.object
        else { return schema }
        target["default"] = schema["default"]
        return target
    }

    func properties() -> [Property] { properties(root, "") }

    private func properties(_ schema: JSONObject, _ path: String) -> [Property] {
        let required = schema["required"]?.array?.compactMap(\.string) ?? []
        return (schema["properties"]?.object?.members ?? []).flatMap { name, value in
            let own = resolved(value.object ?? [:])
            let path = path.isEmpty ? name : "\(path).\(name)"
            let items = own["items"]?.object.map { properties(resolved($0), path + "[]") } ?? []
            return [Property(path: path, schema: own, isRequired: required.contains(name))] + properties(own, path)
                + items
        }
    }

    /// Objects that would take unknown keys.
    func openObjects() -> [String] { openObjects(.object(root), "") }

    private func openObjects(_ value: JSONValue, _ path: String) -> [String] {
        guard let object = value.object else { return [] }
        let isOpen = object["type"]?.string == "object" && object["additionalProperties"]?.bool != false
        return (isOpen ? [path] : []) + object.members.flatMap { openObjects($0.value, "\(path)/\($0.name)") }
    }

    func faults(_ value: JSONValue) -> [String] { faults(value, root, "") }

    private func faults(_ value: JSONValue, _ schema: JSONObject, _ path: String) -> [String] {
        resolved(schema).members.flatMap { keyword, argument in
            fault(value, keyword, argument, resolved(schema), path)
        }
    }

    private func fault(
        _ value: JSONValue, _ keyword: String, _ argument: JSONValue, _ schema: JSONObject, _ path: String
    ) -> [String] {
        func check(_ isMet: Bool?) -> [String] { isMet ?? true ? [] : ["\(path): \(keyword) \(argument.text)"] }
        switch keyword {
        case "$schema", "$defs", "title", "description", "default": return []
        case "type":
            let kinds = [
                "object": "object", "array": "list", "string": "text", "integer": "whole number",
                "boolean": "true or false",
            ]
            return check(kinds[argument.string ?? ""] == value.kind)
        case "const": return check(value == argument)
        case "enum": return check(argument.array?.contains(value))
        case "minimum": return check(value.integer.map { $0 >= argument.integer ?? .max })
        case "maximum": return check(value.integer.map { $0 <= argument.integer ?? .min })
        case "minLength": return check(value.string.map { $0.unicodeScalars.count >= argument.integer ?? .max })
        case "maxLength": return check(value.string.map { $0.unicodeScalars.count <= argument.integer ?? .min })
        case "minItems": return check(value.array.map { $0.count >= argument.integer ?? .max })
        case "maxItems": return check(value.array.map { $0.count <= argument.integer ?? .min })
        case "minProperties": return check(value.object.map { $0.members.count >= argument.integer ?? .max })
        case "maxProperties": return check(value.object.map { $0.members.count <= argument.integer ?? .min })
        case "uniqueItems": return check(value.array.map { Set($0.map(\.text)).count == $0.count })
        case "pattern":
            return check(value.string.map { $0.range(of: argument.string ?? "", options: .regularExpression) != nil })
        case "required":
            return check(
                value.object.map { object in argument.array?.allSatisfy { object[$0.string ?? ""] != nil } ?? false })
        case "additionalProperties":
            let known = schema["properties"]?.object?.names ?? []
            return check(value.object.map { $0.names.allSatisfy(known.contains) })
        case "properties":
            return (argument.object?.members ?? []).flatMap { name, schema in
                value.object?[name].map { faults($0, schema.object ?? [:], "\(path).\(name)") } ?? []
            }
        case "items":
            return (value.array ?? []).enumerated().flatMap { faults($1, argument.object ?? [:], "\(path)[\($0)]") }
        case "oneOf":
            return check(argument.array?.count { faults(value, $0.object ?? [:], path).isEmpty } == 1)
        case "dependentRequired":
            return check(
                value.object.map { object in
                    (argument.object?.members ?? []).allSatisfy { name, needed in
                        object[name] == nil || needed.array?.allSatisfy { object[$0.string ?? ""] != nil } ?? false
                    }
                })
        case "anyOf": return check(argument.array?.contains { faults(value, $0.object ?? [:], path).isEmpty })
        default: return ["\(path): unknown keyword \(keyword)"]
        }
    }
}

internal import Identity
internal import JSONText
internal import LinuxRuntime

/// One object of a configuration file, read key by key; every refusal names file, line, field and what is accepted.
struct StrictObject {
    private let document: JSONDocument
    private let file: String
    private let path: JSONPath
    private let object: JSONObject

    /// The root of the file at `path`.
    static func load(_ path: String, accepting keys: [String]) throws(ProvisioningError) -> Self {
        let octets: [UInt8]?
        do throws(FileError) {
            octets = try DurableFile(path: path).readConfiguration(limit: JSONLimits.file.octets)
        } catch {
            throw ProvisioningError(error)
        }
        guard let octets else {
            throw ProvisioningError(file: path, line: nil, field: nil, found: "no such file", accepted: nil)
        }
        return try parse(octets, file: path, accepting: keys)
    }

    static func parse(_ octets: [UInt8], file: String, accepting keys: [String]) throws(ProvisioningError) -> Self {
        let document: JSONDocument
        do throws(JSONError) { document = try JSONParser.document(octets, limits: .file) } catch {
            throw ProvisioningError(
                file: file, line: error.line, field: nil, found: error.description, accepted: nil)
        }
        return try root(document, file: file, accepting: keys)
    }

    static func root(
        _ document: JSONDocument, file: String, accepting keys: [String]
    ) throws(ProvisioningError) -> Self {
        try refuseStaticPIN(in: document.root, at: JSONPath(), document, file)
        guard let object = document.root.object else {
            throw ProvisioningError(
                file: file, line: document.line(of: JSONPath()), field: nil, found: document.root.kind,
                accepted: "an object")
        }
        return try Self(document: document, file: file, path: JSONPath(), object: object, accepting: keys)
    }

    private init(
        document: JSONDocument, file: String, path: JSONPath, object: JSONObject, accepting keys: [String]
    ) throws(ProvisioningError) {
        self.document = document
        self.file = file
        self.path = path
        self.object = object
        // Before anything is missed: a misspelt key is found as what it is.
        for name in object.names where !keys.contains(name) {
            throw error(name, "unknown key", accepted: "one of \(keys.joined(separator: ", "))")
        }
    }

    func has(_ key: String) -> Bool { object[key] != nil }
    func isObject(_ key: String) -> Bool { object[key]?.object != nil }

    func error(_ key: String, _ found: String, accepted: String?) -> ProvisioningError {
        let path = JSONPath(self.path.steps + JSONPath(key).steps)
        return ProvisioningError(
            file: file, line: document.line(of: path), field: "\(path)", found: found, accepted: accepted)
    }

    func missing(_ key: String, accepted: String) -> ProvisioningError { error(key, "missing", accepted: accepted) }

    /// Makes a value; what it refuses is found again in the file.
    func make<Value>(_ body: () throws(IdentityError) -> Value) throws(ProvisioningError) -> Value {
        do throws(IdentityError) { return try body() } catch {
            throw self.error(error.field, error.value, accepted: error.accepted)
        }
    }

    func string(_ key: String, accepted: String? = nil) throws(ProvisioningError) -> String? {
        guard let value = object[key] else { return nil }
        guard let string = value.string else {
            throw error(key, value.kind, accepted: accepted.map { "a text, \($0)" } ?? "a text")
        }
        return string
    }

    func requiredString(_ key: String, accepted: String) throws(ProvisioningError) -> String {
        guard let string = try string(key) else { throw missing(key, accepted: accepted) }
        return string
    }

    func integer(_ key: String, accepted: String) throws(ProvisioningError) -> Int? {
        guard let value = object[key] else { return nil }
        guard let integer = value.integer else {
            throw error(key, value.string ?? value.kind, accepted: "a whole number, \(accepted)")
        }
        return Int(clamping: integer)
    }

    /// A list of whole numbers.
    func integers(_ key: String) throws(ProvisioningError) -> [Int]? {
        guard let value = object[key] else { return nil }
        let accepted = "a list of whole numbers"
        guard let values = value.array else { throw error(key, value.kind, accepted: accepted) }
        var integers: [Int] = []
        for (index, value) in values.enumerated() {
            guard let integer = value.integer else {
                throw error("\(key)[\(index)]", value.string ?? value.kind, accepted: "a whole number")
            }
            integers.append(Int(clamping: integer))
        }
        return integers
    }

    func bool(_ key: String) throws(ProvisioningError) -> Bool? {
        guard let value = object[key] else { return nil }
        guard let bool = value.bool else { throw error(key, value.string ?? value.kind, accepted: "true or false") }
        return bool
    }

    /// One of the names of an enumeration.
    func choice<Choice: CaseIterable & RawRepresentable<String>>(
        _ key: String, _ type: Choice.Type = Choice.self
    ) throws(ProvisioningError) -> Choice? {
        guard let text = try string(key, accepted: acceptedNames(type)) else { return nil }
        guard let choice = Choice(rawValue: text) else { throw error(key, text, accepted: acceptedNames(type)) }
        return choice
    }

    func strings(_ key: String) throws(ProvisioningError) -> [String] {
        guard let value = object[key] else { return [] }
        guard let values = value.array else { throw error(key, value.kind, accepted: "a list of texts") }
        var strings: [String] = []
        for (index, value) in values.enumerated() {
            guard let string = value.string else { throw error("\(key)[\(index)]", value.kind, accepted: "a text") }
            strings.append(string)
        }
        return strings
    }

    func nested(_ key: String, accepting keys: [String]) throws(ProvisioningError) -> StrictObject? {
        guard let value = object[key] else { return nil }
        guard let nested = value.object else { throw error(key, value.kind, accepted: "an object") }
        return try StrictObject(
            document: document, file: file, path: path.member(key), object: nested, accepting: keys)
    }

    func list(_ key: String, accepting keys: [String]) throws(ProvisioningError) -> [StrictObject]? {
        guard let value = object[key] else { return nil }
        guard let values = value.array else { throw error(key, value.kind, accepted: "a list of objects") }
        var objects: [StrictObject] = []
        for (index, value) in values.enumerated() {
            guard let object = value.object else { throw error("\(key)[\(index)]", value.kind, accepted: "an object") }
            objects.append(
                try StrictObject(
                    document: document, file: file, path: path.member(key).element(index), object: object,
                    accepting: keys))
        }
        return objects
    }

    /// A file says for which version of its schema it was written.
    func checkVersion(_ version: Int) throws(ProvisioningError) {
        let accepted = "\(version)"
        guard let found = try integer("schema-version", accepted: accepted) else {
            throw missing("schema-version", accepted: accepted)
        }
        guard found == version else { throw error("schema-version", "\(found)", accepted: accepted) }
    }

    private static func refuseStaticPIN(
        in value: JSONValue, at path: JSONPath, _ document: JSONDocument, _ file: String
    ) throws(ProvisioningError) {
        switch value {
        case .object(let object):
            for (name, value) in object.members {
                let path = path.member(name)
                if StaticPIN.isNamed(by: name) {
                    // Not the value: it may be in use somewhere.
                    throw ProvisioningError(
                        file: file, line: document.line(of: path), field: "\(path)", found: StaticPIN.refusal,
                        accepted: nil)
                }
                try refuseStaticPIN(in: value, at: path, document, file)
            }
        case .array(let values):
            for (index, value) in values.enumerated() {
                try refuseStaticPIN(in: value, at: path.element(index), document, file)
            }
        default: break
        }
    }
}

/// The names of an enumeration, as an error or the documentation lists them.
func acceptedNames<Choice: CaseIterable & RawRepresentable<String>>(_ type: Choice.Type) -> String {
    "one of " + type.allCases.map(\.rawValue).joined(separator: ", ")
}

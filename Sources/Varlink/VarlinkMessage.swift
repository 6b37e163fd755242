package import JSONText

/// A method call as it is sent.
package struct VarlinkRequest: Equatable, Sendable {
    /// Fully qualified: interface, dot, method.
    package var method: String
    package var parameters: JSONObject
    /// The caller takes any number of replies, each but the last marked `continues`.
    package var wantsMore: Bool
    /// The caller wants no reply at all.
    package var isOneway: Bool

    /// Nesting and size of what a stranger's message may cost; `octets` is the framer's business.
    static let limits = JSONLimits(octets: .max, depth: 16, values: 4096)

    package init(method: String, parameters: JSONObject = [:], wantsMore: Bool = false, isOneway: Bool = false) {
        self.method = method
        self.parameters = parameters
        self.wantsMore = wantsMore
        self.isOneway = isOneway
    }

    /// Nil when the message is no call; fields of later protocol versions are ignored.
    package init?(_ message: [UInt8]) {
        guard let object = (try? JSONParser.value(message, limits: Self.limits))?.object,
            let method = object["method"]?.string
        else { return nil }
        self.method = method
        switch object["parameters"] {
        case nil, .null: parameters = [:]
        case .object(let given): parameters = given
        default: return nil
        }
        guard let more = Self.flag(object["more"]), let oneway = Self.flag(object["oneway"]), !(more && oneway),
            Self.flag(object["upgrade"]) == false
        else { return nil }
        wantsMore = more
        isOneway = oneway
    }

    private static func flag(_ value: JSONValue?) -> Bool? {
        switch value {
        case nil, .null: false
        case .bool(let flag): flag
        default: nil
        }
    }

    /// The message with its NUL.
    package var octets: [UInt8] {
        var object: JSONObject = ["method": .string(method), "parameters": .object(parameters)]
        if wantsMore { object["more"] = true }
        if isOneway { object["oneway"] = true }
        return Array(JSONValue.object(object).text.utf8) + [0]
    }
}

/// A reply as it is sent.
package enum VarlinkReply: Equatable, Sendable {
    case success(JSONObject, continues: Bool)
    case failure(VarlinkFault)

    /// Nil when the message is no reply.
    package init?(_ message: [UInt8], limits: JSONLimits) {
        guard let object = (try? JSONParser.value(message, limits: limits))?.object else { return nil }
        let parameters: JSONObject
        switch object["parameters"] {
        case nil, .null: parameters = [:]
        case .object(let given): parameters = given
        default: return nil
        }
        switch object["error"] {
        case nil, .null: self = .success(parameters, continues: object["continues"]?.bool ?? false)
        case .string(let name): self = .failure(VarlinkFault(name: name, parameters: parameters))
        default: return nil
        }
    }

    /// The message with its NUL.
    package var octets: [UInt8] {
        var object = JSONObject()
        switch self {
        case .success(let parameters, let continues):
            object["parameters"] = .object(parameters)
            if continues { object["continues"] = true }
        case .failure(let fault):
            object["error"] = .string(fault.name)
            object["parameters"] = .object(fault.parameters)
        }
        return Array(JSONValue.object(object).text.utf8) + [0]
    }
}

/// An error that an interface declares.
package struct VarlinkFault: Error, Equatable, Sendable, CustomStringConvertible {
    /// Fully qualified.
    package let name: String
    package let parameters: JSONObject

    package init(name: String, parameters: JSONObject = [:]) {
        self.name = name
        self.parameters = parameters
    }

    package var description: String {
        let details = parameters.members.map { "\($0.name)=\($0.value.string ?? $0.value.text)" }
        return ([name] + details).joined(separator: " ")
    }

    // The errors every service may give (org.varlink.service).
    package static func interfaceNotFound(_ interface: String) -> Self {
        Self(name: "org.varlink.service.InterfaceNotFound", parameters: ["interface": .string(interface)])
    }
    package static func methodNotFound(_ method: String) -> Self {
        Self(name: "org.varlink.service.MethodNotFound", parameters: ["method": .string(method)])
    }
    package static func invalidParameter(_ parameter: String) -> Self {
        Self(name: "org.varlink.service.InvalidParameter", parameters: ["parameter": .string(parameter)])
    }
    package static let permissionDenied = Self(name: "org.varlink.service.PermissionDenied")
    package static let expectedMore = Self(name: "org.varlink.service.ExpectedMore")
}

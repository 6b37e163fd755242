internal import CSystemd
internal import Glibc

/// Owns a reference to a message of sd-bus, which its own connection reads and writes.
final class BusMessage {
    /// Containers within containers: D-Bus itself allows 64.
    private static let depthLimit = 16
    /// Values of one message: all of bluetoothd's objects on a board are some hundreds.
    private static let valueLimit = 8192

    let raw: OpaquePointer
    private var read = 0

    /// Takes over the caller's reference.
    init(owning raw: OpaquePointer) { self.raw = raw }

    /// Adds a reference to one that sd-bus lends.
    init(lent raw: OpaquePointer) { self.raw = sd_bus_message_ref(raw) ?? raw }

    deinit { sd_bus_message_unref(raw) }

    var sender: String? { sd_bus_message_get_sender(raw).map { String(cString: $0) } }
    var path: String { sd_bus_message_get_path(raw).map { String(cString: $0) } ?? "" }
    var interface: String { sd_bus_message_get_interface(raw).map { String(cString: $0) } ?? "" }
    var member: String { sd_bus_message_get_member(raw).map { String(cString: $0) } ?? "" }

    /// The error that the message is, if it is one.
    var error: BusError? {
        guard let error = sd_bus_message_get_error(raw), let name = error.pointee.name else { return nil }
        return BusError(
            name: String(cString: name), text: error.pointee.message.map { String(cString: $0) } ?? "")
    }

    // MARK: Writing

    func append(_ values: [BusValue]) throws(SystemError) {
        for value in values { try append(value) }
    }

    private func append(_ value: BusValue) throws(SystemError) {
        switch value {
        case .bool(let value): try basic("b", value ? Int32(1) : 0)
        case .byte(let value): try basic("y", value)
        case .u16(let value): try basic("q", value)
        case .u32(let value): try basic("u", value)
        case .i32(let value): try basic("i", value)
        case .u64(let value): try basic("t", value)
        case .string(let text): try append(text, "s")
        case .path(let text): try append(text, "o")
        case .octets(let octets):
            let code = octets.withUnsafeBytes {
                sd_bus_message_append_array(raw, Self.code("y"), $0.baseAddress, $0.count)
            }
            try systemdCall("sd_bus_message_append_array", code)
        case .array(let element, let elements):
            try container("a", element) { () throws(SystemError) in try append(elements) }
        case .dictionary(let key, let value, let entries):
            try container("a", "{" + key + value + "}") { () throws(SystemError) in
                for entry in entries {
                    try container("e", key + value) { () throws(SystemError) in
                        try append([entry.key, entry.value])
                    }
                }
            }
        case .structure(let members):
            try container("r", members.map(\.signature).joined()) { () throws(SystemError) in try append(members) }
        case .variant(let value):
            try container("v", value.signature) { () throws(SystemError) in try append(value) }
        case .other: throw SystemError(call: "sd_bus_message_append", code: EINVAL)
        }
    }

    private func basic<Value: FixedWidthInteger>(_ type: Unicode.Scalar, _ value: Value) throws(SystemError) {
        var value = value
        try systemdCall("sd_bus_message_append_basic", sd_bus_message_append_basic(raw, Self.code(type), &value))
    }

    private func append(_ text: String, _ type: Unicode.Scalar) throws(SystemError) {
        let code = text.withCString { sd_bus_message_append_basic(raw, Self.code(type), $0) }
        try systemdCall("sd_bus_message_append_basic", code)
    }

    private func container(
        _ type: Unicode.Scalar, _ contents: String, _ body: () throws(SystemError) -> Void
    ) throws(SystemError) {
        try systemdCall("sd_bus_message_open_container", sd_bus_message_open_container(raw, Self.code(type), contents))
        try body()
        try systemdCall("sd_bus_message_close_container", sd_bus_message_close_container(raw))
    }

    private static func code(_ scalar: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: scalar.value) }

    // MARK: Reading

    /// All that the message carries.
    func values() throws(SystemError) -> [BusValue] {
        read = 0
        return try rest(depth: 0)
    }

    private func rest(depth: Int) throws(SystemError) -> [BusValue] {
        guard depth < Self.depthLimit else { throw SystemError(call: "D-Bus message", code: ELOOP) }
        var values: [BusValue] = []
        while let value = try next(depth: depth) {
            values.append(value)
            read += 1
            guard read < Self.valueLimit else { throw SystemError(call: "D-Bus message", code: EMSGSIZE) }
        }
        return values
    }

    private func next(depth: Int) throws(SystemError) -> BusValue? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard try systemdCall("sd_bus_message_peek_type", sd_bus_message_peek_type(raw, &type, &contents)) > 0 else {
            return nil
        }
        let inner = contents.map { String(cString: $0) } ?? ""
        switch Unicode.Scalar(UInt8(bitPattern: type)) {
        case "b": return .bool(try number(type, Int32(0)) != 0)
        case "y": return .byte(try number(type, UInt8(0)))
        case "q": return .u16(try number(type, UInt16(0)))
        case "u": return .u32(try number(type, UInt32(0)))
        case "i": return .i32(try number(type, Int32(0)))
        case "t": return .u64(try number(type, UInt64(0)))
        case "s": return .string(try text(type))
        case "o": return .path(try text(type))
        case "a" where inner == "y": return .octets(try octets())
        case "a" where inner.hasPrefix("{"): return try dictionary(type, inner, depth)
        case "a": return .array(of: inner, try entered(type, inner, depth))
        case "r": return .structure(try entered(type, inner, depth))
        case "v": return .variant(try entered(type, inner, depth).first ?? .other)
        default:
            try systemdCall("sd_bus_message_skip", sd_bus_message_skip(raw, nil))
            return .other
        }
    }

    private func number<Value: FixedWidthInteger>(_ type: CChar, _ zero: Value) throws(SystemError) -> Value {
        var value = zero
        try systemdCall("sd_bus_message_read_basic", sd_bus_message_read_basic(raw, type, &value))
        return value
    }

    private func text(_ type: CChar) throws(SystemError) -> String {
        var text: UnsafePointer<CChar>?
        try systemdCall("sd_bus_message_read_basic", sd_bus_message_read_basic(raw, type, &text))
        return text.map { String(cString: $0) } ?? ""
    }

    private func octets() throws(SystemError) -> [UInt8] {
        var start: UnsafeRawPointer?
        var count = 0
        try systemdCall("sd_bus_message_read_array", sd_bus_message_read_array(raw, Self.code("y"), &start, &count))
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    private func entered(_ type: CChar, _ contents: String, _ depth: Int) throws(SystemError) -> [BusValue] {
        try systemdCall("sd_bus_message_enter_container", sd_bus_message_enter_container(raw, type, contents))
        let values = try rest(depth: depth + 1)
        try systemdCall("sd_bus_message_exit_container", sd_bus_message_exit_container(raw))
        return values
    }

    private func dictionary(_ type: CChar, _ contents: String, _ depth: Int) throws(SystemError) -> BusValue {
        let inner = String(contents.dropFirst().dropLast())
        var entries: [BusEntry] = []
        try systemdCall("sd_bus_message_enter_container", sd_bus_message_enter_container(raw, type, contents))
        let entry = Self.code("e")
        while try systemdCall("sd_bus_message_enter_container", sd_bus_message_enter_container(raw, entry, inner)) > 0 {
            let pair = try rest(depth: depth + 1)
            if pair.count == 2 { entries.append(BusEntry(pair[0], pair[1])) }
            try systemdCall("sd_bus_message_exit_container", sd_bus_message_exit_container(raw))
        }
        try systemdCall("sd_bus_message_exit_container", sd_bus_message_exit_container(raw))
        return .dictionary(key: String(inner.prefix(1)), value: String(inner.dropFirst()), entries)
    }
}

import Cryptography
import Foundation
import NANFrames
import NANSecurity
import Octets
import TestVectors
import Testing

/// The published and captured numbers of Tests/TestVectors/nan-vectors.json.
struct Vectors: Decodable, Sendable {
    private enum Value: Decodable, Sendable {
        case text(String)
        case number(Int)
        case object([String: Value])
        case list([Value])
        case nothing

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .nothing
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let number = try? container.decode(Int.self) {
                self = .number(number)
            } else if let list = try? container.decode([Value].self) {
                self = .list(list)
            } else {
                self = .object(try container.decode([String: Value].self))
            }
        }
    }

    private let root: Value

    init(from decoder: any Decoder) throws { root = try Value(from: decoder) }

    private init(_ root: Value) { self.root = root }

    static func load() throws -> Vectors {
        try JSONDecoder().decode(Vectors.self, from: TestVectors.data())
    }

    /// The object below `keys`.
    subscript(_ keys: String...) -> Vectors {
        get throws {
            var value = root
            for key in keys {
                guard case .object(let members) = value else { throw Missing(key: key) }
                value = try #require(members[key], "no vector \(key)")
            }
            return Vectors(value)
        }
    }

    var keys: [String] {
        guard case .object(let members) = root else { return [] }
        return members.keys.sorted()
    }

    var list: [Vectors] {
        guard case .list(let members) = root else { return [] }
        return members.map(Vectors.init)
    }

    func text(_ key: String) throws -> String {
        guard case .object(let members) = root, case .text(let text)? = members[key] else { throw Missing(key: key) }
        return text
    }

    func number(_ key: String) throws -> Int {
        guard case .object(let members) = root, case .number(let number)? = members[key] else {
            throw Missing(key: key)
        }
        return number
    }

    func octets(_ key: String) throws -> [UInt8] { try #require([UInt8](hex: text(key)), "\(key) is no hex") }
    func secret(_ key: String) throws -> SecretKey { SecretKey(copying: try octets(key)) }
    func nmi(_ key: String) throws -> NMI { NMI(try address(key)) }
    func ndi(_ key: String) throws -> NDI { NDI(try address(key)) }

    func address(_ key: String) throws -> MACAddress {
        var reader = ByteReader(try octets(key))
        return try MACAddress(from: &reader)
    }

    /// The body of a whole frame, which starts with a 24-octet header.
    func body(_ key: String) throws -> [UInt8] { Array(try octets(key).dropFirst(24)) }

    struct Missing: Error {
        let key: String
    }
}

extension SecretKey {
    var revealed: [UInt8] { withOctets { Array($0) } }
}

import Cryptography
import Foundation
import NANFrames
import NANSecurity
import Octets
import TestVectors
import Testing

/// Transcripts of Tests/TestVectors/nan-vectors.json, which says where they come from.
struct PairingVectors {
    struct Missing: Error {
        let path: String
    }

    private let texts: [String: String]

    init() throws {
        var texts: [String: String] = [:]
        func flatten(_ value: Any, _ path: String) {
            if let members = value as? [String: Any] {
                for (key, member) in members { flatten(member, path.isEmpty ? key : "\(path)|\(key)") }
            } else if let text = value as? String {
                texts[path] = text
            }
        }
        flatten(try JSONSerialization.jsonObject(with: TestVectors.data()), "")
        self.texts = texts
    }

    func octets(_ path: String) throws -> [UInt8] {
        guard let text = texts[path], let octets = [UInt8](hex: text) else { throw Missing(path: path) }
        return octets
    }

    func secret(_ path: String) throws -> SecretKey { SecretKey(copying: try octets(path)) }

    func has(_ path: String) -> Bool { texts[path] != nil }

    /// The body behind a frame's 24-octet header.
    func body(_ path: String) throws -> [UInt8] { Array(try octets(path).dropFirst(24)) }

    func attribute(_ octets: [UInt8]) throws -> Attribute {
        let list = try AttributeList.decode(octets)
        return try #require(list.attributes.first)
    }

    func bootstrapping(_ octets: [UInt8]) throws -> PairingBootstrapping {
        guard case .pairingBootstrapping(let value) = try attribute(octets) else { throw Missing(path: "NPBA") }
        return value
    }

    func sharedKey(_ octets: [UInt8]) throws -> SharedKeyDescriptor {
        guard case .sharedKeyDescriptor(let value) = try attribute(octets) else { throw Missing(path: "SKDA") }
        return value
    }

    /// The SKDA of a captured follow-up.
    func sharedKey(inFollowUp path: String) throws -> SharedKeyDescriptor {
        let frame = try NANFrame.decode(body(path))
        return try #require(frame.attributes.sharedKeyDescriptor)
    }
}

import Dot11Frames
import Foundation
import NANFrames
import Octets
import TestVectors
import Testing

/// Frames of `nan-vectors.json`, header included, found by walking the whole file.
struct FrameVector: Sendable, CustomTestStringConvertible {
    let name: String
    let octets: [UInt8]
    var testDescription: String { name }

    var header: ManagementHeader? { try? ManagementHeader(octets: Array(octets.prefix(24)), "header") }
    var body: [UInt8] { Array(octets.dropFirst(24)) }

    static let all: [FrameVector] = {
        guard let data = try? TestVectors.data(), let root = try? JSONSerialization.jsonObject(with: data)
        else { return [] }
        var found: [FrameVector] = []
        collect(root, "", &found)
        return found.sorted { $0.name < $1.name }
    }()

    static let actions = all.filter { $0.octets[0] == 0xD0 }
    static let authentications = all.filter { $0.octets[0] == 0xB0 }

    static func named(_ name: String) throws -> FrameVector { try #require(all.first { $0.name == name }) }

    private static func collect(_ value: Any, _ path: String, _ found: inout [FrameVector]) {
        if let dictionary = value as? [String: Any] {
            for (key, child) in dictionary { collect(child, path.isEmpty ? key : "\(path)/\(key)", &found) }
        } else if let array = value as? [Any] {
            for (index, child) in array.enumerated() { collect(child, "\(path)/\(index)", &found) }
        } else if let text = value as? String, text.count > 80, let octets = [UInt8](hex: text),
            [0xD0, 0xB0].contains(octets[0]), [0x00, 0x40].contains(octets[1]), octets[2] == 0, octets[3] == 0
        {
            found.append(FrameVector(name: path, octets: octets))
        }
    }
}

func bytes(_ hex: String) throws -> [UInt8] { try #require([UInt8](hex: hex)) }

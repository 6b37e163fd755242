internal import NANFrames
internal import Octets

/// What a frame is, for the debug log: kind, length and attribute ids; neither addresses nor content.
struct FrameSummary: Equatable {
    let kind: String
    let octets: Int
    let isProtected: Bool
    /// In hexadecimal, in order.
    let attributes: [String]

    private static let headerLength = 24

    init(_ frame: [UInt8]) {
        octets = frame.count
        isProtected = frame.count > 1 && frame[1] & 0x40 != 0
        let body = Array(frame.dropFirst(Self.headerLength))
        switch frame.first {
        case 0xB0:
            // Algorithm and sequence number: which of PASN's three frames it is.
            kind = body.count >= 4 ? "authentication-\(UInt16(body[2]) | UInt16(body[3]) << 8)" : "authentication"
            attributes = []
        case 0xD0:
            guard let decoded = try? NANFrame.decodeTolerantly(body).0 else {
                kind = "action"
                attributes = []
                return
            }
            switch decoded {
            case .serviceDiscovery: kind = "SDF"
            case .action(let naf): kind = "NAF-\(naf.subtype.rawValue)"
            }
            attributes = decoded.attributes.attributes.map { attribute in
                let id = attribute.id.rawValue
                return (id < 16 ? "0" : "") + String(id, radix: 16)
            }
        default:
            kind = "other"
            attributes = []
        }
    }

    var fields: [(StaticString, String)] {
        var fields: [(StaticString, String)] = [("frame", kind), ("octets", "\(octets)")]
        if isProtected { fields.append(("protected", "yes")) }
        if !attributes.isEmpty { fields.append(("attributes", attributes.joined(separator: ","))) }
        return fields
    }
}

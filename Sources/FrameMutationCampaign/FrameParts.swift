internal import Dot11Frames
internal import NANFrames
internal import Octets

/// A frame taken apart far enough to be put together wrongly: header, fixed fields, attributes, elements.
///
/// Lengths are kept beside the bodies, so that a part can claim another length than it has.
struct FrameParts {
    struct Part {
        var id: UInt8
        var claimedLength: Int
        var body: [UInt8]

        init(id: UInt8, body: [UInt8]) {
            self.id = id
            self.body = body
            claimedLength = body.count
        }
    }

    var header: [UInt8]
    /// Category, OUI and type of an action frame; algorithm, sequence and status of an authentication frame.
    var fixed: [UInt8]
    /// Of an authentication frame.
    var elements: [Part]
    /// Of an action frame, or of the NAN element of an authentication frame.
    var attributes: [Part]
    let isAuthentication: Bool

    /// Nil when the frame is not one of NAN's, or broken.
    init?(_ frame: [UInt8]) {
        guard frame.count > ManagementHeader.length + 6 else { return nil }
        header = Array(frame.prefix(ManagementHeader.length))
        let body = Array(frame.dropFirst(ManagementHeader.length))
        isAuthentication = frame[0] == UInt8(ManagementHeader.FrameControl.authentication.rawValue)
        if isAuthentication {
            fixed = Array(body.prefix(6))
            guard let elements = Self.split(Array(body.dropFirst(6)), lengthOctets: 1) else { return nil }
            self.elements = elements
            let nan = elements.first { Self.isNAN($0) }
            attributes = nan.flatMap { Self.split(Array($0.body.dropFirst(4)), lengthOctets: 2) } ?? []
        } else {
            let fixedLength = body[5] == 0x18 ? NAF.attributesOffset : NAF.attributesOffset - 1
            fixed = Array(body.prefix(fixedLength))
            elements = []
            guard let attributes = Self.split(Array(body.dropFirst(fixedLength)), lengthOctets: 2) else { return nil }
            self.attributes = attributes
        }
    }

    private static func isNAN(_ element: Part) -> Bool {
        element.id == ElementID.vendor.rawValue && element.body.starts(with: [0x50, 0x6F, 0x9A, NANElement.type])
    }

    private static func split(_ octets: [UInt8], lengthOctets: Int) -> [Part]? {
        var parts: [Part] = []
        var at = 0
        while at < octets.count {
            guard at + 1 + lengthOctets <= octets.count else { return nil }
            let high = lengthOctets == 2 ? Int(octets[at + 2]) << 8 : 0
            let start = at + 1 + lengthOctets
            let end = start + (Int(octets[at + 1]) | high)
            guard end <= octets.count else { return nil }
            parts.append(Part(id: octets[at], body: Array(octets[start..<end])))
            at = end
        }
        return parts
    }

    /// The frame again, with every claimed length as it is claimed.
    var octets: [UInt8] {
        guard isAuthentication else { return header + fixed + Self.join(attributes, lengthOctets: 2) }
        let joined = elements.map { element -> Part in
            guard Self.isNAN(element), !attributes.isEmpty else { return element }
            let lie = element.claimedLength - element.body.count
            var again = Part(id: element.id, body: element.body.prefix(4) + Self.join(attributes, lengthOctets: 2))
            again.claimedLength += lie
            return again
        }
        return header + fixed + Self.join(joined, lengthOctets: 1)
    }

    private static func join(_ parts: [Part], lengthOctets: Int) -> [UInt8] {
        var octets: [UInt8] = []
        for part in parts {
            octets.append(part.id)
            octets.append(UInt8(truncatingIfNeeded: part.claimedLength))
            if lengthOctets == 2 { octets.append(UInt8(truncatingIfNeeded: part.claimedLength >> 8)) }
            octets += part.body
        }
        return octets
    }
}

internal import Dot11Frames
internal import NANFrames
internal import Octets

/// Makes frames that are almost right: takes them apart, changes a little, puts them together again.
struct FrameMutator {
    private var entropy: Entropy
    /// Frames of this and earlier encounters, whole, of both directions.
    private var pool: [[UInt8]] = []
    private static let poolLimit = 512

    init(entropy: Entropy) { self.entropy = entropy }

    /// Keeps a frame that was really sent, in place of a random one when the pool is full.
    mutating func keep(_ frame: [UInt8]) {
        if pool.count < Self.poolLimit {
            pool.append(frame)
        } else {
            pool[below(pool.count)] = frame
        }
    }

    /// A frame for `station` from `peer`: the given one or another, changed or only out of its place.
    mutating func frame(
        after original: [UInt8]?, from peer: MACAddress, to station: MACAddress, cluster: MACAddress
    ) -> [UInt8] {
        let replays = original == nil || below(4) == 0
        guard var frame = replays && !pool.isEmpty ? pool[below(pool.count)] : original else { return [] }
        if replays {
            let isGroup = frame[4] & 1 == 1
            frame.replaceSubrange(
                4..<22, with: (isGroup ? Array(frame[4..<10]) : station.encoded) + peer.encoded + cluster.encoded)
            if below(2) == 0 { return frame }
        }
        for _ in 0...below(3) { frame = changed(frame) }
        return frame
    }

    private mutating func changed(_ frame: [UInt8]) -> [UInt8] {
        guard below(12) != 0, var parts = FrameParts(frame) else { return spoiled(frame) }
        if parts.isAuthentication, below(2) == 0 {
            if below(16) == 0 { changeWrappedData(&parts) } else { change(&parts.elements, others: \.elements) }
            // A changed NAN element is itself again only as an element.
            if below(2) == 0 { parts.attributes = [] }
        } else if below(12) == 0 {
            parts.fixed[below(parts.fixed.count)] = interesting()
        } else if below(16) == 0 {
            changeHeader(&parts)
        } else if below(12) == 0 {
            changeDataPath(&parts)
        } else {
            change(&parts.attributes, others: \.attributes)
        }
        return parts.octets
    }

    private mutating func change(_ parts: inout [FrameParts.Part], others: KeyPath<FrameParts, [FrameParts.Part]>) {
        guard !parts.isEmpty else { return }
        let at = below(parts.count)
        switch below(14) {
        case 0: parts.remove(at: at)
        case 1: parts.insert(parts[at], at: below(parts.count + 1))
        case 2: parts.swapAt(at, below(parts.count))
        case 3: parts[at].body.removeLast(below(parts[at].body.count + 1))
        case 4: parts[at].body += octets(1 + below(8))
        case 5: parts[at].claimedLength += below(9) - 4
        case 6: parts[at].id = UInt8(below(256))
        case 7: parts += Array(repeating: FrameParts.Part(id: parts[at].id, body: [0]), count: 130)
        case 8, 9:
            // The same kind of part from another frame, or any.
            let found = pool.isEmpty ? nil : FrameParts(pool[below(pool.count)])?[keyPath: others]
            guard let other = found?.first(where: { $0.id == parts[at].id }) ?? found?.randomElement(using: &entropy)
            else { return }
            parts[at] = other
        default:
            guard !parts[at].body.isEmpty else { return }
            let octet = below(parts[at].body.count)
            parts[at].body[octet] = below(2) == 0 ? parts[at].body[octet] ^ 1 << UInt8(below(8)) : interesting()
        }
        // The lengths agree again, but for the one change that is about them.
        for index in parts.indices where abs(parts[index].claimedLength - parts[index].body.count) > 4 {
            parts[index].claimedLength = parts[index].body.count
        }
    }

    /// What one bit of an NDP attribute decides before any MIC does; and the peer's data address as the sender in clear.
    private mutating func changeDataPath(_ parts: inout FrameParts) {
        let ids = [AttributeID.ndp.rawValue, AttributeID.ndpExtension.rawValue]
        // Token, type and status, reason, initiator's NDI, NDP ID, control; what is optional follows.
        let (initiatorNDI, control) = (3, 10)
        guard let at = parts.attributes.firstIndex(where: { ids.contains($0.id) && $0.body.count > control }) else {
            return
        }
        var body = parts.attributes[at].body
        let (publishIDPresent, responderNDIPresent): (UInt8, UInt8) = (1 << 3, 1 << 4)
        let responderNDI = control + (body[control] & publishIDPresent != 0 ? 2 : 1)
        let hasResponderNDI = body[control] & responderNDIPresent != 0 && body.count >= responderNDI + 6
        switch below(4) {
        case 0: body[control] ^= NDP.Control.securityPresent.rawValue
        case 1 where hasResponderNDI: body[responderNDI] |= 1
        case 2 where hasResponderNDI:
            body[control] ^= responderNDIPresent
            body.removeSubrange(responderNDI..<responderNDI + 6)
        default:
            let ndi = hasResponderNDI && below(2) == 0 ? responderNDI : initiatorNDI
            parts.header.replaceSubrange(10..<16, with: body[ndi..<ndi + 6])
            parts.header[1] &= ~0x40
            if !parts.isAuthentication { parts.fixed[0] = ActionCategory.publicAction.rawValue }
        }
        parts.attributes[at] = FrameParts.Part(id: parts.attributes[at].id, body: body)
    }

    /// The fields in front of SAE's numbers: algorithm, sequence, status and group, in frame 2 after a length.
    private mutating func changeWrappedData(_ parts: inout FrameParts) {
        let wrapped = parts.elements.firstIndex { element in
            element.id == ElementID.wrappedData.rawValue && element.body.first == ElementID.wrappedData.ext
        }
        guard let wrapped, parts.elements[wrapped].body.count > 12 else { return }
        parts.elements[wrapped].body[1 + below(10)] ^= 1 << UInt8(below(8))
    }

    /// Another sender, a group address, or the other protection.
    private mutating func changeHeader(_ parts: inout FrameParts) {
        switch below(7) {
        case 0: parts.header.replaceSubrange(10..<16, with: [0x02] + octets(5))
        case 1: parts.header.replaceSubrange(10..<16, with: parts.header[4..<10])
        case 2: parts.header.replaceSubrange(4..<10, with: [0x51, 0x6F, 0x9A, 0x01, 0x00, 0x00])
        case 3: parts.header[1] ^= 0x40
        case 4: parts.header[0] ^= 0x60
        case 5 where !parts.isAuthentication:
            parts.header[1] ^= 0x40
            parts.fixed[0] ^= ActionCategory.publicAction.rawValue ^ ActionCategory.protectedDual.rawValue
        default: parts.header[10] |= 1
        }
    }

    /// Without regard for structure: cut, lengthened, flipped.
    private mutating func spoiled(_ frame: [UInt8]) -> [UInt8] {
        guard !frame.isEmpty else { return frame }
        switch below(4) {
        case 0: return Array(frame.prefix(below(frame.count)))
        case 1: return frame + octets(1 + below(64))
        case 2: return below(8) == 0 ? frame + octets(NANFrame.maximumLength) : frame + [0, 0]
        default:
            var spoiled = frame
            for _ in 0...below(4) { spoiled[below(spoiled.count)] ^= 1 << UInt8(below(8)) }
            return spoiled
        }
    }

    private mutating func interesting() -> UInt8 {
        let values: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF]
        return below(2) == 0 ? values[below(values.count)] : UInt8(below(256))
    }

    mutating func octets(_ count: Int) -> [UInt8] { entropy.octets(count) }

    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<max(1, limit), using: &entropy) }
}

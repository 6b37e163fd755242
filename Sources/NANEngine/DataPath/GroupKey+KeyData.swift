internal import Cryptography
internal import NANSecurity
internal import Ports

extension GroupKey {
    /// As a KDE: number, for management and beacon keys the packet number, key (reference 2.13).
    var element: KeyData.Element {
        let number = [UInt8(truncatingIfNeeded: keyID), UInt8(truncatingIfNeeded: keyID >> 8)]
        switch kind {
        case .gtk: return .init(.gtk, SecretKey(concatenating: [SecretKey(copying: number), key]))
        case .igtk: return .init(.igtk, SecretKey(concatenating: [SecretKey(copying: number + packetNumber), key]))
        case .bigtk: return .init(.bigtk, SecretKey(concatenating: [SecretKey(copying: number + packetNumber), key]))
        }
    }

    /// The group keys among a message's KDEs; nil when one has a length or number that it cannot have.
    ///
    /// `rsc` is the key descriptor's: a GTK's packet number stands there.
    static func all(in data: KeyData, rsc: [UInt8]) -> [GroupKey]? {
        var keys: [GroupKey] = []
        for element in data.elements {
            let content = element.content
            let kind: Kind
            let prefix: Int
            let numbers: ClosedRange<UInt16>
            switch element.selector {
            case .gtk: (kind, prefix, numbers) = (.gtk, 2, 1...2)
            case .igtk: (kind, prefix, numbers) = (.igtk, 8, 4...5)
            case .bigtk: (kind, prefix, numbers) = (.bigtk, 8, 6...7)
            default: continue
            }
            guard [prefix + 16, prefix + 32].contains(content.count) else { return nil }
            let head = content.withOctets { Array($0[..<prefix]) }
            // A GTK's number has two bits; bit 2 says that it is not for transmitting.
            let number = kind == .gtk ? UInt16(head[0] & 0x03) : UInt16(head[0]) | UInt16(head[1]) << 8
            guard numbers.contains(number), keys.count < maximumCount else { return nil }
            let packetNumber = kind == .gtk ? Array(rsc.prefix(6)) : Array(head[2...])
            keys.append(
                GroupKey(kind, keyID: number, packetNumber: packetNumber, key: content.part(prefix..<content.count)))
        }
        return keys
    }

    /// One of each kind is what a handshake carries; two during a change of keys.
    private static let maximumCount = 6
}

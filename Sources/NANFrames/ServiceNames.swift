internal import Octets

/// Vendor, model and pairing name as generic service protocol TLVs.
///
/// They travel in clear while a pairing window is open, and in a subscriber's bootstrapping request. The TLV ids that
/// phones use for them are not publicly known: these are ours, in one place, to be replaced by data once they are.
package struct ServiceNames: Equatable, Sendable {
    package enum TLVID {
        package static let vendor: UInt8 = 0xF0
        package static let model: UInt8 = 0xF1
        package static let name: UInt8 = 0xF2
    }

    /// Octets of each at most, as in the one public implementation.
    package static let maximumLength = 15

    package var vendor: String?
    package var model: String?
    package var name: String?

    package init(vendor: String? = nil, model: String? = nil, name: String? = nil) {
        self.vendor = vendor
        self.model = model
        self.name = name
    }

    /// The names among the TLVs; one that is too long, or not text, is left out.
    package init(in info: GenericServiceInfo) {
        for case .unknown(let id, let octets) in info.tlvs {
            guard (1...Self.maximumLength).contains(octets.count) else { continue }
            let text = String(decoding: octets, as: UTF8.self)
            guard Array(text.utf8) == octets,
                text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
            else { continue }
            switch id {
            case TLVID.vendor: vendor = text
            case TLVID.model: model = text
            case TLVID.name: name = text
            default: break
            }
        }
    }

    /// Their TLVs; a name that is too long is cut at a character.
    package var tlvs: [GenericServiceInfo.TLV] {
        [(TLVID.vendor, vendor), (TLVID.model, model), (TLVID.name, name)].compactMap { id, text in
            text.map { .unknown(id, Self.cut($0)) }
        }
    }

    private static func cut(_ text: String) -> [UInt8] {
        var text = text
        while text.utf8.count > maximumLength { text.removeLast() }
        return Array(text.utf8)
    }
}

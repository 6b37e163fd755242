internal import Dot11Frames
internal import NANFrames
internal import Octets

/// What our codec makes of one frame in clear: strictly decoded, encoded anew, and named as tshark names it.
struct Listing {
    var attributes: [Part] = []
    var elements: [Part] = []
    /// Values in front of the first attribute or element.
    var values: [NamedValue] = []

    /// Reads an action or authentication frame with its 802.11 header.
    init(_ frame: [UInt8]) throws(WireError) {
        var reader = ByteReader(frame)
        let header = try ManagementHeader(from: &reader)
        values += [
            NamedValue("wlan.da", header.destination.encoded),
            NamedValue("wlan.sa", header.source.encoded),
            NamedValue("wlan.bssid", header.bssid.encoded),
            NamedValue("wlan.frag", header.sequenceControl & 0x0F),
            NamedValue("wlan.seq", header.sequenceControl >> 4),
        ]
        switch header.frameControl.kind {
        case .action: list(try NANFrame.decode(reader.rest()))
        case .authentication: try list(try AuthenticationBody(from: &reader))
        default: throw .invalid(field: "frame control", offset: 0, value: UInt64(header.frameControl.rawValue))
        }
    }

    var json: String {
        let attributes = attributes.map { $0.json(isElement: false) }.joined(separator: ",")
        let elements = elements.map { $0.json(isElement: true) }.joined(separator: ",")
        let values = values.map(\.json).joined(separator: ",")
        return "{\"attributes\":[\(attributes)],\"elements\":[\(elements)],\"values\":[\(values)]}"
    }

    private mutating func list(_ frame: NANFrame) {
        values.append(NamedValue("wlan.fixed.category_code", frame.category.rawValue))
        switch frame {
        case .serviceDiscovery: values.append(NamedValue("wlan.tag.oui.wfa_subtype", 0x13))
        case .action(let naf):
            values.append(NamedValue("wlan.tag.oui.wfa_subtype", 0x18))
            values.append(NamedValue("wifi_nan.action.subtype", naf.subtype.rawValue))
        }
        attributes = frame.attributes.attributes.map(Part.init)
    }

    private mutating func list(_ body: AuthenticationBody) throws(WireError) {
        values += [
            NamedValue("wlan.fixed.auth.alg", body.algorithm.rawValue),
            NamedValue("wlan.fixed.auth_seq", body.sequence),
            NamedValue("wlan.fixed.status_code", body.status.rawValue),
        ]
        for element in body.elements { elements.append(try Part(element, in: body)) }
        if let nan = try NANElement(in: body) { attributes = nan.attributes.attributes.map(Part.init) }
    }
}

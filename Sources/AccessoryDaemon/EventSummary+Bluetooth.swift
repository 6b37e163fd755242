internal import Ports

extension EventSummary {
    /// Sizes and links, never octets: they have addresses in them, and keys.
    static func bluetooth(_ event: BluetoothEvent) -> Self? {
        func told(_ name: String, _ fields: [(StaticString, String)] = []) -> Self { Self("bluetooth", name, fields) }
        switch event {
        case .managementOpened: return told("management opened")
        case .managementFailed(let failure): return told("management failed", [("text", failure.text)])
        case .managementReceived(let octets, _): return told("management event", code(octets))
        case .attributesServed(let server): return told("attributes served", [("by", server.rawValue)])
        case .attributesFailed(let failure): return told("attributes failed", [("text", failure.text)])
        case .attConnected(let link, _, let mtu):
            return told("link up", [("link", "\(link.rawValue)"), ("mtu", "\(mtu)")])
        case .attSecured(let link, let security):
            return told("link secured", [("link", "\(link.rawValue)"), ("level", "\(security.rawValue)")])
        case .attConnectFailed(_, let failure): return told("link failed", [("text", failure.text)])
        case .attReceived(let link, let octets):
            return told("received", [("link", "\(link.rawValue)"), ("octets", "\(octets.count)")])
        case .attClosed(let link): return told("link closed", [("link", "\(link.rawValue)")])
        }
    }

    static func bluetooth(_ effect: BluetoothEffect) -> Self {
        func asked(_ name: String, _ fields: [(StaticString, String)] = []) -> Self {
            Self("bluetooth", "do: \(name)", fields)
        }
        switch effect {
        case .openManagement: return asked("open management")
        case .managementSend(let octets, _): return asked("management command", code(octets))
        case .serveAttributes(let services): return asked("serve attributes", [("services", "\(services.count)")])
        case .attSend(let link, let octets):
            return asked("send", [("link", "\(link.rawValue)"), ("octets", "\(octets.count)")])
        case .attDisconnect(let link): return asked("disconnect", [("link", "\(link.rawValue)")])
        case .attConnect: return asked("connect")
        case .close: return asked("close")
        }
    }

    /// Of a management packet, its code and its length.
    private static func code(_ octets: [UInt8]) -> [(StaticString, String)] {
        guard octets.count >= 2 else { return [] }
        let code = UInt16(octets[0]) | UInt16(octets[1]) << 8
        return [("code", "0x" + String(code, radix: 16)), ("octets", "\(octets.count)")]
    }
}

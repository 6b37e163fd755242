internal import Octets

/// The SDP that lets any player receive a stream of ours (RFC 8866, RFC 6184 8.2.1, RFC 4585 4).
package struct SessionDescription: Equatable, Sendable {
    package enum Address: Equatable, Sendable {
        case ipv4(String)
        case ipv6(String)
    }

    package var address: Address
    package var port: UInt16
    package var payloadType: UInt8
    package var name: String
    /// Without them a player waits for those in the stream.
    package var sequenceParameterSet: [UInt8]?
    package var pictureParameterSet: [UInt8]?

    package init(
        address: Address, port: UInt16, payloadType: UInt8 = 96, name: String, sequenceParameterSet: [UInt8]? = nil,
        pictureParameterSet: [UInt8]? = nil
    ) {
        self.address = address
        self.port = port
        self.payloadType = payloadType
        self.name = name
        self.sequenceParameterSet = sequenceParameterSet
        self.pictureParameterSet = pictureParameterSet
    }

    package var text: String {
        let connection =
            switch address {
            case .ipv4(let text): "IN IP4 \(text)"
            case .ipv6(let text): "IN IP6 \(text)"
            }
        var format = "packetization-mode=1"
        if let sps = sequenceParameterSet, let pps = pictureParameterSet, sps.count >= 4 {
            let profile = sps[1...3].map { Self.hexadecimal($0) }.joined()
            format += ";profile-level-id=\(profile);sprop-parameter-sets=\(sps.base64),\(pps.base64)"
        }
        let lines = [
            "v=0", "o=- 0 0 \(connection)", "s=\(name)", "c=\(connection)", "t=0 0",
            "m=video \(port) RTP/AVPF \(payloadType)", "a=rtcp-mux", "a=rtpmap:\(payloadType) H264/90000",
            "a=fmtp:\(payloadType) \(format)", "a=rtcp-fb:\(payloadType) nack", "a=rtcp-fb:\(payloadType) nack pli",
            "a=recvonly",
        ]
        return lines.map { $0 + "\r\n" }.joined()
    }

    private static func hexadecimal(_ octet: UInt8) -> String {
        let text = String(octet, radix: 16, uppercase: true)
        return text.utf8.count == 1 ? "0" + text : text
    }
}

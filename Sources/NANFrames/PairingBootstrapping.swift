package import Octets

/// NAN Pairing Bootstrapping attribute, NPBA (Wi-Fi Aware v4.0, Table 128).
///
/// Every octet survives a round trip: each side repeats in PASN the request it sent or accepted.
package struct PairingBootstrapping: WireCodable {
    /// Type and status, which share an octet, with the fields that only this combination has.
    package enum Message: Equatable, Sendable {
        case advertise
        case request
        /// The request again, when the responder has asked to come back with this cookie.
        case comebackRequest(Cookie)
        case accept
        case reject
        /// Neither yes nor no: ask again after that many time units, with this cookie.
        case comeback(afterTimeUnits: UInt16, Cookie)
    }

    /// What a responder recognises a returning request by; at most 255 octets.
    package struct Cookie: Equatable, Sendable {
        package let octets: [UInt8]
        package init(_ octets: [UInt8]) {
            precondition(octets.count <= 255, "an NPBA cookie has an 8-bit length")
            self.octets = octets
        }
    }

    /// The initiator's choice, repeated in the response; 0 in an advertisement and nowhere else.
    package let dialogToken: DialogToken
    package let message: Message
    package let reason: ReasonCode
    package let methods: BootstrappingMethods
    /// Octets that a later revision appended.
    package let tail: [UInt8]

    package init(
        dialogToken: DialogToken, message: Message, reason: ReasonCode = .none, methods: BootstrappingMethods = []
    ) {
        self.dialogToken = dialogToken
        self.message = message
        self.reason = reason
        self.methods = methods
        tail = []
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        dialogToken = DialogToken(try reader.u8("NPBA dialog token"))
        let at = reader.offset
        let typeAndStatus = try reader.u8("NPBA type and status")
        reason = ReasonCode(rawValue: try reader.u8("NPBA reason"))
        message =
            switch typeAndStatus {
            case 0x00: .advertise
            case 0x01: .request
            case 0x21: .comebackRequest(try Cookie(from: &reader))
            case 0x02: .accept
            case 0x12: .reject
            case 0x22: .comeback(afterTimeUnits: try reader.u16("NPBA comeback after"), try Cookie(from: &reader))
            default: throw .invalid(field: "NPBA type and status", offset: at, value: UInt64(typeAndStatus))
            }
        methods = BootstrappingMethods(rawValue: try reader.u16("NPBA methods"))
        tail = reader.rest()
    }

    package func encode(into writer: inout ByteWriter) {
        writer.u8(dialogToken.rawValue)
        writer.u8(message.typeAndStatus)
        writer.u8(reason.rawValue)
        switch message {
        case .advertise, .request, .accept, .reject: break
        case .comebackRequest(let cookie): cookie.encode(into: &writer)
        case .comeback(let timeUnits, let cookie):
            writer.u16(timeUnits)
            cookie.encode(into: &writer)
        }
        writer.u16(methods.rawValue)
        writer.octets(tail)
    }
}

extension PairingBootstrapping.Message {
    /// Bits 0…3 type: advertise, request, response; bits 4…7 status: accepted, rejected, comeback.
    fileprivate var typeAndStatus: UInt8 {
        switch self {
        case .advertise: 0x00
        case .request: 0x01
        case .comebackRequest: 0x21
        case .accept: 0x02
        case .reject: 0x12
        case .comeback: 0x22
        }
    }
}

extension PairingBootstrapping.Cookie: WireCodable {
    package init(from reader: inout ByteReader) throws(WireError) {
        let count = Int(try reader.u8("NPBA cookie length"))
        octets = try reader.octets(count, "NPBA cookie")
    }

    package func encode(into writer: inout ByteWriter) {
        writer.u8(UInt8(octets.count))
        writer.octets(octets)
    }
}

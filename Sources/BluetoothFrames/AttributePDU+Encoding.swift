internal import Octets

extension AttributePDU {
    /// The PDU, opcode first.
    package var octets: [UInt8] {
        var writer = ByteWriter()
        writer.u8(opcode)
        encode(into: &writer)
        return writer.bytes
    }

    private func encode(into writer: inout ByteWriter) {
        switch self {
        case .errorResponse(let request, let handle, let error):
            writer.u8(request)
            writer.u16(handle)
            writer.u8(error.rawValue)
        case .exchangeMTURequest(let mtu), .exchangeMTUResponse(let mtu): writer.u16(mtu)
        case .findInformationRequest(let range): range.encode(into: &writer)
        case .findInformationResponse(let attributes):
            // Format 1 has 16-bit types, 2 has 128-bit ones; a list has one of them.
            let areShort = attributes.first?.type.short != nil
            writer.u8(areShort ? 1 : 2)
            for attribute in attributes where (attribute.type.short != nil) == areShort {
                writer.u16(attribute.handle)
                writer.octets(attribute.type.octets)
            }
        case .findByTypeValueRequest(let range, let type, let value):
            range.encode(into: &writer)
            writer.u16(type)
            writer.octets(value)
        case .findByTypeValueResponse(let ranges): for range in ranges { range.encode(into: &writer) }
        case .readByTypeRequest(let range, let type), .readByGroupTypeRequest(let range, let type):
            range.encode(into: &writer)
            writer.octets(type.octets)
        case .readByTypeResponse(let values):
            let length = values.first?.value.count ?? 0
            writer.u8(UInt8(clamping: 2 + length))
            for value in values where value.value.count == length {
                writer.u16(value.handle)
                writer.octets(value.value)
            }
        case .readByGroupTypeResponse(let groups):
            let length = groups.first?.value.count ?? 0
            writer.u8(UInt8(clamping: 4 + length))
            for group in groups where group.value.count == length {
                group.range.encode(into: &writer)
                writer.octets(group.value)
            }
        case .readRequest(let handle): writer.u16(handle)
        case .readResponse(let value), .readBlobResponse(let value), .readMultipleResponse(let value):
            writer.octets(value)
        case .readBlobRequest(let handle, let offset):
            writer.u16(handle)
            writer.u16(offset)
        case .readMultipleRequest(let handles): for handle in handles { writer.u16(handle) }
        case .writeRequest(let handle, let value), .writeCommand(let handle, let value),
            .notification(let handle, let value), .indication(let handle, let value):
            writer.u16(handle)
            writer.octets(value)
        case .prepareWriteRequest(let handle, let offset, let value),
            .prepareWriteResponse(let handle, let offset, let value):
            writer.u16(handle)
            writer.u16(offset)
            writer.octets(value)
        case .executeWriteRequest(let isCommitted): writer.u8(isCommitted ? 1 : 0)
        case .writeResponse, .executeWriteResponse, .confirmation, .other: break
        }
    }
}

extension HandleRange {
    func encode(into writer: inout ByteWriter) {
        writer.u16(first)
        writer.u16(last)
    }

    init(from reader: inout ByteReader) throws(WireError) {
        first = try reader.u16("first handle")
        last = try reader.u16("last handle")
    }
}

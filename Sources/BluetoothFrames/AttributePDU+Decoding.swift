package import Octets

extension AttributePDU {
    /// Reads a whole PDU; its length bounds every list in it.
    package init(octets: [UInt8]) throws(WireError) {
        var reader = ByteReader(octets)
        self = try Self.body(try reader.u8("ATT opcode"), &reader)
        try reader.finish("ATT PDU")
    }

    private static func body(_ opcode: UInt8, _ reader: inout ByteReader) throws(WireError) -> Self {
        switch opcode {
        case 0x01:
            let request = try reader.u8("request opcode")
            let handle = try reader.u16("handle")
            return .errorResponse(
                request: request, handle: handle, AttributeErrorCode(try reader.u8("error code")))
        case 0x02: return .exchangeMTURequest(try reader.u16("MTU"))
        case 0x03: return .exchangeMTUResponse(try reader.u16("MTU"))
        case 0x04: return .findInformationRequest(try HandleRange(from: &reader))
        case 0x05: return .findInformationResponse(try types(&reader))
        case 0x06:
            let range = try HandleRange(from: &reader)
            let type = try reader.u16("attribute type")
            return .findByTypeValueRequest(range, type: type, value: reader.rest())
        case 0x07:
            var ranges: [HandleRange] = []
            repeat { ranges.append(try HandleRange(from: &reader)) } while reader.remaining > 0
            return .findByTypeValueResponse(ranges)
        case 0x08:
            let range = try HandleRange(from: &reader)
            return .readByTypeRequest(range, try uuid(&reader))
        case 0x09: return .readByTypeResponse(try values(&reader))
        case 0x0A: return .readRequest(try reader.u16("handle"))
        case 0x0B: return .readResponse(reader.rest())
        case 0x0C:
            let handle = try reader.u16("handle")
            return .readBlobRequest(handle, offset: try reader.u16("offset"))
        case 0x0D: return .readBlobResponse(reader.rest())
        case 0x0E:
            var handles = [try reader.u16("handle"), try reader.u16("handle")]
            while reader.remaining > 0 { handles.append(try reader.u16("handle")) }
            return .readMultipleRequest(handles)
        case 0x0F: return .readMultipleResponse(reader.rest())
        case 0x10:
            let range = try HandleRange(from: &reader)
            return .readByGroupTypeRequest(range, try uuid(&reader))
        case 0x11: return .readByGroupTypeResponse(try groups(&reader))
        default: return try written(opcode, &reader)
        }
    }

    private static func written(_ opcode: UInt8, _ reader: inout ByteReader) throws(WireError) -> Self {
        switch opcode {
        case 0x12: return .writeRequest(try reader.u16("handle"), reader.rest())
        case 0x13: return .writeResponse
        case 0x16:
            let handle = try reader.u16("handle")
            return .prepareWriteRequest(handle, offset: try reader.u16("offset"), reader.rest())
        case 0x17:
            let handle = try reader.u16("handle")
            return .prepareWriteResponse(handle, offset: try reader.u16("offset"), reader.rest())
        case 0x18:
            let at = reader.offset
            let flags = try reader.u8("execute flags")
            guard flags <= 1 else { throw .invalid(field: "execute flags", offset: at, value: UInt64(flags)) }
            return .executeWriteRequest(isCommitted: flags == 1)
        case 0x19: return .executeWriteResponse
        case 0x1B: return .notification(try reader.u16("handle"), reader.rest())
        case 0x1D: return .indication(try reader.u16("handle"), reader.rest())
        case 0x1E: return .confirmation
        case 0x52: return .writeCommand(try reader.u16("handle"), reader.rest())
        default:
            _ = reader.rest()
            return .other(opcode)
        }
    }

    private static func uuid(_ reader: inout ByteReader) throws(WireError) -> BluetoothUUID {
        try BluetoothUUID(from: &reader, count: reader.remaining, "attribute type")
    }

    private static func types(_ reader: inout ByteReader) throws(WireError) -> [AttributeType] {
        let at = reader.offset
        let format = try reader.u8("format")
        guard format == 1 || format == 2 else {
            throw .invalid(field: "format", offset: at, value: UInt64(format))
        }
        var types: [AttributeType] = []
        repeat {
            let handle = try reader.u16("handle")
            types.append(
                AttributeType(
                    handle: handle,
                    type: try BluetoothUUID(from: &reader, count: format == 1 ? 2 : 16, "attribute type")))
        } while reader.remaining > 0
        return types
    }

    private static func values(_ reader: inout ByteReader) throws(WireError) -> [AttributeValue] {
        let length = try entryLength(&reader, least: 2)
        var values: [AttributeValue] = []
        repeat {
            let handle = try reader.u16("handle")
            values.append(AttributeValue(handle: handle, value: try reader.octets(length - 2, "attribute value")))
        } while reader.remaining > 0
        return values
    }

    private static func groups(_ reader: inout ByteReader) throws(WireError) -> [AttributeGroup] {
        let length = try entryLength(&reader, least: 4)
        var groups: [AttributeGroup] = []
        repeat {
            let range = try HandleRange(from: &reader)
            groups.append(AttributeGroup(range: range, value: try reader.octets(length - 4, "attribute value")))
        } while reader.remaining > 0
        return groups
    }

    private static func entryLength(_ reader: inout ByteReader, least: Int) throws(WireError) -> Int {
        let at = reader.offset
        let length = Int(try reader.u8("entry length"))
        guard length >= least else {
            throw .invalid(field: "entry length", offset: at, value: UInt64(length))
        }
        return length
    }
}

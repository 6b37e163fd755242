internal import BluetoothFrames
internal import Octets

extension AttributeServer {
    /// What a PDU that changes nothing but the MTU and the prepared parts is answered with; nil for none.
    func answer(_ pdu: AttributePDU, _ bearer: inout AttributeBearer) -> AttributePDU? {
        switch pdu {
        case .exchangeMTURequest(let mtu):
            guard mtu >= 23 else { return Self.error(pdu.opcode, 0, .invalidPDU) }
            // Again is against the rules, and is answered with what holds.
            if !bearer.hasExchanged {
                bearer.hasExchanged = true
                bearer.mtu = max(23, min(Int(mtu), AttributeBearer.longestMTU))
            }
            return .exchangeMTUResponse(UInt16(AttributeBearer.longestMTU))
        case .findInformationRequest(let range): return findInformation(range, bearer)
        case .findByTypeValueRequest(let range, let type, let value):
            return findByTypeValue(range, type, value, bearer)
        case .readByTypeRequest(let range, let type): return readByType(range, type, bearer)
        case .readByGroupTypeRequest(let range, let type): return readByGroupType(range, type, bearer)
        case .readRequest(let handle):
            return read(pdu, handle, bearer) { value in .readResponse(Array(value.prefix(bearer.mtu - 1))) }
        case .readBlobRequest(let handle, let offset):
            return read(pdu, handle, bearer) { value in
                guard Int(offset) <= value.count else { return Self.error(pdu.opcode, handle, .invalidOffset) }
                return .readBlobResponse(Array(value.dropFirst(Int(offset)).prefix(bearer.mtu - 1)))
            }
        case .readMultipleRequest(let handles): return readMultiple(handles, bearer)
        case .prepareWriteRequest(let handle, let offset, let value):
            return prepare(pdu, handle, Int(offset), value, &bearer)
        default:
            // Confirmations, a server's PDUs and commands we do not know are let be; requests never are.
            return AttributePDU.isRequest(pdu.opcode) ? Self.error(pdu.opcode, 0, .requestNotSupported) : nil
        }
    }

    private func read(
        _ pdu: AttributePDU, _ handle: UInt16, _ bearer: AttributeBearer, _ answer: ([UInt8]) -> AttributePDU
    ) -> AttributePDU {
        do throws(AttributeErrorCode) { return answer(try value(of: handle, bearer)) } catch {
            return Self.error(pdu.opcode, handle, error)
        }
    }

    private func readMultiple(_ handles: [UInt16], _ bearer: AttributeBearer) -> AttributePDU {
        var octets: [UInt8] = []
        for handle in handles {
            do throws(AttributeErrorCode) { octets += try value(of: handle, bearer) } catch {
                return Self.error(0x0E, handle, error)
            }
        }
        return .readMultipleResponse(Array(octets.prefix(bearer.mtu - 1)))
    }

    private func findInformation(_ range: HandleRange, _ bearer: AttributeBearer) -> AttributePDU {
        guard range.isValid else { return Self.error(0x04, range.first, .invalidHandle) }
        var found: [AttributePDU.AttributeType] = []
        for attribute in database.attributes(in: range) {
            // One form of type in a response: the first one's (Vol 3, Part F, 3.4.3.2).
            let length = attribute.type.octets.count
            if let first = found.first, first.type.octets.count != length { break }
            guard 2 + (found.count + 1) * (2 + length) <= bearer.mtu else { break }
            found.append(.init(handle: attribute.handle, type: attribute.type))
        }
        return found.isEmpty ? Self.error(0x04, range.first, .attributeNotFound) : .findInformationResponse(found)
    }

    private func findByTypeValue(
        _ range: HandleRange, _ type: UInt16, _ value: [UInt8], _ bearer: AttributeBearer
    ) -> AttributePDU {
        guard range.isValid else { return Self.error(0x06, range.first, .invalidHandle) }
        // Only service declarations are groups; of other types the range of what is found is itself.
        let limit = (bearer.mtu - 1) / 4
        let found: [HandleRange] = database.attributes(in: range).filter { attribute in
            guard attribute.type == BluetoothUUID(type), case .fixed(let octets) = attribute.content else {
                return false
            }
            return octets == value
        }.prefix(limit).map { attribute in
            database.services.first { $0.range.first == attribute.handle }?.range
                ?? HandleRange(attribute.handle, attribute.handle)
        }
        return found.isEmpty ? Self.error(0x06, range.first, .attributeNotFound) : .findByTypeValueResponse(found)
    }

    private func readByType(_ range: HandleRange, _ type: BluetoothUUID, _ bearer: AttributeBearer) -> AttributePDU {
        guard range.isValid else { return Self.error(0x08, range.first, .invalidHandle) }
        var found: [AttributePDU.AttributeValue] = []
        for attribute in database.attributes(in: range) where attribute.type == type {
            let octets: [UInt8]
            do throws(AttributeErrorCode) { octets = try value(of: attribute.handle, bearer) } catch {
                // An error counts where it is the first (Vol 3, Part F, 3.4.4.1).
                if found.isEmpty { return Self.error(0x08, attribute.handle, error) }
                break
            }
            let part = Array(octets.prefix(min(bearer.mtu - 4, 253)))
            if let first = found.first, first.value.count != part.count { break }
            guard 2 + (found.count + 1) * (2 + part.count) <= bearer.mtu else { break }
            found.append(.init(handle: attribute.handle, value: part))
        }
        return found.isEmpty ? Self.error(0x08, range.first, .attributeNotFound) : .readByTypeResponse(found)
    }

    private func readByGroupType(
        _ range: HandleRange, _ type: BluetoothUUID, _ bearer: AttributeBearer
    ) -> AttributePDU {
        guard range.isValid else { return Self.error(0x10, range.first, .invalidHandle) }
        guard type == .primaryService || type == .secondaryService else {
            return Self.error(0x10, range.first, .unsupportedGroupType)
        }
        guard type == .primaryService else { return Self.error(0x10, range.first, .attributeNotFound) }
        var found: [AttributePDU.AttributeGroup] = []
        for service in database.services where range.contains(service.range.first) {
            let octets = service.uuid.octets
            if let first = found.first, first.value.count != octets.count { break }
            guard 2 + (found.count + 1) * (4 + octets.count) <= bearer.mtu else { break }
            found.append(.init(range: service.range, value: octets))
        }
        return found.isEmpty ? Self.error(0x10, range.first, .attributeNotFound) : .readByGroupTypeResponse(found)
    }

    private func prepare(
        _ pdu: AttributePDU, _ handle: UInt16, _ offset: Int, _ value: [UInt8], _ bearer: inout AttributeBearer
    ) -> AttributePDU {
        guard let attribute = database[handle] else { return Self.error(pdu.opcode, handle, .invalidHandle) }
        guard attribute.isWritable else { return Self.error(pdu.opcode, handle, .writeNotPermitted) }
        if let refusal = refusal(of: attribute, bearer) { return Self.error(pdu.opcode, handle, refusal) }
        guard bearer.prepared.count < AttributeBearer.preparedLimit else {
            return Self.error(pdu.opcode, handle, .prepareQueueFull)
        }
        bearer.prepared.append(.init(handle: handle, offset: offset, value: value))
        return .prepareWriteResponse(handle, offset: UInt16(clamping: offset), value)
    }
}

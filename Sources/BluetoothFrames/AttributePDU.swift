/// A PDU of the attribute protocol, either way (Core 5.4, Vol 3, Part F, 3.4).
package enum AttributePDU: Equatable, Sendable {
    case errorResponse(request: UInt8, handle: UInt16, AttributeErrorCode)
    case exchangeMTURequest(UInt16)
    case exchangeMTUResponse(UInt16)
    case findInformationRequest(HandleRange)
    case findInformationResponse([AttributeType])
    case findByTypeValueRequest(HandleRange, type: UInt16, value: [UInt8])
    case findByTypeValueResponse([HandleRange])
    case readByTypeRequest(HandleRange, BluetoothUUID)
    /// Of equal length.
    case readByTypeResponse([AttributeValue])
    case readRequest(UInt16)
    case readResponse([UInt8])
    case readBlobRequest(UInt16, offset: UInt16)
    case readBlobResponse([UInt8])
    case readMultipleRequest([UInt16])
    case readMultipleResponse([UInt8])
    case readByGroupTypeRequest(HandleRange, BluetoothUUID)
    /// Of equal length.
    case readByGroupTypeResponse([AttributeGroup])
    case writeRequest(UInt16, [UInt8])
    case writeResponse
    case writeCommand(UInt16, [UInt8])
    case prepareWriteRequest(UInt16, offset: UInt16, [UInt8])
    case prepareWriteResponse(UInt16, offset: UInt16, [UInt8])
    case executeWriteRequest(isCommitted: Bool)
    case executeWriteResponse
    case notification(UInt16, [UInt8])
    case indication(UInt16, [UInt8])
    case confirmation
    /// One that is not used here: its opcode says whether an answer is due.
    case other(UInt8)

    package struct AttributeType: Equatable, Sendable {
        package var handle: UInt16
        package var type: BluetoothUUID

        package init(handle: UInt16, type: BluetoothUUID) {
            self.handle = handle
            self.type = type
        }
    }

    package struct AttributeValue: Equatable, Sendable {
        package var handle: UInt16
        package var value: [UInt8]

        package init(handle: UInt16, value: [UInt8]) {
            self.handle = handle
            self.value = value
        }
    }

    package struct AttributeGroup: Equatable, Sendable {
        package var range: HandleRange
        package var value: [UInt8]

        package init(range: HandleRange, value: [UInt8]) {
            self.range = range
            self.value = value
        }
    }

    package var opcode: UInt8 {
        switch self {
        case .errorResponse: 0x01
        case .exchangeMTURequest: 0x02
        case .exchangeMTUResponse: 0x03
        case .findInformationRequest: 0x04
        case .findInformationResponse: 0x05
        case .findByTypeValueRequest: 0x06
        case .findByTypeValueResponse: 0x07
        case .readByTypeRequest: 0x08
        case .readByTypeResponse: 0x09
        case .readRequest: 0x0A
        case .readResponse: 0x0B
        case .readBlobRequest: 0x0C
        case .readBlobResponse: 0x0D
        case .readMultipleRequest: 0x0E
        case .readMultipleResponse: 0x0F
        case .readByGroupTypeRequest: 0x10
        case .readByGroupTypeResponse: 0x11
        case .writeRequest: 0x12
        case .writeResponse: 0x13
        case .prepareWriteRequest: 0x16
        case .prepareWriteResponse: 0x17
        case .executeWriteRequest: 0x18
        case .executeWriteResponse: 0x19
        case .notification: 0x1B
        case .indication: 0x1D
        case .confirmation: 0x1E
        case .writeCommand: 0x52
        case .other(let opcode): opcode
        }
    }

    /// What is expected after an opcode; of requests all, known here or not, are answered.
    package static func isRequest(_ opcode: UInt8) -> Bool {
        // b6 marks a command. Of the rest, clients send what is even: 0x1E, the confirmation, is no request either.
        opcode & 0x40 == 0 && opcode & 1 == 0 && opcode != 0x1E
    }
}

/// A span of attribute handles.
package struct HandleRange: Hashable, Sendable {
    package var first: UInt16
    package var last: UInt16

    package init(_ first: UInt16, _ last: UInt16) {
        self.first = first
        self.last = last
    }

    package static let all = HandleRange(1, 0xFFFF)

    /// Handle 0 names nothing, and an empty range is refused (Vol 3, Part F, 3.4.3.1).
    package var isValid: Bool { first != 0 && first <= last }
    package func contains(_ handle: UInt16) -> Bool { first <= handle && handle <= last }
}

internal import BluetoothFrames
internal import Octets
internal import Ports

/// A central's conversation with one accessory.
///
/// It exchanges MTUs, finds the characteristics it knows, reads each to its
/// end and subscribes to the state (Core 5.4, Vol 3, Part G, 4). One request at a time, as ATT has it.
struct AttributeClient: Sendable {
    enum Output: Equatable {
        case send([UInt8])
        /// What was read, complete.
        case read(BluetoothUUID, [UInt8])
        /// Everything has been read, and the state is subscribed to.
        case finished
        case notified([UInt8])
        case written(AttributeErrorCode?)
        case failed(String)
    }

    private enum State: Equatable {
        case exchanging
        case discovering(from: UInt16)
        case reading([Found], octets: [UInt8])
        case findingConfiguration(Found)
        case subscribing
        case idle
        case writing
        case failed
    }

    struct Found: Equatable, Sendable {
        var uuid: BluetoothUUID
        var handle: UInt16
        var properties: UInt8
    }

    /// What a response may take (Core 5.4, Vol 3, Part F, 3.3.3).
    static let answerTime: Duration = .seconds(30)
    /// Characteristics of one accessory that are kept; a server that has no end of them has no end of us.
    static let foundLimit = 64
    private static let mtu: UInt16 = 247

    static let wanted: [BluetoothUUID] = [
        .serialNumber, .manufacturerName, .modelNumber, .firmwareRevision, .nanServices, .accessoryState, .linkSummary,
    ]

    private var state = State.exchanging
    private var mtu = 23
    private var found: [Found] = []
    private(set) var deadline: MonotonicInstant?

    mutating func start(now: MonotonicInstant) -> [Output] { ask(.exchangeMTURequest(Self.mtu), now) }

    mutating func deadlineReached(_ now: MonotonicInstant) -> [Output] {
        guard let due = deadline, due <= now else { return [] }
        return fail("no answer")
    }

    mutating func write(_ value: [UInt8], to uuid: BluetoothUUID, now: MonotonicInstant) -> [Output] {
        guard state == .idle, let target = found.first(where: { $0.uuid == uuid }) else { return [] }
        state = .writing
        return ask(.writeRequest(target.handle, value), now)
    }

    mutating func received(_ octets: [UInt8], now: MonotonicInstant) -> [Output] {
        guard state != .failed else { return [] }
        guard let pdu = try? AttributePDU(octets: octets) else { return fail("a PDU that is none") }
        switch pdu {
        case .notification(let handle, let value):
            let isState = found.contains { $0.uuid == .accessoryState && $0.handle == handle }
            return isState ? [.notified(value)] : []
        case .indication: return [.send(AttributePDU.confirmation.octets)]
        default: break
        }
        if AttributePDU.isRequest(pdu.opcode) {
            return [.send(AttributeServer.error(pdu.opcode, 0, .requestNotSupported).octets)]
        }
        deadline = nil
        if case .errorResponse(_, _, let error) = pdu { return refused(error, now) }
        switch (state, pdu) {
        case (.exchanging, .exchangeMTUResponse(let theirs)):
            mtu = max(23, min(Int(theirs), Int(Self.mtu)))
            return discover(from: 1, now)
        case (.discovering(let from), .readByTypeResponse(let values)): return discovered(values, from, now)
        case (.reading(let left, let octets), .readResponse(let part)),
            (.reading(let left, let octets), .readBlobResponse(let part)):
            return readOn(left, octets + part, isLast: part.count < mtu - 1, now)
        case (.findingConfiguration(let state), .findInformationResponse(let types)):
            return subscribe(state, types, now)
        case (.subscribing, .writeResponse):
            state = .idle
            return [.finished]
        case (.writing, .writeResponse):
            state = .idle
            return [.written(nil)]
        default: return fail("an answer to something else")
        }
    }

    // MARK: Steps

    private mutating func ask(_ pdu: AttributePDU, _ now: MonotonicInstant) -> [Output] {
        deadline = now.advanced(by: Self.answerTime)
        return [.send(pdu.octets)]
    }

    private mutating func fail(_ reason: String) -> [Output] {
        state = .failed
        deadline = nil
        return [.failed(reason)]
    }

    private mutating func discover(from handle: UInt16, _ now: MonotonicInstant) -> [Output] {
        state = .discovering(from: handle)
        return ask(.readByTypeRequest(HandleRange(handle, 0xFFFF), .characteristic), now)
    }

    private mutating func discovered(
        _ values: [AttributePDU.AttributeValue], _ from: UInt16, _ now: MonotonicInstant
    ) -> [Output] {
        var last = from
        for value in values {
            guard value.handle >= last, value.value.count == 5 || value.value.count == 19 else {
                return fail("a characteristic that is none")
            }
            last = value.handle
            var reader = ByteReader(value.value)
            guard let properties = try? reader.u8("properties"), let handle = try? reader.u16("value handle"),
                let uuid = try? BluetoothUUID(from: &reader, count: reader.remaining, "characteristic")
            else { return fail("a characteristic that is none") }
            if found.count < Self.foundLimit { found.append(Found(uuid: uuid, handle: handle, properties: properties)) }
        }
        guard last < 0xFFFF, found.count < Self.foundLimit else { return readAll(now) }
        return discover(from: last + 1, now)
    }

    private mutating func readAll(_ now: MonotonicInstant) -> [Output] {
        let known = Self.wanted.compactMap { uuid in found.first { $0.uuid == uuid } }
        return read(known, now)
    }

    private mutating func read(_ left: [Found], _ now: MonotonicInstant) -> [Output] {
        guard let next = left.first else { return findConfiguration(now) }
        state = .reading(left, octets: [])
        return ask(.readRequest(next.handle), now)
    }

    private mutating func readOn(
        _ left: [Found], _ octets: [UInt8], isLast: Bool, _ now: MonotonicInstant
    ) -> [Output] {
        guard let current = left.first else { return fail("an answer to something else") }
        if isLast || octets.count >= AttributeDatabase.longestValue {
            return [.read(current.uuid, octets)] + read(Array(left.dropFirst()), now)
        }
        state = .reading(left, octets: octets)
        return ask(.readBlobRequest(current.handle, offset: UInt16(clamping: octets.count)), now)
    }

    private mutating func findConfiguration(_ now: MonotonicInstant) -> [Output] {
        guard
            let state = found.first(where: {
                $0.uuid == .accessoryState && $0.properties & AttributeDatabase.Property.notify != 0
            }), state.handle < 0xFFFF
        else {
            self.state = .idle
            return [.finished]
        }
        self.state = .findingConfiguration(state)
        // It follows its value, before the next declaration.
        let next = found.map(\.handle).filter { $0 > state.handle }.min().map { $0 - 2 } ?? 0xFFFF
        return ask(.findInformationRequest(HandleRange(state.handle + 1, max(next, state.handle + 1))), now)
    }

    private mutating func subscribe(
        _ state: Found, _ types: [AttributePDU.AttributeType], _ now: MonotonicInstant
    ) -> [Output] {
        guard let configuration = types.first(where: { $0.type == .clientConfiguration }) else {
            self.state = .idle
            return [.finished]
        }
        self.state = .subscribing
        return ask(.writeRequest(configuration.handle, [1, 0]), now)
    }

    private mutating func refused(_ error: AttributeErrorCode, _ now: MonotonicInstant) -> [Output] {
        switch state {
        case .exchanging where error == .requestNotSupported: return discover(from: 1, now)
        case .discovering where error == .attributeNotFound: return readAll(now)
        // The value had its end where the last part was full.
        case .reading(let left, let octets) where !octets.isEmpty: return readOn(left, octets, isLast: true, now)
        case .reading(let left, _): return read(Array(left.dropFirst()), now)
        case .findingConfiguration, .subscribing:
            state = .idle
            return [.finished]
        case .writing:
            state = .idle
            return [.written(error)]
        case .exchanging, .discovering, .idle, .failed: return fail("\(error)")
        }
    }
}

internal import BluetoothFrames
internal import Octets
internal import Ports

/// Answers centrals (Core 5.4, Vol 3, Parts F and G): several at once, each bounded, none at another's cost.
struct AttributeServer: Sendable {
    enum Output: Equatable {
        case send(BluetoothLinkID, [UInt8])
        case close(BluetoothLinkID, String)
        case wake
    }

    let database: AttributeDatabase
    let linkLimit: Int
    private(set) var bearers: [BluetoothLinkID: AttributeBearer] = [:]
    private(set) var state = BeaconState()
    var summary = LinkSummary()
    /// Centrals that have a key: what they lack is only that they use it.
    var bonded: Set<BluetoothAddress> = []

    init(_ database: AttributeDatabase, linkLimit: Int) {
        self.database = database
        self.linkLimit = linkLimit
    }

    var nextDeadline: MonotonicInstant? { bearers.values.compactMap(\.idleDeadline).min() }

    mutating func connected(
        _ link: BluetoothLinkID, _ peer: BluetoothAddress, mtu: Int, now: MonotonicInstant
    ) -> [Output] {
        guard bearers.count < linkLimit else { return [.close(link, "all links are in use")] }
        bearers[link] = AttributeBearer(peer: peer, mtu: mtu, now: now)
        return []
    }

    mutating func secured(_ link: BluetoothLinkID, _ security: BluetoothSecurity) {
        bearers[link]?.security = security
    }

    mutating func closed(_ link: BluetoothLinkID) { bearers[link] = nil }
    mutating func closeAll() { bearers = [:] }

    mutating func deadlineReached(_ now: MonotonicInstant) -> [Output] {
        let idle = bearers.filter { $0.value.idleDeadline.map { $0 <= now } == true }.keys
        for link in idle { bearers[link] = nil }
        return idle.sorted { $0.rawValue < $1.rawValue }.map { .close($0, "silent") }
    }

    /// Notifies whoever has subscribed, once for each change.
    mutating func set(_ new: BeaconState) -> [Output] {
        guard new != state else { return [] }
        state = new
        let pdu = AttributePDU.notification(database.stateHandle, [new.rawValue]).octets
        return bearers.filter { ($0.value.configuration[database.stateConfigurationHandle] ?? 0) & 1 == 1 }.keys
            .sorted { $0.rawValue < $1.rawValue }.map { .send($0, pdu) }
    }

    mutating func received(_ link: BluetoothLinkID, _ octets: [UInt8], now: MonotonicInstant) -> [Output] {
        guard var bearer = bearers[link], let opcode = octets.first else { return [] }
        guard bearer.admit(now) else {
            bearers[link] = nil
            return [.close(link, "too many requests")]
        }
        defer { if bearers[link] != nil { bearers[link] = bearer } }
        guard octets.count <= bearer.mtu, let pdu = try? AttributePDU(octets: octets) else {
            guard AttributePDU.isRequest(opcode) else { return [] }
            return [.send(link, Self.error(opcode, 0, .invalidPDU).octets)]
        }
        switch pdu {
        case .writeCommand(let handle, let value):
            // Nothing is said of a command that fails.
            guard let attribute = database[handle], attribute.content == .wake, value == [1],
                refusal(of: attribute, bearer) == nil
            else { return [] }
            return [.wake]
        case .writeRequest(let handle, let value): return write(link, &bearer, handle, value)
        case .executeWriteRequest(let isCommitted): return execute(link, &bearer, isCommitted)
        default:
            guard let answer = answer(pdu, &bearer) else { return [] }
            return [.send(link, answer.octets)]
        }
    }

    static func error(_ request: UInt8, _ handle: UInt16, _ code: AttributeErrorCode) -> AttributePDU {
        .errorResponse(request: request, handle: handle, code)
    }

    /// Why the link is not good enough for an attribute (Core 5.4, Vol 3, Part C, 10.3.1); nil when it is.
    func refusal(of attribute: AttributeDatabase.Attribute, _ bearer: AttributeBearer) -> AttributeErrorCode? {
        guard attribute.wantsBond, bearer.security < .secureConnections else { return nil }
        // With a key, and in clear all the same, it only has to be told to encrypt.
        let isInClear = bearer.security == .none && bonded.contains(bearer.peer)
        return isInClear ? .insufficientEncryption : .insufficientAuthentication
    }

    /// The value as it is now.
    func value(of handle: UInt16, _ bearer: AttributeBearer) throws(AttributeErrorCode) -> [UInt8] {
        guard let attribute = database[handle] else { throw .invalidHandle }
        guard attribute.isReadable else { throw .readNotPermitted }
        // A configuration is read by anybody (Vol 3, Part G, 3.3.3.3), and is its reader's own.
        if attribute.content != .configuration, let refusal = refusal(of: attribute, bearer) { throw refusal }
        switch attribute.content {
        case .fixed(let octets): return octets
        case .state: return [state.rawValue]
        case .summary:
            var summary = summary
            summary.state = state
            summary.links = UInt8(clamping: bearers.count)
            return summary.encoded
        case .wake: throw .readNotPermitted
        case .configuration:
            let bits = bearer.configuration[handle] ?? 0
            return [UInt8(truncatingIfNeeded: bits), UInt8(bits >> 8)]
        }
    }

    // MARK: Writing

    private mutating func write(
        _ link: BluetoothLinkID, _ bearer: inout AttributeBearer, _ handle: UInt16, _ value: [UInt8]
    ) -> [Output] {
        do throws(AttributeErrorCode) {
            let woken = try store(&bearer, handle, value)
            return [.send(link, AttributePDU.writeResponse.octets)] + woken
        } catch { return [.send(link, Self.error(0x12, handle, error).octets)] }
    }

    private func store(
        _ bearer: inout AttributeBearer, _ handle: UInt16, _ value: [UInt8]
    ) throws(AttributeErrorCode) -> [Output] {
        guard let attribute = database[handle] else { throw .invalidHandle }
        guard attribute.isWritable else { throw .writeNotPermitted }
        if let refusal = refusal(of: attribute, bearer) { throw refusal }
        switch attribute.content {
        case .configuration:
            guard value.count == 2 else { throw .invalidValueLength }
            let bits = UInt16(value[0]) | UInt16(value[1]) << 8
            // Notifications for the state, indications for Service Changed; anything else is meant for another server.
            let offered: UInt16 = handle == database.stateConfigurationHandle ? 1 : 2
            guard bits & ~offered == 0 else { throw .valueNotAllowed }
            bearer.configuration[handle] = bits
            return []
        case .wake:
            guard value.count == 1 else { throw .invalidValueLength }
            guard value == [1] else { throw .valueNotAllowed }
            return [.wake]
        case .fixed, .state, .summary: throw .writeNotPermitted
        }
    }

    /// Parts are put together at the end of each handle's value; the values here are short, so there is nothing to seek.
    private mutating func execute(
        _ link: BluetoothLinkID, _ bearer: inout AttributeBearer, _ isCommitted: Bool
    ) -> [Output] {
        let parts = bearer.prepared
        bearer.prepared = []
        var outputs: [Output] = []
        if isCommitted {
            var values: [(handle: UInt16, value: [UInt8])] = []
            for part in parts {
                if values.last?.handle != part.handle { values.append((part.handle, [])) }
                guard var last = values.popLast() else { continue }
                guard part.offset == last.value.count else {
                    return [.send(link, Self.error(0x18, part.handle, .invalidOffset).octets)]
                }
                last.value += part.value
                values.append(last)
            }
            for (handle, value) in values {
                do throws(AttributeErrorCode) { outputs += try store(&bearer, handle, value) } catch {
                    return [.send(link, Self.error(0x18, handle, error).octets)] + outputs
                }
            }
        }
        return [.send(link, AttributePDU.executeWriteResponse.octets)] + outputs
    }
}

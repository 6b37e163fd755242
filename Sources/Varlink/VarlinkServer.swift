package import JSONText
package import LinuxRuntime

/// The service's end of Varlink on a Unix socket: calls go up as values, replies come back by call.
///
/// It decides nothing but what the protocol decides. A malformed message, a message too long or a reader
/// too slow costs the connection it came on and nothing else.
package final class VarlinkServer {
    package enum Event: Equatable, Sendable {
        /// To be answered with `reply` or `fail`, now or later; on one connection calls come one at a time.
        case called(VarlinkCall)
        /// The caller of an unanswered call is gone; replies to it go nowhere.
        case cancelled(VarlinkCall.ID)
    }

    package struct Limits: Equatable, Sendable {
        /// Connections at once; for a further one, the longest idle is closed, or it is itself.
        package var connections = 16
        /// Octets a caller may have waiting here: our longest call is far below 1 KiB.
        package var inputOctets = 64 * 1024
        /// Octets that may wait for a slow reader: some dozens of snapshots.
        package var outputOctets = 512 * 1024

        package init() {}
    }

    package var onEvent: (Event) -> Void = { _ in }
    package let limits: Limits

    private let loop: EventLoop
    private let info: VarlinkServiceInfo
    private let interfaces: [InterfaceDescription]
    /// What a caller is told that is closed for want of room.
    private let busy: VarlinkFault?
    private let address: UnixAddress
    private let listener: FileDescriptor
    private var accepting: EventSource?
    private var retry: LoopTimer?
    private var connections: [UInt64: VarlinkConnection] = [:]
    private var nextConnection: UInt64 = 0
    private var nextCall: UInt64 = 0

    /// Octets read from one connection in one turn of the loop.
    private static let readSize = 16 * 1024

    /// Listens at once; `mode` says who may connect, by the rules of files.
    package init(
        at address: UnixAddress, mode: UInt32 = 0o660, on loop: EventLoop, info: VarlinkServiceInfo,
        interfaces: [InterfaceDescription], busy: VarlinkFault? = nil, limits: Limits = Limits()
    ) throws(SystemError) {
        listener = try UnixSocket.listen(at: address, mode: mode)
        self.address = address
        self.loop = loop
        self.info = info
        self.interfaces = interfaces
        self.busy = busy
        self.limits = limits
        accepting = try loop.watch(listener.raw) { [unowned self] in accept() }
        retry = try loop.timer { [unowned self] in accepting?.setEnabled(true) }
    }

    deinit {
        accepting = nil
        UnixSocket.remove(address)
    }

    /// Answers a call; `continues` announces a further reply and is for callers that want more.
    ///
    /// - Returns: false when nobody waits for it.
    @discardableResult
    package func reply(_ id: VarlinkCall.ID, _ parameters: JSONObject, continues: Bool = false) -> Bool {
        guard let (connection, call) = waiting(id) else { return false }
        let continues = continues && call.wantsMore
        if !call.isOneway { send(.success(parameters, continues: continues), on: connection) }
        if !continues { finish(connection) }
        return true
    }

    /// Ends a call with an error.
    @discardableResult
    package func fail(_ id: VarlinkCall.ID, _ fault: VarlinkFault) -> Bool {
        guard let (connection, call) = waiting(id) else { return false }
        if !call.isOneway { send(.failure(fault), on: connection) }
        finish(connection)
        return true
    }

    /// Octets that still wait for this call's reader; a source of chunks holds back by it.
    package func backlog(of id: VarlinkCall.ID) -> Int { connections[id.connection]?.backlog ?? 0 }
}

extension VarlinkServer {
    private func waiting(_ id: VarlinkCall.ID) -> (VarlinkConnection, VarlinkCall)? {
        guard let connection = connections[id.connection], !connection.isDoomed, let call = connection.call,
            call.id == id
        else { return nil }
        return (connection, call)
    }

    private func accept() {
        do throws(SystemError) {
            while let descriptor = try UnixSocket.accept(on: listener) {
                if connections.count >= limits.connections, !evictIdle() {
                    turnAway(descriptor)
                    continue
                }
                try add(descriptor)
            }
        } catch {
            // The newcomer is gone already, or there are no descriptors left. Those who are connected stay, and
            // the loop must not turn on a newcomer that cannot be taken.
            accepting?.setEnabled(false)
            retry?.arm(loop.now.advanced(by: .seconds(1)))
        }
    }

    private func add(_ descriptor: consuming FileDescriptor) throws(SystemError) {
        let number = nextConnection
        nextConnection += 1
        let caller = try UnixSocket.credentials(of: descriptor)
        let connection = VarlinkConnection(number: number, descriptor, caller: caller, inputLimit: limits.inputOctets)
        try connection.start(
            on: loop, readable: { [unowned self] in receive(number) }, writable: { [unowned self] in flush(number) })
        connections[number] = connection
    }

    /// Makes room; false when every connection is at work.
    private func evictIdle() -> Bool {
        guard let idle = connections.values.filter({ $0.call == nil }).min(by: { $0.lastUse < $1.lastUse }) else {
            return false
        }
        if let busy {
            do throws(SystemError) { try idle.send(VarlinkReply.failure(busy).octets) } catch {
                // It is gone already.
            }
        }
        drop(idle)
        return true
    }

    /// Says why, before the descriptor's end closes it; what the kernel does not take at once is not waited for.
    private func turnAway(_ descriptor: consuming FileDescriptor) {
        guard let busy else { return }
        do throws(SystemError) { _ = try descriptor.write(VarlinkReply.failure(busy).octets) } catch {
            // The newcomer is gone already.
        }
    }

    private func drop(_ connection: VarlinkConnection) {
        guard connections.removeValue(forKey: connection.number) != nil else { return }
        connection.close()
        if let call = connection.call { onEvent(.cancelled(call.id)) }
    }

    private func receive(_ number: UInt64) {
        guard let connection = connections[number] else { return }
        do throws(SystemError) {
            switch try connection.read(limit: Self.readSize) {
            case .nothing: return
            case .end: return drop(connection)
            case .octets(let octets):
                do throws(VarlinkFramer.TooLong) { try connection.framer.append(octets) } catch {
                    return drop(connection)
                }
                connection.lastUse = loop.now
                proceed(connection)
            }
        } catch { drop(connection) }
    }

    /// Takes up the next call, if the last one is answered.
    private func proceed(_ connection: VarlinkConnection) {
        guard connections[connection.number] === connection, !connection.isDoomed, connection.call == nil,
            let message = connection.framer.next()
        else { return }
        guard let request = VarlinkRequest(message) else { return drop(connection) }
        nextCall += 1
        let call = VarlinkCall(
            id: VarlinkCall.ID(connection: connection.number, call: nextCall), method: request.method,
            parameters: request.parameters, wantsMore: request.wantsMore, isOneway: request.isOneway,
            caller: connection.caller)
        connection.call = call
        do throws(VarlinkFault) {
            if let answer = try answer(call) {
                reply(call.id, answer)
            } else {
                onEvent(.called(call))
            }
        } catch { fail(call.id, error) }
    }

    private func finish(_ connection: VarlinkConnection) {
        connection.call = nil
        connection.lastUse = loop.now
        let number = connection.number
        // On a turn of its own: calls that wait are no recursion, and others get theirs in between.
        loop.post { [weak self] in
            guard let self, let connection = connections[number] else { return }
            proceed(connection)
        }
    }

    private func send(_ reply: VarlinkReply, on connection: VarlinkConnection) {
        do throws(SystemError) {
            try connection.send(reply.octets)
            if connection.backlog > limits.outputOctets { close(connection) }
        } catch { close(connection) }
    }

    /// As `drop`, on a turn of its own: the caller is in the midst of answering.
    private func close(_ connection: VarlinkConnection) {
        connection.isDoomed = true
        let number = connection.number
        loop.post { [weak self] in
            guard let self, let connection = connections[number] else { return }
            drop(connection)
        }
    }

    private func flush(_ number: UInt64) {
        guard let connection = connections[number] else { return }
        do throws(SystemError) { try connection.flush() } catch { drop(connection) }
    }

    /// The answer to a call of `org.varlink.service`; nil when the call is for the service itself.
    private func answer(_ call: VarlinkCall) throws(VarlinkFault) -> JSONObject? {
        guard let dot = call.method.lastIndex(of: ".") else { throw .interfaceNotFound(call.method) }
        let name = String(call.method[..<dot])
        switch call.method {
        case ServiceInterface.getInfo:
            guard call.parameters.isEmpty else { throw .invalidParameter(call.parameters.names[0]) }
            let names = [ServiceInterface.name] + interfaces.map(\.name)
            return [
                "vendor": .string(info.vendor), "product": .string(info.product), "version": .string(info.version),
                "url": .string(info.url), "interfaces": .array(names.map { .string($0) }),
            ]
        case ServiceInterface.getInterfaceDescription:
            guard let wanted = call.parameters["interface"]?.string else { throw .invalidParameter("interface") }
            if wanted == ServiceInterface.name { return ["description": .string(ServiceInterface.text)] }
            guard let interface = interfaces.first(where: { $0.name == wanted }) else {
                throw .interfaceNotFound(wanted)
            }
            return ["description": .string(interface.text)]
        default:
            if name == ServiceInterface.name { throw .methodNotFound(call.method) }
            guard let interface = interfaces.first(where: { $0.name == name }) else { throw .interfaceNotFound(name) }
            let method = String(call.method[call.method.index(after: dot)...])
            guard interface.methods[method] != nil else { throw .methodNotFound(call.method) }
            if let parameter = interface.fault(inInput: call.parameters, of: method) {
                throw .invalidParameter(parameter)
            }
            return nil
        }
    }
}

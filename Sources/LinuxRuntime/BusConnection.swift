internal import CSystemd

/// What another program on the bus, or the bus itself, refused with.
package struct BusError: Error, Equatable, Sendable, CustomStringConvertible {
    package var name: String
    package var text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }

    package var description: String { text.isEmpty ? name : "\(name): \(text)" }
}

/// Where a call goes.
package struct BusTarget: Equatable, Sendable {
    package var service: String
    package var path: String
    package var interface: String

    package init(service: String, path: String, interface: String) {
        self.service = service
        self.path = path
        self.interface = interface
    }
}

/// A signal that was subscribed to.
package struct BusSignal: Equatable, Sendable {
    package var sender: String?
    package var path: String
    package var member: String
    package var values: [BusValue]
}

/// Somebody who waits for an answer, once.
package protocol BusAsker: AnyObject {
    func answer(_ values: [BusValue])
    func refuse(_ error: BusError)
}

/// A method call on an object of ours; answer it once.
package final class BusCall: BusAsker {
    package let sender: String?
    package let path: String
    package let interface: String
    package let member: String
    package let arguments: [BusValue]
    private let message: BusMessage

    init(_ message: BusMessage) throws(SystemError) {
        self.message = message
        sender = message.sender
        path = message.path
        interface = message.interface
        member = message.member
        arguments = try message.values()
    }

    package func answer(_ values: [BusValue]) {
        var raw: OpaquePointer?
        guard sd_bus_message_new_method_return(message.raw, &raw) >= 0, let raw else { return }
        let reply = BusMessage(owning: raw)
        do throws(SystemError) { try reply.append(values) } catch {
            return refuse(BusError(name: "org.freedesktop.DBus.Error.Failed", text: "\(error)"))
        }
        // Fails when the connection has ended, and then nobody waits.
        sd_bus_message_send(reply.raw)
    }

    package func refuse(_ error: BusError) {
        error.name.withCString { name in
            error.text.withCString { text in
                var raw = sd_bus_error(name: name, message: text, _need_free: 0)
                sd_bus_reply_method_error(message.raw, &raw)
            }
        }
    }
}

/// A connection to the system's D-Bus, on a loop.
package final class BusConnection {
    /// How long a call may take: bluetoothd asks us things before it answers.
    private static let timeout: UInt64 = 10_000_000

    private final class Handler {
        let body: (BusMessage) -> Int32
        init(_ body: @escaping (BusMessage) -> Int32) { self.body = body }

        static func run(_ context: UnsafeMutableRawPointer?, _ raw: OpaquePointer?) -> Int32 {
            guard let context, let raw else { return 0 }
            let handler = Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue()
            return withExtendedLifetime(handler) { handler.body(BusMessage(lent: raw)) }
        }
    }

    private struct Registration {
        let slot: OpaquePointer
        let handler: Handler
    }

    private let raw: OpaquePointer
    private var registrations: [Registration] = []
    private var calls: [UInt64: Registration] = [:]
    private var lastCall: UInt64 = 0

    /// Opens the connection; what is sent waits until the bus has said hello.
    ///
    /// - Throws: `ENOENT` or `ECONNREFUSED` where no bus runs.
    package init(loop: EventLoop) throws(SystemError) {
        var opened: OpaquePointer?
        try systemdCall("sd_bus_open_system", sd_bus_open_system(&opened))
        guard let opened else { preconditionFailure("sd_bus_open_system made nothing") }
        raw = opened
        sd_bus_set_exit_on_disconnect(opened, 0)
        try systemdCall("sd_bus_attach_event", sd_bus_attach_event(opened, loop.rawEvent, 0))
    }

    deinit {
        for registration in registrations + Array(calls.values) { sd_bus_slot_unref(registration.slot) }
        sd_bus_detach_event(raw)
        sd_bus_flush_close_unref(raw)
    }

    /// Calls `handler` once, when the bus has gone.
    package func onEnd(_ handler: @escaping () -> Void) throws(SystemError) {
        try subscribe("type='signal',sender='org.freedesktop.DBus.Local',member='Disconnected'") { _ in handler() }
    }

    /// Calls `handler` for each signal that the rule matches, from when the bus has heard of the rule.
    package func subscribe(_ rule: String, _ handler: @escaping (BusSignal) -> Void) throws(SystemError) {
        let handler = Handler { message in
            do throws(SystemError) {
                let values = try message.values()
                handler(
                    BusSignal(sender: message.sender, path: message.path, member: message.member, values: values))
            } catch {}  // one that cannot be read is none
            return 0
        }
        try register("sd_bus_add_match_async", handler) { slot, context in
            sd_bus_add_match_async(
                raw, slot, rule, { message, context, _ in Handler.run(context, message) }, nil, context)
        }
    }

    /// Calls `handler` for each method call on `prefix` and what is below it; false of it says that there is no such
    /// method.
    package func serve(_ prefix: String, _ handler: @escaping (BusCall) -> Bool) throws(SystemError) {
        let handler = Handler { message in
            do throws(SystemError) { return handler(try BusCall(message)) ? 1 : 0 } catch { return -error.code }
        }
        try register("sd_bus_add_fallback", handler) { slot, context in
            sd_bus_add_fallback(raw, slot, prefix, { message, context, _ in Handler.run(context, message) }, context)
        }
    }

    private func register(
        _ name: StaticString, _ handler: Handler,
        _ body: (UnsafeMutablePointer<OpaquePointer?>, UnsafeMutableRawPointer) -> Int32
    ) throws(SystemError) {
        var slot: OpaquePointer?
        try systemdCall(name, body(&slot, Unmanaged.passUnretained(handler).toOpaque()))
        if let slot { registrations.append(Registration(slot: slot, handler: handler)) }
    }

    /// Calls a method; `reply` comes on a later turn of the loop, or never when this connection goes before.
    package func call(
        _ target: BusTarget, _ member: String, _ arguments: [BusValue] = [],
        _ reply: @escaping (Result<[BusValue], BusError>) -> Void
    ) throws(SystemError) {
        var made: OpaquePointer?
        try systemdCall(
            "sd_bus_message_new_method_call",
            sd_bus_message_new_method_call(raw, &made, target.service, target.path, target.interface, member))
        guard let made else { return }
        let message = BusMessage(owning: made)
        try message.append(arguments)
        lastCall += 1
        let number = lastCall
        let handler = Handler { [weak self] message in
            // The slot is in use until this has returned; the bus keeps it for that long.
            if let done = self?.calls.removeValue(forKey: number) { sd_bus_slot_unref(done.slot) }
            if let error = message.error {
                reply(.failure(error))
                return 0
            }
            do throws(SystemError) { reply(.success(try message.values())) } catch {
                reply(.failure(BusError(name: "org.freedesktop.DBus.Error.InconsistentMessage", text: "\(error)")))
            }
            return 0
        }
        var slot: OpaquePointer?
        try systemdCall(
            "sd_bus_call_async",
            sd_bus_call_async(
                raw, &slot, message.raw, { message, context, _ in Handler.run(context, message) },
                Unmanaged.passUnretained(handler).toOpaque(), Self.timeout))
        if let slot { calls[number] = Registration(slot: slot, handler: handler) }
    }

    /// Tells whoever listens.
    package func signal(
        path: String, interface: String, member: String, _ values: [BusValue]
    ) throws(SystemError) {
        var made: OpaquePointer?
        try systemdCall("sd_bus_message_new_signal", sd_bus_message_new_signal(raw, &made, path, interface, member))
        guard let made else { return }
        let message = BusMessage(owning: made)
        try message.append(values)
        try systemdCall("sd_bus_message_send", sd_bus_message_send(message.raw))
    }
}

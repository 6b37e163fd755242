/// A call of `io.awareaccessory.Control` with its parameters read.
package enum ControlCall: Equatable, Sendable {
    case status
    /// Answered now and after every change.
    case watch
    case openPairingWindow(seconds: Int?)
    case closePairingWindow
    case peers
    case forget(id: String)
    case forgetAll
    case send(id: String, text: String)
    /// To a file of the service's, or in chunks to the caller.
    case capture(path: String?, seconds: Int?)
    case report(connection: Int?, repeats: Bool)
    case stop

    package static let windowSeconds = 10...3600
    package static let captureSeconds = 1...86400
    /// Octets in UTF-8: what a follow-up frame has room for.
    package static let messageLengths = 1...255

    package init(_ call: VarlinkCall) throws(VarlinkFault) {
        let prefix = "\(ControlInterface.name)."
        guard call.method.hasPrefix(prefix),
            let method = ControlInterface.Method(rawValue: String(call.method.dropFirst(prefix.count)))
        else { throw .methodNotFound(call.method) }
        func integer(_ name: String, _ range: ClosedRange<Int>) throws(VarlinkFault) -> Int? {
            guard let value = call.parameters[name]?.integer else { return nil }
            guard let integer = Int(exactly: value), range.contains(integer) else { throw .invalidParameter(name) }
            return integer
        }
        switch method {
        case .status: self = .status
        case .watch:
            guard call.wantsMore else { throw .expectedMore }
            self = .watch
        case .openPairingWindow: self = .openPairingWindow(seconds: try integer("seconds", Self.windowSeconds))
        case .closePairingWindow: self = .closePairingWindow
        case .peers: self = .peers
        case .forget:
            switch (call.parameters["id"]?.string, call.parameters["all"]?.bool ?? false) {
            case (let id?, false): self = .forget(id: id)
            case (nil, true): self = .forgetAll
            case (nil, false): throw .invalidParameter("id")
            case (.some, true): throw .invalidParameter("all")
            }
        case .send:
            guard let id = call.parameters["id"]?.string else { throw .invalidParameter("id") }
            guard let text = call.parameters["text"]?.string, Self.messageLengths.contains(text.utf8.count) else {
                throw .invalidParameter("text")
            }
            self = .send(id: id, text: text)
        case .capture:
            let path = call.parameters["path"]?.string
            guard path != nil || call.wantsMore else { throw .expectedMore }
            if let path, !path.hasPrefix("/") || path.utf8.contains(0) { throw .invalidParameter("path") }
            self = .capture(path: path, seconds: try integer("seconds", Self.captureSeconds))
        case .report:
            self = .report(connection: try integer("connection", 0...Int(Int32.max)), repeats: call.wantsMore)
        case .stop: self = .stop
        }
    }
}

package import JSONText
package import LinuxRuntime

/// Why a call has no answer.
package enum VarlinkClientError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Nobody listens there, or not for us.
    case unreachable(path: String, SystemError)
    case refused(VarlinkFault)
    /// The service closed the connection, or died.
    case closed
    case timedOut
    case malformedReply

    package var description: String {
        switch self {
        case .unreachable(let path, let error): "cannot reach \(path): \(error)"
        case .refused(let fault): "\(fault)"
        case .closed: "the service closed the connection"
        case .timedOut: "the service does not answer"
        case .malformedReply: "the service's reply is malformed"
        }
    }
}

/// The caller's end of Varlink, for tools: it blocks.
package final class VarlinkClient {
    private let path: String
    private let descriptor: FileDescriptor
    private var framer = VarlinkFramer(limit: 16 * 1024 * 1024)

    /// A snapshot of a full house is a few hundred KiB; a service gone wrong must not fill the memory.
    private static let limits = JSONLimits(octets: 8 * 1024 * 1024, depth: 32, values: 500_000)
    package static let patience = Duration.seconds(10)

    package init(path: String) throws(VarlinkClientError) {
        self.path = path
        do throws(SystemError) { descriptor = try UnixSocket.connect(to: UnixAddress(path: path)) } catch {
            throw .unreachable(path: path, error)
        }
    }

    /// One call, one reply.
    package func call(
        _ method: String, _ parameters: JSONObject = [:], timeout: Duration? = patience
    ) throws(VarlinkClientError) -> JSONObject {
        try send(VarlinkRequest(method: method, parameters: parameters))
        return try reply(timeout).parameters
    }

    /// One call, any number of replies, until the last one or until `body` returns false.
    ///
    /// `timeout` is for each reply.
    package func stream(
        _ method: String, _ parameters: JSONObject = [:], timeout: Duration? = nil,
        _ body: (JSONObject) throws(VarlinkClientError) -> Bool
    ) throws(VarlinkClientError) {
        try send(VarlinkRequest(method: method, parameters: parameters, wantsMore: true))
        while true {
            let (parameters, continues) = try reply(timeout)
            guard try body(parameters), continues else { return }
        }
    }

    /// A call without reply.
    package func notify(_ method: String, _ parameters: JSONObject = [:]) throws(VarlinkClientError) {
        try send(VarlinkRequest(method: method, parameters: parameters, isOneway: true))
    }

    private func send(_ request: VarlinkRequest) throws(VarlinkClientError) {
        let octets = request.octets
        var sent = 0
        do throws(SystemError) {
            while sent < octets.count { sent += try descriptor.write(octets, from: sent) }
        } catch {
            // A service that turned us away has said why before it closed.
            guard error.isBrokenPipe else { throw .closed }
        }
    }

    private func reply(_ timeout: Duration?) throws(VarlinkClientError) -> (parameters: JSONObject, continues: Bool) {
        while true {
            if let message = framer.next() {
                switch VarlinkReply(message, limits: Self.limits) {
                case .success(let parameters, let continues)?: return (parameters, continues)
                case .failure(let fault)?: throw .refused(fault)
                case nil: throw .malformedReply
                }
            }
            switch try read(timeout) {
            case .nothing: continue
            case .end: throw .closed
            case .octets(let octets):
                do throws(VarlinkFramer.TooLong) { try framer.append(octets) } catch { throw .malformedReply }
            }
        }
    }

    private func read(_ timeout: Duration?) throws(VarlinkClientError) -> StreamRead {
        let isReadable: Bool
        do throws(SystemError) { isReadable = try descriptor.waitUntilReadable(timeout: timeout) } catch {
            throw .closed
        }
        guard isReadable else { throw .timedOut }
        do throws(SystemError) { return try descriptor.read(limit: 64 * 1024) } catch { throw .closed }
    }
}

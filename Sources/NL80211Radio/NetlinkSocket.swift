internal import CNetlinkShim
internal import Cryptography
internal import Glibc

/// One netlink socket, for one thread at a time.
final class NetlinkSocket {
    enum Kind: Int32 {
        case generic = 16
        case route = 0
    }

    /// How long a command may take: a radio that loads firmware takes seconds, one that hangs takes for ever.
    private static let timeout: Int32 = 10_000
    /// Datagrams taken in one turn of a loop, so that a flood does not stop it.
    private static let batch: Int32 = 64

    private let socket: OpaquePointer
    /// What arrived while a request waited and was not its reply.
    private var early: [NetlinkMessage] = []

    /// - Parameter receiveBuffer: octets; 0 leaves the system's default.
    init(_ kind: Kind, receiveBuffer: Int32 = 0) throws(NetlinkError) {
        var opened: OpaquePointer?
        let code = cnl_open(kind.rawValue, receiveBuffer, &opened)
        guard code == 0, let opened else { throw NetlinkError(command: "netlink socket", code: code) }
        socket = opened
    }

    deinit { cnl_close(socket) }

    var descriptor: Int32 { cnl_descriptor(socket) }

    /// A generic netlink family's number; nil when this kernel does not have it.
    func family(_ name: String) throws(NetlinkError) -> UInt16? {
        let number = cnl_family(socket, name)
        if number == -ENOENT { return nil }
        guard number >= 0 else { throw NetlinkError(command: "family \(name)", code: -number) }
        return UInt16(truncatingIfNeeded: number)
    }

    func join(_ group: String, of family: String) throws(NetlinkError) {
        let number = cnl_group(socket, family, group)
        guard number >= 0 else { throw NetlinkError(command: "group \(group)", code: -number) }
        try join(number)
    }

    func join(_ group: Int32) throws(NetlinkError) {
        let code = cnl_join(socket, group)
        guard code == 0 else { throw NetlinkError(command: "group \(group)", code: code) }
    }

    /// Sends a request and waits for its end.
    ///
    /// - Parameters:
    ///   - flags: NLM_F_ flags besides REQUEST and ACK.
    ///   - name: what errors call it.
    ///   - secret: what `message.secret` stands for.
    /// - Returns: the messages that answer it, but for the acknowledgement.
    @discardableResult
    func request(
        _ type: UInt16, flags: UInt16 = 0, _ name: String, _ message: NetlinkWriter, secret: SecretKey? = nil
    ) throws(NetlinkError) -> [NetlinkMessage] {
        precondition((message.secret?.count ?? 0) == (secret?.count ?? 0), "the secret fits its place")
        let collector = Collector()
        var outcome = cnl_outcome()
        message.octets.withUnsafeBufferPointer { body in
            var request = cnl_request()
            request.type = type
            request.flags = flags
            request.body = body.baseAddress
            request.length = body.count
            func send() {
                cnl_request(
                    socket, &request, Self.timeout, { Collector.at($0)?.reply($1, $2, $3) },
                    { Collector.at($0)?.other($1, $2, $3) }, Unmanaged.passUnretained(collector).toOpaque(), &outcome)
            }
            guard let secret, let place = message.secret else { return send() }
            secret.withOctets { octets in
                request.secret = octets.baseAddress
                request.secret_offset = place.lowerBound
                request.secret_length = octets.count
                send()
            }
        }
        early += collector.others
        guard outcome.error == 0 else {
            let text = withUnsafeBytes(of: outcome.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            throw NetlinkError(command: name, code: outcome.error, text: text)
        }
        return collector.replies
    }

    /// Something arrived that no watch on the descriptor will tell of.
    var hasEarly: Bool { !early.isEmpty }

    /// Takes what has arrived.
    ///
    /// - Returns: the messages, and whether the kernel had to drop some before.
    func drain() throws(NetlinkError) -> (messages: [NetlinkMessage], isOverrun: Bool) {
        let collector = Collector()
        collector.others = early
        early = []
        let code = cnl_drain(
            socket, Self.batch, { Collector.at($0)?.other($1, $2, $3) }, Unmanaged.passUnretained(collector).toOpaque())
        guard code == 0 || code == ENOBUFS else { throw NetlinkError(command: "receive", code: code) }
        return (collector.others, code == ENOBUFS)
    }

    /// Where the shim's callbacks put what arrives.
    private final class Collector {
        /// A dump of all wiphys is some hundred messages.
        private static let limit = 4096

        var replies: [NetlinkMessage] = []
        var others: [NetlinkMessage] = []

        static func at(_ context: UnsafeMutableRawPointer?) -> Collector? {
            context.map { Unmanaged<Collector>.fromOpaque($0).takeUnretainedValue() }
        }

        func reply(_ type: UInt16, _ body: UnsafePointer<UInt8>?, _ length: Int) {
            append(&replies, type, body, length)
        }

        func other(_ type: UInt16, _ body: UnsafePointer<UInt8>?, _ length: Int) {
            append(&others, type, body, length)
        }

        private func append(
            _ list: inout [NetlinkMessage], _ type: UInt16, _ body: UnsafePointer<UInt8>?, _ length: Int
        ) {
            guard list.count < Self.limit else { return }
            list.append(NetlinkMessage(type: type, body: Array(UnsafeBufferPointer(start: body, count: length))))
        }
    }
}

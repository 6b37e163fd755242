internal import Glibc
package import LinuxRuntime

/// Lines from a descriptor on the loop: a terminal, a pipe, or a file.
///
/// It reads only while somebody waits for a line, so that a terminal's other readers keep what is theirs.
package final class LineInput {
    /// A line longer than this is cut: nobody asked for it.
    private static let limit = 4096

    package enum Line: Equatable, Sendable {
        case text(String)
        case end
    }

    private let descriptor: Int32
    private let loop: EventLoop
    private var pending: [UInt8] = []
    private var hasEnded = false
    private var source: HeldSource?
    private var body: ((Line) -> Void)?

    /// Borrows the descriptor.
    package init(_ descriptor: Int32, on loop: EventLoop) {
        self.descriptor = descriptor
        self.loop = loop
    }

    /// Calls `body` with the next line, once; on a turn of its own even when the line is there already.
    package func next(_ body: @escaping (Line) -> Void) {
        self.body = body
        loop.post { [self] in advance() }
    }

    /// Nobody waits any more; a line that comes is for the next who does.
    package func cancel() {
        body = nil
        source = nil
    }

    private func advance() {
        guard body != nil else { return }
        if let line = takeLine() { return deliver(line) }
        guard source == nil else { return }
        do throws(SystemError) {
            source = HeldSource(try loop.watch(descriptor) { [unowned self] in read() })
        } catch {
            // epoll takes no regular files, which are always readable.
            read()
        }
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: Self.limit)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        if count > 0 {
            pending += buffer.prefix(count)
        } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
            hasEnded = true
        }
        wipe(&buffer)
        if let line = takeLine() { return deliver(line) }
        if source == nil, !hasEnded { loop.post { [self] in advance() } }
    }

    private func deliver(_ line: Line) {
        source = nil
        let body = self.body
        self.body = nil
        body?(line)
    }

    private func takeLine() -> Line? {
        if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
            defer { drop(end + 1) }
            return .text(Self.trimmed(pending[..<end]))
        }
        guard hasEnded || pending.count >= Self.limit else { return nil }
        guard !pending.isEmpty else { return .end }
        defer { drop(pending.count) }
        return .text(Self.trimmed(pending[...]))
    }

    /// Forgets octets that may have been a PIN.
    private func drop(_ count: Int) {
        let rest = Array(pending[count...])
        wipe(&pending)
        pending = rest
    }

    /// The text without blanks and carriage returns around it.
    private static func trimmed(_ octets: ArraySlice<UInt8>) -> String {
        func isBlank(_ octet: UInt8) -> Bool { octet == 0x20 || octet == 0x09 || octet == 0x0D }
        let text = octets.drop(while: isBlank)
        let end = text.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? text.startIndex
        return String(decoding: text[text.startIndex..<end], as: UTF8.self)
    }
}

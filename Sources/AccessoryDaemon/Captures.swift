internal import LinuxRuntime
internal import Octets
internal import Varlink

/// The captures that are under way: of the whole run, to a file of a caller's choice, or to callers in chunks.
final class Captures {
    enum Chunk: Equatable {
        case octets([UInt8], total: Int)
        case end(total: Int)
        case failed(String)
    }

    /// Captures at once; each costs a copy of every frame.
    static let limit = 4
    /// A caller that reads slower than frames come misses some: half of what the server lets wait.
    private static let backlogLimit = 256 * 1024

    private final class Capture {
        let call: VarlinkCall.ID?
        let file: CaptureFile?
        let deliver: (Chunk) -> Void
        var timer: LoopTimer?
        var total = 0

        init(call: VarlinkCall.ID?, file: CaptureFile?, deliver: @escaping (Chunk) -> Void) {
            self.call = call
            self.file = file
            self.deliver = deliver
        }
    }

    private let loop: EventLoop
    private let header: [UInt8]
    private var captures: [Capture] = [] {
        didSet { if captures.isEmpty != oldValue.isEmpty { onUse(!captures.isEmpty) } }
    }
    /// Told when the first capture begins and when the last one ends.
    var onUse: (Bool) -> Void = { _ in }
    /// How much of a call's replies its caller has not read yet.
    var backlog: (VarlinkCall.ID) -> Int = { _ in 0 }

    /// - Parameter header: what every capture starts with.
    init(on loop: EventLoop, header: [UInt8]) {
        self.loop = loop
        self.header = header
    }

    /// Captures to `path` until the end of the run; `onFailure` is called when that ends sooner.
    func start(path: String, onFailure: @escaping (String) -> Void) throws(FileError) {
        add(Capture(call: nil, file: try file(path)) { if case .failed(let cause) = $0 { onFailure(cause) } })
    }

    func start(
        call: VarlinkCall.ID, path: String?, seconds: Int?, deliver: @escaping (Chunk) -> Void
    ) throws(VarlinkFault) {
        guard captures.count < Self.limit else { throw .notPossible("\(captures.count) captures are under way") }
        var opened: CaptureFile?
        if let path {
            do throws(FileError) { opened = try file(path) } catch { throw .captureFailed("\(error)") }
        }
        let capture = Capture(call: call, file: opened, deliver: deliver)
        if let seconds {
            do throws(SystemError) {
                capture.timer = try loop.timer { [weak self, weak capture] in
                    if let capture { self?.finish(capture) }
                }
                capture.timer?.arm(loop.now.advanced(by: .seconds(seconds)))
            } catch { throw .notPossible("\(error)") }
        }
        add(capture)
    }

    /// The caller has gone: its file is complete as it is.
    func stop(call: VarlinkCall.ID) {
        for capture in captures where capture.call == call { capture.file?.close() }
        captures.removeAll { $0.call == call }
    }

    /// Takes up what was on the air, in whole blocks.
    func take(_ octets: [UInt8]) {
        for capture in captures { give(octets, to: capture) }
    }

    private func file(_ path: String) throws(FileError) -> CaptureFile {
        try CaptureFile(path: path, on: loop) { [weak self] file, cause in self?.fail(file, cause) }
    }

    private func add(_ capture: Capture) {
        captures.append(capture)
        give(header, to: capture)
    }

    private func give(_ octets: [UInt8], to capture: Capture) {
        if let file = capture.file {
            guard file.append(octets) else { return }
            capture.total += octets.count
        } else if let call = capture.call, backlog(call) < Self.backlogLimit {
            capture.total += octets.count
            capture.deliver(.octets(octets, total: capture.total))
        }
    }

    private func finish(_ capture: Capture) {
        captures.removeAll { $0 === capture }
        capture.file?.close()
        capture.deliver(.end(total: capture.total))
    }

    private func fail(_ file: CaptureFile, _ cause: String) {
        guard let capture = captures.first(where: { $0.file === file }) else { return }
        captures.removeAll { $0 === capture }
        // It tells this from the midst of an answer, with more of them to come.
        file.close()
        capture.deliver(.failed(cause))
    }
}

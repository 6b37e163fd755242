internal import LinuxRuntime

/// A capture on its way to the disk, written on a thread of its own: a slow card must not delay a frame.
final class CaptureFile {
    private struct Outcome: Sendable {
        let error: SystemError?
    }

    /// Blocks waiting for the disk, some hundred octets each; what comes on top is left out.
    private static let queueLimit = 512

    private let loop: EventLoop
    private var thread: RequestThread<[UInt8], Outcome>?
    private var hasFailed = false
    /// This object itself, from `close` until the last block is written.
    private var closing: CaptureFile?

    /// Makes the file; it must not exist, so that nobody's is overwritten.
    init(
        path: String, on loop: EventLoop, onFailure: @escaping (CaptureFile, String) -> Void
    ) throws(FileError) {
        self.loop = loop
        do throws(SystemError) {
            let stream = try AppendedFile(creating: path)
            thread = try RequestThread(
                name: "capture", capacity: Self.queueLimit, on: loop,
                makeWorker: {
                    { octets in
                        do throws(SystemError) {
                            try stream.append(octets)
                            return Outcome(error: nil)
                        } catch { return Outcome(error: error) }
                    }
                },
                onReply: { [unowned self] outcome in
                    if let error = outcome.error, !hasFailed {
                        hasFailed = true
                        onFailure(self, "\(path): \(error)")
                    }
                    if closing != nil { letGo() }
                })
        } catch { throw FileError(path: path, cause: .system(error)) }
    }

    /// False when the octets are left out.
    func append(_ octets: [UInt8]) -> Bool { !hasFailed && thread?.ask(octets) ?? false }

    /// Takes no more; what was taken is still written.
    func close() {
        closing = self
        letGo()
    }

    private func letGo() {
        guard thread?.unanswered == 0 else { return }
        // On a turn of its own: the thread's answer may be in the midst of being taken.
        loop.post { [self] in
            thread = nil
            closing = nil
        }
    }
}

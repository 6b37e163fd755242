internal import Glibc
internal import LinuxRuntime
internal import MediaTransport
internal import Octets
internal import Ports

/// The board's camera: the maker's program that captures and encodes, for as long as somebody views.
///
/// Its standard output is a pipe of ours and nothing else is: capture and encoding are the program's own affair.
final class Camera {
    /// Octets read at once: what a pipe holds.
    private static let readSize = 1 << 16
    /// Room in the pipe, where the kernel grants it: a whole picture, so that it is written, and read, at once.
    private static let pipeSize: Int32 = 1 << 20

    /// Called once no program is there any more, after `close`.
    private var onClosed: (() -> Void)?

    private let program: BoardProgram
    private unowned let worker: MediaWorker
    private var machine: CameraMachine
    private var child: ChildProcess?
    private var childSource: EventSource?
    private var output: Output?
    private var timer: LoopTimer?

    /// Our end of the program's standard output.
    private final class Output {
        let pipe: FileDescriptor
        var source: EventSource?

        init(_ pipe: consuming FileDescriptor) { self.pipe = pipe }

        // The watch goes before the descriptor: see `EventSource`.
        deinit { source = nil }
    }

    init(_ program: BoardProgram, _ configuration: CameraMachine.Configuration, worker: MediaWorker)
        throws(SystemError)
    {
        self.program = program
        self.worker = worker
        machine = CameraMachine(configuration)
        timer = try worker.loop.timer { [unowned self] in reachDeadline() }
    }

    deinit {
        output = nil
        childSource = nil
        guard let child else { return }
        child.send(signal: SIGKILL)
        _ = try? child.wait()
    }

    /// How many flows show its pictures.
    func setViewers(_ count: Int) { handle(.viewers(count)) }

    /// Ends the program and calls `body` when it has.
    func close(_ body: @escaping () -> Void) {
        handle(.viewers(0))
        onClosed = body
        tellIfClosed()
    }

    private func tellIfClosed() {
        guard machine.isIdle, let body = onClosed else { return }
        onClosed = nil
        body()
    }

    private func handle(_ event: CameraMachine.Event) {
        let effects = machine.handle(event, now: worker.loop.now)
        for effect in effects { perform(effect) }
        output?.source?.setEnabled(machine.isReading)
        timer?.arm(machine.nextDeadline)
        tellIfClosed()
    }

    private func perform(_ effect: CameraMachine.Effect) {
        switch effect {
        case .start:
            do throws(SystemError) { try start() } catch {
                output = nil
                // Or it would be told of an end that is waited for here.
                childSource = nil
                child?.send(signal: SIGKILL)
                _ = try? child?.wait()
                child = nil
                let cause = "\(error)"
                worker.loop.post { [weak self] in self?.handle(.notStarted(cause)) }
            }
        case .terminate: child?.send(signal: SIGTERM)
        case .kill: child?.send(signal: SIGKILL)
        case .show(let picture): worker.show(picture)
        case .report(let status): worker.report(.camera(CameraStatus(status)))
        }
    }

    private func start() throws(SystemError) {
        let (reader, writer) = try FileDescriptor.pipe()
        let output = Output(FileDescriptor(owning: reader))
        // By number: an owner that is not named again may close it before the call that uses it.
        defer { Glibc.close(writer) }
        output.pipe.setPipeSize(Self.pipeSize)
        // A reader that has gone ends a program that writes; the signal is for one that hangs.
        let child = try program.start(.init(output: writer), endsWithThread: true)
        self.child = child
        childSource = try worker.loop.watch(child: child) { [unowned self] exit in
            // Before it leaves the process table, so that its group is still its own: who it started goes, too.
            child.send(signal: SIGKILL)
            self.child = nil
            worker.loop.post { [weak self] in self?.ended(exit) }
        }
        output.source = try worker.loop.watch(output.pipe.raw) { [unowned self] in read() }
        self.output = output
    }

    /// Reads once; false when there is nothing more.
    @discardableResult
    private func read() -> Bool {
        guard let output else { return false }
        do throws(SystemError) {
            switch try output.pipe.read(limit: Self.readSize) {
            case .octets(let octets):
                handle(.output(octets))
                return true
            case .nothing: return false
            case .end: break
            }
        } catch {
            worker.log.log(.warning, "reading the camera failed", [("error", "\(error)")])
        }
        self.output = nil
        handle(.outputEnded)
        return false
    }

    private func reachDeadline() {
        // This thread may have been held up: what waits in the pipe is not missing.
        if machine.isReading, hasOutput { read() }
        handle(.deadlineReached)
    }

    private var hasOutput: Bool {
        guard let raw = output?.pipe.raw else { return false }
        var entry = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    private func ended(_ exit: ChildExit) {
        childSource = nil
        // As much as the pipe holds; whoever else has the other end may write on.
        var left = Int(Self.pipeSize) / Self.readSize
        while left > 0, hasOutput, read() { left -= 1 }
        output = nil
        handle(.ended(exit.text))
    }
}

extension ChildExit {
    /// The end of a program that was to go on.
    fileprivate var text: String {
        switch self {
        case .exited(let status): "it has ended with exit status \(status)"
        case .killed(let signal): "it was ended by signal \(signal)"
        }
    }
}

extension CameraStatus {
    fileprivate init(_ status: CameraMachine.Status) {
        self.init(state: .idle, losses: status.losses, trouble: status.trouble)
        switch status.state {
        case .idle: state = .idle
        case .starting: state = .starting
        case .running: state = .running
        case .ending: state = .ending
        case .waiting(let time):
            state = .waiting
            delay = time
        }
    }
}

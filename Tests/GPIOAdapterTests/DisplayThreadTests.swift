import GPIOAdapter
import Glibc
import LinuxRuntime
import Ports
import Synchronization
import Testing

@Suite("Display thread") struct DisplayThreadTests {
    /// Writes down what it is shown, and waits at the first content until it is let go.
    private final class SlowDisplay: PairingDisplay {
        private let shown: Shown
        private var isFirst = true

        init(_ shown: Shown) { self.shown = shown }

        func show(_ content: DisplayContent) throws(SystemError) {
            if isFirst { shown.waitForGate() }
            isFirst = false
            shown.words.withLock { $0.append(content.word) }
            if content == .locked { throw SystemError(call: "show", code: EIO) }
        }
    }

    private final class Shown: Sendable {
        let words = Mutex<[String]>([])
        private let gate: FileDescriptor
        private let opener: FileDescriptor

        init() throws {
            let (reader, writer) = try FileDescriptor.pipe()
            gate = FileDescriptor(owning: reader)
            opener = FileDescriptor(owning: writer)
        }

        func waitForGate() {
            var octet: UInt8 = 0
            _ = read(gate.raw, &octet, 1)
        }

        func open() {
            var octet: UInt8 = 1
            _ = write(opener.raw, &octet, 1)
        }
    }

    @Test("of what comes while the display is busy only the last is shown") func coalescing() throws {
        let loop = try EventLoop()
        let shown = try Shown()
        let thread = try DisplayThread(
            on: loop, makeDisplay: { SlowDisplay(shown) }, onShown: { _ in }, onFailure: { _, _ in })
        for content in [DisplayContent.ready, .paired, .failed, .blank] { thread.show(content) }
        thread.onceShown { loop.exit(3) }
        shown.open()
        #expect(try loop.run() == 3)
        #expect(shown.words.withLock { $0 } == ["ready", "blank"])
    }

    @Test("what is shown already is not shown again, unless it failed") func repeats() throws {
        let loop = try EventLoop()
        let shown = try Shown()
        shown.open()
        var failures = 0
        let thread = try DisplayThread(
            on: loop, makeDisplay: { SlowDisplay(shown) }, onShown: { _ in }, onFailure: { _, _ in failures += 1 })
        let contents: [DisplayContent] = [.ready, .ready, .locked, .locked]
        func next(_ index: Int) {
            guard index < contents.count else { return loop.exit() }
            thread.show(contents[index])
            thread.onceShown { loop.post { next(index + 1) } }
        }
        loop.post { next(0) }
        _ = try loop.run()
        #expect(shown.words.withLock { $0 } == ["ready", "locked", "locked"])
        #expect(failures == 2)
    }
}

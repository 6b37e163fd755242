package import LinuxRuntime
package import Octets
package import Ports
package import SimulatedMedium

/// A simulated radio of this process on an air that it shares with other processes.
///
/// Each radio has one Unix datagram socket in the air's folder and runs its own `VirtualKernel`; time is
/// `CLOCK_BOOTTIME`, which all processes of a machine share, so their windows coincide. Confined to its loop's thread.
package final class AirRadio: RadioPort {
    package struct Configuration: Equatable, Sendable {
        /// The air's folder; radios with the same folder hear each other.
        package var folder: String
        /// Capabilities, regulatory domain and this receiver's impairments.
        package var kernel: VirtualKernel.Configuration

        package init(
            folder: String = Self.defaultFolder,
            kernel: VirtualKernel.Configuration = VirtualKernel.Configuration(timing: .acrossProcesses)
        ) {
            self.folder = folder
            self.kernel = kernel
        }

        /// `air` in the program's runtime folder.
        package static var defaultFolder: String { ServiceDirectories.current.runtime + "/air" }
    }

    /// Octets that a radio's socket adds to the folder's path.
    package static var socketNameLength: Int { AirFolder.socketNameLength }

    /// What happened to datagrams before the kernel saw them, or after.
    package struct LinkStatistics: Equatable, Sendable {
        package var sent = 0
        /// The receiver's queue was full: lost as on the air, and repeated like that.
        package var full = 0
        /// Not a datagram of ours.
        package var junk = 0
        /// Sockets of dead processes that were removed.
        package var removedSockets = 0
    }

    /// Datagrams taken in one turn of the loop, so that a flood does not stop it.
    private static let batch = 64
    /// How old the list of other radios may be: they have to be known before the next window.
    private static let scanInterval = Duration.milliseconds(100)

    package var onEvent: (RadioEvent) -> Void = { _ in }
    package private(set) var linkStatistics = LinkStatistics()

    private let loop: EventLoop
    private let folderPath: String
    private var folder: AirFolder
    /// Nil between the loss of folder or socket and the next `start`.
    private var socket: AirSocket?
    private var hasToldOfCrowd = false
    private var timer: LoopTimer?
    private var kernel: VirtualKernel
    private var others: [UnixAddress] = []
    private var scannedAt: MonotonicInstant?
    private var outbox: [RadioEvent] = []
    private var isFlushPosted = false
    private var capture: (writer: CaptureWriter, sink: ([UInt8]) -> Void)?

    /// Puts the radio on the air; it says nothing before `start`.
    package init(loop: EventLoop, configuration: Configuration, entropy: Entropy) throws(FileError) {
        var entropy = entropy
        folderPath = configuration.folder
        folder = try AirFolder(path: folderPath)
        self.loop = loop
        kernel = VirtualKernel(configuration: configuration.kernel, entropy: .seeded(entropy.next()))
        do throws(SystemError) {
            timer = try loop.timer { [unowned self] in turn(.deadlineReached) }
        } catch { throw FileError(path: folderPath, cause: .system(error)) }
        try open()
    }

    deinit {
        socket = nil
        timer = nil
    }

    /// Puts the radio's socket into the folder, which is made if need be.
    private func open() throws(FileError) {
        folder = try AirFolder(path: folderPath)
        // Two programs given the same seed need two names all the same.
        var entropy = Entropy.kernel
        let address = try folder.address(number: entropy.next())
        do throws(SystemError) {
            let opened = try AirSocket(at: address)
            opened.watch = try loop.watch(opened.descriptor.raw) { [unowned self] in turn(.none) }
            socket = opened
        } catch { throw FileError(path: address.path, cause: .system(error)) }
    }

    package var statistics: AirStatistics { kernel.statistics }

    package func perform(_ effect: RadioEffect) {
        if case .start = effect, socket?.isInPlace != true {
            socket = nil
            do throws(FileError) { try open() } catch {
                outbox.append(.failed(RadioFailure(.noRadio, "air: \(error)")))
                return postFlush()
            }
        }
        handle(.perform(effect))
        postFlush()
    }

    /// Payload went to or came from this peer's data address.
    ///
    /// The simulated data interface is the loopback interface, on which the air sees nothing; without this, only
    /// frames and beacons count, so a peer is inactive once its radio has fallen silent. Every few seconds is enough.
    package func noteActivity(of peer: DataPeer) { handle(.activity(peer)) }

    /// rfkill.
    package func setSwitch(on: Bool) {
        handle(.switched(on: on))
        postFlush()
    }

    /// Records what this radio sends and hears; `sink` gets the octets of a pcapng file.
    package func startCapture(_ writer: CaptureWriter, _ sink: @escaping ([UInt8]) -> Void) {
        capture = (writer, sink)
        sink(writer.fileHeader)
    }

    package func stopCapture() { capture = nil }

    // MARK: Turns of the loop

    private func turn(_ due: VirtualKernel.Event?) {
        // What waits in the socket came first: an acknowledgement there is not late.
        receive()
        if let due { handle(due) }
        flush()
    }

    private func receive() {
        guard let socket else { return }
        for _ in 0..<Self.batch {
            let datagram: [UInt8]?
            do throws(SystemError) {
                datagram = try socket.descriptor.receive(limit: AirFrame.longestDatagram + 1)
            } catch {
                return
            }
            guard let datagram else { return }
            do throws(WireError) {
                let frame = try AirFrame(datagram: datagram)
                record(frame)
                handle(.heard(frame))
            } catch { linkStatistics.junk += 1 }
        }
    }

    private func handle(_ event: VirtualKernel.Event) {
        let now = loop.now
        var isWindowAhead = false
        for output in kernel.handle(event, now: now) {
            switch output {
            case .event(let event):
                if case .discoveryWindowAhead = event { isWindowAhead = true }
                outbox.append(event)
            case .air(let frame):
                record(frame)
                broadcast(frame.datagram, now)
            }
        }
        timer?.arm(kernel.nextDeadline)
        // Nobody finds a radio whose socket has no name any more: that it is deaf shows in nothing else.
        if isWindowAhead, let socket, !socket.isInPlace {
            let what = FileSystem.exists(folderPath) ? "the radio's socket in the air folder" : "the air folder"
            self.socket = nil
            // On a turn of its own: this may be the midst of its handler.
            loop.post { withExtendedLifetime(socket) {} }
            others = []
            scannedAt = nil
            handle(.lost("\(what) is gone: \(folderPath)"))
        }
    }

    private func broadcast(_ datagram: [UInt8], _ now: MonotonicInstant) {
        guard let socket else { return }
        if scannedAt.map({ $0.duration(to: now) >= Self.scanInterval }) ?? true {
            scannedAt = now
            let found = folder.others(than: socket.address)
            others = found.radios
            if found.isCrowded, !hasToldOfCrowd {
                hasToldOfCrowd = true
                Logger("air").log(
                    .warning, "more radios than one hears; the rest are left out",
                    [("folder", folderPath), ("limit", "\(AirFolder.radioLimit)")])
            }
        }
        var gone: Set<UnixAddress> = []
        for other in others {
            do throws(SystemError) {
                switch try socket.descriptor.send(datagram, to: other) {
                case .sent: linkStatistics.sent += 1
                case .full: linkStatistics.full += 1
                case .gone: gone.insert(other)
                }
            } catch { gone.insert(other) }
        }
        guard !gone.isEmpty else { return }
        others.removeAll(where: gone.contains)
        for address in gone where folder.removeAbandoned(address) { linkStatistics.removedSockets += 1 }
    }

    private func record(_ frame: AirFrame) {
        guard let capture else { return }
        let packet = capture.writer.packet(frame)
        if !packet.isEmpty { capture.sink(packet) }
    }

    // MARK: Events

    private func postFlush() {
        guard !isFlushPosted, !outbox.isEmpty else { return }
        isFlushPosted = true
        loop.post { [weak self] in
            self?.isFlushPosted = false
            self?.flush()
        }
    }

    /// Tells what has gathered so far; what that causes comes on a later turn.
    private func flush() {
        let events = outbox
        outbox = []
        for event in events { onEvent(event) }
        postFlush()
    }
}

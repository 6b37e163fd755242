package import LinuxRuntime
package import Octets
package import Ports
package import SimulatedMedium

/// A simulated Bluetooth controller of this process, on an air that it shares with other processes.
///
/// It has a Unix datagram socket in the air's folder, beside those of the NAN radios, and runs its own
/// `VirtualController`. Confined to its loop's thread.
package final class AirBluetooth: BluetoothPort {
    /// Datagrams taken in one turn of the loop, so that a flood does not stop it.
    private static let batch = 64
    /// How old the list of other controllers may be.
    private static let scanInterval = Duration.milliseconds(100)

    package var onEvent: (BluetoothEvent) -> Void = { _ in }

    private let loop: EventLoop
    private let folder: AirFolder
    private let socket: AirSocket
    private var timer: LoopTimer?
    private var controller: VirtualController
    private var others: [UnixAddress] = []
    private var scannedAt: MonotonicInstant?
    private var outbox: [BluetoothEvent] = []
    private var isFlushPosted = false

    package init(
        loop: EventLoop, folder path: String, configuration: VirtualController.Configuration = .init(),
        entropy: Entropy
    ) throws(FileError) {
        self.loop = loop
        folder = try AirFolder(path: path, .bluetooth)
        var entropy = entropy
        controller = VirtualController(configuration, entropy: .seeded(entropy.next()))
        // Two programs given the same seed need two names all the same.
        var drawn = Entropy.kernel
        let address = try folder.address(number: drawn.next())
        do throws(SystemError) { socket = try AirSocket(at: address) } catch {
            throw FileError(path: address.path, cause: .system(error))
        }
        do throws(SystemError) {
            socket.watch = try loop.watch(socket.descriptor.raw) { [unowned self] in turn(nil) }
            timer = try loop.timer { [unowned self] in turn(.deadlineReached) }
        } catch { throw FileError(path: address.path, cause: .system(error)) }
    }

    deinit { timer = nil }

    package func perform(_ effect: BluetoothEffect) {
        handle(.perform(effect))
        postFlush()
    }

    /// Pulled out, or put in again.
    package func setPresent(_ isPresent: Bool) {
        handle(.present(isPresent))
        postFlush()
    }

    private func turn(_ due: VirtualController.Event?) {
        receive()
        if let due { handle(due) }
        flush()
    }

    private func receive() {
        for _ in 0..<Self.batch {
            let datagram: [UInt8]?
            do throws(SystemError) {
                datagram = try socket.descriptor.receive(limit: BluetoothAirFrame.longestDatagram + 1)
            } catch {
                return
            }
            guard let datagram else { return }
            do throws(WireError) { handle(.heard(try BluetoothAirFrame(datagram: datagram))) } catch { continue }
        }
    }

    private func handle(_ event: VirtualController.Event) {
        let now = loop.now
        for output in controller.handle(event, now: now) {
            switch output {
            case .event(let event): outbox.append(event)
            case .air(let frame): broadcast(frame.datagram, now)
            }
        }
        timer?.arm(controller.nextDeadline)
    }

    private func broadcast(_ datagram: [UInt8], _ now: MonotonicInstant) {
        if scannedAt.map({ $0.duration(to: now) >= Self.scanInterval }) ?? true {
            scannedAt = now
            others = folder.others(than: socket.address).radios
        }
        var gone: Set<UnixAddress> = []
        for other in others {
            do throws(SystemError) {
                if case .gone = try socket.descriptor.send(datagram, to: other) { gone.insert(other) }
            } catch { gone.insert(other) }
        }
        guard !gone.isEmpty else { return }
        others.removeAll(where: gone.contains)
        for address in gone { _ = folder.removeAbandoned(address) }
    }

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

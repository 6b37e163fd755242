internal import CLinux
internal import Glibc
internal import LinuxRuntime

/// A socket towards a local program, one for each flow of a phone, so that the program tells the phones apart.
final class LocalRelay {
    private let socket: FileDescriptor
    private var source: EventSource?
    private let receiver: DatagramReceiver
    private let counters: SharedCounters
    private let onAnswer: (UnsafeRawBufferPointer) -> Void

    init(
        to program: SocketAddress, loop: EventLoop, receiver: DatagramReceiver, counters: SharedCounters,
        onAnswer: @escaping (UnsafeRawBufferPointer) -> Void
    ) throws(SystemError) {
        self.receiver = receiver
        self.counters = counters
        self.onAnswer = onAnswer
        socket = try InternetSocket.datagram(connectedTo: program)
        source = try loop.watch(socket.raw) { [unowned self] in receive() }
    }

    // The watch goes before the descriptor: see `EventSource`.
    deinit { source = nil }

    func send(_ datagram: UnsafeRawBufferPointer) throws(SystemError) {
        do throws(SystemError) {
            if try !socket.send(datagram) { counters.update { $0.undeliverable += 1 } }
        } catch {
            guard error.code == ECONNREFUSED else { throw error }
            // That was an earlier datagram's answer; the program may be there by now.
            counters.update { $0.undeliverable += 1 }
            _ = try socket.send(datagram)
        }
    }

    private func receive() {
        for _ in 0..<ServedService.turnLimit {
            do throws(SystemError) {
                guard try receiver.receive(from: socket) else { return }
                onAnswer(receiver.octets)
            } catch {
                guard error.code == ECONNREFUSED else { return }
                counters.update { $0.undeliverable += 1 }
            }
        }
    }
}

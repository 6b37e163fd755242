internal import BluetoothFrames
internal import Cryptography
internal import Octets
internal import Ports

/// Commands to the kernel's management, one on its way at a time: a second one about the same thing is answered "busy".
struct ManagementQueue: Sendable {
    /// Powering a controller on loads firmware on some; nothing takes longer.
    static let answerTime: Duration = .seconds(10)
    /// Twice what forgetting everybody asks at once; what exceeds it is dropped.
    static let limit = 64

    struct Request: Equatable, Sendable {
        var command: ManagementCommand
        var index: UInt16
        var key: SecretKey?
    }

    private var waiting: [Request] = []
    private var current: Request?
    private(set) var deadline: MonotonicInstant?

    /// A command that nothing has answered by now.
    func overdue(_ now: MonotonicInstant) -> ManagementCommand? {
        deadline.map { $0 <= now } == true ? current?.command : nil
    }

    mutating func add(_ request: Request, now: MonotonicInstant) -> [BluetoothEffect] {
        guard waiting.count < Self.limit else { return [] }
        waiting.append(request)
        return next(now)
    }

    /// The command that an answer is about, if it is the one on its way.
    mutating func answered(_ code: UInt16, index: UInt16) -> ManagementCommand? {
        guard let current, current.command.code.rawValue == code, current.index == index else { return nil }
        self.current = nil
        deadline = nil
        return current.command
    }

    /// Sends the next command where none is on its way.
    mutating func next(_ now: MonotonicInstant) -> [BluetoothEffect] {
        guard current == nil, !waiting.isEmpty else { return [] }
        let request = waiting.removeFirst()
        current = request
        deadline = now.advanced(by: Self.answerTime)
        return [.managementSend(request.command.packet(index: request.index), key: request.key)]
    }

    mutating func clear() { self = ManagementQueue() }
}

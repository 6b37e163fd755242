internal import Glibc
package import LinuxRuntime
package import MediaTransport
package import Octets
package import Ports

/// The media thread as the control thread sees it: commands in, reports out, both through bounded queues.
///
/// The thread owns the `MediaTransport` machines, their sockets and the handlers, so that neither a burst of video nor
/// the control thread ever delays a control datagram.
package final class MediaService {
    package struct Configuration: Sendable {
        package var video = VideoSender.Configuration()
        /// Between two performance reports of one connection.
        package var performanceInterval: Duration = .seconds(1)
        package var logThreshold: LogLevel = .info
        package var entropy: Entropy = .kernel
        /// The program that is the board's camera; nil on a board without.
        package var camera: BoardProgram?
        package var cameraLife = CameraMachine.Configuration()

        package init() {}
    }

    /// Commands that may wait: a handful a connection, and the thread takes them in microseconds.
    private static let commandLimit = 256
    /// Reports that may wait: a minute of eight connections' performance.
    private static let reportLimit = 1024

    private let commands: BoundedQueue<StreamCommand>
    private let reports: BoundedQueue<StreamReport>
    private let shared = SharedCounters()
    private let thread: WorkerThread

    package init(configuration: Configuration = .init()) throws(SystemError) {
        let commands = try BoundedQueue<StreamCommand>(capacity: Self.commandLimit)
        let reports = try BoundedQueue<StreamReport>(capacity: Self.reportLimit)
        let shared = self.shared
        self.commands = commands
        self.reports = reports
        thread = try WorkerThread(name: "media") {
            let log = Logger("media", threshold: configuration.logThreshold)
            do throws(SystemError) {
                let loop = try EventLoop()
                let worker = try MediaWorker(
                    loop: loop, configuration: configuration, counters: shared, log: log, commands: commands
                ) { report in
                    if !reports.push(report) { shared.update { $0.lostReports += 1 } }
                }
                // The loop's handlers do not hold the worker.
                try withExtendedLifetime(worker) { () throws(SystemError) in _ = try loop.run() }
            } catch {
                log.log(.error, "the media thread ended", [("error", "\(error)")])
                _ = reports.push(.closed)
            }
        }
    }

    deinit {
        // Full only while the thread is busy with what is in it.
        while !commands.push(.close) { sched_yield() }
        thread.join()
    }

    /// Can be read while reports wait; for the control thread's loop.
    package var reportDescriptor: Int32 { reports.descriptor }

    /// Takes the reports that wait, in order.
    package func takeReports() -> [StreamReport] { reports.takeAll() }

    /// Hands a command to the thread; false when it is so far behind that the queue is full.
    package func send(_ command: StreamCommand) -> Bool { commands.push(command) }

    package var counters: MediaCounters { shared.snapshot }
}

internal import CLinux
internal import Glibc
package import LinuxRuntime
package import MediaTransport
package import Octets
package import Ports

/// A phone's end of one connection: views, controls and measures.
///
/// Control and video have a socket each, as an app's two connections with their own traffic classes have. Confined to
/// the thread of the loop it is given.
package final class PhoneMedia {
    package struct Configuration: Sendable {
        /// The phone's own address on the data path.
        package var local: IPAddress
        package var accessory: IPEndpoint
        package var video = VideoReceiver.Configuration()
        /// Where the stream goes as Annex B; nil for nowhere.
        package var streamFile: String?
        /// Adds to the stream file: the same viewing goes on over another connection.
        package var continuesStreamFile = false
        /// Where the description for other players goes; they listen at `relay`.
        package var sessionFile: String?
        /// Gets every RTP packet as it came.
        package var relay: IPEndpoint?
        /// Arriving packets that the kernel throws away, per mille: a bad link without privileges.
        package var lossPerMille: UInt32 = 0
        /// Between two probes of the round trip.
        package var probeInterval: Duration = .milliseconds(20)

        package init(local: IPAddress, accessory: IPEndpoint) {
            self.local = local
            self.accessory = accessory
        }
    }

    /// One second of the connection as the phone sees it.
    package struct Statistics: Equatable, Sendable {
        package var video: VideoReceiver.Report
        /// Of the control datagrams, since the start.
        package var roundTrips: RoundTrips.Summary?
    }

    package var onStatistics: (Statistics) -> Void = { _ in }
    /// Each picture that can be decoded, in order; the octets are those of the sender's NAL units.
    package var onAccessUnit: (AccessUnit) -> Void = { _ in }
    /// Control datagrams of the accessory but answers to probes.
    package var onControl: ([UInt8]) -> Void = { _ in }
    /// The accessory ended the stream.
    package var onEnded: () -> Void = {}
    /// A file could not be written; viewing goes on without it.
    package var onFailure: (SystemError) -> Void = { _ in }

    package private(set) var roundTrips = RoundTrips()

    private let loop: EventLoop
    private let configuration: Configuration
    private let receiver = DatagramReceiver()
    private let video: FileDescriptor
    private let control: FileDescriptor
    private let relay: FileDescriptor?
    private var videoSource: EventSource?
    private var controlSource: EventSource?
    private var videoTimer: LoopTimer?
    private var probeTimer: LoopTimer?
    private var machine: VideoReceiver
    private var streamFile: StreamFile?
    private var needsSessionFile: Bool

    /// Opens both sockets and the files; nothing is sent yet.
    package init(loop: EventLoop, configuration: Configuration, entropy: Entropy) throws(SystemError) {
        self.loop = loop
        self.configuration = configuration
        machine = VideoReceiver(configuration: configuration.video, entropy: entropy)
        needsSessionFile = configuration.sessionFile != nil
        let local = SocketAddress(configuration.local, port: 0)
        let accessory = SocketAddress(configuration.accessory)
        video = try InternetSocket.datagram(at: local, connectedTo: accessory)
        control = try InternetSocket.datagram(at: local, connectedTo: accessory)
        if let relay = configuration.relay {
            self.relay = try InternetSocket.datagram(connectedTo: SocketAddress(relay))
        } else {
            relay = nil
        }
        if let path = configuration.streamFile {
            streamFile = try StreamFile(path, isContinued: configuration.continuesStreamFile)
        }
        // As an app that asks for interactive video and interactive voice; without the right the DSCP alone marks them.
        try Self.mark(video, .interactiveVideo, accessory)
        try Self.mark(control, .interactiveVoice, accessory)
        // A keyframe arrives in one burst; the default buffer holds a few.
        try video.setBuffers(receive: 1 << 20)
        if configuration.lossPerMille > 0 { try video.dropAtRandom(perMille: configuration.lossPerMille) }
        videoSource = try loop.watch(video.raw) { [unowned self] in receiveVideo() }
        controlSource = try loop.watch(control.raw) { [unowned self] in receiveControl() }
        videoTimer = try loop.timer { [unowned self] in
            perform(machine.handle(.deadlineReached, now: self.loop.now))
            arm()
        }
        probeTimer = try loop.timer { [unowned self] in probe() }
    }

    private static func mark(
        _ socket: borrowing FileDescriptor, _ marking: TrafficMarking, _ accessory: SocketAddress
    ) throws(SystemError) {
        try socket.mark(
            trafficClass: marking.trafficClass, priority: marking.socketPriority, isV6: accessory.isV6)
    }

    // The watches go before the descriptors: see `EventSource`.
    deinit {
        videoSource = nil
        controlSource = nil
    }

    /// Asks for the stream: a receiver report now and every second from now on.
    package func startViewing() {
        perform(machine.handle(.start, now: loop.now))
        arm()
    }

    /// Says goodbye to the stream.
    package func stopViewing() {
        perform(machine.handle(.stop, now: loop.now))
        arm()
    }

    /// Measures the round trip to the program behind the accessory's control handler, which has to echo.
    package func startProbing() { probe() }

    package func stopProbing() { probeTimer?.arm(nil) }

    package func send(control datagram: [UInt8]) { transmit(datagram, on: control) }

    private func probe() {
        let now = loop.now
        transmit(roundTrips.probe(at: now), on: control)
        probeTimer?.arm(now.advanced(by: configuration.probeInterval))
    }

    private func transmit(_ datagram: [UInt8], on socket: borrowing FileDescriptor) {
        do throws(SystemError) {
            try socket.send(datagram)
        } catch {
            // The port is not open yet, or not any more: reports and probes are repeated anyway.
        }
    }

    private func receiveVideo() {
        let now = loop.now
        while next(on: video) {
            let datagram = Array(receiver.octets)
            if DatagramKind(of: datagram) != .rtcp { relayToPlayer(datagram) }
            perform(machine.handle(.datagram(datagram), now: now))
        }
        arm()
    }

    private func relayToPlayer(_ datagram: [UInt8]) {
        do throws(SystemError) {
            try relay?.send(datagram)
        } catch {
            // No player is there yet.
        }
    }

    private func receiveControl() {
        let now = loop.now
        while next(on: control) {
            let datagram = Array(receiver.octets)
            if !roundTrips.take(datagram, at: now) { onControl(datagram) }
        }
    }

    /// Takes the next datagram; false when none waits.
    private func next(on socket: borrowing FileDescriptor) -> Bool {
        do throws(SystemError) {
            return try receiver.receive(from: socket)
        } catch {
            // A refusal, which is now taken: the loop comes back when there is more.
            return false
        }
    }

    private func arm() { videoTimer?.arm(machine.nextDeadline) }

    private func perform(_ effects: [VideoReceiver.Effect]) {
        for effect in effects {
            switch effect {
            case .send(let datagram): transmit(datagram, on: video)
            case .deliver(let unit, _):
                write(unit)
                onAccessUnit(unit)
            case .report(let report): onStatistics(Statistics(video: report, roundTrips: roundTrips.summary))
            case .ended: onEnded()
            }
        }
    }

    private func write(_ unit: AccessUnit) {
        do throws(SystemError) {
            if needsSessionFile { try describe(unit) }
            try streamFile?.append(unit.octets)
        } catch {
            streamFile = nil
            needsSessionFile = false
            onFailure(error)
        }
    }

    /// Writes the session description once the parameter sets are known.
    private func describe(_ unit: AccessUnit) throws(SystemError) {
        guard let path = configuration.sessionFile,
            let sequence = unit.nalUnits.first(where: { unit.type(of: $0) == .sequenceParameterSet }),
            let picture = unit.nalUnits.first(where: { unit.type(of: $0) == .pictureParameterSet })
        else { return }
        needsSessionFile = false
        let player = configuration.relay ?? IPEndpoint(address: configuration.local, port: 0)
        let host: SessionDescription.Address =
            switch player.address {
            case .v4: .ipv4("\(player.address)")
            case .v6: .ipv6("\(player.address)")
            }
        let description = SessionDescription(
            address: host, port: player.port, payloadType: configuration.video.payloadType, name: "accessory",
            sequenceParameterSet: unit.nalUnit(sequence), pictureParameterSet: unit.nalUnit(picture))
        try StreamFile(path).append(Array(description.text.utf8))
    }
}

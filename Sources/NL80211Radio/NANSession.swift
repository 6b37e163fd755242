internal import Glibc
internal import LinuxRuntime
internal import NANFrames
internal import Octets
internal import Ports

/// NAN running on one radio, from START_NAN to STOP_NAN: effects become commands, messages become events.
///
/// Its sockets own the interfaces: the kernel removes them when these close, whatever ends the process.
final class NANSession {
    /// A NAN data interface that is up.
    struct DataInterface {
        var ndi: NDI
        /// Of the network device.
        var index: UInt32
    }

    /// A peer's station on a data interface.
    struct DataStation {
        var peer: DataPeer
        var nmi: NMI
        var isAuthorized = false
    }

    /// A peer's data station with its addresses.
    struct DataLink {
        var index: UInt32
        var local: UInt64
        var peer: UInt64
        var isTold = false
    }

    /// Statuses of frames come within one window and its repetitions; later than this they were lost.
    private static let transmitLimit = Duration.seconds(3)
    /// Frames queued and without a status: peers times the few that each exchange has.
    private static let transmissionLimit = 256
    /// Received frames of some seconds in a crowded place.
    private static let receiveBuffer: Int32 = 1 << 20

    let client: NL80211Client
    let route: RouteClient
    let events: NetlinkSocket
    let links: NetlinkSocket
    let wiphy: Wiphy
    let device: UInt64
    let log: Logger

    /// Events to tell, in order.
    var outbox: [RadioEvent] = []
    /// Set once NAN has ended by itself: why.
    private(set) var loss: String?
    var interfaces: [DataInterface] = []
    var dataStations: [DataStation] = []
    var dataLinks: [DataPeer: DataLink] = [:]
    private var transmissions: [UInt64: (id: TransmitID, deadline: MonotonicInstant)] = [:]
    var membership: ClusterMembership

    /// Starts NAN.
    ///
    /// - Parameter wiphy: fit, and not in use.
    init(
        _ configuration: RadioConfiguration, on wiphy: Wiphy, client: NL80211Client, log: Logger,
        now: MonotonicInstant
    ) throws(RadioFailure) {
        try Self.check(configuration)
        self.log = log
        self.client = client
        self.wiphy = wiphy
        membership = ClusterMembership(startedAt: now)
        do throws(NetlinkError) {
            route = try RouteClient()
            events = try NetlinkSocket(.generic, receiveBuffer: Self.receiveBuffer)
            links = try NetlinkSocket(.route)
            try links.join(RouteClient.linkGroup)
            for group in ["mlme", "config"] { try events.join(group, of: NL80211.familyName) }
            device = try Self.addInterface(configuration.nmi, wiphy, client, events)
            for registration in FrameRegistration.management {
                try client.call(.registerFrame, on: events) { message in
                    message.u64(NL80211Attribute.wirelessDevice, device)
                    registration.write(to: &message)
                }
            }
            try client.call(.startNAN) { message in
                message.u64(NL80211Attribute.wirelessDevice, device)
                configuration.write(to: &message)
            }
        } catch { throw RadioSelection.explain(error, of: wiphy.name) }
    }

    private static func check(_ configuration: RadioConfiguration) throws(RadioFailure) {
        let nmi = configuration.nmi.address
        guard !nmi.isGroup, nmi.isLocallyAdministered else {
            throw RadioFailure(.invalid, "\(nmi) is no locally administered address of one device")
        }
        guard (2...254).contains(configuration.masterPreference) else {
            throw RadioFailure(.invalid, "master preference \(configuration.masterPreference), accepted are 2 to 254")
        }
        if let cluster = configuration.cluster, !cluster.isWellFormed {
            throw RadioFailure(.invalid, "\(cluster.address) is no cluster id")
        }
    }

    private static func addInterface(
        _ nmi: NMI, _ wiphy: Wiphy, _ client: NL80211Client, _ events: NetlinkSocket
    ) throws(NetlinkError) -> UInt64 {
        let told = try client.addInterface(
            "nan\(wiphy.index)", NL80211.interfaceTypeNAN, nmi.address, on: wiphy, ownedBy: events)
        guard let device = told.u64(NL80211Attribute.wirelessDevice) else {
            throw NetlinkError(command: "NEW_INTERFACE", code: ENODEV, text: "it told no wireless device")
        }
        return device
    }

    func tell(_ event: RadioEvent) { outbox.append(event) }

    func takeEvents() -> [RadioEvent] {
        defer { outbox = [] }
        return outbox
    }

    /// NAN has ended: nothing works on this session any more.
    func lose(_ cause: String) { loss = loss ?? cause }

    /// Ends NAN and removes what it had.
    func stop() {
        for interface in interfaces { remove(interface) }
        // Neither matters when it fails: closing the socket does the same.
        _ = try? client.call(.stopNAN) { $0.u64(NL80211Attribute.wirelessDevice, device) }
        _ = try? client.call(.deleteInterface) { $0.u64(NL80211Attribute.wirelessDevice, device) }
    }

    // MARK: Time

    /// When the first frame without a status counts as lost, or NAN itself does.
    var nextDeadline: MonotonicInstant {
        transmissions.values.reduce(membership.aliveUntil) { min($0, $1.deadline) }
    }

    func expire(now: MonotonicInstant) {
        for (cookie, transmission) in transmissions where transmission.deadline <= now {
            transmissions[cookie] = nil
            tell(.transmitted(transmission.id, acknowledged: false))
        }
        guard membership.aliveUntil <= now else { return }
        lose("\(wiphy.name): \(membership.cluster == nil ? "it joins no cluster" : "no discovery windows any more")")
    }

    // MARK: Frames

    func transmit(_ transmission: Transmission, now: MonotonicInstant) throws(RadioFailure) {
        guard transmissions.count < Self.transmissionLimit else {
            throw RadioFailure(.busy, "FRAME: \(transmissions.count) frames wait for their status")
        }
        guard transmission.frame.count >= 24, transmission.frame[1] & 0x40 == 0 else {
            throw RadioFailure(.invalid, "FRAME: no header of 24 octets in clear")
        }
        var interface: DataInterface?
        if case .data(let ndi) = transmission.interface { interface = try dataInterface(ndi) }
        let isAction = UInt16(transmission.frame[0]) == NL80211.frameTypeAction
        let answers = try call(.frame) { message in
            if let interface {
                message.u32(NL80211Attribute.interfaceIndex, interface.index)
            } else {
                message.u64(NL80211Attribute.wirelessDevice, device)
            }
            message.octets(NL80211Attribute.frame, transmission.frame)
            if isAction { message.flag(NL80211Attribute.transmitWithoutCCK) }
        }
        guard let cookie = answers.compactMap({ $0.u64(NL80211Attribute.cookie) }).first else {
            throw RadioFailure(.other, "FRAME: no cookie")
        }
        transmissions[cookie] = (transmission.id, now.advanced(by: Self.transmitLimit))
    }

    /// The status of one of our frames has come.
    func finish(cookie: UInt64, acknowledged: Bool) {
        guard let transmission = transmissions.removeValue(forKey: cookie) else { return }
        tell(.transmitted(transmission.id, acknowledged: acknowledged))
    }

    /// The kernel had to drop messages: statuses may be among them, and a lost end of NAN shows here.
    func overrun() {
        log.log(.warning, "the kernel had to drop messages")
        // Sent once more in vain is better than not for seconds.
        let lost = transmissions.values.map { $0.id }.sorted { $0.rawValue < $1.rawValue }
        transmissions.removeAll()
        for id in lost { tell(.transmitted(id, acknowledged: false)) }
        guard let mine = try? client.interfaces(), mine.contains(where: { $0.device == device }) else {
            return lose("\(wiphy.name): its NAN interface is gone")
        }
        for interface in interfaces where !mine.contains(where: { $0.index == interface.index }) {
            lose("\(wiphy.name): a data interface is gone")
        }
    }

    /// A command; NAN that does not run any more is noted.
    @discardableResult
    func call(
        _ command: NL80211Command, _ body: (inout NetlinkWriter) -> Void
    ) throws(RadioFailure) -> [NetlinkAttributes] {
        do throws(NetlinkError) { return try client.call(command, body) } catch {
            if error.saysDown { lose("\(wiphy.name): \(error)") }
            throw error.failure
        }
    }
}

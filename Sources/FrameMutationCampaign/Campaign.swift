internal import AccessoryCore
internal import Dot11Frames
internal import NANEngine
internal import NANFrames
internal import NANSecurity
internal import Octets
internal import PhoneCore
internal import Ports

/// Feeds mutated frames to copies of the machines of real encounters, wherever those stand.
final class Campaign {
    private(set) var histogram = Histogram()
    private(set) var census = StateCensus()
    private let limit: Int
    private let entropy: Entropy
    private var mutator: FrameMutator
    /// Curve steps carried out for disturbed machines; the rest is counted and left, for time's sake.
    private var jobsLeft = 30_000
    /// An engine that keeps whatever it is told, from as many senders as there are addresses, to the campaign's end.
    private var hoarder: (device: NANDevice, now: MonotonicInstant)?
    private static let framesPerLook = 60
    /// Of a commit or confirm, so that enough of them reach the curve.
    private static let framesPerAuthentication = 500
    /// Of an exchange of identities or a data path's setup, of which an encounter has few.
    private static let framesPerProtectedFrame = 250
    /// More work than this for one frame is a flood that somebody else pays for.
    private static let workAtMost = 32

    init(frames: Int, seed: UInt64) {
        limit = frames
        entropy = Entropy.seeded(seed)
        mutator = FrameMutator(entropy: entropy.fork(label: "mutations"))
    }

    var isOver: Bool { histogram.frames >= limit }

    /// Plays encounters until enough frames have been tried; how many of them ended as they should.
    ///
    /// - Parameter progress: called after each encounter with the frames tried so far.
    func run(progress: (Int) -> Void) throws -> (encounters: Int, completed: Int) {
        var number = 0
        var completed = 0
        var numbers = entropy.fork(label: "encounters")
        while !isOver {
            let plan = try EncounterPlan(number: number)
            let encounter = Encounter(plan, entropy: Entropy.seeded(numbers.next()))
            encounter.stepped = { [unowned self] in census.note($0) }
            encounter.look = { [unowned self] encounter, station, frame in look(encounter, station, frame) }
            if plan.play(encounter) { completed += 1 }
            number += 1
            progress(histogram.frames)
        }
        return (number, completed)
    }

    private func look(_ encounter: Encounter, _ station: Encounter.Station, _ frame: ReceivedFrame?) {
        if let frame { mutator.keep(frame.octets) }
        guard let accessory = device(of: encounter.accessory), let phone = device(of: encounter.phone) else { return }
        let cluster = accessory.clusterID ?? phone.clusterID ?? ClusterID(MACAddress(bits: 0x506F_9A01_0000))
        switch station {
        case .accessory:
            if hoarder == nil, accessory.clusterID != nil { hoarder = (accessory, encounter.now) }
            let scene = Scene(own: accessory.nmi, peer: phone.nmi, cluster: cluster, frame: frame, now: encounter.now)
            probe(encounter.accessory, scene)
            probe(accessory, scene)
        case .phone:
            let scene = Scene(own: phone.nmi, peer: accessory.nmi, cluster: cluster, frame: frame, now: encounter.now)
            probe(encounter.phone, scene)
            probe(phone, scene)
        }
    }

    /// The engine inside a root machine, which reports what the root machine keeps to itself.
    private func device(of root: Any) -> NANDevice? { Mirror(reflecting: root).descendant("device") as? NANDevice }

    private func probe<Machine: Subject>(_ machine: Machine, _ scene: Scene) {
        var left = min(budget(scene.frame), limit - histogram.frames)
        while left > 0 {
            var copy = machine
            let chain = min(left, 1 + mutator.below(3))
            for _ in 0..<chain { disturb(&copy, scene) }
            left -= chain
            checkDeadline(&copy, scene.now)
        }
    }

    private func budget(_ frame: ReceivedFrame?) -> Int {
        guard let octets = frame?.octets, octets.count > 1 else { return Self.framesPerLook }
        if Self.isAuthentication(octets) { return Self.framesPerAuthentication }
        return octets[1] & 0x40 == 0 ? Self.framesPerLook : Self.framesPerProtectedFrame
    }

    private static func isAuthentication(_ frame: [UInt8]) -> Bool {
        frame.first == UInt8(ManagementHeader.FrameControl.authentication.rawValue)
    }

    private func disturb<Machine: Subject>(_ machine: inout Machine, _ scene: Scene) {
        let octets = mutator.frame(
            after: scene.frame?.octets, from: scene.peer.address, to: scene.own.address, cluster: scene.cluster.address)
        histogram.frames += 1
        note(octets)
        // A refused verification leaves a station for a while: enough of them at once fill the table of peers.
        let isAuthentication = scene.frame.map { Self.isAuthentication($0.octets) } ?? false
        if mutator.below(isAuthentication ? 2 : 8) == 0 { hoard(octets) }
        let event = RadioEvent.received(
            ReceivedFrame(
                octets: octets, interface: scene.frame?.interface ?? .management, signal: scene.frame?.signal))
        take(machine.answer(.radio(event), now: scene.now), &machine, scene.now, depth: 0)
    }

    /// Tells the hoarder a frame as if yet another device had sent it, and lets its time pass.
    private func hoard(_ frame: [UInt8]) {
        guard var (device, now) = hoarder, frame.count > ManagementHeader.length else { return }
        hoarder = nil
        var octets = frame
        octets.replaceSubrange(10..<16, with: [0x02, 0, 0, 0] + mutator.octets(2))
        now = now.advanced(by: .milliseconds(20))
        take(device.answer(.radio(.received(ReceivedFrame(octets: octets))), now: now), &device, now, depth: 4)
        if let deadline = device.nextDeadline, deadline <= now {
            take(device.answer(.deadlineReached, now: now), &device, now, depth: 4)
        }
        hoarder = (device, now)
    }

    /// Counts an answer and carries out its curve steps, whose outcome the machine gets at once.
    private func take<Machine: Subject>(
        _ answer: Answer, _ machine: inout Machine, _ now: MonotonicInstant, depth: Int
    ) {
        precondition(answer.radio.count + answer.jobs.count <= Self.workAtMost, "too much work for one frame")
        for key in answer.drops { histogram.drops[key, default: 0] += 1 }
        for report in answer.reports { histogram.reports[report, default: 0] += 1 }
        // Reflection is slow: the states behind a report are looked at while it is new, and now and then.
        if answer.reports.contains(where: { histogram.reports[$0, default: 0] < 100 }) || mutator.below(500) == 0 {
            census.note(machine)
        }
        for effect in answer.radio {
            switch effect {
            case .transmit: histogram.answered += 1
            case .setLocalSchedule: histogram.reports["moved to the peer's channel", default: 0] += 1
            default: break
            }
        }
        for job in answer.jobs {
            switch job.work {
            case .agreeSAE: histogram.reachedSAE += 1
            case .agreeKeys: histogram.reachedKeyAgreement += 1
            default: break
            }
            guard jobsLeft > 0, depth < 4 else { continue }
            jobsLeft -= 1
            take(machine.answer(.crypto(job.run()), now: now), &machine, now, depth: depth + 1)
        }
    }

    /// A deadline that has been reached is over: the next one is later, or there is none.
    private func checkDeadline<Machine: Subject>(_ machine: inout Machine, _ now: MonotonicInstant) {
        guard mutator.below(8) == 0 else { return }
        var then = now
        for _ in 0..<12 {
            guard let deadline = machine.nextDeadline else { return }
            then = max(deadline, then)
            take(machine.answer(.deadlineReached, now: then), &machine, then, depth: 4)
            if let next = machine.nextDeadline { precondition(next > then, "a deadline that never ends") }
        }
    }

    private func note(_ frame: [UInt8]) {
        var reader = ByteReader(frame)
        do throws(WireError) {
            let header = try ManagementHeader(from: &reader)
            if header.frameControl.kind == .authentication {
                _ = try AuthenticationBody(from: &reader)
                histogram.byKind["authentication", default: 0] += 1
            } else {
                let decoded = try NANFrame.decode(reader.rest())
                switch decoded {
                case .serviceDiscovery: histogram.byKind["service discovery", default: 0] += 1
                case .action(let naf) where naf.subtype.isDataPath:
                    histogram.byKind["data path, subtype \(naf.subtype.rawValue)", default: 0] += 1
                case .action: histogram.byKind["other action", default: 0] += 1
                }
            }
            histogram.decoded += 1
        } catch {
            if error.attributeID != nil { histogram.drops["decoder: attribute", default: 0] += 1 }
            histogram.drops["decoder: \(error.reason.name)", default: 0] += 1
        }
    }
}

/// Where a station stands when it is looked at.
private struct Scene {
    let own: NMI
    let peer: NMI
    let cluster: ClusterID
    /// What it is about to hear, if anything.
    let frame: ReceivedFrame?
    let now: MonotonicInstant
}

extension WireError {
    /// The case alone.
    fileprivate var name: String {
        switch self {
        case .truncated: "truncated"
        case .invalid: "invalid"
        case .trailing: "trailing"
        case .excessive: "excessive"
        case .attribute: "attribute"
        }
    }
}

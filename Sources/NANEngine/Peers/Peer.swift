internal import Cryptography
internal import Dot11Frames
internal import NANFrames
internal import NANSecurity
internal import Octets
internal import Ports

/// What is known of one device in the cluster, from its frames and from what was done with it.
struct Peer: Sendable {
    /// How far the radio's station entry has come; each step needs the one before.
    enum Station: Int, Comparable, Sendable {
        case none
        case added
        case protected
        case keyed
        case authorized

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// What PASN left: the next secure data path is made from it.
    struct Session: Equatable, Sendable {
        var ndPMK: DataPathMasterKey
        /// 7 or 8: what PASN ran with.
        var suite: CipherSuiteID
        var akm: PairingAKM
        /// The pairing it proved, or made; nil until the identities are exchanged.
        var pairing: PairingID?
        /// The peer's NIK, once it has come: what the owner's record of the pairing is found by.
        var peerNIK: SecretKey?
    }

    let nmi: NMI
    var heard: MonotonicInstant
    var capability: DeviceCapability?
    var pairingSupport: DeviceCapabilityExtension.Pairing = []
    var schedule: DeviceSchedule?
    var elements: StationCapabilities?
    var methods: BootstrappingMethods = []
    var identity: IdentityResolution?
    var pairing: PairingID?
    /// The pairing that its PASN under way, or its last one, verifies; nil for a setup.
    var verifying: PairingID?
    /// The instances of either side that pairing is about: follow-ups need them.
    var service: ServicePeer?
    /// The subscribe instance that it was last heard with: messages name it.
    var subscriber: ServicePeer?
    /// Our NIK, made but not sent: as the responder we send it once the owner has the pairing on disk.
    var heldKey: SharedKeyDescriptor?
    /// Nothing has to wait for the owner (any more).
    var mayHaveOurKey = true
    var station = Station.none
    /// It is paired, and has asked in clear to be paired anew: whoever has started over without its keys does.
    var startsOver = false
    var session: Session?
    /// What the radio was last given.
    var installedSchedule: PeerRadioSchedule?

    init(nmi: NMI, heard: MonotonicInstant) {
        self.nmi = nmi
        self.heard = heard
    }

    /// Frames to and from it are encrypted.
    var isPaired: Bool { station >= .keyed }

    /// A device that is there is heard in every other discovery window, at least; a restart takes about as long.
    private static let lifeSilence = Duration.seconds(5)

    /// Takes up what a frame says of its sender.
    ///
    /// - Returns: why its availability was not taken up, when it was not.
    mutating func learn(_ attributes: AttributeList, now: MonotonicInstant) -> String? {
        // One that was silent, or proves its identity anew, may have started over, and counts from the beginning.
        let isNewLife =
            heard.advanced(by: Self.lifeSilence) <= now
            || attributes.identityResolution.map { identity != nil && $0 != identity } ?? false
        heard = now
        if let capability = attributes.deviceCapabilities.last { self.capability = capability }
        if let more = attributes.deviceCapabilityExtension { pairingSupport = more.pairing }
        if let npba = attributes.pairingBootstrapping, npba.message == .advertise { methods = npba.methods }
        for container in attributes.elementContainers {
            if let elements = StationCapabilities(container) { self.elements = elements }
        }
        do throws(AvailabilityFault) {
            guard let heard = try DeviceSchedule(attributes.availability) else { return nil }
            // Older or the same generation: nothing new (reference 2.5.3).
            if let schedule, !isNewLife, !Availability.isNewer(heard.sequenceID, than: schedule.sequenceID) {
                return nil
            }
            schedule = heard
            return nil
        } catch {
            return "availability/\(error)"
        }
    }
}

extension StationCapabilities {
    /// The HT and VHT capabilities of an Element Container; nil when HT is missing or of another size.
    init?(_ container: ElementContainer) {
        guard let ht = container.elements.first(where: { $0.id == .htCapabilities })?.body, ht.count == 26 else {
            return nil
        }
        let vht = container.elements.first { $0.id == .vhtCapabilities && $0.body.count == 12 }?.body
        self.init(ht: ht, vht: vht)
    }

    var container: ElementContainer {
        ElementContainer([Element(.htCapabilities, ht)] + (vht.map { [Element(.vhtCapabilities, $0)] } ?? []))
    }
}

package import Octets
package import Ports

/// The kernel's side of one radio: takes what a program asks of nl80211, answers with its events and puts frames on
/// the air, as strict as mac80211 and mac80211_hwsim of Linux 7.3 are.
///
/// What it leaves out: several discovery beacons between windows, the 120 s of warm-up, hop counts, group keys. Its
/// TSF is the clock it is given, so the windows of all clusters coincide.
package struct VirtualKernel: Sendable {
    package enum Event: Equatable, Sendable {
        case perform(RadioEffect)
        case heard(AirFrame)
        /// Payload went to or came from this data peer: the loopback interface carries it past the air, so whoever
        /// owns the sockets tells, at least every few seconds while there is traffic.
        case activity(DataPeer)
        /// rfkill.
        case switched(on: Bool)
        /// What the radio needs of its host is gone, and may come back: NAN ends, `start` may be tried again.
        case lost(String)
        /// The device was pulled; it does not come back.
        case removed
        case deadlineReached
    }

    package enum Output: Equatable, Sendable {
        case event(RadioEvent)
        case air(AirFrame)
    }

    /// The radio, and the air around it.
    package struct Configuration: Equatable, Sendable {
        package var capabilities: RadioCapabilities
        /// Control frequencies on which the regulatory domain forbids beaconing, MHz.
        package var forbiddenFrequencies: Set<Int>
        /// Different channels that the interface combination admits (hwsim with three channels).
        package var channelLimit: Int
        package var timing: MACTiming
        package var impairments: Impairments

        package init(
            capabilities: RadioCapabilities = .simulated, forbiddenFrequencies: Set<Int> = [], channelLimit: Int = 3,
            timing: MACTiming = .virtual, impairments: Impairments = Impairments()
        ) {
            self.capabilities = capabilities
            self.forbiddenFrequencies = forbiddenFrequencies
            self.channelLimit = channelLimit
            self.timing = timing
            self.impairments = impairments
        }
    }

    private enum State {
        case idle
        case running(RadioSession)
        case switchedOff
        case removed
    }

    private let configuration: Configuration
    private var entropy: Entropy
    private var state = State.idle
    private var earlier = AirStatistics()

    package init(configuration: Configuration = Configuration(), entropy: Entropy) {
        self.configuration = configuration
        self.entropy = entropy
    }

    package var nextDeadline: MonotonicInstant? {
        if case .running(let session) = state { return session.nextDeadline }
        return nil
    }

    package var statistics: AirStatistics {
        guard case .running(let session) = state else { return earlier }
        var sum = earlier
        sum += session.statistics
        return sum
    }

    package mutating func handle(_ event: Event, now: MonotonicInstant) -> [Output] {
        switch (state, event) {
        case (.removed, .perform(let effect)):
            return Self.answers(effect, KernelError.noDevice.failure("NEW_INTERFACE", "the radio is gone"))
        case (.switchedOff, .perform(let effect)):
            return Self.answers(effect, KernelError.killed.failure("START_NAN", "the radio is switched off"))
        case (.idle, .perform(.start(let radio))):
            return start(radio, now)
        case (.idle, .perform(let effect)):
            return Self.answers(effect, KernelError.networkDown.failure("NAN", "not started"))
        case (.running, .perform(.stop)):
            return end(.idle, .requested)
        case (.running, .switched(on: false)):
            return end(.switchedOff, .lost("radio switched off (rfkill)"))
        case (.running, .lost(let cause)):
            return end(.idle, .lost(cause))
        case (.running, .removed):
            return end(.removed, .lost("radio removed"))
        case (.idle, .switched(on: false)): state = .switchedOff
        case (.switchedOff, .switched(on: true)): state = .idle
        case (.idle, .removed), (.switchedOff, .removed): state = .removed
        case (.running(var session), _):
            state = .idle  // so that the session below is the only one, and changed in place
            let outputs = session.handle(event, now: now)
            state = .running(session)
            return outputs
        default: break
        }
        return []
    }

    private mutating func start(_ radio: RadioConfiguration, _ now: MonotonicInstant) -> [Output] {
        do throws(RadioFailure) {
            try StartRules(configuration: configuration).check(radio)
        } catch { return [.event(.failed(error))] }
        state = .running(RadioSession(hardware: configuration, radio: radio, entropy: entropy, now: now))
        return [.event(.started(configuration.capabilities))]
    }

    private mutating func end(_ next: State, _ reason: RadioStop) -> [Output] {
        if case .running(let session) = state {
            earlier += session.statistics
            entropy = session.entropy
        }
        state = next
        return [.event(.stopped(reason))]
    }

    /// What a radio that is not started says.
    private static func answers(_ effect: RadioEffect, _ failure: RadioFailure) -> [Output] {
        switch effect {
        case .start: [.event(.failed(failure))]
        case .stop: [.event(.stopped(.requested))]
        default: effect.command.map { [.event(.refused($0, failure))] } ?? []
        }
    }
}

/// What START_NAN demands.
private struct StartRules {
    let configuration: VirtualKernel.Configuration

    func check(_ radio: RadioConfiguration) throws(RadioFailure) {
        let command = "START_NAN"
        let nmi = radio.nmi.address
        guard !nmi.isGroup, nmi.isLocallyAdministered else {
            throw KernelError.invalid.failure("NEW_INTERFACE", "management address \(nmi)")
        }
        guard radio.masterPreference != 0 else { throw KernelError.range.failure(command, "master preference 0") }
        if let cluster = radio.cluster {
            guard cluster.address.bits >> 16 == 0x506F_9A01 else {
                throw KernelError.invalid.failure(command, "cluster id \(cluster.address)")
            }
        }
        guard !configuration.forbiddenFrequencies.contains(Slot.lowBandFrequency) else {
            throw KernelError.regulatory.failure(command, "2437 MHz")
        }
        guard radio.usesFiveGigahertz else { return }
        guard configuration.capabilities.supportedBands & 0x10 != 0 else {
            throw KernelError.notSupported.failure(command, "no 5 GHz")
        }
        guard !configuration.forbiddenFrequencies.contains(Slot.highBandFrequency) else {
            throw KernelError.regulatory.failure(command, "5745 MHz")
        }
    }
}

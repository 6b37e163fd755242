internal import LinuxRuntime
internal import NL80211Radio
internal import Octets
internal import Ports
internal import RadioConformance

/// Two radios of this machine's kernel, in real time.
final class KernelBench: RadioBench {
    let abilities: BenchAbilities
    private let loop: EventLoop
    private let names: [String]
    private let radios: [NL80211Radio]
    private let radioSwitch: RadioSwitch?
    private var told: [[TimedEvent]] = [[], []]

    /// - Parameter names: two radios, not in use and in range of each other.
    init(_ names: [String]) throws(SystemError) {
        let loop = try EventLoop()
        self.loop = loop
        self.names = names
        radioSwitch = RadioSwitch(forChanging: true)
        let always: BenchAbilities = [.opensUnproven, .decryptsInSoftware]
        abilities = radioSwitch == nil ? always : always.union(.switching)
        var radios: [NL80211Radio] = []
        for name in names {
            radios.append(try NL80211Radio(loop: loop, configuration: .init(wiphy: name, logThreshold: .error)))
        }
        self.radios = radios
        for (index, radio) in radios.enumerated() {
            radio.onEvent = { [unowned self] in told[index].append(TimedEvent(at: loop.now, event: $0)) }
        }
    }

    var now: MonotonicInstant { loop.now }

    func perform(_ effect: RadioEffect, on radio: Int) { radios[radio].perform(effect) }

    func setSwitch(of radio: Int, on: Bool) { radioSwitch?.set(names[radio], isOn: on) }

    func advance(by duration: Duration) {
        let end = now.advanced(by: duration)
        while now < end {
            do throws(SystemError) { try loop.turn(within: now.duration(to: end)) } catch { return }
        }
    }

    func takeEvents(of radio: Int) -> [TimedEvent] {
        defer { told[radio] = [] }
        return told[radio]
    }
}

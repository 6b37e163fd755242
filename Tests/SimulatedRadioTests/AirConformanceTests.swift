import Foundation
import LinuxRuntime
import Octets
import Ports
import RadioConformance
import SimulatedMedium
import SimulatedRadio
import Testing

/// Radios as programs have them: each with its socket in one air folder, in real time.
private final class AirBench: RadioBench {
    let abilities: BenchAbilities = [.switching]
    private let loop: EventLoop
    private let radios: [AirRadio]
    private var told: [[TimedEvent]]
    private let folder: String

    /// - Parameter bystanders: further radios that are in the folder, hear everything and never start.
    init(bystanders: Int, number: UInt64) throws {
        var template = Array("/tmp/air-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError(call: "mkdtemp", code: errno) }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let loop = try EventLoop()
        radios = try (0..<2 + bystanders).map { index in
            try AirRadio(
                loop: loop, configuration: AirRadio.Configuration(folder: folder),
                entropy: .seeded(number * 100 + UInt64(index)))
        }
        told = radios.map { _ in [] }
        self.folder = folder
        self.loop = loop
        for (index, radio) in radios.enumerated() {
            radio.onEvent = { [unowned self] in told[index].append(TimedEvent(at: loop.now, event: $0)) }
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var now: MonotonicInstant { loop.now }

    func perform(_ effect: RadioEffect, on radio: Int) { radios[radio].perform(effect) }

    func setSwitch(of radio: Int, on: Bool) { radios[radio].setSwitch(on: on) }

    /// Waits on the loop: whatever happens meanwhile is handled.
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

    /// What radios told that nobody started.
    var toldByBystanders: [TimedEvent] { Array(told[2...].joined()) }
}

@Suite("Radio conformance of the air between processes") struct AirConformanceTests {
    private struct Outcome: Sendable {
        let rule: ConformanceCase
        let failure: String?
    }

    /// Each case has an air and a thread of its own: they wait for windows most of the time, and do so together.
    @Test("a radio behind a socket keeps every rule of the kernel, in real time") func conforms() throws {
        let outcomes = try BoundedQueue<Outcome>(capacity: ConformanceCase.allCases.count)
        let threads = try ConformanceCase.allCases.enumerated().map { number, rule in
            try WorkerThread(name: "air \(number)") {
                _ = outcomes.push(Outcome(rule: rule, failure: Self.failure(of: rule, UInt64(number))))
            }
        }
        for thread in threads { thread.join() }
        let all = outcomes.takeAll()
        #expect(all.count == ConformanceCase.allCases.count)
        for outcome in all where outcome.failure != nil {
            Issue.record("\(outcome.rule.rawValue): \(outcome.failure ?? "")")
        }
    }

    private static func failure(of rule: ConformanceCase, _ number: UInt64) -> String? {
        do {
            let bench = try AirBench(bystanders: 1, number: number)
            guard try rule.run(on: bench) else { return "did not run" }
            let strange = bench.toldByBystanders
            return strange.isEmpty ? nil : "a radio that was not started told \(strange)"
        } catch {
            return "\(error)"
        }
    }
}

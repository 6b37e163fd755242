import RadioConformance
import SimulatedMedium
import Testing

@Suite("Radio conformance of the simulated air") struct SimulatedConformanceTests {
    @Test("the simulated kernel keeps every rule", arguments: ConformanceCase.allCases)
    func conforms(_ rule: ConformanceCase) throws {
        for seed: UInt64 in 1...4 {
            do {
                let ran = try rule.run(on: SimulatedBench(seed: seed))
                #expect(ran)
            } catch {
                Issue.record("\(rule.rawValue), seed \(seed): \(error)")
            }
        }
    }

    @Test(
        "the rules hold under loss that the MAC repairs",
        arguments: [
            ConformanceCase.unknownPeerWaitsForWindow, .protectedFrameArrives, .unequalKeysDrop, .dataLinkOpens,
            .dataFramesTravelBetweenInterfaces,
        ])
    func conformsUnderLoss(_ rule: ConformanceCase) throws {
        for seed: UInt64 in 1...4 {
            do {
                let ran = try rule.run(on: SimulatedBench(seed: seed, impairments: .lossy(0.1)))
                #expect(ran)
            } catch {
                Issue.record("\(rule.rawValue), seed \(seed): \(error)")
            }
        }
    }
}

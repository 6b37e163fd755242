import Octets
import Ports
import SimulatedMedium
import Testing

@Suite("Datagrams of the air") struct AirFrameTests {
    private static let frame = [UInt8](0..<30)
    private static let samples: [(AirFrame, String)] = [
        (
            AirFrame(
                frequency: 2437, sentAt: MonotonicInstant(nanoseconds: 0x0102_0304_0506_0708),
                content: .frame(frame, seal: nil)),
            "41574152 01 01 8509 0807060504030201 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"
        ),
        (
            AirFrame(
                frequency: 5180, sentAt: MonotonicInstant(nanoseconds: 1),
                content: .frame(frame, seal: AirFrame.Seal(code: 0x1122_3344_5566_7788))),
            """
            41574152 01 02 3c14 0100000000000000 8877665544332211
            000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d
            """
        ),
        (
            AirFrame(
                frequency: 5745, sentAt: MonotonicInstant(nanoseconds: 2),
                content: .acknowledgement(
                    to: MACAddress(bits: 0x4200_0000_0001), from: MACAddress(bits: 0x4200_0000_0002), sequence: 0x0ABC)),
            "41574152 01 03 7116 0200000000000000 420000000001 420000000002 bc0a"
        ),
    ]

    @Test("a datagram has the documented octets, both ways")
    func layout() throws {
        for (frame, hex) in Self.samples {
            let octets = try #require([UInt8](hex: hex))
            #expect(frame.datagram == octets)
            let decoded = try AirFrame(datagram: octets)
            #expect(decoded == frame)
        }
    }

    @Test("every strict prefix and every other version or kind is refused")
    func refusals() throws {
        for (_, hex) in Self.samples {
            let octets = try #require([UInt8](hex: hex))
            for count in 0..<octets.count where count < 40 {
                #expect(throws: WireError.self) { _ = try AirFrame(datagram: Array(octets.prefix(count))) }
            }
            for (index, value) in [(0, 0x42), (4, 2), (5, 0), (5, 9), (15, 0xFF)] as [(Int, UInt8)] {
                var other = octets
                other[index] = value
                #expect(throws: WireError.self) { _ = try AirFrame(datagram: other) }
            }
        }
        let long = try #require([UInt8](hex: Self.samples[0].1)) + [UInt8](repeating: 0, count: 2400)
        #expect(throws: WireError.self) { _ = try AirFrame(datagram: long) }
    }

    @Test("mutated datagrams neither trap the codec nor a kernel that hears them")
    func mutations() throws {
        var entropy = Entropy.seeded(17)
        var air = VirtualKernel(entropy: .seeded(18))
        var now = MonotonicInstant(nanoseconds: 1_000_000_000)
        _ = air.handle(.perform(.start(RadioConfiguration(nmi: Fixture.nmi(1)))), now: now)
        now = now.advanced(by: .seconds(2))
        _ = air.handle(.deadlineReached, now: now)
        var decoded = 0
        for round in 0..<20_000 {
            var octets = try #require([UInt8](hex: Self.samples[round % 3].1))
            for _ in 0...Int.random(in: 0...3, using: &entropy) {
                octets[Int.random(in: 0..<octets.count, using: &entropy)] = UInt8.random(
                    in: .min ... .max, using: &entropy)
            }
            guard var frame = try? AirFrame(datagram: octets) else { continue }
            decoded += 1
            frame.sentAt = now
            now = now.advanced(by: .microseconds(500))
            _ = air.handle(.heard(frame), now: now)
        }
        #expect(decoded > 5000)
    }
}

package import Octets

/// One transmission on the simulated air: a frame or the acknowledgement of one.
///
/// Every attempt of a frame is a transmission of its own, as on a real channel.
package struct AirFrame: Equatable, Sendable {
    package enum Content: Equatable, Sendable {
        /// From the 24-octet header on, in clear; a frame that was encrypted carries a seal instead of a cipher text.
        case frame([UInt8], seal: Seal?)
        /// What a receiver's MAC answers within a SIFS, naming what it answers.
        case acknowledgement(to: MACAddress, from: MACAddress, sequence: UInt16)
    }

    /// Stands for the encryption: a code over the frame under the temporal key, so that two ends understand each
    /// other exactly when their keys and ciphers are equal.
    package struct Seal: Equatable, Sendable {
        package let code: UInt64
        package init(code: UInt64) { self.code = code }
    }

    /// Control channel, MHz.
    package var frequency: Int
    /// When it began; on the simulated air everybody's TSF is the machine's boot-time clock.
    package var sentAt: MonotonicInstant
    package var content: Content

    package init(frequency: Int, sentAt: MonotonicInstant, content: Content) {
        self.frequency = frequency
        self.sentAt = sentAt
        self.content = content
    }

    /// How long it occupies the channel: a preamble of 20 µs, then 6 Mbit/s, the lowest OFDM rate.
    package var airtime: Duration {
        switch content {
        case .frame(let octets, _): Self.airtime(octets: octets.count)
        case .acknowledgement: Self.airtime(octets: 10)
        }
    }

    static func airtime(octets: Int) -> Duration { .microseconds(20 + (octets + 4) * 8 / 6) }
}

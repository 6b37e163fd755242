package import MediaService

/// How the connection does: pictures over the last second, round trips over the last minute.
package struct LiveFigures: Equatable, Sendable {
    package var framesPerSecond = 0.0
    package var bitsPerSecond = 0.0
    /// By the link, 0…1; repairs do not hide it.
    package var lossFraction = 0.0
    /// Pictures that could not be shown.
    package var discardedPictures = 0
    /// Nil before the first control datagram has come back.
    package var roundTrip: RoundTrips.Summary?

    package init() {}

    package init(_ statistics: PhoneMedia.Statistics) {
        framesPerSecond = statistics.video.framesPerSecond
        bitsPerSecond = statistics.video.bitsPerSecond
        lossFraction = Double(statistics.video.fractionLost) / 256
        discardedPictures = statistics.video.discardedUnits
        roundTrip = statistics.roundTrips
    }
}

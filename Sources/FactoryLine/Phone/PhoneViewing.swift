internal import Identity
internal import LinuxRuntime
internal import MediaService
internal import MediaTransport
internal import Octets
internal import PhoneCore
internal import Ports

/// What a phone does with its connection: views, controls, measures, and compares what it sees.
///
/// It outlives connections: the video file and the count of loops go on over a new one.
final class PhoneViewing {
    var onEvent: (PhoneErrand.Event) -> Void = { _ in }
    var onFigures: (LiveFigures) -> Void = { _ in }

    private let plan: PhonePlan
    private let loop: EventLoop
    private var media: PhoneMedia?
    private var loops: LoopRecognizer
    private var isContinued = false

    /// Largest clip that is compared with; the demo's is below 1 MiB.
    private static let clipLimit = 256 << 20

    init(_ plan: PhonePlan, on loop: EventLoop) throws(FactoryError) {
        self.plan = plan
        self.loop = loop
        loops = LoopRecognizer(expected: try plan.expectedClip.map(Self.clip))
    }

    func open(_ link: PhoneLink) {
        // A stream has no pictures for us; that the connection is there is all there is to see.
        guard link.transport == TransportProtocol.udp.number else { return }
        var configuration = PhoneMedia.Configuration(local: link.local, accessory: link.accessory)
        configuration.streamFile = plan.video
        configuration.continuesStreamFile = isContinued
        configuration.sessionFile = plan.sessionDescription
        configuration.relay = plan.forwardPort.map { IPEndpoint(address: .v4(0x7F00_0001), port: $0) }
        configuration.lossPerMille = plan.dropPerMille
        if plan.controlRate > 0 { configuration.probeInterval = .nanoseconds(1_000_000_000 / plan.controlRate) }
        isContinued = true
        do throws(SystemError) {
            let media = try PhoneMedia(loop: loop, configuration: configuration, entropy: .kernel)
            media.onAccessUnit = { [unowned self] in saw($0) }
            media.onStatistics = { [unowned self] statistics in
                if statistics.roundTrips != nil { onEvent(.controlAnswered) }
                onFigures(LiveFigures(statistics))
            }
            media.onFailure = { [unowned self] error in fail("\(error)") }
            self.media = media
            media.startViewing()
            if plan.controlRate > 0 { media.startProbing() }
        } catch { fail("\(error)") }
    }

    /// Says goodbye; `mediaClosed` follows on a turn of its own.
    func close() {
        media?.stopViewing()
        media?.stopProbing()
        loop.post { [unowned self] in
            media = nil
            onEvent(.mediaClosed)
        }
    }

    private func saw(_ unit: AccessUnit) {
        onEvent(.firstPicture)
        if let result = loops.take(unit) { onEvent(.loop(result)) }
    }

    private func fail(_ cause: String) { loop.post { [unowned self] in onEvent(.failed(cause)) } }

    private static func clip(_ path: String) throws(FactoryError) -> Clip {
        guard let octets = try FactoryError.reading(path, limit: clipLimit) else {
            throw FactoryError("\(path): there is no such file")
        }
        do throws(Clip.Unplayable) { return try Clip(byteStream: octets) } catch {
            throw FactoryError("\(path): no H.264 clip that could be played: \(error)")
        }
    }
}

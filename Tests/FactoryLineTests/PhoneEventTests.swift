import FactoryLine
import JSONText
import LinuxRuntime
import MediaService
import Octets
import PhoneCore
import Ports
import Testing

@Suite("What the phone prints") struct PhoneEventTests {
    private let now = MonotonicInstant(nanoseconds: 12_345_678_901)

    @Test("an event is one line of JSON with its name, its time and its text") func sighting() throws {
        let sighting = PhoneEvent.Sighting(accessory: .sample(), title: "Falcon")
        let line = PhoneEvent.discovered(sighting).json(at: now).text
        #expect(!line.contains("\n"))
        let value = try JSONParser.value(Array(line.utf8), limits: .file)
        #expect(
            value == [
                "event": "discovered", "at_us": 12_345_678, "text": "discovered Falcon: can be paired",
                "accessory": "Falcon", "nmi": "02:00:00:00:00:01", "name": "Falcon", "vendor": "Example Air",
                "model": "Falcon 2", "port": 5600, "pairing_window_is_open": true, "pairing": .null,
            ])
    }

    @Test("the end says its status and its cause") func end() {
        #expect(
            PhoneEvent.ended(.notYet, "no accessory was found").json(at: now) == [
                "event": "ended", "at_us": 12_345_678, "text": "failed: no accessory was found", "status": 75,
                "cause": "no accessory was found",
            ])
        #expect(PhoneEvent.ended(.success, "").json(at: now).object?["text"] == nil)
    }

    @Test("what the accessory says stands as it is in JSON, and without control characters for people") func message() {
        let event = PhoneEvent.message("a\u{1B}[2J")
        #expect(event.sentence == "the accessory says: a?[2J")
        #expect(event.json(at: now).object?["message"] == "a\u{1B}[2J")
    }

    @Test("a stranger's name cannot move the cursor") func controlCharacters() {
        let sighting = PhoneEvent.Sighting(
            accessory: .sample(name: "a\u{1B}[2J"), title: "a\u{1B}[2J")
        let sentence = PhoneEvent.discovered(sighting).sentence
        #expect(sentence == "discovered a?[2J: can be paired")
        let line = PhoneEvent.discovered(sighting).json(at: now).text
        #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }

    @Test("every kind of event has a name of its own") func names() {
        let events: [PhoneEvent] = [
            .joined(cluster: ""), .discovered(PhoneEvent.Sighting(accessory: .sample(), title: "")), .lost(""),
            .requested(""), .askedToWait(.zero), .pinNeeded(.first), .authenticating,
            .authenticated(isVerification: true), .paired(PairingID(1)), .connecting, .connected(.sample),
            .firstPicture, .controlAnswered, .live(LiveFigures()),
            .loop(LoopResult(number: 1, nalUnits: 2, digest: [3], isAsExpected: nil)), .disconnected(""),
            .message("x"), .messageSent(isAcknowledged: true),
            .tryingAgain(after: .zero, because: ""), .leaving, .ended(.success, ""),
        ]
        #expect(Set(events.map(\.name)).count == events.count)
        for event in events {
            #expect(event.json(at: now).object?["event"] == .string(event.name))
        }
    }

    @Test("the live line has rates, loss and round trips") func live() {
        var figures = LiveFigures()
        figures.framesPerSecond = 29.97
        figures.bitsPerSecond = 737_449
        figures.lossFraction = 0.0512
        #expect(figures.line == "30.0 frames/s  737 kbit/s  loss 5.1 %")
        var roundTrips = RoundTrips()
        let probe = roundTrips.probe(at: now)
        _ = roundTrips.take(probe, at: now.advanced(by: .microseconds(1234)))
        figures.roundTrip = roundTrips.summary
        #expect(figures.line.hasSuffix("round trip p50 1.23 ms p99 1.23 ms"))
        let object = PhoneEvent.live(figures).json(at: now).object
        #expect(object?["round_trip_p50_us"] == 1234)
        #expect(object?["loss_ppm"] == 51_200)
    }

    private static let numbers: [(Double, Int, String)] = [
        (0.0, 0, "0"), (2.5, 1, "2.5"), (0.05, 1, "0.1"), (9.999, 2, "10.00"), (-1.25, 2, "-1.25"), (1e300, 1, "-"),
        (Double.nan, 1, "-"),
    ]

    @Test("numbers are rounded to their decimals", arguments: numbers)
    func decimals(_ value: Double, _ decimals: Int, _ text: String) { #expect(value.text(decimals: decimals) == text) }

    private static let times: [(Duration, String)] = [
        (.microseconds(850), "0.85 ms"), (.milliseconds(12), "12 ms"), (.milliseconds(999), "999 ms"),
        (.milliseconds(2500), "2.50 s"),
    ]

    @Test("times are told in the unit that suits them", arguments: times)
    func durations(_ duration: Duration, _ text: String) { #expect(duration.text == text) }
}

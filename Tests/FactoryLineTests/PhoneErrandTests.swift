import FactoryLine
import LinuxRuntime
import NANFrames
import NANSecurity
import Octets
import PhoneCore
import Ports
import Testing

@Suite("The phone's errand") struct PhoneErrandTests {
    private typealias Effect = PhoneErrand.Effect
    private let pin: PIN
    private let start = MonotonicInstant.milliseconds(1000)

    init() throws { pin = try #require(PIN(typed: "123456")) }

    private func errand(
        pairings: [PairingRecord] = [], _ change: (inout PhoneErrand.Configuration) -> Void = { _ in }
    ) -> PhoneErrand {
        var configuration = PhoneErrand.Configuration()
        change(&configuration)
        return PhoneErrand(configuration, pairings: pairings)
    }

    private func sighting(_ accessory: DiscoveredAccessory, _ title: String = "Falcon, Example Air, Falcon 2") -> Effect
    {
        .tell(.discovered(PhoneEvent.Sighting(accessory: accessory, title: title)))
    }

    /// Brings an errand to a connection by PIN.
    private func connected(_ errand: inout PhoneErrand) {
        let accessory = DiscoveredAccessory.sample()
        for report in [
            PhoneReport.joined(.number(1)), .discovered(accessory), .bootstrapping(accessory.nmi), .pinNeeded,
        ] { _ = errand.handle(.phone(report), now: start) }
        _ = errand.handle(.pin(pin), now: start)
        for report in [
            PhoneReport.authenticating, .authenticated(verified: nil), .paired(PairingID(7)), .connecting,
            .connected(.sample),
        ] { _ = errand.handle(.phone(report), now: start) }
    }

    @Test("a data path that stays unanswered for 8 s is given up, and the accessory verified anew")
    func unansweredRequest() throws {
        let accessory = DiscoveredAccessory.sample(pairing: PairingID(7))
        var errand = errand(pairings: [.sample(PairingID(7))])
        for report in [PhoneReport.joined(.number(1)), .discovered(accessory)] {
            _ = errand.handle(.phone(report), now: start)
        }
        for report in [PhoneReport.authenticating, .authenticated(verified: PairingID(7)), .connecting] {
            _ = errand.handle(.phone(report), now: start)
        }
        #expect(errand.nextDeadline == start.advanced(by: .seconds(8)))
        let late = start.advanced(by: .seconds(8))
        let effects = errand.handle(.deadlineReached, now: late)
        let pause = Duration.milliseconds(250)
        #expect(
            effects == [
                .phone(.disconnect), .tell(.tryingAgain(after: pause, because: "the data path does not come up")),
            ])
        #expect(
            errand.handle(.deadlineReached, now: late.advanced(by: pause)) == [.phone(.connect(accessory.nmi))])
    }

    @Test("a message goes with the connection; one that nobody acknowledged is a failure", arguments: [true, false])
    func message(_ isDelivered: Bool) throws {
        var errand = errand {
            $0.message = "land"
            $0.stay = .seconds(1)
        }
        let accessory = DiscoveredAccessory.sample()
        for report in [
            PhoneReport.joined(.number(1)), .discovered(accessory), .bootstrapping(accessory.nmi), .pinNeeded,
        ] { _ = errand.handle(.phone(report), now: start) }
        _ = errand.handle(.pin(pin), now: start)
        for report in [PhoneReport.authenticating, .authenticated(verified: nil), .paired(PairingID(7)), .connecting] {
            _ = errand.handle(.phone(report), now: start)
        }
        let connected = errand.handle(.phone(.connected(.sample)), now: start)
        #expect(connected.last == .phone(.send(Array("land".utf8))))
        let told = errand.handle(.phone(.messageSent(acknowledged: isDelivered)), now: start)
        #expect(told == [.tell(.messageSent(isAcknowledged: isDelivered))])
        #expect(
            errand.handle(.phone(.message(Array("no".utf8))), now: start) == [.tell(.message("no"))])
        _ = errand.handle(.deadlineReached, now: start.advanced(by: .seconds(1)))
        _ = errand.handle(.mediaClosed, now: start)
        let end = errand.handle(.phone(.stopped), now: start)
        #expect(end.last == .end(isDelivered ? .success : .failure))
    }

    @Test("a new accessory is paired by PIN, then connected, and left when the time is over")
    func wholeWay() throws {
        var errand = errand { $0.stay = .seconds(5) }
        let accessory = DiscoveredAccessory.sample()
        #expect(errand.handle(.start, now: start) == [.phone(.start)])
        _ = errand.handle(.phone(.joined(.number(1))), now: start)
        #expect(
            errand.handle(.phone(.discovered(accessory)), now: start)
                == [sighting(accessory), .phone(.pair(accessory.nmi))])
        _ = errand.handle(.phone(.bootstrapping(accessory.nmi)), now: start)
        #expect(
            errand.handle(.phone(.pinNeeded), now: start) == [.tell(.pinNeeded(.first)), .askPIN(.first)])
        #expect(errand.handle(.pin(pin), now: start) == [.phone(.enterPIN(pin))])
        #expect(errand.handle(.phone(.authenticating), now: start) == [.tell(.authenticating)])
        #expect(
            errand.handle(.phone(.authenticated(verified: nil)), now: start)
                == [.tell(.authenticated(isVerification: false))])
        #expect(errand.handle(.phone(.paired(PairingID(7))), now: start) == [.tell(.paired(PairingID(7)))])
        #expect(errand.handle(.phone(.connecting), now: start) == [.tell(.connecting)])
        #expect(
            errand.handle(.phone(.connected(.sample)), now: start)
                == [.tell(.connected(.sample)), .openMedia(.sample)])
        let deadline = try #require(errand.nextDeadline)
        #expect(deadline == start.advanced(by: .seconds(5)))
        #expect(errand.handle(.deadlineReached, now: deadline) == [.tell(.leaving), .closeMedia])
        #expect(errand.handle(.mediaClosed, now: deadline) == [.phone(.stop)])
        #expect(
            errand.handle(.phone(.stopped), now: deadline) == [.tell(.ended(.success, "")), .end(.success)])
        #expect(errand.nextDeadline == nil)
    }

    @Test("nobody in sight when the wait is over is exit status 75")
    func nobody() throws {
        var errand = errand()
        _ = errand.handle(.start, now: start)
        _ = errand.handle(.phone(.joined(.number(1))), now: start)
        let end = start.advanced(by: .seconds(10))
        #expect(errand.handle(.deadlineReached, now: end) == [.phone(.stop)])
        #expect(
            errand.handle(.phone(.stopped), now: end)
                == [.tell(.ended(.notYet, "no accessory was found")), .end(.notYet)])
    }

    @Test("an accessory whose window is closed is waited for, and then named as the reason")
    func closedWindow() throws {
        var errand = errand()
        _ = errand.handle(.start, now: start)
        _ = errand.handle(.phone(.joined(.number(1))), now: start)
        let accessory = DiscoveredAccessory.sample(isOpen: false)
        #expect(errand.handle(.phone(.discovered(accessory)), now: start) == [sighting(accessory)])
        let end = start.advanced(by: .seconds(10))
        _ = errand.handle(.deadlineReached, now: end)
        guard case .tell(.ended(.failure, let text)) = errand.handle(.phone(.stopped), now: end).first else {
            Issue.record("no failure")
            return
        }
        #expect(text.contains("pairing window is closed"))
    }

    @Test("one that closes its window after a wrong PIN is waited for as long, and then named as the reason")
    func closedLater() throws {
        var errand = errand()
        let reports = [PhoneReport.joined(.number(1)), .discovered(.sample()), .pinNeeded]
        for report in reports { _ = errand.handle(.phone(report), now: start) }
        _ = errand.handle(.pin(pin), now: start)
        _ = errand.handle(.phone(.pairingFailed(.failed("wrong"))), now: start)
        _ = errand.handle(.phone(.discovered(.sample(isOpen: false))), now: start)
        let later = start.advanced(by: .milliseconds(250))
        #expect(errand.handle(.deadlineReached, now: later).isEmpty)
        let end = later.advanced(by: .seconds(10))
        #expect(errand.nextDeadline == end)
        #expect(errand.handle(.deadlineReached, now: end) == [.phone(.stop)])
        guard case .tell(.ended(.failure, let text)) = errand.handle(.phone(.stopped), now: end).first else {
            Issue.record("no failure")
            return
        }
        #expect(text.contains("pairing window is closed"))
    }

    @Test("one that was paired is preferred to a new one, which is heard first")
    func preference() throws {
        let record = PairingRecord.sample(PairingID(7))
        var errand = errand(pairings: [record])
        _ = errand.handle(.start, now: start)
        _ = errand.handle(.phone(.joined(.number(1))), now: start)
        let stranger = DiscoveredAccessory.sample(1)
        #expect(errand.handle(.phone(.discovered(stranger)), now: start) == [sighting(stranger)])
        let known = DiscoveredAccessory.sample(2, name: nil, isOpen: false, pairing: PairingID(7))
        let effects = errand.handle(.phone(.discovered(known)), now: start.advanced(by: .milliseconds(500)))
        #expect(effects.last == .phone(.connect(known.nmi)))
    }

    @Test("a new one is taken after two discovery windows without a paired one")
    func settled() throws {
        var errand = errand(pairings: [.sample(PairingID(7))])
        _ = errand.handle(.start, now: start)
        _ = errand.handle(.phone(.joined(.number(1))), now: start)
        let stranger = DiscoveredAccessory.sample(1)
        _ = errand.handle(.phone(.discovered(stranger)), now: start)
        let settled = start.advanced(by: .milliseconds(1100))
        #expect(errand.handle(.deadlineReached, now: settled) == [.phone(.pair(stranger.nmi))])
    }

    @Test("a filter passes over others, and knows a paired one by its stored names")
    func filter() throws {
        var errand = errand(pairings: [.sample(PairingID(7))]) { $0.filter.name = "Falcon 2 A17" }
        _ = errand.handle(.start, now: start)
        _ = errand.handle(.phone(.joined(.number(1))), now: start)
        #expect(errand.handle(.phone(.discovered(.sample(1))), now: start) == [])
        let known = DiscoveredAccessory.sample(2, name: nil, isOpen: false, pairing: PairingID(7))
        let effects = errand.handle(.phone(.discovered(known)), now: start)
        #expect(effects.last == .phone(.connect(known.nmi)))
    }

    @Test("a wrong PIN is asked for again, when there is somebody to ask")
    func wrongPIN() throws {
        var errand = errand()
        let accessory = DiscoveredAccessory.sample()
        for report in [PhoneReport.joined(.number(1)), .discovered(accessory), .pinNeeded] {
            _ = errand.handle(.phone(report), now: start)
        }
        _ = errand.handle(.pin(pin), now: start)
        let cause = "the PIN was refused: wrong"
        #expect(
            errand.handle(.phone(.pairingFailed(.failed("wrong"))), now: start)
                == [.tell(.tryingAgain(after: .milliseconds(250), because: cause))])
        let later = start.advanced(by: .milliseconds(250))
        #expect(errand.handle(.deadlineReached, now: later) == [.phone(.pair(accessory.nmi))])
        #expect(
            errand.handle(.phone(.pinNeeded), now: later) == [.tell(.pinNeeded(.again)), .askPIN(.again)])
    }

    @Test("a wrong PIN that was given once is the end")
    func wrongGivenPIN() throws {
        var errand = errand { $0.canAskAgain = false }
        for report in [PhoneReport.joined(.number(1)), .discovered(.sample()), .pinNeeded] {
            _ = errand.handle(.phone(report), now: start)
        }
        _ = errand.handle(.pin(pin), now: start)
        #expect(errand.handle(.phone(.pairingFailed(.failed("wrong"))), now: start) == [.phone(.stop)])
    }

    @Test("what is not six digits costs no attempt: it is asked for again")
    func malformed() throws {
        var errand = errand()
        for report in [PhoneReport.joined(.number(1)), .discovered(.sample()), .pinNeeded] {
            _ = errand.handle(.phone(report), now: start)
        }
        #expect(
            errand.handle(.malformedPIN, now: start) == [.tell(.pinNeeded(.malformed)), .askPIN(.malformed)])
    }

    @Test("a lost connection is made again") func reconnects() throws {
        var errand = errand()
        connected(&errand)
        let accessory = DiscoveredAccessory.sample(pairing: PairingID(7))
        _ = errand.handle(.phone(.discovered(accessory)), now: start)
        #expect(
            errand.handle(.phone(.disconnected("idle")), now: start) == [
                .closeMedia, .tell(.disconnected("idle")),
                .tell(.tryingAgain(after: .milliseconds(250), because: "the connection was lost")),
            ])
        #expect(errand.handle(.mediaClosed, now: start) == [])
        let later = start.advanced(by: .milliseconds(250))
        #expect(errand.handle(.deadlineReached, now: later) == [.phone(.connect(accessory.nmi))])
    }

    @Test("failures in a row come to an end") func givesUp() throws {
        var errand = errand()
        let accessory = DiscoveredAccessory.sample(pairing: PairingID(7))
        _ = errand.handle(.phone(.joined(.number(1))), now: start)
        _ = errand.handle(.phone(.discovered(accessory)), now: start)
        var now = start
        var connects = 1
        var last: [Effect] = []
        for _ in 0..<20 {
            last = errand.handle(.phone(.pairingFailed(.failed("x"))), now: now)
            if last == [.phone(.stop)] { break }
            now = try #require(errand.nextDeadline)
            connects += errand.handle(.deadlineReached, now: now).filter { $0 == .phone(.connect(accessory.nmi)) }.count
        }
        #expect(last == [.phone(.stop)])
        #expect(connects == 7)
    }

    @Test("loops that are not as expected do not count") func loops() throws {
        var errand = errand { $0.loops = 1 }
        connected(&errand)
        let bad = LoopResult(number: 1, nalUnits: 5, digest: [1], isAsExpected: false)
        #expect(errand.handle(.loop(bad), now: start) == [.tell(.loop(bad))])
        let good = LoopResult(number: 2, nalUnits: 6, digest: [2], isAsExpected: true)
        #expect(
            errand.handle(.loop(good), now: start) == [.tell(.loop(good)), .tell(.leaving), .closeMedia])
    }

    @Test("video that was asked for and did not come is a failure") func noVideo() throws {
        var errand = errand {
            $0.stay = .seconds(1)
            $0.needsVideo = true
        }
        connected(&errand)
        let end = start.advanced(by: .seconds(1))
        _ = errand.handle(.deadlineReached, now: end)
        _ = errand.handle(.mediaClosed, now: end)
        #expect(
            errand.handle(.phone(.stopped), now: end)
                == [.tell(.ended(.failure, "no picture arrived")), .end(.failure)])
    }

    @Test("an interrupted visit without a goal is a success once connected, else a failure")
    func interrupted() throws {
        var before = errand()
        _ = before.handle(.start, now: start)
        _ = before.handle(.interrupted, now: start)
        #expect(before.handle(.phone(.stopped), now: start).last == .end(.failure))
        var after = errand()
        connected(&after)
        #expect(after.handle(.interrupted, now: start) == [.tell(.leaving), .closeMedia])
        _ = after.handle(.mediaClosed, now: start)
        #expect(after.handle(.phone(.stopped), now: start).last == .end(.success))
    }

    @Test("a radio that does not answer the goodbye keeps nobody") func goodbye() throws {
        var errand = errand()
        _ = errand.handle(.start, now: start)
        #expect(errand.handle(.interrupted, now: start) == [.phone(.stop)])
        let deadline = try #require(errand.nextDeadline)
        #expect(deadline == start.advanced(by: .seconds(2)))
        #expect(errand.handle(.deadlineReached, now: deadline).last == .end(.failure))
    }

    @Test("a flood of accessories fills no memory, and those already known stay") func flood() throws {
        var errand = errand { $0.listsOnly = true }
        _ = errand.handle(.phone(.joined(.number(1))), now: start)
        let told = (1...200).reduce(0) { count, number in
            count + errand.handle(.phone(.discovered(.sample(UInt64(number)))), now: start).count
        }
        #expect(told == 128)
        let changed = DiscoveredAccessory.sample(1, isOpen: false)
        #expect(errand.handle(.phone(.discovered(changed)), now: start) == [sighting(changed)])
    }

    @Test("no air to look in is exit status 75") func noRadio() throws {
        var errand = errand()
        _ = errand.handle(.start, now: start)
        let effects = errand.handle(.phone(.radioFailed(RadioFailure(.noRadio, "no air"))), now: start)
        #expect(effects == [.tell(.ended(.notYet, "no air")), .end(.notYet)])
    }

    @Test("a list ends with who was there") func list() throws {
        var errand = errand {
            $0.listsOnly = true
            $0.wait = .seconds(3)
        }
        _ = errand.handle(.start, now: start)
        _ = errand.handle(.phone(.joined(.number(1))), now: start)
        let accessory = DiscoveredAccessory.sample()
        #expect(errand.handle(.phone(.discovered(accessory)), now: start) == [sighting(accessory)])
        let end = start.advanced(by: .seconds(3))
        #expect(errand.handle(.deadlineReached, now: end) == [.phone(.stop)])
        #expect(errand.handle(.phone(.stopped), now: end).last == .end(.success))
    }
}

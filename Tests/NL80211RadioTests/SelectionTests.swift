import Foundation
import Glibc
import Ports
import Testing

@testable import NL80211Radio

@Suite("Which radio serves") struct SelectionTests {
    /// Fit, with room for a station beside NAN and one data interface.
    private func radio(_ name: String, _ index: UInt32, forbidden: Set<UInt32> = []) -> Wiphy {
        var wiphy = WiphyTests.wiphy(WiphyTests.parts(limits: [[2], [12], [13, 13]], forbidden: forbidden))
        wiphy.name = name
        wiphy.index = index
        return wiphy
    }

    /// Without a network device, so that it counts as up.
    private func interface(on wiphy: UInt32, type: UInt32, name: String = "") throws -> WirelessInterface {
        var writer = NetlinkWriter()
        writer.u32(NL80211Attribute.wiphy, wiphy)
        writer.u64(NL80211Attribute.wirelessDevice, 1)
        writer.u32(NL80211Attribute.interfaceType, type)
        if !name.isEmpty { writer.string(NL80211Attribute.interfaceName, name) }
        return try #require(WirelessInterface(NetlinkAttributes(writer.octets)))
    }

    /// The name of the one picked, or why none was.
    private func outcome(
        _ wiphys: [Wiphy], by selection: RadioSelection = RadioSelection(), beside interfaces: [WirelessInterface] = [],
        country: String? = "US", addresses: [String: String] = [:]
    ) -> Result<String, RadioFailure> {
        do throws(RadioFailure) {
            let picked = try selection.pick(wiphys, beside: interfaces, country: country) { addresses[$0] }
            return .success(picked.name)
        } catch { return .failure(error) }
    }

    private func failure(_ outcome: Result<String, RadioFailure>) -> RadioFailure? {
        if case .failure(let failure) = outcome { failure } else { nil }
    }

    @Test("without a name the first radio that is free serves; when none is, the first one's cause is told")
    func firstFree() throws {
        let radios = [radio("phy0", 0), radio("phy1", 1)]
        let first = try interface(on: 0, type: NL80211.interfaceTypeNAN)
        let second = try interface(on: 1, type: NL80211.interfaceTypeNAN, name: "nan1")
        #expect(outcome(radios) == .success("phy0"))
        #expect(outcome(radios, beside: [first]) == .success("phy1"))
        let told = try #require(failure(outcome(radios, beside: [first, second])))
        #expect(told.cause == .busy)
        #expect(told.text.hasPrefix("phy0: NAN is in use already (an interface without a name)"))
        #expect(failure(outcome([]))?.cause == .noRadio)
    }

    @Test("with a name that radio serves or none") func named() throws {
        let radios = [radio("phy0", 0), radio("phy1", 1)]
        let selection = RadioSelection(name: "phy1")
        #expect(outcome(radios, by: selection) == .success("phy1"))
        let taken = try interface(on: 1, type: NL80211.interfaceTypeNAN, name: "nan1")
        #expect(failure(outcome(radios, by: selection, beside: [taken]))?.text.contains("(nan1)") == true)
        #expect(failure(outcome(radios, by: RadioSelection(name: "phy2")))?.cause == .noRadio)
    }

    @Test("a radio that had the name is found by its address when it has another one") func reloaded() {
        let addresses = ["phy0": "02:00:00:00:00:00", "phy1": "02:00:00:00:01:00", "phy3": "02:00:00:00:01:00"]
        var selection = RadioSelection(name: "phy1")
        selection.remember(radio("phy0", 0)) { addresses[$0] }
        #expect(selection.address == nil, "it has another name")
        selection.remember(radio("phy1", 1)) { addresses[$0] }
        #expect(selection.address == "02:00:00:00:01:00")
        let reloaded = [radio("phy0", 0), radio("phy3", 3)]
        #expect(outcome(reloaded, by: selection, addresses: addresses) == .success("phy3"))
        let both = [radio("phy3", 3), radio("phy1", 4)]
        #expect(outcome(both, by: selection, addresses: addresses) == .success("phy1"))
        #expect(failure(outcome([radio("phy0", 0)], by: selection, addresses: addresses))?.cause == .noRadio)
        #expect(failure(outcome([radio("phy4", 4)], by: selection))?.cause == .noRadio, "no address is nobody's")
    }

    @Test("a data interface must fit beside what is up, too") func dataInterface() throws {
        let station = try interface(on: 0, type: 2)
        var small = radio("phy0", 0)
        #expect(outcome([small], beside: [station]) == .success("phy0"))
        small.combinations[0].maximum = 2
        #expect(outcome([small]) == .success("phy0"))
        let told = try #require(failure(outcome([small], beside: [station])))
        #expect(told.cause == .busy && told.text.contains("beside an interface without a name;"))
    }

    @Test("the rules are judged when the wished country is in force, alone or with an access point's") func country() {
        #expect(RadioSelection.isInForce("US", "US"))
        #expect(RadioSelection.isInForce("US", "98"))
        #expect(!RadioSelection.isInForce("US", "00"))
        #expect(!RadioSelection.isInForce("US", nil))
        let radios = [radio("phy0", 0, forbidden: [5180, 5745])]
        let wish = RadioSelection(country: "US")
        #expect(outcome(radios, by: wish, country: "00") == .success("phy0"))
        #expect(failure(outcome(radios, by: wish, country: "US"))?.text.contains("the rules of US") == true)
        #expect(failure(outcome(radios, by: wish, country: "98"))?.text.contains("an access point's") == true)
        #expect(failure(outcome(radios, country: "00"))?.text.contains("is unset") == true)
    }

    @Test("a refusal because of the switch names the radio and says what to do") func explained() {
        let off = NetlinkError(command: "START_NAN", code: ERFKILL)
        #expect(RadioSelection.explain(off, of: "phy7") == RadioSwitch.failure("phy7"))
        #expect(RadioSelection.explain(off).cause == .radioOff)
        let denied = NetlinkError(command: "START_NAN", code: EPERM)
        #expect(RadioSelection.explain(denied, of: "phy7").cause == .permission)
        let other = NetlinkError(command: "START_NAN", code: EINVAL)
        #expect(RadioSelection.explain(other, of: "phy7") == other.failure)
    }

    @Test("a switch is its radio's by the name it was made with, or by where it stands") func switches() throws {
        let classes = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: classes) }
        for folder in ["rfkill/rfkill3", "ieee80211/board/rfkill3"] {
            try FileManager.default.createDirectory(
                at: classes.appendingPathComponent(folder), withIntermediateDirectories: true)
        }
        try Data("phy0\n".utf8).write(to: classes.appendingPathComponent("rfkill/rfkill3/name"))
        #expect(RadioSwitch.isSwitch(3, of: "phy0", in: classes.path))
        #expect(RadioSwitch.isSwitch(3, of: "board", in: classes.path))
        #expect(!RadioSwitch.isSwitch(3, of: "other", in: classes.path))
        #expect(!RadioSwitch.isSwitch(4, of: "board", in: classes.path))
    }

    @Test("a switch that cannot be looked at is no finding that it is on") func unknownSwitch() {
        #expect(
            RadioCheck.switchFinding("phy0", nil)
                == RadioCheck.Finding(
                    isGood: true, text: "it cannot be told whether phy0 is switched on (/dev/rfkill)"))
    }
}

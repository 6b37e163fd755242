import Identity
import Testing

@Suite("Identity") struct IdentityTests {
    // RFC 6335 5.1 states the rules; these are its corners.
    @Test(
        "service names by RFC 6335 are accepted",
        arguments: [
            "_a._udp", "_drone-service._udp", "_1a._tcp", "_a1-b2-c3._tcp", "_123456789012-4a._udp", "_HTTP._TCP",
        ])
    func names(_ text: String) throws {
        let name = try ServiceName(text)
        #expect(name.canonical == text.lowercased())
    }

    @Test(
        "anything else is refused",
        arguments: [
            "", "_._udp", "a._udp", "_a.udp", "_a", "_a._udp.", "_a._udp.local", "_a._sctp", "_1234567890123456._udp",
            "_-a._udp", "_a-._udp", "_a--b._udp", "_123._udp", "_a_b._udp", "_a b._udp", "_é._udp", "__a._udp", "_a._",
        ])
    func badNames(_ text: String) {
        #expect(throws: IdentityError(field: "name", value: text, accepted: ServiceName.accepted)) {
            try ServiceName(text)
        }
    }

    @Test("names differing in the case of letters alone are one name") func caseless() throws {
        let one = try ServiceName("_Drone._udp")
        let other = try ServiceName("_dRONE._UDP")
        #expect(one == other && one.text == "_Drone._udp")
        #expect(Set([one, other]).count == 1)
    }

    @Test(
        "an advertised name holds 15 octets, not characters",
        arguments: [
            ("123456789012345", true), ("1234567890123456", false), ("ééééééé", true), ("éééééééé", false), ("", false),
            (" ", false), ("a\nb", false), ("a\u{202E}b", false), ("🚁 Falcon", true),
        ])
    func advertised(_ text: String, _ isAccepted: Bool) {
        #expect(((try? AdvertisedName(text, field: "x")) != nil) == isAccepted)
    }

    @Test(
        "an endpoint is on the loopback",
        arguments: [
            ("127.0.0.1:1", true), ("127.255.3.4:65535", true), ("[::1]:80", true), ("127.0.0.1:0", false),
            ("127.0.0.1:65536", false), ("127.0.0.1", false), ("10.0.0.1:80", false), ("::1:80", false),
            ("127.0.0.256:80", false), ("127.0.0.01:80", false), ("127.0.0.1:+80", false), ("localhost:80", false),
            ("[::1]:", false),
        ])
    func endpoints(_ text: String, _ isAccepted: Bool) {
        let endpoint = try? LocalEndpoint(text, field: "x")
        #expect((endpoint != nil) == isAccepted)
        if let endpoint { #expect(endpoint.description == text) }
    }

    @Test("a filter wants every criterion met, and an unknown name meets none") func filter() throws {
        let filter = try DeviceFilter(vendors: ["Apple", "Google"], models: ["Phone"])
        #expect(filter.matches(name: "x", vendor: "Apple", model: "Phone"))
        #expect(!filter.matches(name: "x", vendor: "Apple", model: "Tablet"))
        #expect(!filter.matches(name: "x", vendor: nil, model: "Phone"))
        #expect(DeviceFilter.anyPaired.matches(name: nil, vendor: nil, model: nil))
        #expect(throws: IdentityError.self) { try DeviceFilter(names: ["a", "a"]) }
        #expect(throws: IdentityError.self) { try DeviceFilter(names: Array(repeating: "", count: 1)) }
    }

    @Test(
        "what names a PIN is known, what merely contains the letters is not",
        arguments: [
            ("pin", true), ("static-pin", true), ("PIN_CODE", true), ("defaultPasscode", true), ("password", true),
            ("pin-attempts", true), ("spinning", false), ("pairing", false), ("window-seconds", false),
            ("opinion", false),
        ])
    func staticPIN(_ key: String, _ isPIN: Bool) { #expect(StaticPIN.isNamed(by: key) == isPIN) }
}

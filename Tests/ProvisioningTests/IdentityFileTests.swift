import Foundation
import Identity
import JSONText
import LinuxRuntime
import Provisioning
import Testing

/// The repository's own folder.
let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

func packageFile(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: package.appending(path: path))) }

@Suite("Identity file") struct IdentityFileTests {
    private static let minimal = """
        {
          "schema-version": 1,
          "vendor-name": "V",
          "model-name": "M",
          "pairing-name": "P",
          "serial-number": "S",
          "services": [
            {
              "name": "_a._udp",
              "port": 1,
              "handler": {"control": {"local-udp": "127.0.0.1:9"}}
            }
          ]
        }
        """

    private func parse(_ text: String) throws -> AccessoryIdentity {
        try IdentityFile.parse(Array(text.utf8), file: "i.json")
    }

    @Test("the smallest file gets every documented default") func defaults() throws {
        let identity = try parse(Self.minimal)
        let service = try #require(identity.services.first)
        #expect(service.performanceMode == .bulk && service.serviceClass == .bestEffort)
        #expect(service.devices == .anyPaired && service.instanceName == nil)
        #expect(identity.limits == .standard && identity.pairing == .standard)
        let written = IdentityFile.value(of: identity)
        for key in IdentityFile.keys where !key.path.contains("[]") {
            guard let standard = key.standard, let value = member(written, key.path) else { continue }
            switch value {
            case .string(let text): #expect(text == standard)
            case .object: #expect(standard == "as below")
            default: #expect(value.text == standard, "\(key.path)")
            }
        }
    }

    private func member(_ value: JSONValue, _ path: String) -> JSONValue? {
        path.split(separator: ".").reduce(value as JSONValue?) { $0?.object?[String($1)] }
    }

    @Test("what is written is read back the same", arguments: ["drone", "camera", "tcp-forward"])
    func roundTrip(_ name: String) throws {
        let path = "provisioning/examples/\(name).json"
        let identity = try IdentityFile.parse(try packageFile(path), file: path)
        let text = IdentityFile.value(of: identity).prettyText
        let again = try parse(text)
        #expect(again == identity)
    }

    @Test("who vanished is let go after 5 s, after the time in the file, or never") func presence() throws {
        func timeout(_ limits: String) throws -> Duration? {
            let text = Self.minimal.replacingOccurrences(
                of: #""serial-number": "S""#, with: #""serial-number": "S", "limits": {\#(limits)}"#)
            return try parse(text).limits.presenceTimeout
        }
        #expect(try timeout("") == .seconds(5))
        #expect(try timeout(#""presence-timeout-seconds": 3600"#) == .seconds(3600))
        #expect(try timeout(#""presence-timeout-seconds": 0"#) == nil)
    }

    @Test("the drone's example means what it says") func drone() throws {
        let identity = try IdentityFile.parse(try packageFile("provisioning/examples/drone.json"), file: "drone.json")
        let service = try #require(identity.services.first)
        #expect(identity.pairingName.text == "Falcon 2 A17" && identity.serialNumber.text == "EA-F2-000017")
        #expect(service.name.text == "_drone-service._udp" && service.port == 5600)
        #expect(service.performanceMode == .realtime && service.serviceClass == .interactiveVideo)
        let control = try #require(service.handler.control)
        let video = try #require(service.handler.video)
        #expect(control.local.description == "127.0.0.1:14550" && control.serviceClass == .interactiveVoice)
        #expect(video.source == .file("clip.h264", framesPerSecond: 30) && video.serviceClass == .interactiveVideo)
        #expect(identity.limits.maximumConnections == 2 && identity.limits.stopsPublishingWhenFull)
        #expect(identity.pairing.window == .afterBoot && identity.pairing.windowDuration == .seconds(300))
    }

    /// What is replaced in a good file, by what, and the error.
    ///
    /// Beside the test, because Swift 6.0.3 crashes on an interpolation inside `@Test`.
    private static let refused: [(String, String, String)] = [
        (
            #""vendor-name": "V""#, #""vendor-name": "sixteen octets!!""#,
            "i.json:3: vendor-name: sixteen octets!!: accepted is 1 to 15 octets of UTF-8 without control characters"
        ),
        (#""model-name": "M""#, #""model-name": 5"#, "i.json:4: model-name: whole number: accepted is a text"),
        (#""port": 1"#, #""port": 0"#, "i.json:10: services[0].port: 0: accepted is 1 to 65535"),
        (#""port": 1"#, #""port": "1""#, "i.json:10: services[0].port: 1: accepted is a whole number, 1 to 65535"),
        (
            #""port": 1"#, #""prot": 1"#,
            "i.json:10: services[0].prot: unknown key: accepted is one of name, instance-name, port, handler, "
                + "performance-mode, service-class, devices"
        ),
        (#""port": 1,"#, "", "i.json:8: services[0].port: missing: accepted is 1 to 65535"),
        ("_a._udp", "_a--b._udp", "i.json:9: services[0].name: _a--b._udp: accepted is \(ServiceName.accepted)"),
        (
            "127.0.0.1:9", "10.0.0.1:9",
            "i.json:11: services[0].handler.control.local-udp: 10.0.0.1:9: accepted is "
                + "127.x.x.x:PORT or [::1]:PORT, port 1 to 65535"
        ),
        (
            "_a._udp", "_a._tcp",
            "i.json:11: services[0].handler: control: accepted is forward, because _a._tcp is a TCP service"
        ),
        (#""schema-version": 1"#, #""schema-version": 2"#, "i.json:2: schema-version: 2: accepted is 1"),
        (
            #""serial-number": "S""#, #""serial-number": "S", "pairing": {"window-seconds": "120s"}"#,
            "i.json:6: pairing.window-seconds: 120s: accepted is a whole number, 10 to 3600"
        ),
        (
            #""serial-number": "S""#, #""serial-number": "S", "pairing": {"back-off-cap-seconds": 4000}"#,
            "i.json:6: pairing.back-off-cap-seconds: 4000: accepted is 1 to 3600, not less than first-back-off-seconds"
        ),
        (
            #""serial-number": "S""#, #""serial-number": "S", "limits": {"maximum-connections": 9}"#,
            "i.json:6: limits.maximum-connections: 9: accepted is 1 to 8"
        ),
        (
            #""serial-number": "S""#, #""serial-number": "S", "limits": {"presence-timeout-seconds": 1}"#,
            "i.json:6: limits.presence-timeout-seconds: 1: accepted is 2 to 3600, or 0 for none"
        ),
        (
            #""serial-number": "S""#, #""serial-number" "S""#,
            "i.json:6: expected a colon after the key \"serial-number\""
        ),
    ]

    @Test("a bad file is refused with line, key, value and what is accepted", arguments: refused)
    func refusals(_ from: String, _ to: String, _ message: String) {
        let text = Self.minimal.replacingOccurrences(of: from, with: to)
        do {
            _ = try parse(text)
            Issue.record("accepted: \(text)")
        } catch { #expect("\(error)" == message) }
    }

    @Test("two services that a phone could not tell apart are refused, at the second one's line") func duplicates() {
        let second = #"}, {"name": "_A._UDP", "port": 2, "handler": {"forward": {"local": "127.0.0.1:9"}}}"# + "\n  ]"
        let text = Self.minimal.replacingOccurrences(of: "}\n  ]", with: second)
        #expect(
            throws: ProvisioningError(
                file: "i.json", line: 12, field: "services[1].name", found: "_A._udp",
                accepted: "a name, or an instance-name, that no other service has")
        ) { try parse(text) }
    }

    @Test(
        "a static PIN is refused wherever it stands, and its digits are not repeated",
        arguments: [
            (#""serial-number": "S", "pin": "123456""#, "pin", 6),
            (#""serial-number": "S", "pairing": {"static-pin": 123456}"#, "pairing.static-pin", 6),
            (#""serial-number": "S", "x": [{"defaultPasscode": "123456"}]"#, "x[0].defaultPasscode", 6),
        ])
    func staticPIN(_ to: String, _ field: String, _ line: Int) {
        let text = Self.minimal.replacingOccurrences(of: #""serial-number": "S""#, with: to)
        do {
            _ = try parse(text)
            Issue.record("accepted")
        } catch {
            let error = error as? ProvisioningError
            #expect(error?.field == field && error?.line == line && error?.found == StaticPIN.refusal)
            #expect(error?.description.contains("123456") == false)
        }
    }

    @Test("written durably, loaded again, a relative video path is beside the file") func files() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "identity.json").path
        let identity = try IdentityFile.parse(try packageFile("provisioning/examples/drone.json"), file: "drone.json")
        try IdentityFile.write(identity, to: path)
        let loaded = try IdentityFile.load(path)
        #expect(loaded.services.first?.handler.video?.file == folder.path + "/clip.h264")
        #expect(
            throws: ProvisioningError(file: path + "x", line: nil, field: nil, found: "no such file", accepted: nil)
        ) {
            try IdentityFile.load(path + "x")
        }
    }
}

@Suite("Configuration behind a symbolic link") final class LinkedConfigurationTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    private var link: String { folder.appending(path: "identity.json").path }
    private var target: String { folder.appending(path: "unit-7.json").path }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let example = try packageFile("provisioning/examples/drone.json")
        try Data(example).write(to: URL(fileURLWithPath: target))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    @Test("a link of ours to a file of ours is followed; a video path is relative to where the link is")
    func ours() throws {
        let identity = try IdentityFile.load(link)
        #expect(identity.services.first?.handler.video?.file == folder.path + "/clip.h264")
    }

    @Test("a link to nothing is no such file") func dangling() throws {
        try FileManager.default.removeItem(atPath: target)
        let error = ProvisioningError(file: link, line: nil, field: nil, found: "no such file", accepted: nil)
        #expect(throws: error) { try IdentityFile.load(link) }
    }

    @Test("a link of somebody else, and one to somebody else's file, is refused", .enabled(if: geteuid() == 0))
    func foreign() throws {
        #expect(lchown(link, 65534, 65534) == 0)
        #expect(throws: ProvisioningError.self) { try IdentityFile.load(link) }
        #expect(lchown(link, 0, 0) == 0)
        _ = try IdentityFile.load(link)
        #expect(chown(target, 65534, 65534) == 0)
        #expect(throws: ProvisioningError.self) { try IdentityFile.load(link) }
    }
}

@Suite("Board profile") struct ProfileFileTests {
    @Test("the demo's profile is what the demo needs") func demo() throws {
        let profile = try ProfileFile.parse(try packageFile("board/profiles/demo.json"), file: "demo.json")
        #expect(profile.board == "demo" && profile.radio == .simulated(airFolder: "air"))
        #expect(profile.display == .console && profile.bluetooth == .simulated && profile.logLevel == .info)
        #expect(!profile.allowsCoreDumps && profile.stateFolder == nil)
        let standard = ServiceDirectories(configuration: "/c", state: "/s", runtime: "/r")
        #expect(profile.directories(standard) == standard)
    }

    @Test(
        "a bad profile is refused",
        arguments: [
            (
                #"{"schema-version":1,"board":"b","radio":{}}"#,
                "p:1: radio: empty: accepted is an object with one key, simulated or nl80211"
            ),
            (
                #"{"schema-version":1,"board":"b","radio":{"simulated":{},"nl80211":{}}}"#,
                "p:1: radio: both: accepted is an object with one key, simulated or nl80211"
            ),
            (
                #"{"schema-version":1,"board":"b","radio":{"nl80211":{"country":"usa"}}}"#,
                "p:1: radio.nl80211.country: usa: accepted is two capital letters (ISO 3166-1)"
            ),
            (
                #"{"schema-version":1,"board":"b","radio":{"nl80211":{"wiphy":"a b"}}}"#,
                "p:1: radio.nl80211.wiphy: a b: accepted is a radio's name as iw shows it, phy0 for example"
            ),
            (
                #"{"schema-version":1,"board":"b b","radio":{"simulated":{}}}"#,
                "p:1: board: b b: accepted is 1 to 32 letters, digits and hyphens"
            ),
            (
                #"{"schema-version":1,"board":"b","radio":{"simulated":{}},"log-level":"loud"}"#,
                "p:1: log-level: loud: accepted is one of error, warning, info, debug"
            ),
            (
                #"{"schema-version":1,"board":"b","radio":{"simulated":{}},"state-folder":"s"}"#,
                "p:1: state-folder: s: accepted is an absolute path"
            ),
            (#"[]"#, "p:1: list: accepted is an object"),
        ])
    func refusals(_ text: String, _ message: String) {
        do {
            _ = try ProfileFile.parse(Array(text.utf8), file: "p")
            Issue.record("accepted: \(text)")
        } catch { #expect("\(error)" == message) }
    }
}

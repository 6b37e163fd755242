import Foundation
import JSONText
import Provisioning
import Testing

@Suite("Documentation of the configuration") struct DocumentationTests {
    @Test("docs/CONFIG.md lists every key, default and range as the code has them") func document() throws {
        let url = package.appending(path: "docs/CONFIG.md")
        let text = try String(contentsOf: url, encoding: .utf8)
        var updated = text
        for (name, keys) in [("identity keys", IdentityFile.keys), ("profile keys", ProfileFile.keys)] {
            let start = try #require(updated.range(of: "<!-- \(name) -->\n"))
            let end = try #require(updated.range(of: "<!-- end -->", range: start.upperBound..<updated.endIndex))
            updated.replaceSubrange(start.upperBound..<end.lowerBound, with: ConfigurationKey.markdown(keys))
        }
        if ProcessInfo.processInfo.environment["UPDATE_DOCS"] != nil {
            try updated.write(to: url, atomically: true, encoding: .utf8)
        } else {
            #expect(text == updated)
        }
    }

    @Test("the schema has the code's keys, ranges and defaults, and is closed everywhere") func schema() throws {
        let schema = try JSONSchema(packageFile("provisioning/identity.schema.json"))
        let properties = schema.properties()
        #expect(Set(properties.map(\.path)) == Set(IdentityFile.keys.map(\.path)))
        #expect(schema.openObjects().isEmpty)
        for key in IdentityFile.keys {
            guard let property = properties.first(where: { $0.path == key.path }) else { continue }
            #expect(property.isRequired == (key.standard == nil), "\(key.path)")
            if let low = property.schema["minimum"]?.integer, let high = property.schema["maximum"]?.integer {
                #expect(key.accepted.hasPrefix("\(low) to \(high)"), "\(key.path)")
            }
            if let names = property.schema["enum"]?.array {
                #expect(key.accepted == "one of " + names.compactMap(\.string).joined(separator: ", "), "\(key.path)")
            }
            if let standard = property.schema["default"] {
                #expect((standard.string ?? standard.text) == key.standard, "\(key.path)")
            }
        }
    }

    @Test("every example satisfies the schema", arguments: ["drone", "camera", "tcp-forward"])
    func examples(_ name: String) throws {
        let schema = try JSONSchema(packageFile("provisioning/identity.schema.json"))
        let value = try JSONParser.value(packageFile("provisioning/examples/\(name).json"), limits: .file)
        #expect(schema.faults(value).isEmpty)
    }

    @Test(
        "the schema refuses what the code refuses",
        arguments: [
            ("\"port\": 5600", "\"port\": 65536"), ("\"port\": 5600", "\"prot\": 1"), ("127.0.0.1", "192.168.0.1"),
            ("_drone-service._udp", "_drone--service._udp"), ("_drone-service._udp", "_123._udp"),
            ("_drone-service._udp", "_a-name-that-is-too-long._udp"), ("\"realtime\"", "\"fast\""),
            ("\"schema-version\": 1", "\"schema-version\": 3"),
            ("\"maximum-connections\": 2", "\"maximum-connections\": 0"),
            ("Falcon 2 A17", "A name that is too long"), ("EA-F2-000017", "with spaces"),
        ])
    func refusals(_ from: String, _ to: String) throws {
        let text = String(decoding: try packageFile("provisioning/examples/drone.json"), as: UTF8.self)
            .replacingOccurrences(of: from, with: to)
        let schema = try JSONSchema(packageFile("provisioning/identity.schema.json"))
        let value = try JSONParser.value(Array(text.utf8), limits: .file)
        #expect(!schema.faults(value).isEmpty)
        #expect(throws: ProvisioningError.self) { try IdentityFile.parse(Array(text.utf8), file: "x") }
    }
}

import Foundation
import NANFrames
import Octets
import Ports
import SimulatedMedium
import Testing

@Suite("Capture") struct CaptureTests {
    private static let tshark = "/usr/bin/tshark"
    private static var hasTshark: Bool { FileManager.default.isExecutableFile(atPath: tshark) }

    /// 4.0 calls the protocol `nan`, 4.4 `wifi_nan`.
    private static var attributeType: String {
        let names = ["wifi_nan.attribute.type", "nan.attribute.type"]
        return names.first { tsharkKnows($0) } ?? names[1]
    }

    /// An unknown field ends tshark before it reads.
    private static func tsharkKnows(_ field: String) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: tshark)
        process.arguments = ["-r", "/dev/null", "-T", "fields", "-e", field]
        let output = Pipe()
        process.standardOutput = FileHandle.nullDevice
        process.standardError = output
        guard (try? process.run()) != nil else { return false }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return !text.contains("aren't valid")
    }

    /// What tshark prints of a capture, a line a frame, the fields separated by "|".
    private func read(_ capture: [UInt8], _ fields: [String]) throws -> [[String]] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("air-\(UUID().uuidString).pcapng")
        try Data(capture).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.tshark)
        process.arguments =
            ["-r", file.path, "-o", "wlan.ignore_wep:No", "-T", "fields", "-E", "separator=|"]
            + fields.flatMap { ["-e", $0] }
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return text.split(separator: "\n").map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        }
    }

    /// Clear multicast, clear unicast and protected unicast; returns the cluster too.
    private func record(_ writer: CaptureWriter) throws -> (octets: [UInt8], cluster: ClusterID) {
        var harness = AirHarness(seed: 21, capture: writer)
        let radios = harness.connect()
        let cluster = try #require(harness.cluster(of: radios[0]))
        for (index, radio) in radios.enumerated() {
            let peer = Fixture.nmi(UInt64(1 - index))
            harness.perform(.protectPeer(peer), .installManagementKey(peer, Fixture.key(9)), on: radio)
        }
        let plan: [(MACAddress, UInt8)] = [
            (Fixture.networkID, 4), (Fixture.nmi(1).address, 4), (Fixture.nmi(1).address, 9),
        ]
        for (number, (destination, category)) in plan.enumerated() {
            let frame = Fixture.frame(
                to: destination, from: Fixture.nmi(0), in: cluster, category: category, number: UInt16(number))
            harness.perform(.transmit(Transmission(id: TransmitID(UInt64(number)), frame: frame)), on: radios[0])
            harness.pass(.seconds(1))
        }
        return (harness.captured, cluster)
    }

    @Test("tshark reads beacons, frames and acknowledgements with their channel", .enabled(if: hasTshark))
    func radiotap() throws {
        let (octets, cluster) = try record(CaptureWriter())
        let lines = try read(
            octets,
            ["frame.protocols", "wlan.fc.type_subtype", "radiotap.channel.freq", "wlan.bssid", "wlan.fc.protected"])
        func isType(_ line: [String], _ type: Int) -> Bool {
            line[1] == String(type) || line[1] == "0x00" + String(type, radix: 16)
                || line[1] == "0x" + String(repeating: "0", count: type < 16 ? 3 : 2) + String(type, radix: 16)
        }
        #expect(lines.allSatisfy { $0[0].hasPrefix("radiotap:wlan_radio:wlan") })
        let beacons = lines.filter { isType($0, 8) }
        #expect(beacons.count > 10)
        #expect(beacons.suffix(4).allSatisfy { $0[2] == "2437" && $0[3] == "\(cluster.address)" })
        let actions = lines.filter { isType($0, 13) }
        #expect(actions.map { $0[2] } == ["2437", "5180", "5180"])
        #expect(actions.map { $0[4] } == ["0", "0", "1"] || actions.map { $0[4] } == ["False", "False", "True"])
        let acknowledgements = lines.filter { isType($0, 29) }
        #expect(acknowledgements.count == 2)
    }

    @Test("opened, a protected frame reads as what was sent", .enabled(if: hasTshark))
    func opened() throws {
        let (octets, cluster) = try record(
            CaptureWriter(beacons: false, acknowledgements: false, radiotap: false, opensProtected: true))
        let lines = try read(
            octets, ["wlan.da", "wlan.bssid", "wlan.fixed.category_code", Self.attributeType, "_ws.malformed"])
        let peer = "\(Fixture.nmi(1).address)"
        let own = "\(cluster.address)"
        #expect(lines.map { $0[0] } == ["\(Fixture.networkID)", peer, peer])
        #expect(lines.allSatisfy { $0[1] == own })
        #expect(lines.map { $0[2] } == ["4", "4", "9"])
        #expect(lines.allSatisfy { $0[3] == "3" || $0[3] == "0x03" }, "a Service Descriptor in each: \(lines)")
        #expect(lines.allSatisfy { $0[4].isEmpty })
    }

    @Test("closed, a protected frame shows nothing of its content")
    func closed() throws {
        let (octets, _) = try record(CaptureWriter(beacons: false))
        let prefix: [UInt8] = [0x09, 0x09, 0x50, 0x6F, 0x9A, 0x13]
        let isShown = octets.indices.dropLast(prefix.count).contains { Array(octets[$0..<$0 + prefix.count]) == prefix }
        #expect(!isShown)
    }
}

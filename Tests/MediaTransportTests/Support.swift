import Foundation
import MediaTransport
import Octets
import Testing

/// Octets from hex text that the test itself wrote.
func bytes(_ text: String) throws -> [UInt8] { try #require([UInt8](hex: text)) }

func instant(_ milliseconds: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: milliseconds * 1_000_000) }

/// The demo's film, as the repository has it.
enum DemoClip {
    static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../board/demo/clip.h264").standardizedFileURL.path

    static func octets() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

    static func clip() throws -> Clip { try Clip(byteStream: try octets()) }
}

/// A NAL unit of `count` octets, all different from a start code's.
func nalUnit(_ header: UInt8, count: Int) -> [UInt8] {
    [header] + (1..<max(count, 1)).map { UInt8($0 % 251) | 0x80 }
}

/// All payloads of one access unit.
func payloads(of unit: AccessUnit, limit: Int, aggregates: Bool = true) -> [[UInt8]] {
    var packetizer = H264Packetizer(payloadLimit: limit, aggregates: aggregates)
    packetizer.begin(unit)
    let slot = UnsafeMutableRawBufferPointer.allocate(byteCount: limit, alignment: 1)
    defer { slot.deallocate() }
    var all: [[UInt8]] = []
    while true {
        // A slot is dirty when it comes: nothing may rely on zeros.
        slot.initializeMemory(as: UInt8.self, repeating: 0xA5)
        guard let length = packetizer.next(into: slot) else { return all }
        all.append(Array(slot[..<length]))
    }
}

func packet(
    _ sequence: UInt16, timestamp: UInt32 = 0, marker: Bool = false, ssrc: UInt32 = 7, payload: [UInt8]
) throws -> RTPPacket {
    let slot = UnsafeMutableRawBufferPointer.allocate(byteCount: RTPHeader.size, alignment: 1)
    defer { slot.deallocate() }
    RTPHeader(payloadType: 96, marker: marker, sequenceNumber: sequence, timestamp: timestamp, ssrc: ssrc).write(
        to: slot)
    return try RTPPacket(parsing: Array(slot) + payload)
}

/// The octets of `count` packets from the sender's store.
func datagrams(_ sender: VideoSender, first: UInt16, count: Int) -> [[UInt8]] {
    sender.store.withPackets(first: first, count: count) { packets in
        (0..<packets.count).map { Array(packets[$0]) }
    }
}

import Cryptography
import Foundation
import Octets
import Testing

@Suite("Memory of secrets") struct SecretMemoryTests {
    /// Flags of the mapping that `address` is in (proc(5), smaps, VmFlags).
    private func flags(of address: UInt) throws -> Set<Substring> {
        // Not at once by its size: files of proc(5) have none.
        let file = try #require(FileHandle(forReadingAtPath: "/proc/self/smaps"))
        let octets = try file.readToEnd() ?? Data()
        let text = String(decoding: octets, as: UTF8.self)
        var isInside = false
        for line in text.split(separator: "\n") {
            let bounds = line.prefix { $0 != " " }.split(separator: "-").map { UInt($0, radix: 16) }
            if bounds.count == 2, let start = bounds[0], let end = bounds[1] {
                isInside = start <= address && address < end
            } else if isInside, line.hasPrefix("VmFlags:") {
                return Set(line.dropFirst("VmFlags:".count).split(separator: " "))
            }
        }
        return []
    }

    @Test("no core dump and no forked child has a key", arguments: [0, 1, 16, 32, 1024, 1025, 100_000])
    func mapping(count: Int) throws {
        let key = SecretKey(count: count) { _ in }
        let address = key.withOctets { UInt(bitPattern: $0.baseAddress) }
        let flags = try withExtendedLifetime(key) { try self.flags(of: address) }
        #expect(flags.contains("dd"), "VM_DONTDUMP is missing: \(flags)")
        #expect(flags.contains("wf"), "VM_WIPEONFORK is missing: \(flags)")
        #expect(address % 16 == 0)
    }

    @Test("what a freed key leaves is wiped before it is handed out again") func reuse() {
        for count in [1, 15, 16, 17, 64, 500, 1024, 2000] {
            // Filled to the end of what it was given, so that the next owner of the place would see it.
            for _ in 0..<64 { _ = SecretKey(count: count) { $0.initializeMemory(as: UInt8.self, repeating: 0xD5) } }
            let keys = (0..<64).map { _ in SecretKey(count: count) { _ in } }
            #expect(keys.allSatisfy { key in key.withOctets { $0.allSatisfy { $0 == 0 } } })
        }
    }

    @Test("keys that live at once share no octet, even when there are more than the arena holds") func exhaustion() {
        let keys = (0..<6000).map { index in
            SecretKey(count: 256) { $0.storeBytes(of: UInt32(index), as: UInt32.self) }
        }
        let isIntact = keys.enumerated().allSatisfy { index, key in
            key.withOctets { $0.load(as: UInt32.self) } == UInt32(index)
        }
        #expect(isIntact)
    }

    @Test("threads make and drop keys at the same time") func threads() async {
        let sums = await withTaskGroup(of: Int.self) { group in
            for task in 0..<4 {
                group.addTask {
                    var sum = 0
                    for round in 0..<2000 {
                        let size = 1 + (round * 37 + task) % 200
                        let key = SecretKey(copying: [UInt8](repeating: UInt8(task + 1), count: size))
                        sum += key.withOctets { $0.allSatisfy { $0 == UInt8(task + 1) } } ? 1 : 0
                    }
                    return sum
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sums == [2000, 2000, 2000, 2000])
    }
}

import Foundation
import LinuxRuntime
import Testing

/// The memory of a child, as proc(5) shows it to its parent.
enum ProcessMemory {
    /// - Parameter includingExcluded: also what is marked to be left out of core dumps.
    static func read(_ process: Int32, includingExcluded: Bool) throws -> Data {
        let maps = try #require(FileHandle(forReadingAtPath: "/proc/\(process)/smaps")).readToEnd() ?? Data()
        let memory = try #require(FileHandle(forReadingAtPath: "/proc/\(process)/mem"))
        var found = Data()
        var range: Range<UInt64>?
        for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            let bounds = (words.first ?? "").split(separator: "-").compactMap { UInt64($0, radix: 16) }
            if bounds.count == 2 {
                let isReadable = words.count > 1 && words[1].hasPrefix("rw")
                range = isReadable && !line.hasSuffix("[vvar]") ? bounds[0]..<bounds[1] : nil
            } else if words.first == "VmFlags:", let place = range {
                let isExcluded = words.contains("dd")
                guard !isExcluded || includingExcluded else { continue }
                try memory.seek(toOffset: place.lowerBound)
                found += (try? memory.read(upToCount: place.count)) ?? Data()
            }
        }
        return found
    }

    /// What gdb's `gcore` writes, registers included.
    static func core(of process: Int32, in folder: TestFolder) throws -> Data {
        let prefix = folder.file("core")
        let gcore = try ChildProcess(
            path: "/usr/bin/gcore", arguments: ["gcore", "-o", prefix, "\(process)"],
            streams: ChildProcess.Streams(error: nil))
        let exit = try gcore.wait()
        #expect(exit == .exited(0))
        let core = try Data(contentsOf: URL(fileURLWithPath: "\(prefix).\(process)"), options: .mappedIfSafe)
        #expect(core.count > 1 << 20)
        return core
    }

    static var hasCores: Bool { FileSystem.exists("/usr/bin/gcore") }
}

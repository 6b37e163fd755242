import Foundation
import Testing

/// One run of a program that was built, as a person or a script would run it.
struct ToolRun {
    let output: String
    let errors: String
    let status: Int32

    /// Runs `program` to its end; the environment has nothing but what is given.
    init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        let tests = try #require(try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: tests).deletingLastPathComponent().appending(path: program)
        process.arguments = arguments
        process.environment = environment
        let folder = FileManager.default.temporaryDirectory
        // Files, not pipes: neither can fill up and stop the program.
        let files = try ["out", "err"].map { suffix in
            let url = folder.appending(path: "\(UUID().uuidString).\(suffix)")
            try Data().write(to: url)
            return url
        }
        defer { for file in files { try? FileManager.default.removeItem(at: file) } }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
        process.waitUntilExit()
        output = try String(contentsOf: files[0], encoding: .utf8)
        errors = try String(contentsOf: files[1], encoding: .utf8)
        status = process.terminationStatus
    }

    static func awarectl(_ arguments: String..., environment: [String: String] = [:]) throws -> ToolRun {
        try ToolRun("awarectl", arguments, environment: environment)
    }
}

/// A folder that goes away with the test.
final class Scratch {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString.prefix(13))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to name: String) throws -> String {
        let file = "\(path)/\(name)"
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        return file
    }
}

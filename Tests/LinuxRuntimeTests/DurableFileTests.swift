import Foundation
import Glibc
import LinuxRuntime
import Testing

@Suite("Durable files") struct DurableFileTests {
    private let folder: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// This process's descriptor of the file at `path`.
    private func descriptor(of path: String) throws -> Int32? {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").first {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
        }.flatMap { Int32($0) }
    }

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

    @Test("what is written is read, nothing else is left, and the mode is ours whatever the umask") func write() throws
    {
        let file = DurableFile(path: folder + "/a")
        let none = try file.read(limit: 10)
        #expect(none == nil)
        try file.write([1, 2, 3])
        try file.write([4, 5])
        let octets = try file.read(limit: 10)
        let left = try names()
        #expect(octets == [4, 5] && left == ["a"])
        var status = stat()
        #expect(stat(file.path, &status) == 0 && status.st_mode & 0o7777 == 0o600)
        try DurableFile(path: folder + "/b").write([], mode: 0o644)
        #expect(stat(folder + "/b", &status) == 0 && status.st_mode & 0o7777 == 0o644 && status.st_size == 0)
    }

    @Test("the previous generation is kept on request") func previous() throws {
        let file = DurableFile(path: folder + "/a")
        for generation in [1, 2, 3] as [UInt8] { try file.write([generation], keepingPreviousAs: "a.previous") }
        let now = try file.read(limit: 1)
        let before = try DurableFile(path: folder + "/a.previous").read(limit: 1)
        let left = try names()
        #expect(now == [3] && before == [2] && left == ["a", "a.previous"])
    }

    @Test("a symbolic link is replaced, never followed, and never read") func links() throws {
        try DurableFile(path: folder + "/victim").write([7])
        try FileManager.default.createSymbolicLink(atPath: folder + "/a", withDestinationPath: folder + "/victim")
        let file = DurableFile(path: folder + "/a")
        #expect(throws: FileError(path: file.path, cause: .notARegularFile)) { try file.read(limit: 10) }
        try file.write([1])
        let victim = try DurableFile(path: folder + "/victim").read(limit: 10)
        let own = try file.read(limit: 10)
        #expect(victim == [7] && own == [1])
    }

    @Test("too long a file, a folder and a missing folder are typed errors") func errors() throws {
        try DurableFile(path: folder + "/a").write([1, 2, 3])
        #expect(throws: FileError(path: folder + "/a", cause: .tooLarge(limit: 2))) {
            try DurableFile(path: folder + "/a").read(limit: 2)
        }
        #expect(throws: FileError(path: folder, cause: .notARegularFile)) {
            try DurableFile(path: folder).read(limit: 2)
        }
        #expect(throws: FileError.self) { try DurableFile(path: folder + "/none/a").write([1]) }
        #expect(throws: FileError.self) { try DurableFile(path: folder).write([1]) }
        let left = try names()
        #expect(left == ["a"])
    }

    @Test("a killed writer's leavings are removed, and nothing else") func leftovers() throws {
        for name in [".a.1f.new", ".b.1f.new", "a.new"] { try DurableFile(path: folder + "/" + name).write([1]) }
        try DurableFile(path: folder + "/a").removeLeftovers()
        let left = try names()
        #expect(left == [".b.1f.new", "a.new"])
    }

    @Test("a secret that others may read or write is refused, with what mends it", arguments: [0o640, 0o602, 0o644])
    func unsafeSecret(mode: UInt32) throws {
        let file = DurableFile(path: folder + "/secret")
        try file.write([1, 2, 3], mode: mode)
        let cause = FileError.Cause.unsafeFile(mode: mode, owner: ProcessIdentity.userID)
        let refusal = FileError(path: file.path, cause: cause)
        #expect(throws: refusal) { _ = try file.readSecret(limit: 10) }
        #expect(refusal.description.contains("chmod 600 \(file.path)"))
        let content = try file.read(limit: 10)
        #expect(content == [1, 2, 3])
    }

    @Test("a secret is read into pages of its own") func secret() throws {
        try DurableFile(path: folder + "/a").write([1, 2, 3])
        let pages = try DurableFile(path: folder + "/a").readSecret(limit: 10)
        #expect(pages?.count == 3)
        let octets = pages?.withOctets { Array($0) }
        #expect(octets == [1, 2, 3])
    }

    @Test("a lock has one holder, and is free when the holder goes") func lock() throws {
        let path = folder + "/lock"
        do {
            let held = try FileLock(path: path)
            #expect(throws: FileError(path: path, cause: .inUse)) { _ = try FileLock(path: path) }
            _ = consume held
        }
        _ = try FileLock(path: path)
    }

    @Test("a lock ends with its owner, though a program being started has a copy of the descriptor") func copiedLock()
        throws
    {
        let path = folder + "/lock"
        let copy: Int32
        do {
            let held = try FileLock(path: path)
            let descriptor = try descriptor(of: path)
            copy = dup(try #require(descriptor))
            _ = consume held
        }
        defer { close(copy) }
        _ = try FileLock(path: path)
    }

    @Test("folders are made private, and one that others can write to is refused") func folders() throws {
        try ServiceDirectories.make(folder + "/x/y")
        var status = stat()
        #expect(stat(folder + "/x/y", &status) == 0 && status.st_mode & 0o7777 == 0o700)
        try ServiceDirectories.make(folder + "/x/y")
        chmod(folder + "/x/y", 0o777)
        #expect(throws: FileError.self) { try ServiceDirectories.make(folder + "/x/y") }
        try DurableFile(path: folder + "/file").write([])
        #expect(throws: FileError.self) { try ServiceDirectories.make(folder + "/file") }
    }
}

@Suite("Service directories") struct ServiceDirectoriesTests {
    @Test("systemd's folders come first") func systemd() {
        let environment = [
            "CONFIGURATION_DIRECTORY": "/etc/x", "STATE_DIRECTORY": "/var/lib/x:/var/lib/y",
            "RUNTIME_DIRECTORY": "/run/x",
            "HOME": "/root", "XDG_STATE_HOME": "/z",
        ]
        let directories = ServiceDirectories(environment: environment, userID: 0)
        #expect(directories == ServiceDirectories(configuration: "/etc/x", state: "/var/lib/x", runtime: "/run/x"))
    }

    @Test("root without systemd gets the system's") func root() {
        let directories = ServiceDirectories(environment: ["HOME": "/root"], userID: 0)
        #expect(
            directories
                == ServiceDirectories(
                    configuration: "/etc/aware-accessory", state: "/var/lib/aware-accessory",
                    runtime: "/run/aware-accessory"))
    }

    // XDG Base Directory Specification 0.8.
    @Test("others get their own, by XDG") func user() {
        let plain = ServiceDirectories(environment: ["HOME": "/home/u", "XDG_STATE_HOME": "relative"], userID: 5)
        #expect(
            plain
                == ServiceDirectories(
                    configuration: "/home/u/.config/aware-accessory", state: "/home/u/.local/state/aware-accessory",
                    runtime: "/tmp/aware-accessory-5"))
        let xdg = ServiceDirectories(
            environment: ["XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s", "XDG_RUNTIME_DIR": "/run/user/5"], userID: 5)
        #expect(
            xdg
                == ServiceDirectories(
                    configuration: "/c/aware-accessory", state: "/s/aware-accessory",
                    runtime: "/run/user/5/aware-accessory"))
        let homeless = ServiceDirectories(environment: [:], userID: 5)
        #expect(homeless.state == "/tmp/aware-accessory-5/state_directory")
    }
}

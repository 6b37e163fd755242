internal import Glibc

/// A small file that is replaced whole: after `write` has returned, a power cut finds the new content, and
/// at any instant before it the old.
///
/// Temporary file, `fsync`, `rename`, `fsync` of the folder. Symbolic links are never followed at the last step:
/// `write` replaces one, `read` refuses it; only `readConfiguration` follows those that can be trusted.
package struct DurableFile: Sendable {
    package let path: String
    private let folder: String
    private let name: String

    package init(path: String) {
        self.path = path
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        name = String(parts.last ?? "")
        let parents = parts.dropLast().joined(separator: "/")
        folder = parts.count < 2 ? "." : parents.isEmpty ? "/" : parents
    }

    /// Replaces the file, which gets the permission bits of `mode` whatever the umask.
    ///
    /// The replaced file is kept in the same folder under the name `previous`, if one is given.
    package func write(
        _ octets: UnsafeRawBufferPointer, mode: UInt32 = 0o600, keepingPreviousAs previous: String? = nil
    ) throws(FileError) {
        do throws(SystemError) {
            let folder = try openFolder()
            let temporary = temporaryName()
            do throws(SystemError) {
                try create(temporary, in: folder, with: octets, mode: mode)
                if let previous { try keep(as: previous, in: folder) }
                try systemCall("rename \(name)") { renameat(folder.raw, temporary, folder.raw, name) }
            } catch {
                unlinkat(folder.raw, temporary, 0)
                throw error
            }
            try systemCall("fsync folder") { fsync(folder.raw) }
        } catch { throw FileError(path: path, cause: .system(error)) }
    }

    package func write(
        _ octets: [UInt8], mode: UInt32 = 0o600, keepingPreviousAs previous: String? = nil
    ) throws(FileError) {
        // 6.0's Array.withUnsafeBytes loses the error's type, so the result carries it out.
        try octets.withUnsafeBytes { buffer in
            Result { () throws(FileError) in try write(buffer, mode: mode, keepingPreviousAs: previous) }
        }.get()
    }

    /// The content; nil when there is no such file.
    package func read(limit: Int) throws(FileError) -> [UInt8]? {
        guard let file = try open() else { return nil }
        return try content(of: file, limit: limit)
    }

    /// The content of what people provide and nobody here writes; nil when there is no such file.
    ///
    /// A symbolic link is followed when it is root's or our own and leads to a file that is: units are told apart
    /// by links, and whoever can make one of those could as well replace the file.
    package func readConfiguration(limit: Int) throws(FileError) -> [UInt8]? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return try read(limit: limit) }
        try checkLink(owner: status.st_uid)
        guard let file = try open(followingLinks: true) else { return nil }
        let raw = file.raw
        do throws(SystemError) { try systemCall("fstat") { fstat(raw, &status) } } catch {
            throw FileError(path: path, cause: .system(error))
        }
        try checkLink(owner: status.st_uid)
        return try content(of: file, limit: limit)
    }

    private func checkLink(owner: UInt32) throws(FileError) {
        guard owner == 0 || owner == geteuid() else {
            throw FileError(path: path, cause: .untrustedLink(owner: owner))
        }
    }

    private func content(of file: borrowing FileDescriptor, limit: Int) throws(FileError) -> [UInt8] {
        let size = try size(of: file, limit: limit)
        var octets = [UInt8](repeating: 0, count: size)
        let count = try octets.withUnsafeMutableBytes { buffer in
            Result { () throws(FileError) in try fill(buffer, from: file) }
        }.get()
        octets.removeLast(size - count)
        return octets
    }

    /// The content, in memory that is wiped; nil when there is no such file.
    ///
    /// - Throws: `.unsafeFile` when it is not our own or others may read or write it.
    package func readSecret(limit: Int) throws(FileError) -> PrivatePages? {
        guard let file = try open() else { return nil }
        let size = try size(of: file, limit: limit, isSecret: true)
        do throws(SystemError) {
            let pages = try PrivatePages(count: size)
            let raw = file.raw
            let count = try pages.withOctets { buffer throws(SystemError) in try Self.fill(buffer, from: raw) }
            if count == size { return pages }
            let shorter = try PrivatePages(count: count)  // it shrank meanwhile
            shorter.withOctets { target in
                pages.withOctets { target.copyMemory(from: .init(rebasing: $0.prefix(count))) }
            }
            return shorter
        } catch { throw FileError(path: path, cause: .system(error)) }
    }

    /// Removes what writers that were killed left behind; call while no other process writes this file.
    package func removeLeftovers() throws(FileError) {
        do throws(SystemError) {
            let folder = try openFolder()
            for entry in try Self.entries(of: self.folder) where isTemporary(entry) {
                unlinkat(folder.raw, entry, 0)  // gone already is as good
            }
        } catch { throw FileError(path: path, cause: .system(error)) }
    }

    /// Removes the file, durably; no file is no error.
    package func remove() throws(FileError) {
        do throws(SystemError) {
            let folder = try openFolder()
            do throws(SystemError) { try systemCall("unlink") { unlinkat(folder.raw, name, 0) } } catch {
                if error.code != ENOENT { throw error }
            }
            try systemCall("fsync folder") { fsync(folder.raw) }
        } catch { throw FileError(path: path, cause: .system(error)) }
    }
}

extension DurableFile {
    private static let temporarySuffix = ".new"

    /// A name nobody else has, so that two writers never share a half-written file.
    private func temporaryName() -> String {
        ".\(name).\(String(UInt64.random(in: .min ... .max), radix: 16))\(Self.temporarySuffix)"
    }

    private func isTemporary(_ entry: String) -> Bool {
        entry.hasPrefix(".\(name).") && entry.hasSuffix(Self.temporarySuffix)
    }

    private func openFolder() throws(SystemError) -> FileDescriptor {
        FileDescriptor(
            owning: try systemCall("open folder") { Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) })
    }

    private func create(
        _ temporary: String, in folder: borrowing FileDescriptor, with octets: UnsafeRawBufferPointer, mode: UInt32
    ) throws(SystemError) {
        let at = folder.raw
        let raw = try systemCall("create \(temporary)") {
            openat(at, temporary, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, mode)
        }
        let file = FileDescriptor(owning: raw)
        try systemCall("fchmod") { fchmod(raw, mode) }  // whatever the umask took away
        var written = 0
        while written < octets.count {
            let rest = UnsafeRawBufferPointer(rebasing: octets[written...])
            written += try systemCall("write") { Glibc.write(raw, rest.baseAddress, rest.count) }
        }
        try systemCall("fsync") { fsync(file.raw) }
    }

    /// Gives the file its second name, so that no instant is without the first.
    private func keep(as previous: String, in folder: borrowing FileDescriptor) throws(SystemError) {
        let at = folder.raw
        let link = temporaryName()
        do throws(SystemError) {
            try systemCall("link") { linkat(at, name, at, link, 0) }
            do throws(SystemError) { try systemCall("rename") { renameat(at, link, at, previous) } } catch {
                unlinkat(at, link, 0)
                throw error
            }
            // Two names of one file already: `rename` then does nothing and leaves the source.
            unlinkat(at, link, 0)
        } catch {
            switch error.code {
            case ENOENT: return  // the first generation
            case EPERM, EOPNOTSUPP, EMLINK:  // vfat has no links: the previous generation alone covers an instant
                try systemCall("rename") { renameat(at, name, at, previous) }
            default: throw error
            }
        }
    }

    /// Nil when there is no such file.
    private func open(followingLinks follows: Bool = false) throws(FileError) -> FileDescriptor? {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (follows ? 0 : O_NOFOLLOW)
        do throws(SystemError) {
            return FileDescriptor(owning: try systemCall("open") { Glibc.open(path, flags) })
        } catch {
            switch error.code {
            case ENOENT: return nil
            case ELOOP: throw FileError(path: path, cause: .notARegularFile)
            default: throw FileError(path: path, cause: .system(error))
            }
        }
    }

    private func size(
        of file: borrowing FileDescriptor, limit: Int, isSecret: Bool = false
    ) throws(FileError) -> Int {
        var status = stat()
        let raw = file.raw
        do throws(SystemError) { try systemCall("fstat") { fstat(raw, &status) } } catch {
            throw FileError(path: path, cause: .system(error))
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw FileError(path: path, cause: .notARegularFile) }
        if isSecret, status.st_uid != geteuid() || status.st_mode & 0o077 != 0 {
            let mode = UInt32(status.st_mode & 0o7777)
            throw FileError(path: path, cause: .unsafeFile(mode: mode, owner: status.st_uid))
        }
        guard status.st_size <= limit else { throw FileError(path: path, cause: .tooLarge(limit: limit)) }
        return Int(status.st_size)
    }

    private func fill(
        _ buffer: UnsafeMutableRawBufferPointer, from file: borrowing FileDescriptor
    ) throws(FileError) -> Int {
        do throws(SystemError) { return try Self.fill(buffer, from: file.raw) } catch {
            throw FileError(path: path, cause: .system(error))
        }
    }

    /// Reads until `buffer` is full or the file ends; returns how much there was.
    private static func fill(_ buffer: UnsafeMutableRawBufferPointer, from raw: Int32) throws(SystemError) -> Int {
        var filled = 0
        while filled < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
            let count = try systemCall("read") { Glibc.read(raw, rest.baseAddress, rest.count) }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    private static func entries(of folder: String) throws(SystemError) -> [String] {
        guard let stream = opendir(folder) else { throw SystemError(call: "opendir \(folder)", code: errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            // The name runs past what the tuple's type says; only its address is right.
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { break }
            let characters = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
            names.append(String(cString: characters))
        }
        return names
    }
}

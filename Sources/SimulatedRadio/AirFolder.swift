internal import Glibc
internal import LinuxRuntime

/// The folder in which the sockets of all radios of one simulated air lie.
///
/// There is no hub: a radio is there while its socket is, and everybody looks into the folder for the others.
struct AirFolder {
    /// Sockets listened to at most; more in the folder are not ours, or a mistake.
    static let radioLimit = 64
    /// A socket that nobody answers is left alone until it is this old, in seconds.
    static let leastAge: Int64 = 2
    /// What kind of radio a socket is; kinds do not hear each other.
    enum Kind: String {
        case nan = ".radio"
        case bluetooth = ".ble"
    }

    private static let nameLength = 16
    /// Octets that a socket's name adds to the folder's path, at most.
    static var socketNameLength: Int { 1 + nameLength + Kind.nan.rawValue.utf8.count }

    let path: String
    private let suffix: String

    /// Makes the folder if need be, 0700, and refuses one that others could put sockets into.
    init(path: String, _ kind: Kind = .nan) throws(FileError) {
        self.path = path
        suffix = kind.rawValue
        try ServiceDirectories.make(path)
    }

    /// The address of a radio's socket; `number` is random, so that no name is ever used twice.
    func address(number: UInt64) throws(FileError) -> UnixAddress {
        let digits = String(number, radix: 16)
        let name = String(repeating: "0", count: Self.nameLength - digits.count) + digits + suffix
        do throws(SystemError) { return try UnixAddress(path: "\(path)/\(name)") } catch {
            throw FileError(path: path, cause: .system(error))
        }
    }

    /// Sockets with a radio's name, in order, without `own`; `isCrowded` when some were left out.
    func others(than own: UnixAddress) -> (radios: [UnixAddress], isCrowded: Bool) {
        guard let stream = opendir(path) else { return ([], false) }
        defer { closedir(stream) }
        var found: [UnixAddress] = []
        var isCrowded = false
        while !isCrowded, let entry = readdir(stream) {
            // The name runs past what the tuple's type says; only its address is right.
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { break }
            let name = String(
                cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
            guard isRadio(name) else { continue }
            do throws(SystemError) {
                let address = try UnixAddress(path: "\(path)/\(name)")
                guard address != own else { continue }
                if found.count < Self.radioLimit { found.append(address) } else { isCrowded = true }
            } catch { continue }
        }
        return (found.sorted { $0.path < $1.path }, isCrowded)
    }

    private func isRadio(_ name: String) -> Bool {
        name.utf8.count == Self.nameLength + suffix.utf8.count && name.hasSuffix(suffix)
            && name.utf8.prefix(Self.nameLength).allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Removes the socket of a process that ended without doing so; the caller knows that nobody is bound to it.
    ///
    /// Only a socket, only our own user's, and only one that is not just being made.
    func removeAbandoned(_ address: UnixAddress) -> Bool {
        var status = stat()
        guard lstat(address.path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid(),
            WallClock.seconds - Int64(status.st_mtim.tv_sec) > Self.leastAge
        else { return false }
        return unlink(address.path) == 0
    }
}

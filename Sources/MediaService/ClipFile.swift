internal import CLinux
internal import Glibc
internal import LinuxRuntime
internal import MediaTransport

/// Reads a clip from disk.
package enum ClipFile {
    /// Largest file taken: it is played from memory, and a small board has little.
    static let sizeLimit = 64 << 20

    struct Failure: Error, Equatable, CustomStringConvertible {
        let description: String
    }

    /// Why a file cannot be played; nil when it can.
    package static func fault(_ path: String) -> String? {
        do throws(Failure) { _ = try load(path) } catch { return error.description }
        return nil
    }

    static func load(_ path: String) throws(Failure) -> Clip {
        let content: [UInt8]?
        do throws(SystemError) { content = try read(path) } catch { throw Failure(description: "\(error)") }
        guard let octets = content else { throw Failure(description: "\(path): not a regular file") }
        guard octets.count <= sizeLimit else {
            throw Failure(description: "\(path) is larger than \(sizeLimit) octets")
        }
        do throws(Clip.Unplayable) { return try Clip(byteStream: octets) } catch {
            switch error {
            case .noAccessUnit: throw Failure(description: "\(path) holds no H.264 byte stream (Annex B)")
            case .startsWithoutParameterSets:
                throw Failure(description: "\(path) does not start with SPS, PPS and an IDR picture")
            case .accessUnitTooLarge(let limit):
                throw Failure(description: "\(path) has a picture larger than \(limit) octets")
            }
        }
    }

    /// Nil when it is not a regular file.
    private static func read(_ path: String) throws(SystemError) -> [UInt8]? {
        // Not to wait for a pipe's other end: this thread serves everybody.
        let file = FileDescriptor(
            owning: try systemCall("open \(path)") { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) })
        let descriptor = file.raw
        var status = stat()
        try systemCall("fstat \(path)") { fstat(descriptor, &status) }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        var octets: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 18)
        while octets.count <= sizeLimit {
            let raw = file.raw
            let count = try systemCall("read \(path)") { Glibc.read(raw, &piece, piece.count) }
            if count == 0 { break }
            octets += piece[..<count]
        }
        return octets
    }
}

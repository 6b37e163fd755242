internal import Cryptography
internal import LinuxRuntime
package import Octets
package import Ports
internal import Synchronization

/// Paired devices, our own NIK and the count of PIN attempts, kept across power cuts.
///
/// Each change is on the disk, and in the folder's entry, before `handle` returns. The generation before the
/// newest is kept and used if the newest does not verify. Any thread may call; a disk may take its time, so
/// the control thread should not.
package final class PeerStore: Sendable {
    /// What was found when the store was opened.
    package enum Opening: Equatable, Sendable {
        /// Nothing: a NIK was drawn and saved.
        case fresh
        case newest
        /// The newest generation is absent or damaged; what it alone knew is lost.
        case previous(StateFormatError)
    }

    package let opening: Opening

    private let file: DurableFile
    private let folderLock: FileLock
    private let wallClock: @Sendable () -> Int64
    private let content: Mutex<Content>

    private struct Content {
        var generation: UInt64
        var state: StoredState
        /// Whether what stands under the newest name verifies, and so may become the previous generation.
        var isNewestSound: Bool
    }

    package static let fileName = "accessory.state"
    package static let previousName = "accessory.state.previous"
    package static let lockName = "accessory.lock"
    /// Pairings the store takes.
    package static let maximumPairings = StateFormat.maximumPairings
    package static let maximumBonds = StateFormat.maximumBonds
    private static let nikLength = 16

    /// Opens the store in `folder`, which is made if need be; one process has it open at a time.
    ///
    /// `wallClock` gives seconds since 1970, UTC, to stamp new pairings.
    package init(
        folder: String, entropy: Entropy = .kernel, wallClock: @escaping @Sendable () -> Int64 = { WallClock.seconds }
    ) throws(PeerStoreError) {
        let path = "\(folder)/\(Self.fileName)"
        file = DurableFile(path: path)
        self.wallClock = wallClock
        do throws(FileError) {
            try ServiceDirectories.make(folder)
            folderLock = try FileLock(path: "\(folder)/\(Self.lockName)")
            try file.removeLeftovers()
        } catch { throw .file(error) }

        let (found, opening) = try Self.open(file, previous: DurableFile(path: "\(folder)/\(Self.previousName)"))
        self.opening = opening
        guard let found else {
            var entropy = entropy
            let nik = SecretKey(drawing: Self.nikLength, from: &entropy)
            let first = StateFormat.Content(generation: 1, state: StoredState(ownNIK: nik))
            do throws(FileError) { try Self.write(first, to: file, keepingPrevious: false) } catch {
                throw .file(error)
            }
            content = Mutex(Content(generation: 1, state: first.state, isNewestSound: true))
            return
        }
        content = Mutex(
            Content(generation: found.generation, state: found.state, isNewestSound: opening == .newest))
    }

    /// What a start would find in `folder`; reads alone, also while a process has the store open.
    package static func look(in folder: String) throws(PeerStoreError) -> Opening {
        let previous = DurableFile(path: "\(folder)/\(previousName)")
        return try open(DurableFile(path: "\(folder)/\(fileName)"), previous: previous).1
    }

    /// What is on the disk.
    package var state: StoredState { content.withLock { $0.state } }

    /// Counts the changes ever made.
    package var generation: UInt64 { content.withLock { $0.generation } }

    /// Makes a change durable; the answer says whether it is.
    package func handle(_ command: StoreCommand) -> StoreEvent {
        content.withLock { content in
            var state = content.state
            let ticket: StoreTicket
            switch command {
            case .save(var record, let given):
                ticket = given
                if let problem = Self.problem(with: record) { return .failed(ticket, problem) }
                if record.pairedAt == 0 { record.pairedAt = UInt64(clamping: wallClock()) }
                record.name = Self.cut(record.name)
                record.vendor = Self.cut(record.vendor)
                record.model = Self.cut(record.model)
                if let place = state.pairings.firstIndex(where: { $0.id == record.id }) {
                    state.pairings[place] = record
                } else if state.pairings.count < Self.maximumPairings {
                    state.pairings.append(record)
                } else {
                    return .failed(ticket, "\(Self.maximumPairings) devices are paired; forget one first")
                }
            case .saveBond(var record, let given):
                ticket = given
                if let problem = Self.problem(with: record) { return .failed(ticket, problem) }
                if record.bondedAt == 0 { record.bondedAt = UInt64(clamping: wallClock()) }
                if let place = state.bonds.firstIndex(where: { $0.id == record.id }) {
                    state.bonds[place] = record
                } else if state.bonds.count < Self.maximumBonds {
                    state.bonds.append(record)
                } else {
                    return .failed(ticket, "\(Self.maximumBonds) devices are bonded; forget one first")
                }
            case .remove(let id, let given):
                ticket = given
                state.pairings.removeAll { $0.id == id }
                state.bonds.removeAll { $0.id == id }
            case .removeAll(let given):
                ticket = given
                state.pairings = []
                state.bonds = []
            case .setAttempts(let attempts, let given):
                ticket = given
                state.attempts = attempts
            }
            if state == content.state { return .saved(ticket) }
            guard content.generation < StateFormat.maximumGeneration else {
                return .failed(ticket, "the store has counted all the changes it can")
            }
            let next = StateFormat.Content(generation: content.generation + 1, state: state)
            do throws(FileError) { try Self.write(next, to: file, keepingPrevious: content.isNewestSound) } catch {
                return .failed(ticket, error.description)
            }
            content = Content(generation: next.generation, state: state, isNewestSound: true)
            return .saved(ticket)
        }
    }
}

extension PeerStore {
    private static func open(
        _ newest: DurableFile, previous: DurableFile
    ) throws(PeerStoreError) -> (StateFormat.Content?, Opening) {
        let problem: StateFormatError
        switch try read(newest) {
        case .success(let content): return (content, .newest)
        case .failure(let error): problem = error
        }
        if case .newer(let version) = problem { throw .newer(path: newest.path, version: version) }
        switch try read(previous) {
        case .success(let content): return (content, .previous(problem))
        case .failure(.newer(let version)): throw .newer(path: previous.path, version: version)
        // The first write of all was never finished.
        case .failure(.absent) where problem == .absent: return (nil, .fresh)
        case .failure: throw .damaged(path: newest.path, problem)
        }
    }

    private static func read(
        _ file: DurableFile
    ) throws(PeerStoreError) -> Result<StateFormat.Content, StateFormatError> {
        let pages: PrivatePages?
        do throws(FileError) { pages = try file.readSecret(limit: StateFormat.maximumLength) } catch {
            if case .tooLarge = error.cause { return .failure(.damaged) }
            throw .file(error)
        }
        guard let pages else { return .failure(.absent) }
        let octets = pages.withOctets { source in
            SecretKey(count: source.count) { $0.copyMemory(from: UnsafeRawBufferPointer(source)) }
        }
        do throws(StateFormatError) { return .success(try StateFormat.decode(octets)) } catch {
            return .failure(error)
        }
    }

    private static func write(
        _ content: StateFormat.Content, to file: DurableFile, keepingPrevious: Bool
    ) throws(FileError) {
        try StateFormat.encode(content).withOctets { octets throws(FileError) in
            try file.write(octets, keepingPreviousAs: keepingPrevious ? previousName : nil)
        }
    }

    private static func problem(with record: PairingRecord) -> String? {
        let lengths = [record.peerNIK.count, record.npk.count]
        return lengths.allSatisfy(StateFormat.keyLengths.contains) ? nil : "a key of \(lengths) octets"
    }

    private static func problem(with record: BondRecord) -> String? {
        let lengths = [record.keys.longTermKey.count] + (record.keys.identityKey.map { [$0.count] } ?? [])
        return lengths.allSatisfy { $0 == StateFormat.bondKeyLength } ? nil : "a key of \(lengths) octets"
    }

    /// A name cut between characters to what the file holds.
    private static func cut(_ name: String) -> String {
        var name = name
        while name.utf8.count > StateFormat.maximumNameLength { name.removeLast() }
        return name
    }
}

internal import CGPIOShim
internal import DisplayDrivers
internal import Glibc
internal import LinuxRuntime

/// Where a line is, as the kernel counts.
struct LinePlace: Equatable {
    /// The chip's device.
    let path: String
    let offset: UInt32

    /// Finds a line by its profile's name.
    init(_ name: LineName) throws(LineFailure) {
        let paths = Self.chipPaths
        guard !paths.isEmpty else { throw LineFailure(line: name.text, cause: .noChips) }
        switch name.place {
        case .name(let text): self = try Self.named(text, on: paths, name)
        case .offset(let chip, let offset): self = try Self.numbered(offset, chip, on: paths, name)
        }
    }

    /// Finds the lines of one display: different ones, on one chip.
    static func ofDisplay(_ names: [LineName]) throws(LineFailure) -> [LinePlace] {
        var places: [LinePlace] = []
        for name in names {
            let place = try LinePlace(name)
            if let first = places.first, first.path != place.path {
                throw LineFailure(line: name.text, cause: .severalChips(first.path, place.path))
            }
            if let same = places.firstIndex(of: place) {
                throw LineFailure(line: name.text, cause: .namedTwice(names[same].text))
            }
            places.append(place)
        }
        return places
    }

    private init(path: String, offset: UInt32) {
        self.path = path
        self.offset = offset
    }

    static var chipPaths: [String] {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob("/dev/gpiochip*", 0, nil, &found) == 0, let paths = found.gl_pathv else { return [] }
        return (0..<Int(found.gl_pathc)).compactMap { index in paths[index].map { String(cString: $0) } }
    }

    private static func named(
        _ text: String, on paths: [String], _ name: LineName
    ) throws(LineFailure) -> LinePlace {
        var places: [LinePlace] = []
        var refused: String?
        for path in paths {
            var chip = cgpio_chip_info()
            guard cgpio_chip_info(path, &chip) == 0 else {
                if [EACCES, EPERM].contains(errno) { refused = path }
                continue
            }
            for offset in 0..<chip.lines {
                var line = cgpio_line_info()
                guard cgpio_line_info(path, offset, &line) == 0, string(of: line.name) == text else { continue }
                places.append(LinePlace(path: path, offset: offset))
            }
        }
        if places.count > 1 { throw LineFailure(line: name.text, cause: .ambiguous(Set(places.map(\.path)).sorted())) }
        if let place = places.first { return place }
        throw LineFailure(line: name.text, cause: refused.map { .notPermitted($0) } ?? .noSuchLine)
    }

    private static func numbered(
        _ offset: UInt32, _ wanted: String, on paths: [String], _ name: LineName
    ) throws(LineFailure) -> LinePlace {
        var refused: String?
        for path in paths {
            var chip = cgpio_chip_info()
            let isNamed = [path, String(path.dropFirst("/dev/".count))].contains(wanted)
            guard cgpio_chip_info(path, &chip) == 0 else {
                if [EACCES, EPERM].contains(errno) { refused = isNamed ? path : refused ?? path }
                continue
            }
            guard isNamed || string(of: chip.name) == wanted || string(of: chip.label) == wanted else { continue }
            guard offset < chip.lines else { throw LineFailure(line: name.text, cause: .noSuchLine) }
            return LinePlace(path: path, offset: offset)
        }
        throw LineFailure(line: name.text, cause: refused.map { .notPermitted($0) } ?? .noSuchChip(wanted))
    }

    /// Who holds the line; nil when nobody does, or it cannot be told.
    var holder: String? {
        var line = cgpio_line_info()
        guard cgpio_line_info(path, offset, &line) == 0, line.is_taken else { return nil }
        let consumer = Self.string(of: line.consumer)
        return consumer.isEmpty ? "the kernel" : consumer
    }

    /// What the failure of a request for this line means.
    func failure(_ name: LineName, call: String, code: Int32) -> LineFailure {
        let cause: LineFailure.Cause =
            switch code {
            case EBUSY: .taken(by: holder ?? "somebody else")
            case EACCES, EPERM: .notPermitted(path)
            case ENOENT, ENODEV: .noSuchChip(path)
            default: .system(SystemError(call: call, code: code))
            }
        return LineFailure(line: name.text, cause: cause)
    }

    /// A name as C keeps it: 31 octets and a NUL.
    private static func string<Tuple>(of tuple: Tuple) -> String {
        withUnsafeBytes(of: tuple) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

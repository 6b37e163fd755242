import Identity
import JSONText
import LinuxRuntime
import Provisioning

/// `awarectl provision`.
enum ProvisionCommand {
    static let manual = Manual(
        name: "awarectl provision", summary: Command.provision.summary,
        synopsis: [
            "awarectl provision --check FILE", "awarectl provision [FILE] [options] [--output FILE] [--replace]",
        ],
        description: [
            "Makes the identity of one unit, checks it and writes it durably. It begins with FILE, if one is given, which "
                + "may leave out what options say; an option wins over FILE. Of several services the options mean none: "
                + "write those into FILE. Every key and its range is in docs/CONFIG.md, and as a schema in "
                + "provisioning/identity.schema.json.",
            "A video path that is not absolute is one beside the identity file. A file that is there already is left alone, "
                + "unless it says the same or --replace is given.",
            "What is advertised over Bluetooth LE has room for 31 octets, of which flags take 3: with more the identity is "
                + "refused, and what each part takes is said.",
            "There is no option and no key for a PIN: a static PIN is refused wherever it stands.",
        ],
        options: CommandLineOptions<ProvisionOption>.manualEntries, exitStatus: Command.exitStatus,
        examples: [
            .init("awarectl provision --check drone.json", "Check a file:"),
            .init(
                "awarectl provision drone.json --serial-number EA-F2-000018",
                "Provision a further unit from a template:"),
            .init(
                "awarectl provision -v Acme -m Cam -n \"Acme Cam\" -s 1 -S _cam._udp -P 5004 -V clip.h264 -o -",
                "Make an identity from options alone, and look at it:"),
        ])

    static func run(_ arguments: [String]) throws {
        for argument in arguments where argument.hasPrefix("--") {
            let option = String(argument.dropFirst(2).prefix { $0 != "=" })
            if StaticPIN.isNamed(by: option) { throw UsageError.refused("--\(option): \(StaticPIN.refusal)") }
        }
        let options = try CommandLineOptions<ProvisionOption>(parsing: ["provision"] + arguments, operands: ["FILE"])
        if options.contains(.help) { return try Output.write(manual.text()) }
        if options.contains(.check), options.contains(.output) || options.contains(.replace) {
            throw UsageError.refused("--check writes nothing; --output and --replace do not go with it")
        }
        let source = options.operands.first
        let changes = try Changes(options)
        guard source != nil || !changes.isEmpty else {
            throw UsageError.missingOperand("a FILE, or an option that says something,")
        }
        let template = try source.map(load) ?? JSONDocument(root: ["schema-version": 1])
        let document = try changes.applied(to: template)
        let identity: AccessoryIdentity
        do throws(ProvisioningError) {
            identity = try IdentityFile.identity(from: document, file: source ?? "")
        } catch {
            if source != nil { throw error }
            let accepted = error.accepted.map { ": accepted is \($0)" } ?? ""
            throw UsageError.refused("\(error.field ?? "the options"): \(error.found)\(accepted)")
        }
        if options.contains(.check) { return try Output.line("\(source ?? "The options"): \(summary(identity))") }
        try write(identity, options)
    }

    private static func load(_ path: String) throws(ProvisioningError) -> JSONDocument {
        func refused(_ line: Int?, _ found: String) -> ProvisioningError {
            ProvisioningError(file: path, line: line, field: nil, found: found, accepted: nil)
        }
        let octets: [UInt8]?
        do throws(FileError) {
            octets = try DurableFile(path: path).readConfiguration(limit: JSONLimits.file.octets)
        } catch {
            throw ProvisioningError(error)
        }
        guard let octets else { throw refused(nil, "no such file") }
        do throws(JSONError) { return try JSONParser.document(octets, limits: .file) } catch {
            throw refused(error.line, error.description)
        }
    }

    private static func write(
        _ identity: AccessoryIdentity, _ options: CommandLineOptions<ProvisionOption>
    ) throws {
        let text = IdentityFile.value(of: identity).prettyText
        if options[.output] == "-" { return try Output.write(text) }
        let folder = ServiceDirectories.current.configuration
        let path = options[.output] ?? "\(folder)/\(IdentityFile.name)"
        let existing: [UInt8]?
        do throws(FileError) { existing = try DurableFile(path: path).read(limit: JSONLimits.file.octets) } catch {
            throw Tool.Failure(sentence: error.description)
        }
        if existing == Array(text.utf8) {
            return try Output.line("\(path) is right already: \(summary(identity))")
        }
        if existing != nil, !options.contains(.replace) {
            throw Tool.Failure(sentence: "\(path) is there already and differs; give --replace to replace it")
        }
        do {
            if options[.output] == nil {
                try ServiceDirectories.make(folder, mode: 0o755)
            } else {
                try makeFolder(of: path)
            }
            try IdentityFile.write(identity, to: path)
        } catch { throw Tool.Failure(sentence: "\(error)") }
        try Output.line("Wrote \(path): \(summary(identity))")
    }

    /// A folder that is there already is somebody's, and taken as it is.
    private static func makeFolder(of path: String) throws(FileError) {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        guard !folder.isEmpty, !FileSystem.exists(folder) else { return }
        try ServiceDirectories.make(folder, mode: 0o755, parentMode: 0o755)
    }

    private static func summary(_ identity: AccessoryIdentity) -> String {
        let services = identity.services.map { "\($0.name) on port \($0.port)" }.joined(separator: ", ")
        return printable(
            "\(identity.pairingName) (\(identity.vendorName) \(identity.modelName), serial \(identity.serialNumber)), "
                + services)
    }
}

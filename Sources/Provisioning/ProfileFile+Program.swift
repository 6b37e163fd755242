internal import LinuxRuntime

extension ProfileFile {
    static let programKeyNames = ["program", "arguments"]
    private static let acceptedProgram = "an absolute path"
    /// More than any encoder's command line has.
    private static let argumentCounts = 0...64
    private static let acceptedArguments = "0 to 64 texts without NUL"

    /// A program of the board's maker: the display's, or the camera's.
    static func program(_ object: StrictObject) throws(ProvisioningError) -> BoardProgram {
        let path = try object.requiredString("program", accepted: acceptedProgram)
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw object.error("program", path, accepted: acceptedProgram)
        }
        let arguments = try object.strings("arguments")
        guard argumentCounts.contains(arguments.count), !arguments.contains(where: { $0.utf8.contains(0) }) else {
            throw object.error("arguments", "\(arguments.count) texts", accepted: acceptedArguments)
        }
        return BoardProgram(path: path, arguments: arguments)
    }

    static func camera(_ root: StrictObject) throws(ProvisioningError) -> BoardProgram? {
        guard let object = try root.nested("camera", accepting: programKeyNames) else { return nil }
        return try program(object)
    }

    /// The keys of a program that is named by `parent`.
    static func programDocumentation(_ parent: String, _ meaning: String) -> [ConfigurationKey] {
        [
            ConfigurationKey(parent, accepted: "an object", default: "none", meaning),
            ConfigurationKey("\(parent).program", accepted: acceptedProgram, default: nil, "the program"),
            ConfigurationKey("\(parent).arguments", accepted: acceptedArguments, default: "none", "its arguments"),
        ]
    }
}

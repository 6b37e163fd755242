package import LinuxRuntime

/// What one run of the demo is asked to do.
package struct DemoPlan: Equatable, Sendable {
    package var runs: Int
    package var isInteractive: Bool
    package var phones: Int
    package var programs: String
    package var identity: String
    package var profile: String
    package var clip: String
    /// A program that plays the clip live; nil when the accessory plays the file.
    package var camera: String?
    package var keepsFolder: Bool
    /// A median above its target is a failure.
    package var targetsBind: Bool

    /// - Parameter program: this program's own path, as it was called.
    package init(_ options: CommandLineOptions<DemoOption>, program: String) throws(UsageError) {
        runs = try options.integer(.runs, in: 1...1000) ?? 1
        isInteractive = options.contains(.interactive)
        phones = try options.integer(.phones, in: 1...2) ?? 1
        let folder = program.lastIndex(of: "/").map { String(program[..<$0]) }
        programs = options[.programs] ?? folder ?? "."
        identity = options[.identity] ?? "provisioning/examples/drone.json"
        profile = options[.profile] ?? "board/profiles/demo.json"
        clip = options[.clip] ?? "board/demo/clip.h264"
        camera = options[.camera]
        keepsFolder = options.contains(.keep)
        targetsBind = !options.contains(.reportOnly)
        if isInteractive, runs > 1 || phones > 1 { throw .refused("--interactive is for one run with one phone") }
    }
}

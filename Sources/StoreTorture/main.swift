import Glibc
import LinuxRuntime

enum Option: String, CommandLineOption {
    case kills
    case seed
    case folder
    case from
    case help

    var letter: Unicode.Scalar {
        switch self {
        case .kills: "k"
        case .seed: "s"
        case .folder: "d"
        case .from: "f"
        case .help: "h"
        }
    }

    var argument: String? {
        switch self {
        case .kills, .seed, .from: "NUMBER"
        case .folder: "FOLDER"
        case .help: nil
        }
    }

    var summary: String {
        switch self {
        case .kills: "how many writers to kill, 1 to 100000; 500 if not given"
        case .seed: "of the instants at which they are killed; 1 if not given"
        case .folder: "where the store is; a new one in /tmp if not given"
        case .from: "for write: the number of the last change that is in the store"
        case .help: "print this and exit"
        }
    }
}

let manual = Manual(
    name: "StoreTorture", summary: "kill a program while it writes to the peer store",
    synopsis: ["StoreTorture [run] [options]", "StoreTorture write --folder FOLDER --from NUMBER"],
    description: [
        "Starts a writer, which makes one change after another through the store of awared and prints each one's number "
            + "once it is durable; kills it with SIGKILL after a random time; opens the store and compares it with what "
            + "was acknowledged; and begins again.",
        "The store must hold every acknowledged change, and may hold one more.",
    ],
    options: CommandLineOptions<Option>.manualEntries,
    exitStatus: [
        .init("0", "nothing was lost"), .init("1", "something was, or the store did not open"),
        .init("2", "the command line is wrong"),
    ],
    examples: [.init("StoreTorture --kills 500 --seed 7", "Kill 500 writers, at the instants of seed 7:")])

func fail(_ text: String, _ status: ExitStatus) -> Never {
    var line = Array("StoreTorture: \(text)\n".utf8)
    _ = write(STDERR_FILENO, &line, line.count)
    exit(status.rawValue)
}

do {
    let options = try CommandLineOptions<Option>(parsing: CommandLine.arguments, operands: ["COMMAND"])
    if options.contains(.help) {
        print(manual.text(), terminator: "")
        exit(0)
    }
    switch options.operands.first ?? "run" {
    case "run":
        let kills = try options.integer(.kills, in: 1...100_000) ?? 500
        let seed = UInt64(try options.integer(.seed, in: 0...Int(Int32.max)) ?? 1)
        let folder = options[.folder] ?? "/tmp/store-torture-\(getpid())"
        let torture = Torture(kills: kills, seed: seed, folder: folder, program: "/proc/self/exe")
        print(try torture.run())
        if options[.folder] == nil {
            for name in ["accessory.state", "accessory.state.previous", "accessory.lock"] {
                unlink("\(folder)/\(name)")
            }
            rmdir(folder)
        }
    case "write":
        guard let folder = options[.folder] else { throw UsageError.missingOption("folder") }
        guard let from = try options.integer(.from, in: 0...Int(Int32.max)) else {
            throw UsageError.missingOption("from")
        }
        try Writer.run(folder: folder, from: UInt32(from))
    case let other: throw UsageError.unknownCommand(other, accepted: ["run", "write"])
    }
} catch let error as UsageError {
    fail("\(error); see StoreTorture --help", .usage)
} catch {
    fail("\(error)", .failure)
}

internal import Glibc
package import LinuxRuntime

/// `aware-factory`: its subcommands, and what is wrong with a command line.
package enum FactoryTool {
    private enum Subcommand: String, CaseIterable {
        case phone
        case demo
    }

    /// Runs the program; returns its exit status.
    ///
    /// - Parameter commandLine: with the program's name first.
    package static func run(_ commandLine: [String]) -> ExitStatus {
        let program = commandLine.first ?? "aware-factory"
        let names = Subcommand.allCases.map(\.rawValue)
        do throws(UsageError) {
            guard let word = commandLine.dropFirst().first else { throw .missingCommand(accepted: names) }
            if word == "help", let about = commandLine.dropFirst(2).first {
                guard names.contains(about) else { throw .unknownCommand(printable(about), accepted: names) }
                return run([program, about, "--help"])
            }
            if ["help", "--help", "-h"].contains(word) {
                StandardOutput.write(Manual.factory.text())
                return .success
            }
            if ["--version", "-V"].contains(word) {
                StandardOutput.write("aware-factory \(ProductVersion.text)\n")
                return .success
            }
            guard let subcommand = Subcommand(rawValue: word) else {
                throw .unknownCommand(printable(word), accepted: names)
            }
            let rest = ["\(program) \(word)"] + commandLine.dropFirst(2)
            switch subcommand {
            case .phone: return try phone(rest)
            case .demo: return try demo(rest, program: program)
            }
        } catch {
            StandardOutput.complain("aware-factory: \(error)")
            return .usage
        }
    }

    private static func phone(_ commandLine: [String]) throws(UsageError) -> ExitStatus {
        let options = try CommandLineOptions<PhoneOption>(parsing: commandLine)
        if options.contains(.help) {
            StandardOutput.write(Manual.phone.text())
            return .success
        }
        let plan = try PhonePlan(
            options, directories: .current, environment: ProcessEnvironment.variables,
            isTerminal: isatty(STDIN_FILENO) == 1)
        return PhoneProgram.run(plan)
    }

    private static func demo(_ commandLine: [String], program: String) throws(UsageError) -> ExitStatus {
        let options = try CommandLineOptions<DemoOption>(parsing: commandLine)
        if options.contains(.help) {
            StandardOutput.write(Manual.demo.text())
            return .success
        }
        let plan = try DemoPlan(options, program: program)
        return Demo(plan, environment: ProcessEnvironment.variables).run()
    }
}

extension Manual {
    /// The manual of `aware-factory` itself.
    package static let factory = Manual(
        name: "aware-factory", summary: "the phone's side of a Wi-Fi Aware accessory, for testing and production",
        synopsis: ["aware-factory COMMAND [options]", "aware-factory help COMMAND", "aware-factory --version"],
        description: [
            "Meets an accessory as a phone would: the same frames, the same cryptography, another program at the other "
                + "end. COMMAND is one of these; each has a manual of its own."
        ],
        commands: [
            Entry("phone", "Discover, pair, connect, control and view an accessory."),
            Entry("demo", "Show it all on this machine, on simulated air."),
        ],
        exitStatus: [
            Entry("0", "Everything that was asked for has happened."),
            Entry("1", "Something has not."),
            Entry("2", "The command line is wrong."),
            Entry("75", "Nobody is there yet."),
        ])
}

internal import Glibc
internal import JSONText
internal import LinuxRuntime

/// One demonstration: carries out what the script says, on a loop and in a folder of its own.
package final class DemoRun {
    private let plan: DemoPlan
    private let printer: DemoPrinter
    private let folder: DemoFolder
    private let loop: EventLoop
    private let echo: EchoProgram
    private let notifications: FileDescriptor
    private var sources: [HeldSource] = []
    private var processes: [DemoScript.Role: SupervisedProcess] = [:]
    private var script: DemoScript
    private var result = DemoScript.Result.failure("nothing happened")

    private static let notificationLimit = 4096
    private static let lineLimits = JSONLimits(octets: 1 << 20, depth: 16, values: 10_000)

    package init(_ plan: DemoPlan, printer: DemoPrinter) throws(FactoryError) {
        self.plan = plan
        self.printer = printer
        var configuration = DemoScript.Configuration()
        configuration.phones = plan.phones
        configuration.isInteractive = plan.isInteractive
        configuration.usesBluetooth = true
        script = DemoScript(configuration)
        do throws(SystemError) {
            folder = try DemoFolder(isKept: plan.keepsFolder)
            loop = try EventLoop()
            echo = try EchoProgram(on: loop)
            notifications = try UnixSocket.datagram(at: UnixAddress(path: folder.file("runtime/notify")))
        } catch { throw FactoryError("\(error)") }
        try DemoIdentity.write(
            from: plan.identity, to: folder.file("configuration/identity.json"), controlPort: echo.port,
            clip: plan.camera == nil ? Self.absolute(plan.clip) : nil)
        if let camera = plan.camera {
            try DemoIdentity.writeProfile(
                from: plan.profile, to: folder.file("configuration/profile.json"), camera: Self.absolute(camera),
                argument: Self.absolute(plan.clip))
        }
        do throws(SystemError) {
            sources.append(HeldSource(try loop.watch(notifications.raw) { [unowned self] in takeNotification() }))
            for signal in [SIGINT, SIGTERM, SIGHUP] {
                sources.append(HeldSource(try loop.watch(signal: signal) { [unowned self] in feed(.interrupted) }))
            }
            // A phone that ends while its PIN is being typed is told by its end.
            sources.append(HeldSource(try loop.watch(signal: SIGPIPE) {}))
        } catch { throw FactoryError("\(error)") }
        loop.onDeadline = { [unowned self] in feed(.deadlineReached) }
    }

    /// Runs it to its end, and leaves nothing behind.
    package func run() -> DemoScript.Result {
        printer.begin(at: loop.now)
        loop.post { [unowned self] in feed(.start) }
        do throws(SystemError) { _ = try loop.run() } catch { result = .failure("\(error)") }
        sources = []
        processes = [:]
        if case .success = result {
            unlink(folder.file("runtime/notify"))  // ours
            let leftovers = folder.leftovers()
            if !leftovers.isEmpty { result = .failure("left behind: \(leftovers.joined(separator: ", "))") }
        }
        if case .failure(let cause) = result { explain(cause) }
        if plan.keepsFolder { printer.plain("kept: \(folder.path)\n") }
        return result
    }

    private func explain(_ cause: String) {
        printer.heading("The demo failed: \(cause)")
        for (log, what) in [("awared.log", "accessory"), ("phone1.log", "phone"), ("phone2.log", "second phone")]
        where log != "phone2.log" || plan.phones > 1 {
            printer.plain("End of the \(what)'s log:\n\(folder.tail(of: log))")
        }
    }

    private func feed(_ event: DemoScript.Event) {
        let effects = script.handle(event, now: loop.now)
        for effect in effects { perform(effect) }
        loop.arm(script.nextDeadline)
    }

    private func perform(_ effect: DemoScript.Effect) {
        switch effect {
        case .start(let role): start(role)
        case .type(let line, let phone): process(of: phone)?.type(line)
        case .end(let role): processes[role]?.send(signal: SIGTERM)
        case .say(let speaker, let text): printer.say(speaker, printable(text), at: loop.now)
        case .enlarge(let digits): printer.enlarge(digits)
        case .show(let text): printer.show(printable(text))
        case .prompt(let text): printer.prompt(text)
        case .endPrompt: printer.endPrompt()
        case .finish(let result):
            self.result = result
            for process in processes.values { process.send(signal: SIGKILL) }  // those that would not go
            loop.exit()
        }
    }

    private func process(of phone: Int) -> SupervisedProcess? {
        processes[.phone(phone, life: 2)] ?? processes[.phone(phone, life: 1)]
    }

    // MARK: Programs

    private func start(_ role: DemoScript.Role) {
        do throws(SystemError) {
            processes[role] = try SupervisedProcess(
                path: program(of: role), arguments: arguments(of: role), environment: environment(of: role),
                keyboard: keyboard(of: role), log: folder.file(log(of: role)), on: loop,
                onLine: { [unowned self] line in take(line, from: role) },
                onEnd: { [unowned self] exit in
                    // On a turn of its own: the process is still on the stack.
                    loop.post { [unowned self] in
                        processes[role] = nil
                        feed(.ended(role, exit))
                    }
                })
        } catch {
            printer.plain("\(error)\n")
            loop.post { [unowned self] in feed(.ended(role, .exited(127))) }
        }
    }

    private func program(of role: DemoScript.Role) -> String {
        switch role {
        case .accessory: "\(plan.programs)/awared"
        case .watcher: "\(plan.programs)/awarectl"
        case .phone: "\(plan.programs)/aware-factory"
        }
    }

    private func arguments(of role: DemoScript.Role) -> [String] {
        switch role {
        // With a camera the profile is where it is looked for.
        case .accessory: return plan.camera == nil ? ["--profile", Self.absolute(plan.profile)] : []
        case .watcher: return ["watch", "--json"]
        case .phone(let index, let life):
            let common = [
                "phone", "--json", "--air", folder.file("runtime/air"), "--state", folder.file("phone\(index + 1)"),
                "--phone-name", "Phone \(index + 1)", "--expect", Self.absolute(plan.clip), "--wait", "15", "--video",
                folder.file("phone\(index + 1)-\(life).h264"), "--control-rate", "50", "--log-level", "debug",
                "--bluetooth", "simulated", "--service-uuid", "FD5A",
            ]
            return common + (life == 1 ? ["--until-loops", "1", "--pin-file", "-"] : ["--seconds", "3"])
        }
    }

    private func environment(of role: DemoScript.Role) -> [String: String] {
        var variables = ProcessEnvironment.variables
        variables["CONFIGURATION_DIRECTORY"] = folder.file("configuration")
        variables["STATE_DIRECTORY"] = folder.file("state")
        variables["RUNTIME_DIRECTORY"] = folder.file("runtime")
        for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS"] { variables[name] = nil }
        if role == .accessory { variables["NOTIFY_SOCKET"] = folder.file("runtime/notify") }
        return variables
    }

    private func keyboard(of role: DemoScript.Role) -> SupervisedProcess.Keyboard {
        guard case .phone(_, life: 1) = role else { return .none }
        return plan.isInteractive ? .inherited : .pipe
    }

    private func log(of role: DemoScript.Role) -> String {
        switch role {
        case .accessory: "awared.log"
        case .watcher: "awarectl.log"
        case .phone(let index, _): "phone\(index + 1).log"
        }
    }

    private func take(_ line: String, from role: DemoScript.Role) {
        switch role {
        case .accessory: feed(.displayed(line))
        case .watcher: json(line).map { feed(.snapshot($0)) }
        case .phone(let index, _): json(line).map { feed(.phone(index, $0)) }
        }
    }

    private func json(_ line: String) -> JSONValue? {
        do throws(JSONError) { return try JSONParser.value(Array(line.utf8), limits: Self.lineLimits) } catch {
            return nil
        }
    }

    private func takeNotification() {
        do throws(SystemError) {
            while let octets = try notifications.receive(limit: Self.notificationLimit) {
                let lines = String(decoding: octets, as: UTF8.self).split(separator: "\n")
                if lines.contains("READY=1") { feed(.accessoryReady) }
            }
        } catch {
            return  // nothing more to read
        }
    }

    private static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        guard let folder = getcwd(nil, 0) else { return path }
        defer { free(folder) }
        return "\(String(cString: folder))/\(path)"
    }
}

internal import BluetoothAdapter
internal import GPIOAdapter
internal import LinuxRuntime
internal import MediaService
internal import NL80211Radio
internal import PeerStore
internal import Provisioning

/// Everything that a start needs, looked at without starting: what `awared --check` prints.
struct StartCheck {
    private struct Line {
        var isGood: Bool
        var subject: String
        var text: String
    }

    private let lines: [Line]

    /// - Parameter configuration: read and checked already; that it could be is the first finding.
    init(_ configuration: DaemonConfiguration) {
        let identity = configuration.identity
        var lines = [
            Line(
                isGood: true, subject: "identity",
                text: "\(configuration.identityPath): \(identity.services.count) service"
                    + (identity.services.count == 1 ? "" : "s")),
            Line(isGood: true, subject: "profile", text: configuration.profilePath ?? "built-in"),
            Self.state(configuration.stateFolder),
        ]
        let isRunning = Self.isRunning(configuration.controlSocket)
        if isRunning {
            lines.append(
                Line(isGood: true, subject: "radio", text: "in use by the awared that runs; see awarectl status"))
        } else {
            lines += Self.radio(configuration.radio)
        }
        lines += Self.bluetooth(configuration)
        lines.append(Self.display(configuration.display, isRunning))
        if let button = configuration.profile.button { lines.append(Self.button(button, isRunning)) }
        if let camera = configuration.profile.camera {
            lines.append(Self.camera(camera, isShown: configuration.camera != nil))
        }
        lines += identity.services.compactMap(\.handler.video?.file).map(Self.clip)
        self.lines = lines
    }

    /// The radio alone, while there is nothing yet that a start would serve on it.
    init(_ radio: DaemonConfiguration.Radio) { lines = Self.radio(radio) }

    private static func radio(_ radio: DaemonConfiguration.Radio) -> [Line] {
        switch radio {
        case .simulated(let folder): [Line(isGood: true, subject: "radio", text: "simulated, in \(folder)")]
        case .nl80211(let wiphy, let country):
            RadioCheck.findings(.init(wiphy: wiphy, country: country)).map {
                Line(isGood: $0.isGood, subject: "radio", text: $0.text)
            }
        }
    }

    /// One that no service shows is no fault when it is missing: a start does without.
    private static func camera(_ program: BoardProgram, isShown: Bool) -> Line {
        let text = program.fault ?? program.path
        return Line(
            isGood: program.fault == nil || !isShown, subject: "camera",
            text: isShown ? text : "\(text); no service shows it")
    }

    private static func clip(_ path: String) -> Line {
        let fault = ClipFile.fault(path)
        return Line(isGood: fault == nil, subject: "video", text: fault ?? path)
    }

    private static func bluetooth(_ configuration: DaemonConfiguration) -> [Line] {
        switch configuration.bluetooth {
        case .none: return [Line(isGood: true, subject: "bluetooth", text: "none")]
        case .simulated(let folder):
            return [Line(isGood: true, subject: "bluetooth", text: "simulated, in \(folder)")]
        case .adapter(let index):
            return BluetoothCheck.findings(index: index).map {
                Line(isGood: $0.isGood, subject: "bluetooth", text: $0.text)
            }
        }
    }

    private static func display(_ display: BoardProfile.Display, _ isRunning: Bool) -> Line {
        let fault: String?
        switch display {
        case .console, .none: fault = nil
        case .exec(let program): fault = program.fault
        case .wired(let wiring): fault = isRunning ? nil : LineCheck.fault(wiring.lines)?.description
        }
        return Line(isGood: fault == nil, subject: "display", text: "\(display.name)\(fault.map { ": \($0)" } ?? "")")
    }

    private static func button(_ button: ButtonSettings, _ isRunning: Bool) -> Line {
        let fault = isRunning ? nil : LineCheck.fault([button.line])?.description
        return Line(isGood: fault == nil, subject: "button", text: fault ?? button.line.text)
    }

    var text: String {
        let kernel = "kernel \(KernelRelease.text), awared \(ProductVersion.text)\n"
        return kernel
            + lines.map { line in
                "\(line.isGood ? "ok    " : "FAULT ")  \(line.subject.padded(to: 9))  \(line.text)\n"
            }.joined()
    }

    /// A fault is something that is not there yet, as at a start.
    var status: ExitStatus { lines.allSatisfy(\.isGood) ? .success : .notYet }

    private static func state(_ folder: String) -> Line {
        var existing = folder
        while !FileSystem.exists(existing), existing != "/", existing != "." {
            existing = FileSystem.parent(of: existing)
        }
        guard FileSystem.isWritable(existing) else {
            return Line(
                isGood: false, subject: "state",
                text: "\(folder): \(existing) cannot be written; run it as its user, or choose another folder")
        }
        do throws(PeerStoreError) {
            guard case .previous(let problem) = try PeerStore.look(in: folder) else {
                return Line(isGood: true, subject: "state", text: folder)
            }
            return Line(
                isGood: true, subject: "state",
                text: "\(folder): its newest generation: \(problem); a start takes the one before")
        } catch { return Line(isGood: false, subject: "state", text: error.description) }
    }

    /// Somebody answers on the control socket.
    private static func isRunning(_ socket: UnixAddress) -> Bool {
        (try? UnixSocket.connect(to: socket)) != nil
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

import Foundation
import JSONText
import LinuxRuntime
import Octets
import Synchronization
import Varlink

/// Stands for `awared` at its control socket: a real Varlink service on a thread, with a script instead of a radio.
final class FakeAccessory: Sendable {
    let path: String
    private let ended = DispatchSemaphore(value: 0)
    private let record: Mutex<[String]>

    /// What a watcher is told after the pairing window was opened.
    enum Story: Sendable {
        case pairs
        case closes
        case locks
    }

    init(in folder: String, story: Story = .pairs) throws {
        path = "\(folder)/control"
        record = Mutex([])
        let started = DispatchSemaphore(value: 0)
        let thread = Thread { [path, ended, self] in
            do {
                let loop = try EventLoop()
                let server = try VarlinkServer(
                    at: UnixAddress(path: path), on: loop,
                    info: VarlinkServiceInfo(vendor: "V", product: "P", version: "1", url: ""),
                    interfaces: [ControlInterface.description()])
                server.onEvent = { [unowned server, unowned loop] event in
                    guard case .called(let call) = event else { return }
                    self.answer(call, server, loop, story)
                }
                started.signal()
                _ = try withExtendedLifetime(server) { try loop.run() }
            } catch { print("fake accessory: \(error)") }
            ended.signal()
        }
        thread.start()
        started.wait()
    }

    /// The methods called so far, with their parameters.
    var calls: [String] { record.withLock { $0 } }

    func stop() throws {
        _ = try VarlinkClient(path: path).call(ControlInterface.Method.stop.qualifiedName)
        ended.wait()
    }

    private func answer(_ call: VarlinkCall, _ server: VarlinkServer, _ loop: EventLoop, _ story: Story) {
        let name = call.method.split(separator: ".").last ?? ""
        record.withLock { $0.append("\(name) \(JSONValue.object(call.parameters).text)") }
        do throws(VarlinkFault) {
            switch try ControlCall(call) {
            case .status: server.reply(call.id, ["snapshot": Self.snapshot.json])
            case .watch: watch(call, server, story)
            case .openPairingWindow(let seconds):
                server.reply(call.id, ["closes_in_ms": .integer(Int64(seconds ?? 120) * 1000)])
            case .closePairingWindow: server.reply(call.id, [:])
            case .peers: server.reply(call.id, ["peers": .array(Self.snapshot.peers.map(\.json))])
            case .forget(let id):
                guard id == "0badcafe" else { throw .noSuchPeer(id) }
                server.reply(call.id, ["forgotten": [.string(id)]])
            case .forgetAll: server.reply(call.id, ["forgotten": ["0badcafe", "00000002"]])
            case .send(let id, _):
                guard id == "0badcafe" else { throw .noSuchPeer(id) }
                server.reply(call.id, [:])
            case .capture(_, let seconds):
                guard seconds != 77 else { throw .captureFailed("the radio cannot capture") }
                for part in ["\u{0A}\u{0D}", "capture"] {
                    let octets = Array(part.utf8)
                    let chunk: JSONObject = ["chunk": .string(octets.base64), "octets": .integer(Int64(octets.count))]
                    server.reply(call.id, chunk, continues: true)
                }
                server.reply(call.id, ["octets": 9])
            case .report: server.reply(call.id, ["report": []])
            case .stop:
                server.reply(call.id, [:])
                loop.exit()
            }
        } catch { server.fail(call.id, error) }
    }

    private func watch(_ call: VarlinkCall, _ server: VarlinkServer, _ story: Story) {
        var snapshot = Self.snapshot
        func tell(_ change: (inout Control.Snapshot) -> Void) {
            change(&snapshot)
            server.reply(call.id, ["snapshot": snapshot.json], continues: true)
        }
        tell { $0.pairing.isOpen = true }
        tell { $0.uptimeMilliseconds += 1000 }  // time alone is no change
        tell { $0.pairing.attempt = .requested }
        tell { $0.pairing.attempt = .pinShown }
        // As awared does: the guess is counted when it is answered.
        tell {
            $0.pairing.attempt = .verifying
            $0.pairing.failedAttempts = 1
            $0.pairing.nextAttemptInMilliseconds = 2000
        }
        switch story {
        case .pairs:
            tell {
                $0.pairing.attempt = .none
                $0.pairing.failedAttempts = 0
                $0.pairing.nextAttemptInMilliseconds = nil
                $0.peers.append(
                    .init(
                        id: "00000003", pairingName: "Bob\u{1B}[2J", vendorName: "Google", pairedAt: 5,
                        isConnected: false))
            }
        case .closes:
            tell {
                $0.pairing.attempt = .none
            }
            tell { $0.pairing.isOpen = false }
        case .locks:
            tell { $0.pairing.isLockedOut = true }
            tell { $0.pairing.attempt = .none }
        }
        server.reply(call.id, ["snapshot": snapshot.json])
    }

    static let snapshot = Control.Snapshot(
        version: "1.0", radio: "simulated", uptimeMilliseconds: 3_725_000,
        identity: .init(
            vendorName: "Example Air", modelName: "Falcon 2", pairingName: "Falcon 2 A17", serialNumber: "EA-17"),
        services: [
            .init(
                name: "_drone._udp", instanceName: nil, port: 5600, handler: "control and video",
                performanceMode: "realtime", serviceClass: "interactive_video", state: .ready, isPublished: true,
                connections: 1)
        ],
        pairing: .init(
            policy: "command", isOpen: false, attempt: .none, failedAttempts: 0, isLockedOut: false),
        peers: [
            .init(
                id: "0badcafe", pairingName: "Ann's phone", vendorName: "Apple", modelName: "iPhone",
                pairedAt: 1_790_000_000, isConnected: true),
            .init(id: "00000002", isConnected: false),
        ],
        connections: [
            .init(
                id: 1, peer: "0badcafe", service: "_drone._udp", interface: "lo", address: "127.9.0.2",
                ageMilliseconds: 61_000, isViewing: true)
        ],
        rejected: ["truncated": 3])
}

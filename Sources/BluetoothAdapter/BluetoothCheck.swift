internal import BluetoothFrames
internal import CBluetoothShim
internal import LinuxRuntime
internal import Octets
internal import Ports

/// What Bluetooth needs of this machine, looked at without changing anything.
package enum BluetoothCheck {
    package struct Finding: Equatable, Sendable {
        package var isGood: Bool
        /// One line for a person; of a bad finding also what to do.
        package var text: String

        package init(isGood: Bool, text: String) {
            self.isGood = isGood
            self.text = text
        }
    }

    /// CAP_NET_ADMIN.
    private static let networkAdministration = 12
    /// How long the kernel may take to answer; what is asked needs no controller's answer.
    private static let patience = Duration.seconds(2)
    /// Switches looked at.
    private static let switchLimit = 64

    /// Looks at kernel, controller, switch and rights, in the order in which a start would stumble over them.
    ///
    /// - Parameter index: the controller of the board's profile; nil for the first that has LE.
    package static func findings(index: UInt16?) -> [Finding] {
        var findings: [Finding] = []
        do throws(BluetoothFailure) {
            let channel: FileDescriptor
            do throws(SystemError) {
                channel = FileDescriptor(owning: try systemCall("socket(HCI control)") { cbt_open_management() })
            } catch { throw BluetoothFailure(error, "the Bluetooth management channel") }
            let controllers = try controllers(channel)
            let chosen = try choose(controllers, index)
            findings.append(
                Finding(isGood: true, text: "\(name(chosen.index)) will be used: \(summary(chosen.information))"))
            findings.append(try advertising(channel, chosen.index))
            findings.append(switchFinding(name(chosen.index)))
        } catch { findings.append(Finding(isGood: false, text: error.text)) }
        if let permission { findings.append(permission) }
        return findings
    }

    struct Controller {
        var index: UInt16
        var information: ControllerInformation
    }

    static func choose(_ controllers: [Controller], _ index: UInt16?) throws(BluetoothFailure) -> Controller {
        guard !controllers.isEmpty else {
            throw BluetoothFailure(.absent, "there is no Bluetooth controller; is its driver loaded? see dmesg")
        }
        if let index {
            guard let found = controllers.first(where: { $0.index == index }) else {
                let others = controllers.map { name($0.index) }.joined(separator: ", ")
                throw BluetoothFailure(.absent, "no Bluetooth controller \(name(index)); there are \(others)")
            }
            guard found.information.supported.contains(.lowEnergy) else { throw withoutLowEnergy(found) }
            return found
        }
        guard let found = controllers.first(where: { $0.information.supported.contains(.lowEnergy) }) else {
            throw withoutLowEnergy(controllers[0])
        }
        return found
    }

    private static func withoutLowEnergy(_ controller: Controller) -> BluetoothFailure {
        BluetoothFailure(
            .absent, "\(name(controller.index)): its controller or this kernel has no Bluetooth LE; use another one")
    }

    static func summary(_ information: ControllerInformation) -> String {
        // Core version as HCI numbers it, of those that have LE (Assigned Numbers, 2.1).
        let versions: [UInt8: String] = [
            6: "4.0", 7: "4.1", 8: "4.2", 9: "5.0", 10: "5.1", 11: "5.2", 12: "5.3", 13: "5.4", 14: "6.0",
        ]
        let version = versions[information.version].map { "Bluetooth \($0)" } ?? "Bluetooth"
        return version + (information.current.contains(.powered) ? ", powered" : ", not powered yet")
    }

    private static func name(_ index: UInt16) -> String { "hci\(index)" }

    // MARK: Asking the kernel

    private static func controllers(_ channel: borrowing FileDescriptor) throws(BluetoothFailure) -> [Controller] {
        let answer = try ask(channel, .readControllerList, index: ManagementPacket.noController)
        do throws(WireError) {
            var reader = ByteReader(answer)
            let list = try ControllerList(from: &reader)
            var controllers: [Controller] = []
            for index in list.indices.sorted() {
                // One that is just leaving is not there.
                guard let octets = try? ask(channel, .readControllerInformation, index: index) else { continue }
                var reader = ByteReader(octets)
                controllers.append(Controller(index: index, information: try ControllerInformation(from: &reader)))
            }
            return controllers
        } catch {
            throw BluetoothFailure(.other, "the kernel's list of Bluetooth controllers cannot be read: \(error)")
        }
    }

    private static func advertising(
        _ channel: borrowing FileDescriptor, _ index: UInt16
    ) throws(BluetoothFailure) -> Finding {
        let answer = try ask(channel, .readAdvertisingFeatures, index: index)
        do throws(WireError) {
            var reader = ByteReader(answer)
            let features = try AdvertisingFeatures(from: &reader)
            let used = features.instances.count
            guard used < Int(features.instanceLimit) else {
                return Finding(
                    isGood: false, text: "\(name(index)): its \(used) advertisements are in use by other programs")
            }
            let others = used == 0 ? "" : ", \(used) in use by other programs"
            return Finding(isGood: true, text: "\(name(index)): \(features.instanceLimit) advertisements\(others)")
        } catch { throw BluetoothFailure(.other, "\(name(index)): its advertising cannot be read: \(error)") }
    }

    private static func ask(
        _ channel: borrowing FileDescriptor, _ command: ManagementCommand, index: UInt16
    ) throws(BluetoothFailure) -> [UInt8] {
        do throws(SystemError) {
            let raw = channel.raw
            let octets = command.packet(index: index)
            try systemCall("send(HCI control)") { cbt_send_management(raw, octets, octets.count, nil, 0) }
            let deadline = MonotonicInstant.boot.advanced(by: patience)
            while let answer = try next(channel, until: deadline) {
                guard let packet = try? ManagementPacket(octets: answer), packet.index == index,
                    let event = try? ManagementEvent(packet)
                else { continue }
                switch event {
                case .commandComplete(command.code.rawValue, .success, let answer): return answer
                case .commandComplete(command.code.rawValue, let status, _),
                    .commandStatus(command.code.rawValue, let status):
                    throw SystemError(call: "\(status)", code: 0)
                default: continue
                }
            }
            throw SystemError(call: "no answer", code: 0)
        } catch {
            guard error.code == 0 else { throw BluetoothFailure(error, "the Bluetooth management channel") }
            throw BluetoothFailure(.other, "the kernel refuses to tell of Bluetooth controllers: \(error.call)")
        }
    }

    private static func next(
        _ channel: borrowing FileDescriptor, until deadline: MonotonicInstant
    ) throws(SystemError) -> [UInt8]? {
        let rest = MonotonicInstant.boot.duration(to: deadline)
        guard rest > .zero, try channel.waitUntilReadable(timeout: rest) else { return nil }
        return try channel.receive(limit: 4096)
    }

    // MARK: Switch and rights

    private static func switchFinding(_ name: String) -> Finding {
        for number in 0..<switchLimit {
            let folder = "/sys/class/rfkill/rfkill\(number)"
            guard SystemFile.firstLine("\(folder)/name") == name else { continue }
            guard SystemFile.firstLine("\(folder)/soft") != "1", SystemFile.firstLine("\(folder)/hard") != "1" else {
                return Finding(
                    isGood: false,
                    text: "\(name) is switched off (rfkill); switch it on, or run `rfkill unblock bluetooth`")
            }
        }
        return Finding(isGood: true, text: "\(name) is switched on")
    }

    /// Nil where /proc does not tell.
    private static var permission: Finding? {
        guard let text = SystemFile.line("/proc/self/status", beginning: "CapEff:"), let bits = UInt64(text, radix: 16)
        else { return nil }
        guard bits >> UInt64(networkAdministration) & 1 == 0 else { return nil }
        return Finding(
            isGood: false,
            text: "CAP_NET_ADMIN is missing, without which Bluetooth cannot be set up; run it as its service")
    }
}

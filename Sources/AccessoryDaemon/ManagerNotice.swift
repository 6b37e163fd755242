internal import AccessoryCore
internal import LinuxRuntime
internal import Octets
internal import Ports

/// Tells the service manager how the accessory stands (sd_notify(3)); without one, nobody.
struct ManagerNotice {
    private var isReady = false
    private var status = ""

    /// Ready as soon as every service has left its first state: the radio may take its time, or come later.
    mutating func note(_ snapshot: AccessorySnapshot) {
        guard snapshot.services.allSatisfy({ $0.listener != .setup }) else { return }
        let status = Self.status(snapshot)
        if !isReady {
            isReady = true
            send(.ready, .status(status))
        } else if status != self.status {
            send(.status(status))
        }
        self.status = status
    }

    func noteEnding(isReload: Bool) {
        guard isReload else { return send(.stopping) }
        send(.reloading(monotonicMicroseconds: UInt64(max(0, MonotonicInstant.monotonicMicroseconds))))
    }

    static func status(_ snapshot: AccessorySnapshot) -> String {
        let ready = snapshot.services.count { $0.listener == .ready }
        var parts = ["\(ready) of \(snapshot.services.count) services ready"]
        parts += Set(snapshot.services.compactMap(\.listener.reason)).sorted()
        parts.append("\(snapshot.peers.count) paired, \(snapshot.connections.count) connected")
        if let trouble = snapshot.bluetooth?.trouble { parts.append("Bluetooth: \(trouble)") }
        if snapshot.isLocked {
            parts.append("pairing locked")
        } else if snapshot.pairingWindowIsOpen {
            parts.append("pairing window open")
        }
        return withoutAddresses(parts.joined(separator: "; "))
    }

    /// A manager that does not listen is no reason to do anything else.
    private func send(_ notifications: ServiceNotification...) {
        for notification in notifications { _ = try? ServiceManager.notify(notification) }
    }
}

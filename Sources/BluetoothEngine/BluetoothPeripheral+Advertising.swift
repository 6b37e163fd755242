internal import BluetoothFrames
internal import Octets
internal import Ports

extension BluetoothPeripheral {
    /// What was asked of the kernel about the advertisement and is not answered yet.
    enum Advertising: Equatable, Sendable {
        case idle
        case askingFeatures
        /// An instance of an earlier life is taken away.
        case clearing
        case setting(Advertisement.Form)
        case removing
    }

    /// The last of those the controller has: bluetoothd takes the first that is free, and one that an earlier life of
    /// this program left behind is replaced.
    var instanceNumber: UInt8 { max(1, features?.instanceLimit ?? 1) }

    mutating func advertiseFast() {
        let end = latest.advanced(by: configuration.fastTime)
        fastUntil = end
        timers.start(.fast, at: end)
    }

    private var wanted: Advertisement.Form? {
        guard isWanted else { return nil }
        return configuration.advertisement.form(beacon, isFast: fastUntil.map { latest < $0 } ?? false)
    }

    /// Brings what is on the air in line with what should be; one change is on its way at a time.
    mutating func advertise() -> [Effect] {
        guard controller.readyIndex != nil, advertising == .idle else { return [] }
        guard let features else {
            guard !isStopping else { return [] }
            advertising = .askingFeatures
            return route(controller.send(.readAdvertisingFeatures, now: latest))
        }
        let wanted = wanted
        guard wanted != applied else { return [] }
        guard let wanted else {
            advertising = .removing
            return route(controller.send(.removeAdvertising(instanceNumber), now: latest))
        }
        guard features.instanceLimit > 0 else { return refused("the controller cannot advertise") }
        advertising = .setting(wanted)
        guard features.flags.contains(.usesInterval) else { return advertiseByOneCommand(wanted) }
        // New data alone leaves the parameters, and with them the rhythm on the air, as they are.
        let previous = applied ?? resumed
        resumed = nil
        if let previous, previous.interval == wanted.interval,
            previous.scanResponse.isEmpty == wanted.scanResponse.isEmpty
        {
            return setData(wanted)
        }
        var flags: AdvertisingFlags = [.connectable, .usesInterval]
        if features.flags.contains(.hasScanResponse), !wanted.scanResponse.isEmpty { flags.insert(.hasScanResponse) }
        return route(
            controller.send(
                .addAdvertisingParameters(instanceNumber, flags, interval: wanted.interval), now: latest))
    }

    private mutating func setData(_ form: Advertisement.Form) -> [Effect] {
        route(
            controller.send(
                .addAdvertisingData(instanceNumber, data: form.data, scanResponse: form.scanResponse), now: latest))
    }

    /// Before Linux 5.11: the interval is the controller's, for all that it advertises.
    private mutating func advertiseByOneCommand(_ form: Advertisement.Form) -> [Effect] {
        let interval = UInt16(clamping: form.interval)
        let instance = AdvertisingInstance(
            number: instanceNumber, flags: .connectable, data: form.data, scanResponse: form.scanResponse)
        return route(controller.send(.setDefaultAdvertisingInterval(interval), now: latest))
            + route(controller.send(.addAdvertising(instance), now: latest))
    }

    mutating func answered(_ command: ManagementCommand, _ status: ManagementStatus, _ result: [UInt8]) -> [Effect] {
        switch (advertising, command) {
        case (.askingFeatures, .readAdvertisingFeatures):
            advertising = .idle
            var reader = ByteReader(result)
            guard status == .success, let read = try? AdvertisingFeatures(from: &reader) else {
                return refused("\(status)")
            }
            features = read
            guard read.instances.contains(instanceNumber) else { return advertise() + finishStop() }
            // One that a killed program left goes on being heard. And over a fault of its controller the kernel keeps an
            // instance's random address, takes the controller to have it still, and advertises nothing.
            advertising = .clearing
            return route(controller.send(.removeAdvertising(instanceNumber), now: latest))
        case (.clearing, .removeAdvertising):
            advertising = .idle
            return advertise() + finishStop()
        case (.setting(let form), .addAdvertisingParameters):
            guard status == .success else { return refused("\(status)") }
            return setData(form)
        case (.setting, .setDefaultAdvertisingInterval): return []  // without it, it is the controller's own
        case (.setting(let form), .addAdvertisingData), (.setting(let form), .addAdvertising):
            guard status == .success else { return refused("\(status)") }
            let wasAdvertising = isTold
            advertising = .idle
            applied = isOvertaken ? nil : form
            resumed = isOvertaken ? form : nil
            isOvertaken = false
            isTold = true
            return (wasAdvertising ? [] : [.report(.advertising(true))]) + advertise() + finishStop()
        case (.removing, .removeAdvertising):
            advertising = .idle
            applied = nil
            isTold = false
            return [.report(.advertising(false))] + advertise() + finishStop()
        default: return []
        }
    }

    private mutating func refused(_ cause: String) -> [Effect] {
        advertising = .idle
        applied = nil
        features = nil
        let wasTold = isTold
        isTold = false
        timers.start(.advertise, at: latest.advanced(by: Self.retryTime))
        return (wasTold ? [.report(.advertising(false))] : []) + [.report(.advertisingRefused(cause))] + finishStop()
    }

    /// Once nothing is on the air, or cannot be taken off it, everything is closed.
    mutating func finishStop() -> [Effect] {
        guard isStopping, advertising == .idle else { return [] }
        guard case .off = controller.told else {
            server.closeAll()
            isServing = false
            timers = TimerTable()
            return route(controller.stop()) + [.port(.close)]
        }
        return []
    }
}

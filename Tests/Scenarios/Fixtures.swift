import AccessoryCore
import Cryptography
import Identity
import NANEngine
import NANFrames
import NANSecurity
import Octets
import PhoneCore
import Ports

extension AccessoryIdentity {
    /// A drone with control and video on one port.
    static func drone(
        window: PairingPolicy.Window = .always, attemptSeconds: Int = 60, lockOutCount: Int = 10,
        maximumConnections: Int = 4, stopsPublishingWhenFull: Bool = false, idleTimeoutSeconds: Int = 0,
        devices: DeviceFilter = .anyPaired, sleep: SleepPolicy = .standard
    ) throws -> AccessoryIdentity {
        let control = ControlHandler(
            local: try LocalEndpoint("127.0.0.1:14550", field: "local"), serviceClass: .bestEffort)
        let video = try VideoHandler(file: "clip.h264", serviceClass: .interactiveVideo)
        return try AccessoryIdentity(
            vendorName: AdvertisedName("Example", field: "vendor-name"),
            modelName: AdvertisedName("Drone One", field: "model-name"),
            pairingName: AdvertisedName("Drone 0042", field: "pairing-name"),
            serialNumber: SerialNumber("EX-0042"),
            services: [
                ServiceDeclaration(
                    name: ServiceName("_drone-service._udp"), port: 7000, handler: .controlAndVideo(control, video),
                    performanceMode: .realtime, serviceClass: .interactiveVideo, devices: devices)
            ],
            limits: ConnectionLimits(
                maximumConnections: maximumConnections, stopsPublishingWhenFull: stopsPublishingWhenFull,
                idleTimeoutSeconds: idleTimeoutSeconds),
            pairing: PairingPolicy(
                window: window, attemptSeconds: attemptSeconds,
                attempts: PINAttemptLimits(lockOutCount: lockOutCount)),
            bluetooth: BluetoothDeclaration(service: "FD5A", company: "FFFF", productData: "0102"), sleep: sleep)
    }
}

extension Accessory.Configuration {
    static func drone(
        window: PairingPolicy.Window = .always, attemptSeconds: Int = 60, lockOutCount: Int = 10,
        maximumConnections: Int = 4, stopsPublishingWhenFull: Bool = false, idleTimeoutSeconds: Int = 0,
        devices: DeviceFilter = .anyPaired
    ) throws -> Accessory.Configuration {
        Accessory.Configuration(
            identity: try .drone(
                window: window, attemptSeconds: attemptSeconds, lockOutCount: lockOutCount,
                maximumConnections: maximumConnections,
                stopsPublishingWhenFull: stopsPublishingWhenFull, idleTimeoutSeconds: idleTimeoutSeconds,
                devices: devices),
            device: NANDevice.Configuration(schedule: LocalSchedule(.realtime)))
    }
}

extension CryptoJob.Work {
    var isPasswordElement: Bool {
        if case .passwordElement = self { true } else { false }
    }
}

extension Phone.Configuration {
    static func phone(_ name: String = "Phone A") -> Phone.Configuration {
        Phone.Configuration(
            serviceName: "_drone-service._udp", names: ServiceNames(vendor: "Maker", model: "P1", name: name),
            device: NANDevice.Configuration(schedule: LocalSchedule(.realtime)))
    }
}

extension Station<Phone> {
    var accessory: NMI? {
        for case .discovered(let accessory) in reports.reversed() { return accessory.nmi }
        return nil
    }

    var isConnected: Bool {
        for report in reports.reversed() {
            switch report {
            case .connected: return true
            case .disconnected: return false
            default: continue
            }
        }
        return false
    }

    func count(_ matches: (PhoneReport) -> Bool) -> Int { reports.filter(matches).count }

    var pairingsMade: Int { count { if case .paired = $0 { true } else { false } } }
    var failures: Int { count { if case .pairingFailed = $0 { true } else { false } } }
    var pinsAskedFor: Int { count { $0 == .pinNeeded } }
}

extension Station<Accessory> {
    /// What the display shows now, when that is a PIN.
    var pin: PIN? {
        if case .pin(let pin)? = shown.last { pin } else { nil }
    }

    func count(_ matches: (AccessoryReport) -> Bool) -> Int { reports.filter(matches).count }
}

extension PIN {
    /// Another PIN: the last digit is one higher.
    var wrong: PIN? {
        var digits = withDigits { Array($0) }
        digits[5] = digits[5] == UInt8(ascii: "9") ? UInt8(ascii: "0") : digits[5] + 1
        return PIN(typed: String(decoding: digits, as: UTF8.self))
    }
}

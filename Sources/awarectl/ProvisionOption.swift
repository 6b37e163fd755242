import Identity
import LinuxRuntime

/// The options of `awarectl provision`.
enum ProvisionOption: String, CommandLineOption {
    case check
    case output
    case replace
    case vendorName = "vendor-name"
    case modelName = "model-name"
    case pairingName = "pairing-name"
    case serialNumber = "serial-number"
    case service
    case port
    case control
    case video
    case camera
    case framesPerSecond = "frames-per-second"
    case forward
    case performanceMode = "performance-mode"
    case serviceClass = "service-class"
    case window
    case windowSeconds = "window-seconds"
    case maximumConnections = "maximum-connections"
    case serviceUUID = "service-uuid"
    case companyIdentifier = "company-identifier"
    case productData = "product-data"
    case bluetoothName = "bluetooth-name"
    case firmwareRevision = "firmware-revision"
    case interval = "interval-milliseconds"
    case privacy
    case bonding
    case sleep
    case sleepAfterSeconds = "sleep-after-seconds"
    case help

    var letter: Unicode.Scalar {
        switch self {
        case .check: "c"
        case .output: "o"
        case .replace: "r"
        case .vendorName: "v"
        case .modelName: "m"
        case .pairingName: "n"
        case .serialNumber: "s"
        case .service: "S"
        case .port: "P"
        case .control: "C"
        case .video: "V"
        case .camera: "A"
        case .framesPerSecond: "R"
        case .forward: "F"
        case .performanceMode: "M"
        case .serviceClass: "K"
        case .window: "w"
        case .windowSeconds: "t"
        case .maximumConnections: "x"
        case .serviceUUID: "U"
        case .companyIdentifier: "I"
        case .productData: "D"
        case .bluetoothName: "N"
        case .firmwareRevision: "f"
        case .interval: "i"
        case .privacy: "p"
        case .bonding: "b"
        case .sleep: "z"
        case .sleepAfterSeconds: "Z"
        case .help: "h"
        }
    }

    var argument: String? {
        switch self {
        case .check, .camera, .replace, .help: nil
        case .output, .video: "FILE"
        case .vendorName, .modelName, .pairingName, .serialNumber, .bluetoothName, .firmwareRevision: "TEXT"
        case .service: "NAME"
        case .port, .framesPerSecond, .maximumConnections: "NUMBER"
        case .control, .forward: "ADDRESS"
        case .performanceMode: "MODE"
        case .serviceClass: "CLASS"
        case .window, .sleep: "POLICY"
        case .windowSeconds, .sleepAfterSeconds: "SECONDS"
        case .serviceUUID: "UUID"
        case .companyIdentifier, .productData: "HEX"
        case .interval: "NUMBER"
        case .privacy: "ADDRESS"
        case .bonding: "KIND"
        }
    }

    var summary: String {
        switch self {
        case .check: "check only; write nothing"
        case .output:
            "write to FILE, whose folder is made if missing, or - for standard output; else to identity.json in the "
                + "configuration folder"
        case .replace: "replace a file that is there already and differs"
        case .vendorName: "who makes the accessory: \(AdvertisedName.accepted)"
        case .modelName: "what it is: likewise"
        case .pairingName: "what the phone lists it as: likewise"
        case .serialNumber: "which unit it is: \(SerialNumber.accepted)"
        case .service: "the service's name, such as _drone-service._udp"
        case .port: "its port, \(ServiceDeclaration.ports.accepted)"
        case .control: "pass its datagrams to a local program at ADDRESS, \(LocalEndpoint.accepted)"
        case .video: "play an H.264 file to its viewers; may go with --control"
        case .camera: "show its viewers the board's camera instead; may go with --control"
        case .framesPerSecond: "the file's frame rate, \(VideoHandler.frameRates.accepted)"
        case .forward: "connect its flows to ADDRESS instead; for a _tcp service the only way"
        case .performanceMode: choices(PerformanceMode.self)
        case .serviceClass: choices(ServiceClass.self)
        case .window: "what opens the pairing window: \(choices(PairingPolicy.Window.self))"
        case .windowSeconds: "how long it stays open, \(PairingPolicy.windowSeconds.accepted)"
        case .maximumConnections: "data paths at once, \(ConnectionLimits.connections.accepted)"
        case .serviceUUID:
            "the service advertised over Bluetooth LE and found there, \(BluetoothDeclaration.acceptedService)"
        case .companyIdentifier:
            "whose its manufacturer data is, \(BluetoothDeclaration.acceptedCompany)"
        case .productData: "the product's octets in it, \(BluetoothDeclaration.acceptedProductData)"
        case .bluetoothName:
            "what it is called there, \(BluetoothDeclaration.acceptedName); else as --pairing-name says"
        case .firmwareRevision: "what it tells phones of its firmware, \(BluetoothDeclaration.acceptedFirmware)"
        case .interval: "between advertisements: \(choices(BluetoothDeclaration.Interval.self))"
        case .privacy: "its address stays or changes: \(choices(BluetoothDeclaration.Privacy.self))"
        case .bonding:
            "what phones have to do before they read its state: \(choices(BluetoothDeclaration.Bonding.self))"
        case .sleep: "when NAN may be off: \(choices(SleepPolicy.Sleep.self))"
        case .sleepAfterSeconds: "how long after its last use, \(SleepPolicy.afterSeconds.accepted)"
        case .help: "print this and exit"
        }
    }

    private func choices<Choice: CaseIterable & RawRepresentable<String>>(_ type: Choice.Type) -> String {
        type.allCases.map(\.rawValue).joined(separator: ", ")
    }
}

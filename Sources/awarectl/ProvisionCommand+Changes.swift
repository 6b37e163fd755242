import Identity
import JSONText
import LinuxRuntime
import Provisioning

extension ProvisionCommand {
    /// What the options say about the identity, each checked by itself.
    struct Changes {
        private var root = JSONObject()
        private var service = JSONObject()
        private var handler = JSONObject()
        private var limits = JSONObject()
        private var pairing = JSONObject()
        private var bluetooth = JSONObject()
        private var nan = JSONObject()
        private var framesPerSecond: Int?

        var isEmpty: Bool {
            [root, service, handler, limits, pairing, bluetooth, nan].allSatisfy(\.isEmpty) && framesPerSecond == nil
        }

        init(_ options: CommandLineOptions<ProvisionOption>) throws(UsageError) {
            func text(_ option: ProvisionOption, _ check: (String) throws(IdentityError) -> Void) throws(UsageError)
                -> JSONValue?
            {
                guard let text = options[option] else { return nil }
                do throws(IdentityError) { try check(text) } catch {
                    throw .invalidArgument(option: option.rawValue, value: text, accepted: error.accepted)
                }
                return .string(text)
            }
            func number(_ option: ProvisionOption, _ range: ClosedRange<Int>) throws(UsageError) -> JSONValue? {
                try options.integer(option, in: range).map { .integer(Int64($0)) }
            }
            func choice<Choice: CaseIterable & RawRepresentable<String>>(
                _ option: ProvisionOption, _ type: Choice.Type
            ) throws(UsageError) -> JSONValue? {
                guard let text = options[option] else { return nil }
                guard Choice(rawValue: text) != nil else {
                    let accepted = type.allCases.map(\.rawValue).joined(separator: ", ")
                    throw .invalidArgument(option: option.rawValue, value: text, accepted: "one of \(accepted)")
                }
                return .string(text)
            }
            for option in [ProvisionOption.vendorName, .modelName, .pairingName] {
                root[option.rawValue] = try text(option) { value throws(IdentityError) in
                    _ = try AdvertisedName(value, field: option.rawValue)
                }
            }
            root["serial-number"] = try text(.serialNumber) { value throws(IdentityError) in
                _ = try SerialNumber(value)
            }
            service["name"] = try text(.service) { value throws(IdentityError) in _ = try ServiceName(value) }
            service["port"] = try number(.port, ServiceDeclaration.ports)
            service["performance-mode"] = try choice(.performanceMode, PerformanceMode.self)
            service["service-class"] = try choice(.serviceClass, ServiceClass.self)
            let endpoint = { (value: String) throws(IdentityError) in
                _ = try LocalEndpoint(value, field: "address")
            }
            handler["control"] = try text(.control, endpoint).map { ["local-udp": $0] }
            handler["forward"] = try text(.forward, endpoint).map { ["local": $0] }
            handler["video"] = try text(.video) { value throws(IdentityError) in
                _ = try VideoHandler(file: value, serviceClass: .bestEffort)
            }.map { ["file": $0] }
            if options.contains(.camera) {
                guard options[.video] == nil else { throw .refused("--video and --camera: one of the two") }
                handler["video"] = ["camera": true]
            }
            framesPerSecond = try options.integer(.framesPerSecond, in: VideoHandler.frameRates)
            limits["maximum-connections"] = try number(.maximumConnections, ConnectionLimits.connections)
            pairing["window"] = try choice(.window, PairingPolicy.Window.self)
            pairing["window-seconds"] = try number(.windowSeconds, PairingPolicy.windowSeconds)
            typealias Declaration = BluetoothDeclaration
            bluetooth["service-uuid"] = try text(.serviceUUID) { value throws(IdentityError) in
                _ = try Declaration.uuid(value)
            }
            bluetooth["company-identifier"] = try text(.companyIdentifier) { value throws(IdentityError) in
                _ = try Declaration.companyNumber(value)
            }
            bluetooth["product-data"] = try text(.productData) { value throws(IdentityError) in
                _ = try Declaration.octets(ofProductData: value)
            }
            bluetooth["name"] = try text(.bluetoothName, Declaration.checkName)
            bluetooth["firmware-revision"] = try text(.firmwareRevision, Declaration.checkFirmwareRevision)
            bluetooth["interval-milliseconds"] = try choice(.interval, Declaration.Interval.self)
            bluetooth["privacy"] = try choice(.privacy, Declaration.Privacy.self)
            bluetooth["bonding"] = try choice(.bonding, Declaration.Bonding.self)
            nan["sleep"] = try choice(.sleep, SleepPolicy.Sleep.self)
            nan["sleep-after-seconds"] = try number(.sleepAfterSeconds, SleepPolicy.afterSeconds)
        }

        /// The template with the changes in it; what is wrong with the template itself is found later.
        func applied(to template: JSONDocument) throws(UsageError) -> JSONDocument {
            guard var object = template.root.object else { return template }
            for member in root.members { object[member.name] = member.value }
            let nested = [("limits", limits), ("pairing", pairing), ("bluetooth", bluetooth), ("nan", nan)]
            for (name, changes) in nested where !changes.isEmpty {
                object[name] = .object(Self.merged(object[name]?.object ?? [:], changes))
            }
            if !service.isEmpty || !handler.isEmpty || framesPerSecond != nil {
                let services = object["services"]?.array ?? []
                guard services.count < 2 else {
                    throw .refused("the file has \(services.count) services; change them there, not by options")
                }
                var only = Self.merged(services.first?.object ?? [:], service)
                // A handler on the command line replaces the file's: two of them rarely go together.
                var own = handler.isEmpty ? only["handler"]?.object ?? [:] : handler
                if let framesPerSecond {
                    guard let video = own["video"]?.object else {
                        throw .refused("--frames-per-second is for a service with --video")
                    }
                    let rate: JSONObject = ["frames-per-second": .integer(Int64(framesPerSecond))]
                    own["video"] = .object(Self.merged(video, rate))
                }
                if !own.isEmpty { only["handler"] = .object(own) }
                object["services"] = [.object(only)]
            }
            return template.replacing(root: .object(object))
        }

        private static func merged(_ object: JSONObject, _ changes: JSONObject) -> JSONObject {
            var merged = object
            for member in changes.members { merged[member.name] = member.value }
            return merged
        }
    }
}

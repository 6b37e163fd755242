package import Identity
package import JSONText
internal import LinuxRuntime

/// `identity.json`: who this unit is and what it offers, as `provisioning/identity.schema.json` describes it.
///
/// Written by provisioning, never by the daemon.
package enum IdentityFile {
    package static let name = "identity.json"
    package static let schemaVersion = 1

    /// Reads and checks the file; a relative video path becomes one beside it.
    package static func load(_ path: String) throws(ProvisioningError) -> AccessoryIdentity {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let prefix = path.contains("/") ? folder + "/" : ""
        return try identity(StrictObject.load(path, accepting: Keys.root), videoPrefix: prefix)
    }

    /// `file` is what errors call the text.
    package static func parse(_ octets: [UInt8], file: String) throws(ProvisioningError) -> AccessoryIdentity {
        try identity(StrictObject.parse(octets, file: file, accepting: Keys.root), videoPrefix: "")
    }

    /// The identity that a parsed, and perhaps completed, file describes; paths in it stay as they are.
    package static func identity(
        from document: JSONDocument, file: String
    ) throws(ProvisioningError) -> AccessoryIdentity {
        let root = try StrictObject.root(document, file: file, accepting: Keys.root)
        return try identity(root, videoPrefix: "")
    }

    /// Replaces the file durably; anybody may read it, for nothing in it is secret.
    package static func write(_ identity: AccessoryIdentity, to path: String) throws(ProvisioningError) {
        do throws(FileError) {
            try DurableFile(path: path).write(Array(value(of: identity).prettyText.utf8), mode: 0o644)
        } catch { throw ProvisioningError(error) }
    }

    enum Keys {
        static let root = [
            "schema-version", "vendor-name", "model-name", "pairing-name", "serial-number", "services", "limits",
            "pairing", "bluetooth", "nan",
        ]
        static let service = [
            "name", "instance-name", "port", "handler", "performance-mode", "service-class", "devices",
        ]
        static let handler = ["control", "video", "forward"]
        static let control = ["local-udp", "service-class"]
        static let video = ["file", "camera", "frames-per-second", "service-class"]
        static let forward = ["local"]
        static let devices = ["names", "vendors", "models"]
        static let limits = [
            "maximum-connections", "stop-publishing-when-full", "idle-timeout-seconds", "presence-timeout-seconds",
        ]
        static let pairing = [
            "window", "window-seconds", "attempt-seconds", "lock-out-attempts", "first-back-off-seconds",
            "back-off-cap-seconds",
        ]
        static let bluetooth = [
            "service-uuid", "company-identifier", "product-data", "name", "firmware-revision",
            "interval-milliseconds", "privacy", "bonding",
        ]
        static let nan = ["sleep", "sleep-after-seconds"]
    }

    private static func identity(
        _ root: StrictObject, videoPrefix: String
    ) throws(ProvisioningError) -> AccessoryIdentity {
        try root.checkVersion(schemaVersion)
        func name(_ key: String) throws(ProvisioningError) -> AdvertisedName {
            let text = try root.requiredString(key, accepted: AdvertisedName.accepted)
            return try root.make { () throws(IdentityError) in try AdvertisedName(text, field: key) }
        }
        let vendor = try name("vendor-name")
        let model = try name("model-name")
        let pairingName = try name("pairing-name")
        let serialText = try root.requiredString("serial-number", accepted: SerialNumber.accepted)
        let serial = try root.make { () throws(IdentityError) in try SerialNumber(serialText) }
        guard let list = try root.list("services", accepting: Keys.service) else {
            throw root.missing("services", accepted: "a list of \(AccessoryIdentity.serviceCounts.accepted) services")
        }
        var services: [ServiceDeclaration] = []
        for entry in list { services.append(try service(entry, videoPrefix)) }
        let limits = try limits(root)
        let pairing = try pairing(root)
        let bluetooth = try bluetooth(root)
        let sleep = try sleep(root)
        return try root.make { () throws(IdentityError) in
            try AccessoryIdentity(
                vendorName: vendor, modelName: model, pairingName: pairingName, serialNumber: serial,
                services: services, limits: limits, pairing: pairing, bluetooth: bluetooth, sleep: sleep)
        }
    }

    private static func service(
        _ entry: StrictObject, _ videoPrefix: String
    ) throws(ProvisioningError) -> ServiceDeclaration {
        let nameText = try entry.requiredString("name", accepted: ServiceName.accepted)
        let name = try entry.make { () throws(IdentityError) in try ServiceName(nameText) }
        let instanceName = try entry.string("instance-name")
        guard let port = try entry.integer("port", accepted: ServiceDeclaration.ports.accepted) else {
            throw entry.missing("port", accepted: ServiceDeclaration.ports.accepted)
        }
        let mode = try entry.choice("performance-mode", PerformanceMode.self) ?? .bulk
        let serviceClass = try entry.choice("service-class", ServiceClass.self) ?? .bestEffort
        let handler = try handler(entry, serviceClass, videoPrefix)
        var devices = DeviceFilter.anyPaired
        if let filter = try entry.nested("devices", accepting: Keys.devices) {
            let names = try filter.strings("names")
            let vendors = try filter.strings("vendors")
            let models = try filter.strings("models")
            devices = try filter.make { () throws(IdentityError) in
                try DeviceFilter(names: names, vendors: vendors, models: models)
            }
        }
        return try entry.make { () throws(IdentityError) in
            try ServiceDeclaration(
                name: name, instanceName: instanceName, port: port, handler: handler, performanceMode: mode,
                serviceClass: serviceClass, devices: devices)
        }
    }

    private static func handler(
        _ entry: StrictObject, _ serviceClass: ServiceClass, _ videoPrefix: String
    ) throws(ProvisioningError) -> ServiceHandler {
        let accepted = "control, video, both of these, or forward"
        guard let handler = try entry.nested("handler", accepting: Keys.handler) else {
            throw entry.missing("handler", accepted: accepted)
        }
        let control = try control(handler, serviceClass)
        let video = try video(handler, serviceClass, videoPrefix)
        var forward: LocalEndpoint?
        if let object = try handler.nested("forward", accepting: Keys.forward) {
            forward = try endpoint(object, "local")
        }
        switch (control, video, forward) {
        case (let control?, nil, nil): return .control(control)
        case (nil, let video?, nil): return .video(video)
        case (let control?, let video?, nil): return .controlAndVideo(control, video)
        case (nil, nil, let local?): return .forward(local)
        case (nil, nil, nil): throw entry.error("handler", "empty", accepted: accepted)
        default: throw entry.error("handler", "forward together with another", accepted: accepted)
        }
    }

    private static func endpoint(_ object: StrictObject, _ key: String) throws(ProvisioningError) -> LocalEndpoint {
        let text = try object.requiredString(key, accepted: LocalEndpoint.accepted)
        return try object.make { () throws(IdentityError) in try LocalEndpoint(text, field: key) }
    }

    private static func control(
        _ handler: StrictObject, _ serviceClass: ServiceClass
    ) throws(ProvisioningError) -> ControlHandler? {
        guard let object = try handler.nested("control", accepting: Keys.control) else { return nil }
        return ControlHandler(
            local: try endpoint(object, "local-udp"), serviceClass: try object.choice("service-class") ?? serviceClass)
    }

    private static func video(
        _ handler: StrictObject, _ serviceClass: ServiceClass, _ prefix: String
    ) throws(ProvisioningError) -> VideoHandler? {
        guard let object = try handler.nested("video", accepting: Keys.video) else { return nil }
        let file = try object.string("file")
        let camera = try object.bool("camera")
        let rate = try object.integer("frames-per-second", accepted: VideoHandler.frameRates.accepted)
        let ownClass = try object.choice("service-class", ServiceClass.self)
        let acceptedSource = "a path to an H.264 file in Annex B form, or camera: true in its place"
        switch (file, camera) {
        case (let file?, nil):
            return try object.make { () throws(IdentityError) in
                try VideoHandler(
                    file: file.isEmpty || file.hasPrefix("/") ? file : prefix + file,
                    framesPerSecond: rate ?? VideoHandler.defaultFrameRate, serviceClass: ownClass ?? serviceClass)
            }
        case (nil, true?):
            guard !object.has("frames-per-second") else {
                throw object.error("frames-per-second", "given with camera", accepted: "with file only")
            }
            return VideoHandler(cameraWith: ownClass ?? serviceClass)
        case (nil, false?): throw object.error("camera", "false", accepted: "true, or file in its place")
        case (_?, _?): throw object.error("camera", "given with file", accepted: "one of file and camera")
        case (nil, nil): throw object.missing("file", accepted: acceptedSource)
        }
    }

    private static func limits(_ root: StrictObject) throws(ProvisioningError) -> ConnectionLimits {
        guard let object = try root.nested("limits", accepting: Keys.limits) else { return .standard }
        let connections = try object.integer("maximum-connections", accepted: ConnectionLimits.connections.accepted)
        let stops = try object.bool("stop-publishing-when-full")
        let idle = try object.integer("idle-timeout-seconds", accepted: ConnectionLimits.idleSeconds.accepted)
        let presence = try object.integer(
            "presence-timeout-seconds", accepted: ConnectionLimits.presenceSeconds.accepted)
        return try object.make { () throws(IdentityError) in
            try ConnectionLimits(
                maximumConnections: connections ?? ConnectionLimits.defaultConnections,
                stopsPublishingWhenFull: stops ?? false, idleTimeoutSeconds: idle ?? 0,
                presenceTimeoutSeconds: presence ?? ConnectionLimits.defaultPresenceSeconds)
        }
    }

    private static func pairing(_ root: StrictObject) throws(ProvisioningError) -> PairingPolicy {
        guard let object = try root.nested("pairing", accepting: Keys.pairing) else { return .standard }
        typealias Limits = PINAttemptLimits
        let window = try object.choice("window", PairingPolicy.Window.self)
        let seconds = try object.integer("window-seconds", accepted: PairingPolicy.windowSeconds.accepted)
        let attempt = try object.integer("attempt-seconds", accepted: PairingPolicy.attemptSeconds.accepted)
        let count = try object.integer("lock-out-attempts", accepted: Limits.lockOutCounts.accepted)
        let first = try object.integer("first-back-off-seconds", accepted: Limits.firstBackOffSeconds.accepted)
        let cap = try object.integer("back-off-cap-seconds", accepted: Limits.backOffCapSeconds.accepted)
        return try object.make { () throws(IdentityError) in
            try PairingPolicy(
                window: window ?? .command, windowSeconds: seconds ?? PairingPolicy.defaultWindowSeconds,
                attemptSeconds: attempt ?? PairingPolicy.defaultAttemptSeconds,
                attempts: Limits(
                    lockOutCount: count ?? Limits.defaultLockOutCount,
                    firstBackOffSeconds: first ?? Limits.defaultFirstBackOffSeconds,
                    backOffCapSeconds: cap ?? Limits.defaultBackOffCapSeconds))
        }
    }
}

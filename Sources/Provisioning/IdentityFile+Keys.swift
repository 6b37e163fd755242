internal import Identity

extension IdentityFile {
    /// Every key of the file, in the order of `docs/CONFIG.md`.
    package static let keys: [ConfigurationKey] = {
        typealias Key = ConfigurationKey
        let filter = DeviceFilter.accepted
        let classes = acceptedNames(ServiceClass.self)
        return [
            Key("schema-version", accepted: "\(schemaVersion)", default: nil, "version of this file's form"),
            Key(
                "vendor-name", accepted: AdvertisedName.accepted, default: nil,
                "who makes the accessory; sent only while the pairing window is open, as the next two"),
            Key("model-name", accepted: AdvertisedName.accepted, default: nil, "what it is"),
            Key("pairing-name", accepted: AdvertisedName.accepted, default: nil, "what the phone lists it as"),
            Key("serial-number", accepted: SerialNumber.accepted, default: nil, "which unit it is"),
            Key(
                "services", accepted: "a list of \(AccessoryIdentity.serviceCounts.accepted) services", default: nil,
                "all that is ever published"),
            Key(
                "services[].name", accepted: ServiceName.accepted, default: nil,
                "the name the phone's app declares (RFC 6335, RFC 6763)"),
            Key(
                "services[].instance-name",
                accepted: "1 to \(ServiceDeclaration.maximumInstanceNameLength) octets of UTF-8", default: "none",
                "tells services of one name apart"),
            Key(
                "services[].port", accepted: ServiceDeclaration.ports.accepted, default: nil,
                "the port on the data interface"),
            Key(
                "services[].handler", accepted: "control, video, both of these, or forward", default: nil,
                "what answers at the port"),
            Key(
                "services[].handler.control", accepted: "an object", default: "none",
                "passes datagrams to and from a local program, untouched"),
            Key(
                "services[].handler.control.local-udp", accepted: LocalEndpoint.accepted, default: nil,
                "where that program listens"),
            Key(
                "services[].handler.control.service-class", accepted: classes, default: "the service's",
                "marking of what the accessory sends for it"),
            Key("services[].handler.video", accepted: "an object", default: "none", "sends video as RTP (RFC 6184)"),
            Key(
                "services[].handler.video.file", accepted: "a path, relative to this file's folder", default: "none",
                "H.264 in Annex B form, played in a loop; either this or camera"),
            Key(
                "services[].handler.video.camera", accepted: "true", default: "none",
                "the camera of the board's profile, which must have one"),
            Key(
                "services[].handler.video.frames-per-second", accepted: VideoHandler.frameRates.accepted,
                default: "\(VideoHandler.defaultFrameRate)", "the file's frame rate"),
            Key(
                "services[].handler.video.service-class", accepted: classes, default: "the service's",
                "marking of the video"),
            Key(
                "services[].handler.forward", accepted: "an object; the only handler of a `_tcp` service",
                default: "none", "connects each flow to a local port"),
            Key(
                "services[].handler.forward.local", accepted: LocalEndpoint.accepted, default: nil,
                "that port; TCP or UDP as the service is"),
            Key(
                "services[].performance-mode", accepted: acceptedNames(PerformanceMode.self),
                default: PerformanceMode.bulk.rawValue,
                "`bulk` has a stretch of slots and sleeps between, `realtime` every slot that discovery leaves; one service "
                    + "of `realtime` makes the radio's one schedule so; must be what the phone's app uses"),
            Key(
                "services[].service-class", accepted: classes, default: ServiceClass.bestEffort.rawValue,
                "marking of what the service sends"),
            Key(
                "services[].devices", accepted: "an object", default: "any paired device",
                "which paired devices get a data path; each criterion given must match"),
            Key("services[].devices.names", accepted: filter, default: "any", "their pairing names"),
            Key("services[].devices.vendors", accepted: filter, default: "any", "their vendor names"),
            Key("services[].devices.models", accepted: filter, default: "any", "their model names"),
            Key("limits", accepted: "an object", default: "as below", "of connections"),
            Key(
                "limits.maximum-connections", accepted: ConnectionLimits.connections.accepted,
                default: "\(ConnectionLimits.defaultConnections)", "data paths at once"),
            Key(
                "limits.stop-publishing-when-full", accepted: "true or false", default: "false",
                "saves air and power while no further phone could connect"),
            Key(
                "limits.idle-timeout-seconds", accepted: "\(ConnectionLimits.idleSeconds.accepted), or 0 for none",
                default: "0", "ends a data path that carries nothing"),
            Key(
                "limits.presence-timeout-seconds",
                accepted: "\(ConnectionLimits.presenceSeconds.accepted), or 0 for none",
                default: "\(ConnectionLimits.defaultPresenceSeconds)",
                "lets a phone go that gives no sign of life, not even when asked"),
            Key("pairing", accepted: "an object", default: "as below", "when and how often a PIN may be tried"),
            Key(
                "pairing.window", accepted: acceptedNames(PairingPolicy.Window.self),
                default: PairingPolicy.Window.command.rawValue,
                "what opens the pairing window besides `awarectl pair`; the button is the profile's, which must have one"
            ),
            Key(
                "pairing.window-seconds", accepted: PairingPolicy.windowSeconds.accepted,
                default: "\(PairingPolicy.defaultWindowSeconds)", "how long it stays open, unless `always`"),
            Key(
                "pairing.attempt-seconds", accepted: PairingPolicy.attemptSeconds.accepted,
                default: "\(PairingPolicy.defaultAttemptSeconds)",
                "how long a PIN that nobody types stays on the display; at most 30 once another device asks for one"),
            Key(
                "pairing.lock-out-attempts", accepted: PINAttemptLimits.lockOutCounts.accepted,
                default: "\(PINAttemptLimits.defaultLockOutCount)", "failed attempts in a row that end pairing"),
            Key(
                "pairing.first-back-off-seconds", accepted: PINAttemptLimits.firstBackOffSeconds.accepted,
                default: "\(PINAttemptLimits.defaultFirstBackOffSeconds)",
                "wait after the first failed attempt; doubled by each further one"),
            Key(
                "pairing.back-off-cap-seconds",
                accepted: "\(PINAttemptLimits.backOffCapSeconds.accepted), not less than first-back-off-seconds",
                default: "\(PINAttemptLimits.defaultBackOffCapSeconds)", "longest such wait"),
        ] + bluetoothKeys
    }()
}

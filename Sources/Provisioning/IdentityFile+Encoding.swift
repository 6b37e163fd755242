package import Identity
package import JSONText
internal import Octets

extension IdentityFile {
    /// The identity with every key written out, defaults included.
    package static func value(of identity: AccessoryIdentity) -> JSONValue {
        var object: JSONObject = [
            "schema-version": .integer(Int64(schemaVersion)),
            "vendor-name": .string(identity.vendorName.text),
            "model-name": .string(identity.modelName.text),
            "pairing-name": .string(identity.pairingName.text),
            "serial-number": .string(identity.serialNumber.text),
            "services": .array(identity.services.map(service)),
            "limits": [
                "maximum-connections": .integer(Int64(identity.limits.maximumConnections)),
                "stop-publishing-when-full": .bool(identity.limits.stopsPublishingWhenFull),
                "idle-timeout-seconds": seconds(identity.limits.idleTimeout ?? .zero),
                "presence-timeout-seconds": seconds(identity.limits.presenceTimeout ?? .zero),
            ],
            "pairing": [
                "window": .string(identity.pairing.window.rawValue),
                "window-seconds": seconds(identity.pairing.windowDuration),
                "attempt-seconds": seconds(identity.pairing.attemptDuration),
                "lock-out-attempts": .integer(Int64(identity.pairing.attempts.lockOutCount)),
                "first-back-off-seconds": seconds(identity.pairing.attempts.firstBackOff),
                "back-off-cap-seconds": seconds(identity.pairing.attempts.backOffCap),
            ],
        ]
        object["bluetooth"] = bluetooth(identity.bluetooth)
        object["nan"] = [
            "sleep": .string(identity.sleep.sleep.rawValue), "sleep-after-seconds": seconds(identity.sleep.after),
        ]
        return .object(object)
    }

    private static func bluetooth(_ bluetooth: BluetoothDeclaration) -> JSONValue {
        var object = JSONObject()
        object["service-uuid"] = bluetooth.service.map { .string($0.description) }
        if let company = bluetooth.company {
            let digits = String(company, radix: 16, uppercase: true)
            object["company-identifier"] = .string(String(repeating: "0", count: 4 - digits.utf8.count) + digits)
            if !bluetooth.productData.isEmpty { object["product-data"] = .string(bluetooth.productData.hex) }
        }
        object["name"] = bluetooth.name.map { .string($0) }
        object["firmware-revision"] = bluetooth.firmwareRevision.map { .string($0) }
        object["interval-milliseconds"] = .string(bluetooth.interval.rawValue)
        object["privacy"] = .string(bluetooth.privacy.rawValue)
        object["bonding"] = .string(bluetooth.bonding.rawValue)
        return .object(object)
    }

    private static func seconds(_ duration: Duration) -> JSONValue { .integer(duration.components.seconds) }

    private static func service(_ service: ServiceDeclaration) -> JSONValue {
        var object: JSONObject = ["name": .string(service.name.text)]
        object["instance-name"] = service.instanceName.map { .string($0) }
        object["port"] = .integer(Int64(service.port))
        object["handler"] = handler(service.handler)
        object["performance-mode"] = .string(service.performanceMode.rawValue)
        object["service-class"] = .string(service.serviceClass.rawValue)
        if !service.devices.isAnyPaired {
            var filter = JSONObject()
            for (key, values) in [
                ("names", service.devices.names), ("vendors", service.devices.vendors),
                ("models", service.devices.models),
            ] where !values.isEmpty {
                filter[key] = .array(values.map { .string($0) })
            }
            object["devices"] = .object(filter)
        }
        return .object(object)
    }

    private static func handler(_ handler: ServiceHandler) -> JSONValue {
        var object = JSONObject()
        if let control = handler.control {
            object["control"] = [
                "local-udp": .string(control.local.description),
                "service-class": .string(control.serviceClass.rawValue),
            ]
        }
        if let video = handler.video {
            var source: JSONObject =
                switch video.source {
                case .file(let path, let framesPerSecond):
                    ["file": .string(path), "frames-per-second": .integer(Int64(framesPerSecond))]
                case .camera: ["camera": .bool(true)]
                }
            source["service-class"] = .string(video.serviceClass.rawValue)
            object["video"] = .object(source)
        }
        if case .forward(let local) = handler { object["forward"] = ["local": .string(local.description)] }
        return .object(object)
    }
}

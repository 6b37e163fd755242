internal import JSONText
internal import LinuxRuntime
internal import Provisioning

/// The example identity and profile, made to fit this machine.
package enum DemoIdentity {
    /// Copies `source` to `target` with the first service's handler changed: where the echo program listens, and where
    /// the clip lies; without a clip the video is the camera's.
    package static func write(
        from source: String, to target: String, controlPort: UInt16, clip: String?
    ) throws(FactoryError) {
        let root = try read(source)
        guard var identity = root.object, var services = identity["services"]?.array,
            var service = services.first?.object,
            var handler = service["handler"]?.object, var control = handler["control"]?.object,
            var video = handler["video"]?.object
        else { throw FactoryError("\(source): the demo wants a first service with control and video") }
        control["local-udp"] = .string("127.0.0.1:\(controlPort)")
        if let clip {
            video["file"] = .string(clip)
        } else {
            let kept = video.members.filter { $0.name == "service-class" }
            video = JSONObject(kept.map { ($0.name, $0.value) })
            video["camera"] = .bool(true)
        }
        handler["control"] = .object(control)
        handler["video"] = .object(video)
        service["handler"] = .object(handler)
        services[0] = .object(service)
        identity["services"] = .array(services)
        try write(.object(identity), to: target)
    }

    /// Copies a profile with `program`, given `argument`, as its camera.
    package static func writeProfile(
        from source: String, to target: String, camera program: String, argument: String
    ) throws(FactoryError) {
        guard var profile = try read(source).object else { throw FactoryError("\(source): it is no object") }
        profile["camera"] = ["program": .string(program), "arguments": [.string(argument)]]
        try write(.object(profile), to: target)
    }

    private static func read(_ path: String) throws(FactoryError) -> JSONValue {
        guard let octets = try FactoryError.reading(path, limit: JSONLimits.file.octets) else {
            throw FactoryError("\(path): no such file; run it in the folder of the source, or name one with --identity")
        }
        do throws(JSONError) { return try JSONParser.value(octets, limits: .file) } catch {
            throw FactoryError("\(path):\(error.line): \(error)")
        }
    }

    private static func write(_ value: JSONValue, to path: String) throws(FactoryError) {
        do throws(FileError) { try DurableFile(path: path).write(Array(value.prettyText.utf8)) } catch {
            throw FactoryError("\(error)")
        }
    }
}

internal import JSONText
internal import LinuxRuntime
internal import Provisioning

/// The example identity, made to fit this machine: where the echo program listens and where the clip lies.
package enum DemoIdentity {
    /// Copies `source` to `target` with the first service's handler changed.
    package static func write(
        from source: String, to target: String, controlPort: UInt16, clip: String
    ) throws(FactoryError) {
        guard let octets = try FactoryError.reading(source, limit: JSONLimits.file.octets) else {
            throw FactoryError("\(source): there is no such file")
        }
        let root: JSONValue
        do throws(JSONError) { root = try JSONParser.value(octets, limits: .file) } catch {
            throw FactoryError("\(source):\(error.line): \(error)")
        }
        guard var identity = root.object, var services = identity["services"]?.array,
            var service = services.first?.object,
            var handler = service["handler"]?.object, var control = handler["control"]?.object,
            var video = handler["video"]?.object
        else { throw FactoryError("\(source): the demo wants a first service with control and video") }
        control["local-udp"] = .string("127.0.0.1:\(controlPort)")
        video["file"] = .string(clip)
        handler["control"] = .object(control)
        handler["video"] = .object(video)
        service["handler"] = .object(handler)
        services[0] = .object(service)
        identity["services"] = .array(services)
        do throws(FileError) {
            try DurableFile(path: target).write(Array(JSONValue.object(identity).prettyText.utf8))
        } catch { throw FactoryError("\(error)") }
    }
}

package import JSONText

extension Control {
    /// Everything about the accessory at one moment.
    package struct Snapshot: Equatable, Sendable {
        package var version: String
        package var radio: String
        package var uptimeMilliseconds: Int
        package var identity: Identity
        package var services: [Service]
        package var pairing: Pairing
        package var peers: [Peer]
        package var connections: [Connection]
        /// Nil where no service shows one.
        package var camera: Camera?
        /// Nil on a board without.
        package var bluetooth: Bluetooth?
        package var nanIsAsleep: Bool
        /// Frames dropped since the start, by reason.
        package var rejected: [String: Int]

        package init(
            version: String, radio: String, uptimeMilliseconds: Int, identity: Identity, services: [Service],
            pairing: Pairing, peers: [Peer], connections: [Connection], camera: Camera? = nil,
            bluetooth: Bluetooth? = nil, nanIsAsleep: Bool = false, rejected: [String: Int]
        ) {
            self.version = version
            self.radio = radio
            self.uptimeMilliseconds = uptimeMilliseconds
            self.identity = identity
            self.services = services
            self.pairing = pairing
            self.peers = peers
            self.connections = connections
            self.camera = camera
            self.bluetooth = bluetooth
            self.nanIsAsleep = nanIsAsleep
            self.rejected = rejected
        }

        package var json: JSONValue {
            let counts = rejected.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.integer(Int64($0.value))) }
            var object: JSONObject = [
                "version": .string(version), "radio": .string(radio),
                "uptime_ms": .integer(Int64(uptimeMilliseconds)), "identity": identity.json,
                "services": .array(services.map(\.json)), "pairing": pairing.json, "peers": .array(peers.map(\.json)),
                "connections": .array(connections.map(\.json)),
            ]
            object["camera"] = camera.map(\.json)
            object["bluetooth"] = bluetooth.map(\.json)
            object["nan_is_asleep"] = .bool(nanIsAsleep)
            object["rejected"] = .object(JSONObject(counts))
            return .object(object)
        }

        /// - Throws: `VarlinkClientError.malformedReply`.
        package init(_ json: JSONValue) throws(VarlinkClientError) {
            let object = try Reader(json)
            version = try object.string("version")
            radio = try object.string("radio")
            uptimeMilliseconds = try object.integer("uptime_ms")
            identity = try Identity(object.value("identity"))
            services = try object.list("services") { value throws(VarlinkClientError) in try Service(value) }
            pairing = try Pairing(object.value("pairing"))
            peers = try object.list("peers") { value throws(VarlinkClientError) in try Peer(value) }
            connections = try object.list("connections") { value throws(VarlinkClientError) in try Connection(value) }
            camera = object.isAbsent("camera") ? nil : try Camera(object.value("camera"))
            bluetooth = object.isAbsent("bluetooth") ? nil : try Bluetooth(object.value("bluetooth"))
            nanIsAsleep = try object.bool("nan_is_asleep")
            rejected = [:]
            for (name, count) in try Reader(object.value("rejected")).object.members {
                guard let count = count.integer else { throw .malformedReply }
                rejected[name] = Int(count)
            }
        }

        /// Whether two snapshots differ in more than the passage of time.
        package func differs(from other: Self) -> Bool {
            func timeless(_ snapshot: Self) -> Self {
                var copy = snapshot
                copy.uptimeMilliseconds = 0
                copy.pairing.closesInMilliseconds = copy.pairing.closesInMilliseconds.map { _ in 0 }
                copy.pairing.nextAttemptInMilliseconds = copy.pairing.nextAttemptInMilliseconds.map { _ in 0 }
                copy.rejected = [:]
                for index in copy.connections.indices { copy.connections[index].ageMilliseconds = 0 }
                for index in copy.peers.indices { copy.peers[index].lastSeenAt = nil }
                return copy
            }
            return timeless(self) != timeless(other)
        }
    }

    /// The members of a reply's object; one that is absent or of another kind makes the reply malformed.
    struct Reader {
        let object: JSONObject

        init(_ json: JSONValue) throws(VarlinkClientError) {
            guard let object = json.object else { throw .malformedReply }
            self.object = object
        }

        private func required<Value>(_ value: Value?) throws(VarlinkClientError) -> Value {
            guard let value else { throw .malformedReply }
            return value
        }

        func value(_ name: String) throws(VarlinkClientError) -> JSONValue { try required(object[name]) }
        func string(_ name: String) throws(VarlinkClientError) -> String { try required(object[name]?.string) }
        func integer(_ name: String) throws(VarlinkClientError) -> Int {
            try required(object[name]?.integer.flatMap { Int(exactly: $0) })
        }
        func bool(_ name: String) throws(VarlinkClientError) -> Bool { try required(object[name]?.bool) }

        func choice<Choice: RawRepresentable<String>>(_ name: String) throws(VarlinkClientError) -> Choice {
            try required(Choice(rawValue: string(name)))
        }

        func optionalString(_ name: String) throws(VarlinkClientError) -> String? {
            isAbsent(name) ? nil : try string(name)
        }

        func optionalInteger(_ name: String) throws(VarlinkClientError) -> Int? {
            isAbsent(name) ? nil : try integer(name)
        }

        func isAbsent(_ name: String) -> Bool { object[name] == nil || object[name] == .null }

        func list<Element>(
            _ name: String, _ make: (JSONValue) throws(VarlinkClientError) -> Element
        ) throws(VarlinkClientError) -> [Element] {
            var elements: [Element] = []
            for value in try required(object[name]?.array) { elements.append(try make(value)) }
            return elements
        }
    }

    /// A list of one kind of value in a reply's parameters.
    package static func peers(in parameters: JSONObject) throws(VarlinkClientError) -> [Peer] {
        try Reader(.object(parameters)).list("peers") { value throws(VarlinkClientError) in try Peer(value) }
    }

    package static func report(in parameters: JSONObject) throws(VarlinkClientError) -> [Performance] {
        try Reader(.object(parameters)).list("report") { value throws(VarlinkClientError) in try Performance(value) }
    }

    package static func snapshot(in parameters: JSONObject) throws(VarlinkClientError) -> Snapshot {
        try Snapshot(try Reader(.object(parameters)).value("snapshot"))
    }
}

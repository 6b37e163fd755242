package import JSONText

extension Control {
    /// One paired device.
    package struct Peer: Equatable, Sendable {
        package var id: String
        package var pairingName: String?
        package var vendorName: String?
        package var modelName: String?
        package var pairedAt: Int?
        package var lastSeenAt: Int?
        package var isConnected: Bool

        package init(
            id: String, pairingName: String? = nil, vendorName: String? = nil, modelName: String? = nil,
            pairedAt: Int? = nil, lastSeenAt: Int? = nil, isConnected: Bool
        ) {
            self.id = id
            self.pairingName = pairingName
            self.vendorName = vendorName
            self.modelName = modelName
            self.pairedAt = pairedAt
            self.lastSeenAt = lastSeenAt
            self.isConnected = isConnected
        }

        package var json: JSONValue {
            var object = JSONObject()
            object["id"] = .string(id)
            object["pairing_name"] = pairingName.map { .string($0) }
            object["vendor_name"] = vendorName.map { .string($0) }
            object["model_name"] = modelName.map { .string($0) }
            object["paired_at"] = pairedAt.map { .integer(Int64($0)) }
            object["last_seen_at"] = lastSeenAt.map { .integer(Int64($0)) }
            object["is_connected"] = .bool(isConnected)
            return .object(object)
        }

        /// - Throws: `VarlinkClientError.malformedReply`.
        package init(_ json: JSONValue) throws(VarlinkClientError) {
            let object = try Reader(json)
            id = try object.string("id")
            pairingName = try object.optionalString("pairing_name")
            vendorName = try object.optionalString("vendor_name")
            modelName = try object.optionalString("model_name")
            pairedAt = try object.optionalInteger("paired_at")
            lastSeenAt = try object.optionalInteger("last_seen_at")
            isConnected = try object.bool("is_connected")
        }
    }

    /// One data path.
    package struct Connection: Equatable, Sendable {
        package var id: Int
        package var peer: String
        package var service: String
        package var interface: String
        package var address: String
        package var ageMilliseconds: Int
        package var isViewing: Bool

        package init(
            id: Int, peer: String, service: String, interface: String, address: String, ageMilliseconds: Int,
            isViewing: Bool
        ) {
            self.id = id
            self.peer = peer
            self.service = service
            self.interface = interface
            self.address = address
            self.ageMilliseconds = ageMilliseconds
            self.isViewing = isViewing
        }

        package var json: JSONValue {
            var object = JSONObject()
            object["id"] = .integer(Int64(id))
            object["peer"] = .string(peer)
            object["service"] = .string(service)
            object["interface"] = .string(interface)
            object["address"] = .string(address)
            object["age_ms"] = .integer(Int64(ageMilliseconds))
            object["is_viewing"] = .bool(isViewing)
            return .object(object)
        }

        /// - Throws: `VarlinkClientError.malformedReply`.
        package init(_ json: JSONValue) throws(VarlinkClientError) {
            let object = try Reader(json)
            id = try object.integer("id")
            peer = try object.string("peer")
            service = try object.string("service")
            interface = try object.string("interface")
            address = try object.string("address")
            ageMilliseconds = try object.integer("age_ms")
            isViewing = try object.bool("is_viewing")
        }
    }

    /// How one data path performs.
    package struct Performance: Equatable, Sendable {
        package var connection: Int
        package var peer: String
        package var service: String
        package var signalDBm: Int?
        package var sentOctets: Int
        package var receivedOctets: Int
        package var sentBitsPerSecond: Int
        package var receivedBitsPerSecond: Int
        package var roundTripP50Microseconds: Int?
        package var roundTripP99Microseconds: Int?
        package var jitterMicroseconds: Int?
        package var lossPartsPerMillion: Int?

        package init(
            connection: Int, peer: String, service: String, signalDBm: Int? = nil, sentOctets: Int, receivedOctets: Int,
            sentBitsPerSecond: Int, receivedBitsPerSecond: Int, roundTripP50Microseconds: Int? = nil,
            roundTripP99Microseconds: Int? = nil, jitterMicroseconds: Int? = nil, lossPartsPerMillion: Int? = nil
        ) {
            self.connection = connection
            self.peer = peer
            self.service = service
            self.signalDBm = signalDBm
            self.sentOctets = sentOctets
            self.receivedOctets = receivedOctets
            self.sentBitsPerSecond = sentBitsPerSecond
            self.receivedBitsPerSecond = receivedBitsPerSecond
            self.roundTripP50Microseconds = roundTripP50Microseconds
            self.roundTripP99Microseconds = roundTripP99Microseconds
            self.jitterMicroseconds = jitterMicroseconds
            self.lossPartsPerMillion = lossPartsPerMillion
        }

        package var json: JSONValue {
            var object = JSONObject()
            object["connection"] = .integer(Int64(connection))
            object["peer"] = .string(peer)
            object["service"] = .string(service)
            object["signal_dbm"] = signalDBm.map { .integer(Int64($0)) }
            object["sent_octets"] = .integer(Int64(sentOctets))
            object["received_octets"] = .integer(Int64(receivedOctets))
            object["sent_bits_per_second"] = .integer(Int64(sentBitsPerSecond))
            object["received_bits_per_second"] = .integer(Int64(receivedBitsPerSecond))
            object["round_trip_p50_us"] = roundTripP50Microseconds.map { .integer(Int64($0)) }
            object["round_trip_p99_us"] = roundTripP99Microseconds.map { .integer(Int64($0)) }
            object["jitter_us"] = jitterMicroseconds.map { .integer(Int64($0)) }
            object["loss_ppm"] = lossPartsPerMillion.map { .integer(Int64($0)) }
            return .object(object)
        }

        /// - Throws: `VarlinkClientError.malformedReply`.
        package init(_ json: JSONValue) throws(VarlinkClientError) {
            let object = try Reader(json)
            connection = try object.integer("connection")
            peer = try object.string("peer")
            service = try object.string("service")
            signalDBm = try object.optionalInteger("signal_dbm")
            sentOctets = try object.integer("sent_octets")
            receivedOctets = try object.integer("received_octets")
            sentBitsPerSecond = try object.integer("sent_bits_per_second")
            receivedBitsPerSecond = try object.integer("received_bits_per_second")
            roundTripP50Microseconds = try object.optionalInteger("round_trip_p50_us")
            roundTripP99Microseconds = try object.optionalInteger("round_trip_p99_us")
            jitterMicroseconds = try object.optionalInteger("jitter_us")
            lossPartsPerMillion = try object.optionalInteger("loss_ppm")
        }
    }
}

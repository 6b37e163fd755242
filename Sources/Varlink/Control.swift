package import JSONText

/// The values of `io.awareaccessory.Control`, both ways; the interface's text says what they mean.
package enum Control {
    /// As the phone's framework names the states of a listener.
    package enum ListenerState: String, CaseIterable, Sendable {
        case setup
        case waiting
        case ready
        case failed
        case cancelled
    }

    /// How far the one pairing attempt at a time has come.
    package enum Attempt: String, CaseIterable, Sendable {
        case none
        case requested
        case pinShown = "pin_shown"
        case verifying
    }

    /// Who the accessory is, as provisioned.
    package struct Identity: Equatable, Sendable {
        package var vendorName: String
        package var modelName: String
        package var pairingName: String
        package var serialNumber: String

        package init(
            vendorName: String, modelName: String, pairingName: String, serialNumber: String
        ) {
            self.vendorName = vendorName
            self.modelName = modelName
            self.pairingName = pairingName
            self.serialNumber = serialNumber
        }

        package var json: JSONValue {
            var object = JSONObject()
            object["vendor_name"] = .string(vendorName)
            object["model_name"] = .string(modelName)
            object["pairing_name"] = .string(pairingName)
            object["serial_number"] = .string(serialNumber)
            return .object(object)
        }

        /// - Throws: `VarlinkClientError.malformedReply`.
        package init(_ json: JSONValue) throws(VarlinkClientError) {
            let object = try Reader(json)
            vendorName = try object.string("vendor_name")
            modelName = try object.string("model_name")
            pairingName = try object.string("pairing_name")
            serialNumber = try object.string("serial_number")
        }
    }

    /// One published service.
    package struct Service: Equatable, Sendable {
        package var name: String
        package var instanceName: String?
        package var port: Int
        package var handler: String
        package var performanceMode: String
        package var serviceClass: String
        package var state: ListenerState
        package var reason: String?
        package var isPublished: Bool
        package var connections: Int

        package init(
            name: String, instanceName: String? = nil, port: Int, handler: String, performanceMode: String,
            serviceClass: String, state: ListenerState, reason: String? = nil, isPublished: Bool, connections: Int
        ) {
            self.name = name
            self.instanceName = instanceName
            self.port = port
            self.handler = handler
            self.performanceMode = performanceMode
            self.serviceClass = serviceClass
            self.state = state
            self.reason = reason
            self.isPublished = isPublished
            self.connections = connections
        }

        package var json: JSONValue {
            var object = JSONObject()
            object["name"] = .string(name)
            object["instance_name"] = instanceName.map { .string($0) }
            object["port"] = .integer(Int64(port))
            object["handler"] = .string(handler)
            object["performance_mode"] = .string(performanceMode)
            object["service_class"] = .string(serviceClass)
            object["state"] = .string(state.rawValue)
            object["reason"] = reason.map { .string($0) }
            object["is_published"] = .bool(isPublished)
            object["connections"] = .integer(Int64(connections))
            return .object(object)
        }

        /// - Throws: `VarlinkClientError.malformedReply`.
        package init(_ json: JSONValue) throws(VarlinkClientError) {
            let object = try Reader(json)
            name = try object.string("name")
            instanceName = try object.optionalString("instance_name")
            port = try object.integer("port")
            handler = try object.string("handler")
            performanceMode = try object.string("performance_mode")
            serviceClass = try object.string("service_class")
            state = try object.choice("state")
            reason = try object.optionalString("reason")
            isPublished = try object.bool("is_published")
            connections = try object.integer("connections")
        }
    }

    /// The pairing window, and how far an attempt has come.
    package struct Pairing: Equatable, Sendable {
        package var policy: String
        package var isOpen: Bool
        package var closesInMilliseconds: Int?
        package var attempt: Attempt
        package var failedAttempts: Int
        package var nextAttemptInMilliseconds: Int?
        package var isLockedOut: Bool

        package init(
            policy: String, isOpen: Bool, closesInMilliseconds: Int? = nil, attempt: Attempt, failedAttempts: Int,
            nextAttemptInMilliseconds: Int? = nil, isLockedOut: Bool
        ) {
            self.policy = policy
            self.isOpen = isOpen
            self.closesInMilliseconds = closesInMilliseconds
            self.attempt = attempt
            self.failedAttempts = failedAttempts
            self.nextAttemptInMilliseconds = nextAttemptInMilliseconds
            self.isLockedOut = isLockedOut
        }

        package var json: JSONValue {
            var object = JSONObject()
            object["policy"] = .string(policy)
            object["is_open"] = .bool(isOpen)
            object["closes_in_ms"] = closesInMilliseconds.map { .integer(Int64($0)) }
            object["attempt"] = .string(attempt.rawValue)
            object["failed_attempts"] = .integer(Int64(failedAttempts))
            object["next_attempt_in_ms"] = nextAttemptInMilliseconds.map { .integer(Int64($0)) }
            object["is_locked_out"] = .bool(isLockedOut)
            return .object(object)
        }

        /// - Throws: `VarlinkClientError.malformedReply`.
        package init(_ json: JSONValue) throws(VarlinkClientError) {
            let object = try Reader(json)
            policy = try object.string("policy")
            isOpen = try object.bool("is_open")
            closesInMilliseconds = try object.optionalInteger("closes_in_ms")
            attempt = try object.choice("attempt")
            failedAttempts = try object.integer("failed_attempts")
            nextAttemptInMilliseconds = try object.optionalInteger("next_attempt_in_ms")
            isLockedOut = try object.bool("is_locked_out")
        }
    }
}

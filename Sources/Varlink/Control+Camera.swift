package import JSONText

extension Control {
    package enum CameraState: String, CaseIterable, Sendable {
        case idle
        case starting
        case running
        case ending
        case waiting
    }

    /// The board's camera, a program of its maker's.
    package struct Camera: Equatable, Sendable {
        package var program: String
        package var state: CameraState
        package var losses: Int
        package var trouble: String?

        package init(program: String, state: CameraState, losses: Int = 0, trouble: String? = nil) {
            self.program = program
            self.state = state
            self.losses = losses
            self.trouble = trouble
        }

        package var json: JSONValue {
            var object: JSONObject = [
                "program": .string(program), "state": .string(state.rawValue), "losses": .integer(Int64(losses)),
            ]
            object["trouble"] = trouble.map { .string($0) }
            return .object(object)
        }

        /// - Throws: `VarlinkClientError.malformedReply`.
        package init(_ json: JSONValue) throws(VarlinkClientError) {
            let object = try Reader(json)
            program = try object.string("program")
            state = try object.choice("state")
            losses = try object.integer("losses")
            trouble = try object.optionalString("trouble")
        }
    }
}

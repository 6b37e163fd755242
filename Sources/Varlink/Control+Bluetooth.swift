package import JSONText

extension Control {
    /// The Bluetooth LE side.
    package struct Bluetooth: Equatable, Sendable {
        package var isAdvertising: Bool
        package var address: String?
        package var links: Int
        package var servedBy: String?
        package var trouble: String?

        package init(
            isAdvertising: Bool, address: String? = nil, links: Int = 0, servedBy: String? = nil,
            trouble: String? = nil
        ) {
            self.isAdvertising = isAdvertising
            self.address = address
            self.links = links
            self.servedBy = servedBy
            self.trouble = trouble
        }

        package var json: JSONValue {
            var object = JSONObject()
            object["is_advertising"] = .bool(isAdvertising)
            object["address"] = address.map { .string($0) }
            object["links"] = .integer(Int64(links))
            object["served_by"] = servedBy.map { .string($0) }
            object["trouble"] = trouble.map { .string($0) }
            return .object(object)
        }

        /// - Throws: `VarlinkClientError.malformedReply`.
        package init(_ json: JSONValue) throws(VarlinkClientError) {
            let object = try Reader(json)
            isAdvertising = try object.bool("is_advertising")
            address = try object.optionalString("address")
            links = try object.integer("links")
            servedBy = try object.optionalString("served_by")
            trouble = try object.optionalString("trouble")
        }
    }
}

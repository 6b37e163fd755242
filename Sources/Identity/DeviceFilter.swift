/// Which paired devices a service is for.
///
/// Every criterion given must match one of its values exactly; none given means any paired device.
package struct DeviceFilter: Hashable, Sendable {
    package let names: [String]
    package let vendors: [String]
    package let models: [String]

    package static let anyPaired = Self(unchecked: [], [], [])

    /// Values per criterion: a maker's families of devices, not a customer list.
    package static let maximumValues = 16
    /// Octets of UTF-8 of one value: phones may send longer names than accessories.
    package static let maximumLength = 64
    package static let accepted =
        "up to \(maximumValues) different texts of 1 to \(maximumLength) octets of UTF-8 without control characters"

    package init(names: [String] = [], vendors: [String] = [], models: [String] = []) throws(IdentityError) {
        for (field, values) in [("names", names), ("vendors", vendors), ("models", models)] {
            guard values.count <= Self.maximumValues, Set(values).count == values.count else {
                throw IdentityError(field: field, value: "\(values.count) values", accepted: Self.accepted)
            }
            for value in values {
                guard (1...Self.maximumLength).contains(value.utf8.count), !value.hasControlCharacters else {
                    throw IdentityError(field: field, value: value, accepted: Self.accepted)
                }
            }
        }
        self.init(unchecked: names, vendors, models)
    }

    private init(unchecked names: [String], _ vendors: [String], _ models: [String]) {
        self.names = names
        self.vendors = vendors
        self.models = models
    }

    package var isAnyPaired: Bool { names.isEmpty && vendors.isEmpty && models.isEmpty }

    /// Whether a paired device with these names, as far as it told them, is meant.
    package func matches(name: String?, vendor: String?, model: String?) -> Bool {
        func met(_ values: [String], _ value: String?) -> Bool {
            values.isEmpty || value.map(values.contains) ?? false
        }
        return met(names, name) && met(vendors, vendor) && met(models, model)
    }
}

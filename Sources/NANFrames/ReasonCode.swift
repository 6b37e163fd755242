/// Why a peer refuses, in NPBA, NDP and NDL (Wi-Fi Aware v4.0, Table 43); an open registry.
package struct ReasonCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let none = Self(rawValue: 0)
    package static let unspecified = Self(rawValue: 1)
    package static let resourceLimitation = Self(rawValue: 2)
    package static let invalidParameters = Self(rawValue: 3)
    package static let ftmParametersIncapable = Self(rawValue: 4)
    package static let noMovement = Self(rawValue: 5)
    package static let invalidAvailability = Self(rawValue: 6)
    package static let immutableUnacceptable = Self(rawValue: 7)
    package static let securityPolicy = Self(rawValue: 8)
    package static let qosUnacceptable = Self(rawValue: 9)
    package static let ndpRejected = Self(rawValue: 10)
    package static let ndlUnacceptable = Self(rawValue: 11)
    package static let rangingScheduleUnacceptable = Self(rawValue: 12)
    package static let pairingBootstrappingRejected = Self(rawValue: 13)
}

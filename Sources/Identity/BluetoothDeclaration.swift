package import BluetoothFrames
internal import Octets

/// What the accessory shows over Bluetooth LE, beside what it is called there and over NAN alike.
package struct BluetoothDeclaration: Hashable, Sendable {
    /// Whether the advertiser's address stays (Core 5.4, Vol 6, Part B, 1.3).
    package enum Privacy: String, CaseIterable, Hashable, Sendable {
        /// The controller's own, or a static random one where it has none.
        case `static`
        /// Random, and another every quarter of an hour.
        case resolvable
    }

    /// What a central has to do before it reads how the accessory stands, or wakes it.
    package enum Bonding: String, CaseIterable, Hashable, Sendable {
        /// Nothing.
        case none
        /// Bond, with a passkey from the display.
        case passkey
    }

    /// The intervals that the accessory design guidelines recommend, in milliseconds.
    package enum Interval: String, CaseIterable, Hashable, Sendable {
        case ms152 = "152.5"
        case ms211 = "211.25"
        case ms318 = "318.75"
        case ms417 = "417.5"
        case ms546 = "546.25"
        case ms760 = "760"
        case ms852 = "852.5"
        case ms1022 = "1022.5"
        case ms1285 = "1285"

        /// In 0.625 ms, as controllers count.
        package var units: UInt32 {
            switch self {
            case .ms152: 244
            case .ms211: 338
            case .ms318: 510
            case .ms417: 668
            case .ms546: 874
            case .ms760: 1216
            case .ms852: 1364
            case .ms1022: 1636
            case .ms1285: 2056
            }
        }
    }

    /// Nil where a company identifier says whose product it is.
    package let service: BluetoothUUID?
    package let company: UInt16?
    /// The product's octets, which come after the company identifier and before the state.
    package let productData: [UInt8]
    /// Nil for the pairing name.
    package let name: String?
    /// Nil for the version of this software.
    package let firmwareRevision: String?
    package let interval: Interval
    package let privacy: Privacy
    package let bonding: Bonding

    package static let standardInterval = Interval.ms152
    /// Octets of a name: what a scan response has room for.
    package static let maximumNameLength = AdvertisingData.legacyLimit - 2
    package static let acceptedName = "1 to \(maximumNameLength) octets of UTF-8 without control characters"
    package static let maximumFirmwareLength = 32
    package static let acceptedFirmware = "1 to \(maximumFirmwareLength) octets of UTF-8 without control characters"
    package static let acceptedService = "four hexadecimal digits, or 8-4-4-4-12 of them"
    package static let acceptedCompany = "four hexadecimal digits (Bluetooth Assigned Numbers, 7.1)"
    package static let acceptedProductData = "hexadecimal digits, two an octet, with a company-identifier"

    package static let standard = Self(
        unchecked: nil, nil, [], name: nil, firmware: nil, standardInterval, .static, .none)

    package init(
        service: String? = nil, company: String? = nil, productData: String? = nil, name: String? = nil,
        firmwareRevision: String? = nil, interval: Interval = standardInterval, privacy: Privacy = .static,
        bonding: Bonding = .none
    ) throws(IdentityError) {
        let uuid: BluetoothUUID? = if let service { try Self.uuid(service) } else { nil }
        let number: UInt16? = if let company { try Self.companyNumber(company) } else { nil }
        let octets: [UInt8] = if let productData { try Self.octets(ofProductData: productData) } else { [] }
        if let productData, number == nil {
            throw IdentityError(field: "product-data", value: productData, accepted: Self.acceptedProductData)
        }
        if let name { try Self.checkName(name) }
        if let firmwareRevision { try Self.checkFirmwareRevision(firmwareRevision) }
        self.init(unchecked: uuid, number, octets, name: name, firmware: firmwareRevision, interval, privacy, bonding)
        try checkBudget()
    }

    private init(
        unchecked service: BluetoothUUID?, _ company: UInt16?, _ productData: [UInt8], name: String?,
        firmware: String?, _ interval: Interval, _ privacy: Privacy, _ bonding: Bonding
    ) {
        self.service = service
        self.company = company
        self.productData = productData
        self.name = name
        firmwareRevision = firmware
        self.interval = interval
        self.privacy = privacy
        self.bonding = bonding
    }

    // MARK: Each by itself

    package static func uuid(_ text: String) throws(IdentityError) -> BluetoothUUID {
        guard let uuid = BluetoothUUID(text: text) else {
            throw IdentityError(field: "service-uuid", value: text, accepted: acceptedService)
        }
        return uuid
    }

    package static func companyNumber(_ text: String) throws(IdentityError) -> UInt16 {
        guard text.utf8.count == 4, text.utf8.first != UInt8(ascii: "+"), let number = UInt16(text, radix: 16) else {
            throw IdentityError(field: "company-identifier", value: text, accepted: acceptedCompany)
        }
        return number
    }

    /// Whatever their number: what they leave room for depends on what else is advertised.
    package static func octets(ofProductData text: String) throws(IdentityError) -> [UInt8] {
        guard text.allSatisfy(\.isHexDigit), let octets = [UInt8](hex: text) else {
            throw IdentityError(field: "product-data", value: text, accepted: acceptedProductData)
        }
        return octets
    }

    package static func checkName(_ name: String) throws(IdentityError) {
        guard (1...maximumNameLength).contains(name.utf8.count), !name.hasControlCharacters else {
            throw IdentityError(field: "name", value: name, accepted: acceptedName)
        }
    }

    package static func checkFirmwareRevision(_ revision: String) throws(IdentityError) {
        guard (1...maximumFirmwareLength).contains(revision.utf8.count), !revision.hasControlCharacters else {
            throw IdentityError(field: "firmware-revision", value: revision, accepted: acceptedFirmware)
        }
    }

    /// The product's octets with room for the state after them; nil without a company.
    package var manufacturer: AdvertisingData.Manufacturer? {
        company.map { AdvertisingData.Manufacturer(company: $0, data: productData) }
    }

    /// Phones find a product by a service or by a company; without a company it has to be a service.
    package func advertisedService(standard: BluetoothUUID) -> BluetoothUUID? {
        service ?? (company == nil ? standard : nil)
    }

    /// Refuses what no advertisement has room for, with what each part takes of it.
    private func checkBudget() throws(IdentityError) {
        let state: [UInt8] = [0]
        let data = AdvertisingData(
            flags: AdvertisingData.generalDiscoverableFlags, services: service.map { [$0] } ?? [],
            manufacturer: manufacturer.map { .init(company: $0.company, data: $0.data + state) })
        let excess = data.length - AdvertisingData.legacyLimit
        guard excess > 0 else { return }
        let parts = data.budget.map(\.description).joined(separator: ", ")
        var accepted = "\(AdvertisingData.legacyLimit) octets in all"
        if excess <= productData.count {
            accepted += ": shorten product-data by \(excess) to \(productData.count - excess)"
        }
        if let service, service.short == nil {
            accepted += excess <= productData.count ? ", or" : ":"
            accepted += " use a service-uuid of 16 bits, which takes 14 less"
        }
        throw IdentityError(
            field: "product-data", value: "the advertisement takes \(data.length) octets (\(parts))",
            accepted: accepted)
    }
}

/// When the NAN radio may be off.
package struct SleepPolicy: Hashable, Sendable {
    package enum Sleep: String, CaseIterable, Hashable, Sendable {
        case never
        /// Until a phone asks for it over Bluetooth LE.
        case untilBLE = "until-ble"
    }

    package let sleep: Sleep
    /// How long NAN stays on once nobody uses it.
    package let after: Duration

    package static let afterSeconds = 10...3600
    package static let defaultAfterSeconds = 60
    package static let standard = Self(unchecked: .never, .seconds(defaultAfterSeconds))

    package init(sleep: Sleep = .never, afterSeconds: Int = defaultAfterSeconds) throws(IdentityError) {
        guard Self.afterSeconds.contains(afterSeconds) else {
            throw IdentityError(
                field: "sleep-after-seconds", value: "\(afterSeconds)", accepted: Self.afterSeconds.accepted)
        }
        self.init(unchecked: sleep, .seconds(afterSeconds))
    }

    private init(unchecked sleep: Sleep, _ after: Duration) {
        self.sleep = sleep
        self.after = after
    }
}

internal import Octets

/// What an advertisement or a scan response says (Core Specification Supplement, Part A).
package struct AdvertisingData: Equatable, Sendable {
    /// Octets of a legacy advertisement, and of a scan response to one (Core 5.4, Vol 6, Part B, 2.3.1).
    package static let legacyLimit = 31
    /// LE General Discoverable, and BR/EDR not supported: what we are is reached over LE alone.
    package static let generalDiscoverableFlags: UInt8 = 0x06

    package struct Manufacturer: Equatable, Sendable {
        package var company: UInt16
        package var data: [UInt8]

        package init(company: UInt16, data: [UInt8]) {
            self.company = company
            self.data = data
        }
    }

    /// One part, with what people are told that it takes.
    package struct Part: Equatable, Sendable, CustomStringConvertible {
        package var name: String
        package var octets: Int
        package var description: String { "\(name) \(octets)" }
    }

    package var flags: UInt8?
    package var services: [BluetoothUUID]
    package var manufacturer: Manufacturer?
    package var name: String?
    package var nameIsComplete: Bool

    package init(
        flags: UInt8? = nil, services: [BluetoothUUID] = [], manufacturer: Manufacturer? = nil, name: String? = nil,
        nameIsComplete: Bool = true
    ) {
        self.flags = flags
        self.services = services
        self.manufacturer = manufacturer
        self.name = name
        self.nameIsComplete = nameIsComplete
    }

    private enum Kind {
        static let flags: UInt8 = 0x01
        static let someServices16: UInt8 = 0x02
        static let services16: UInt8 = 0x03
        static let someServices128: UInt8 = 0x06
        static let services128: UInt8 = 0x07
        static let shortName: UInt8 = 0x08
        static let name: UInt8 = 0x09
        static let manufacturer: UInt8 = 0xFF
    }

    /// Length, type and value of each part, in the order in which they are sent.
    private var structures: [(name: String, kind: UInt8, value: [UInt8])] {
        var parts: [(name: String, kind: UInt8, value: [UInt8])] = []
        if let flags { parts.append(("flags", Kind.flags, [flags])) }
        let short = services.filter { $0.short != nil }
        let long = services.filter { $0.short == nil }
        if !short.isEmpty { parts.append(("service UUID", Kind.services16, short.flatMap(\.octets))) }
        if !long.isEmpty { parts.append(("service UUID", Kind.services128, long.flatMap(\.octets))) }
        if let manufacturer {
            let company = [UInt8(truncatingIfNeeded: manufacturer.company), UInt8(manufacturer.company >> 8)]
            parts.append(("manufacturer data", Kind.manufacturer, company + manufacturer.data))
        }
        if let name { parts.append(("name", nameIsComplete ? Kind.name : Kind.shortName, Array(name.utf8))) }
        return parts
    }

    /// What each part takes, its own length and type included.
    package var budget: [Part] { structures.map { Part(name: $0.name, octets: 2 + $0.value.count) } }

    package var length: Int { budget.reduce(0) { $0 + $1.octets } }

    /// A part of more than 254 octets, which no advertisement has room for, is cut off.
    package var octets: [UInt8] {
        var writer = ByteWriter()
        for part in structures {
            let value = part.value.prefix(254)
            writer.u8(UInt8(value.count + 1))
            writer.u8(part.kind)
            writer.octets(value)
        }
        return writer.bytes
    }

    /// Reads what anybody sends: unknown parts are passed over, and reading ends at the first that does not fit, which
    /// takes nothing from those before it.
    package init(octets: [UInt8]) {
        self.init()
        var reader = ByteReader(octets)
        while let length = try? reader.u8("length"), length > 0,
            let part = try? reader.octets(Int(length), "part"), let kind = part.first
        {
            read(kind, Array(part.dropFirst()))
        }
    }

    /// More services than advertising data of any kind has room for are not kept.
    private static let serviceLimit = 16

    private mutating func read(_ kind: UInt8, _ value: [UInt8]) {
        switch kind {
        case Kind.flags: flags = value.first ?? flags
        case Kind.someServices16, Kind.services16: readServices(value, count: 2)
        case Kind.someServices128, Kind.services128: readServices(value, count: 16)
        case Kind.shortName where name == nil, Kind.name:
            name = String(decoding: value, as: UTF8.self)
            nameIsComplete = kind == Kind.name
        case Kind.manufacturer where value.count >= 2:
            manufacturer = Manufacturer(
                company: UInt16(value[0]) | UInt16(value[1]) << 8, data: Array(value.dropFirst(2)))
        default: break
        }
    }

    private mutating func readServices(_ value: [UInt8], count: Int) {
        var reader = ByteReader(value)
        while services.count < Self.serviceLimit, reader.remaining >= count,
            let uuid = try? BluetoothUUID(from: &reader, count: count, "service UUID")
        {
            services.append(uuid)
        }
    }
}

package import Octets

/// Identifies an 802.11 element: its ID, and for ID 255 the extension octet after the length.
package struct ElementID: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt8
    package let ext: UInt8?

    package init(_ rawValue: UInt8) {
        precondition(rawValue != Self.extensionID, "element 255 has an extension ID")
        self.rawValue = rawValue
        ext = nil
    }

    package init(ext: UInt8) {
        rawValue = Self.extensionID
        self.ext = ext
    }

    fileprivate static let extensionID: UInt8 = 255

    package static let htCapabilities = Self(45)
    package static let rsn = Self(48)
    package static let mic = Self(140)
    package static let vhtCapabilities = Self(191)
    package static let vendor = Self(221)
    package static let fragment = Self(242)
    package static let rsnx = Self(244)
    package static let wrappedData = Self(ext: 8)
    package static let heCapabilities = Self(ext: 35)
    package static let pasnParameters = Self(ext: 100)
    /// Present in PASN frame 2 (802.11az).
    package static let supportedGroups = Self(ext: 161)

    package var description: String { ext.map { "255/\($0)" } ?? "\(rawValue)" }
}

/// One element exactly as on the air: ID, length, body (802.11-2020, 9.4.2.1).
///
/// A long structure is several of these: the first, full, and Fragment elements after it; see
/// `defragmented` and `fragments`.
package struct Element: WireCodable {
    package let id: ElementID
    /// What follows the ID and, for ID 255, the extension octet.
    package let body: [UInt8]

    package init(_ id: ElementID, _ body: [UInt8]) {
        precondition(body.count <= Self.capacity(id), "an element has an 8-bit length; use fragments")
        self.id = id
        self.body = body
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let rawID = try reader.u8("element ID")
        let length = Int(try reader.u8("element length"))
        var content = try reader.slice(length, "element body")
        id = rawID == ElementID.extensionID ? ElementID(ext: try content.u8("element ID extension")) : ElementID(rawID)
        body = content.rest()
    }

    package func encode(into writer: inout ByteWriter) {
        writer.u8(id.rawValue)
        writer.lengthPrefixed8 {
            if let ext = id.ext { $0.u8(ext) }
            $0.octets(body)
        }
    }

    fileprivate static func capacity(_ id: ElementID) -> Int { id.ext == nil ? 255 : 254 }
    fileprivate var isFull: Bool { body.count == Self.capacity(id) }
}

/// An element's whole content, however many elements carried it.
package struct DefragmentedElement: Equatable, Sendable {
    package let id: ElementID
    package let body: [UInt8]

    package init(_ id: ElementID, _ body: [UInt8]) {
        self.id = id
        self.body = body
    }
}

extension Element {
    /// Elements kept from one frame; a PASN frame has eight, a container three.
    package static let maximumCount = 64
    /// Octets one defragmented element may grow to: a management frame body has at most 2304.
    package static let maximumDefragmentedLength = 2304

    /// Reads elements to the end of `reader`.
    package static func decodeAll(_ reader: inout ByteReader) throws(WireError) -> [Element] {
        var elements: [Element] = []
        while reader.remaining > 0 {
            guard elements.count < maximumCount else {
                throw .excessive(field: "elements", offset: reader.offset, limit: maximumCount)
            }
            elements.append(try Element(from: &reader))
        }
        return elements
    }

    package static func decodeAll(_ octets: [UInt8]) throws(WireError) -> [Element] {
        var reader = ByteReader(octets)
        return try decodeAll(&reader)
    }

    /// Joins every full element with the Fragment elements right behind it (802.11-2020, 10.28.12).
    ///
    /// A Fragment element that continues nothing is dropped, as one whose start was lost must be.
    package static func defragmented(_ elements: [Element]) -> [DefragmentedElement] {
        var joined: [DefragmentedElement] = []
        var open: (id: ElementID, body: [UInt8])?
        func close() { if let done = open { joined.append(DefragmentedElement(done.id, done.body)) } }
        var mayContinue = false
        for element in elements {
            if element.id == .fragment {
                guard mayContinue, let part = open else { continue }
                guard part.body.count + element.body.count <= maximumDefragmentedLength else {
                    mayContinue = false
                    continue
                }
                open = (part.id, part.body + element.body)
            } else {
                close()
                open = (element.id, element.body)
            }
            mayContinue = element.isFull
        }
        close()
        return joined
    }

    /// As many elements as `body` needs: one, or a full one and Fragment elements.
    package static func fragments(_ id: ElementID, _ body: [UInt8]) -> [Element] {
        let first = capacity(id)
        guard body.count > first else { return [Element(id, body)] }
        var elements = [Element(id, Array(body.prefix(first)))]
        var rest = body.dropFirst(first)
        while !rest.isEmpty {
            elements.append(Element(.fragment, Array(rest.prefix(255))))
            rest = rest.dropFirst(255)
        }
        return elements
    }
}

extension Sequence where Element == Dot11Frames.Element {
    /// The elements' octets in order.
    package var encoded: [UInt8] {
        var writer = ByteWriter()
        for element in self { element.encode(into: &writer) }
        return writer.bytes
    }
}

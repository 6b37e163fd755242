/// Why a request about an attribute was refused (Core 5.4, Vol 3, Part F, 3.4.1.1).
package struct AttributeErrorCode: Error, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt8
    package init(_ rawValue: UInt8) { self.rawValue = rawValue }

    package static let invalidHandle = Self(0x01)
    package static let readNotPermitted = Self(0x02)
    package static let writeNotPermitted = Self(0x03)
    package static let invalidPDU = Self(0x04)
    /// A bond is wanted first, or a better one.
    package static let insufficientAuthentication = Self(0x05)
    package static let requestNotSupported = Self(0x06)
    package static let invalidOffset = Self(0x07)
    package static let prepareQueueFull = Self(0x09)
    package static let attributeNotFound = Self(0x0A)
    package static let attributeNotLong = Self(0x0B)
    package static let invalidValueLength = Self(0x0D)
    package static let unlikely = Self(0x0E)
    /// There is a bond, and the link is in clear all the same.
    package static let insufficientEncryption = Self(0x0F)
    package static let unsupportedGroupType = Self(0x10)
    package static let insufficientResources = Self(0x11)
    package static let valueNotAllowed = Self(0x13)

    private static let names: [Self: String] = [
        invalidHandle: "invalid handle", readNotPermitted: "read not permitted",
        writeNotPermitted: "write not permitted", invalidPDU: "invalid PDU",
        insufficientAuthentication: "insufficient authentication", insufficientEncryption: "insufficient encryption",
        requestNotSupported: "request not supported", invalidOffset: "invalid offset",
        prepareQueueFull: "prepare queue full", attributeNotFound: "attribute not found",
        attributeNotLong: "attribute not long", invalidValueLength: "invalid attribute value length",
        unlikely: "unlikely error", unsupportedGroupType: "unsupported group type",
        insufficientResources: "insufficient resources", valueNotAllowed: "value not allowed",
    ]

    package var description: String { Self.names[self] ?? "error \(rawValue)" }
}

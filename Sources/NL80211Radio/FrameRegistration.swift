/// Which received frames the kernel hands to us: a type and how the body begins (reference: nl80211 REGISTER_FRAME).
struct FrameRegistration: Equatable {
    var type: UInt16
    var prefix: [UInt8]
    var withMulticast: Bool

    /// Public Action and Protected Dual of Public Action, vendor specific, Wi-Fi Alliance, service discovery and
    /// action frames; PASN authentication.
    static let management: [FrameRegistration] = [
        discovery(category: 0x04), action(category: 0x04), discovery(category: 0x09), action(category: 0x09),
        FrameRegistration(type: NL80211.frameTypeAuthentication, prefix: [0x07, 0x00], withMulticast: false),
    ]

    /// NAN action frames between data interfaces.
    static let data: [FrameRegistration] = [action(category: 0x04), action(category: 0x09)]

    private static func discovery(category: UInt8) -> FrameRegistration {
        FrameRegistration(
            type: NL80211.frameTypeAction, prefix: [category, 0x09, 0x50, 0x6F, 0x9A, 0x13], withMulticast: true)
    }

    private static func action(category: UInt8) -> FrameRegistration {
        FrameRegistration(
            type: NL80211.frameTypeAction, prefix: [category, 0x09, 0x50, 0x6F, 0x9A, 0x18], withMulticast: true)
    }

    func write(to message: inout NetlinkWriter) {
        message.u16(NL80211Attribute.frameType, type)
        message.octets(NL80211Attribute.frameMatch, prefix)
        if withMulticast { message.flag(NL80211Attribute.receiveMulticast) }
    }
}

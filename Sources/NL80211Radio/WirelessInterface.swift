/// An interface of any radio, as GET_INTERFACE tells it.
struct WirelessInterface: Equatable {
    var wiphy: UInt32
    /// NL80211_ATTR_WDEV.
    var device: UInt64
    /// Nil for one without a network device, as NAN's.
    var index: UInt32?
    var name: String
    /// NL80211_IFTYPE_….
    var type: UInt32

    /// What a person is told of it.
    var title: String { name.isEmpty ? "an interface without a name" : name }

    init?(_ attributes: NetlinkAttributes) {
        guard let wiphy = attributes.u32(NL80211Attribute.wiphy),
            let device = attributes.u64(NL80211Attribute.wirelessDevice),
            let type = attributes.u32(NL80211Attribute.interfaceType)
        else { return nil }
        self.wiphy = wiphy
        self.device = device
        self.type = type
        index = attributes.u32(NL80211Attribute.interfaceIndex)
        name = attributes.string(NL80211Attribute.interfaceName) ?? ""
    }
}

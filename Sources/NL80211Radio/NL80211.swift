internal import Ports

/// nl80211's other numbers (kernel 7.3).
enum NL80211 {
    static let familyName = "nl80211"

    /// NL80211_IFTYPE_MONITOR.
    static let interfaceTypeMonitor: UInt32 = 6
    /// NL80211_IFTYPE_NAN: the management interface, without a network device.
    static let interfaceTypeNAN: UInt32 = 12
    /// NL80211_IFTYPE_NAN_DATA: a network device.
    static let interfaceTypeNANData: UInt32 = 13

    /// NL80211_BAND_2GHZ and NL80211_BAND_5GHZ.
    static let band2GHz: UInt8 = 0
    static let band5GHz: UInt8 = 1

    /// NL80211_EXT_FEATURE_…: bit n of octet n / 8.
    static let featureSecureNAN = 63

    /// NL80211_KEYTYPE_GROUP.
    static let keyTypeGroup: UInt32 = 0

    /// 00-0F-AC:6 and :12, for group-addressed management frames.
    static let cipherBIPCMAC128: UInt32 = 0x000F_AC06
    static let cipherBIPGMAC256: UInt32 = 0x000F_AC0C

    /// Public Action and Authentication, with frame control's type in place.
    static let frameTypeAction: UInt16 = 0x00D0
    static let frameTypeAuthentication: UInt16 = 0x00B0

    /// NL80211_STA_FLAG_…, as bits of `nl80211_sta_flag_update`.
    enum StationFlag {
        static let authorized: UInt32 = 1 << 1
        static let mfp: UInt32 = 1 << 4
        static let authenticated: UInt32 = 1 << 5
        static let associated: UInt32 = 1 << 7
    }

    /// NL80211_CHAN_WIDTH_…; nil for a width that NAN does not use.
    static func channelWidth(_ megahertz: Int) -> UInt32? {
        switch megahertz {
        case 20: 1
        case 40: 2
        case 80: 3
        case 160: 5
        default: nil
        }
    }
}

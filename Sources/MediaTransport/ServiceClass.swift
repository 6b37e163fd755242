/// The traffic class of one service: what the phone framework calls `serviceClass`.
///
/// Each maps to the DSCP that RFC 8325 (section 4) turns into the WMM access category wanted on the air.
package enum ServiceClass: String, CaseIterable, Hashable, Sendable {
    case background
    case bestEffort = "best-effort"
    case interactiveVideo = "interactive-video"
    case interactiveVoice = "interactive-voice"

    /// Differentiated services code point (RFC 8325, table 1): CS1, DF, AF41, EF.
    package var dscp: UInt8 {
        switch self {
        case .background: 8
        case .bestEffort: 0
        case .interactiveVideo: 34
        case .interactiveVoice: 46
        }
    }

    /// 802.1D user priority (RFC 8325, table 1): AC_BK, AC_BE, AC_VI, AC_VO.
    package var userPriority: UInt8 {
        switch self {
        case .background: 1
        case .bestEffort: 0
        case .interactiveVideo: 4
        case .interactiveVoice: 6
        }
    }

    /// The octet for IPv4's TOS and IPv6's traffic class: the code point above two ECN bits of zero.
    package var trafficClass: UInt8 { dscp << 2 }

    /// The `SO_PRIORITY` that names a user priority outright: Linux's cfg80211 takes 256 to 263 as 0 to 7.
    package var socketPriority: Int32 { 256 + Int32(userPriority) }
}

/// How a flow's packets are marked: the DSCP that RFC 8325 (section 4) turns into the WMM access category wanted.
package struct TrafficMarking: Hashable, Sendable {
    /// Differentiated services code point.
    package let dscp: UInt8
    /// 802.1D user priority.
    package let userPriority: UInt8

    // RFC 8325, table 1: CS1, DF, AF41 and EF, for AC_BK, AC_BE, AC_VI and AC_VO.
    package static let background = Self(dscp: 8, userPriority: 1)
    package static let bestEffort = Self(dscp: 0, userPriority: 0)
    package static let interactiveVideo = Self(dscp: 34, userPriority: 4)
    package static let interactiveVoice = Self(dscp: 46, userPriority: 6)

    /// The octet for IPv4's TOS and IPv6's traffic class: the code point above two ECN bits of zero.
    package var trafficClass: UInt8 { dscp << 2 }

    /// The `SO_PRIORITY` that names a user priority outright: Linux's cfg80211 takes 256 to 263 as 0 to 7.
    package var socketPriority: Int32 { 256 + Int32(userPriority) }
}

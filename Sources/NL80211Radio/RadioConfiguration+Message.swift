internal import Octets
internal import Ports

extension RadioConfiguration {
    /// START_NAN's attributes, but for the interface; thresholds and intervals are hostap's defaults.
    func write(to message: inout NetlinkWriter) {
        typealias Name = NL80211Attribute.Configuration
        message.u8(NL80211Attribute.nanMasterPreference, masterPreference)
        message.u32(NL80211Attribute.bands, usesFiveGigahertz ? 0b11 : 0b01)
        message.nest(NL80211Attribute.nanConfiguration) { nest in
            nest.flag(Name.notifyDW)
            if let cluster { nest.mac(Name.clusterID, cluster.address) }
            nest.u16(Name.scanPeriod, 60)
            nest.u16(Name.scanDwellTime, 150)
            nest.u8(Name.discoveryBeaconInterval, 100)
            nest.nest(Name.bandConfigurations) { bands in
                bands.nest(1) { Self.band(NL80211.band2GHz, frequency: nil, &$0) }
                if usesFiveGigahertz { bands.nest(2) { Self.band(NL80211.band5GHz, frequency: 5745, &$0) } }
            }
        }
    }

    private static func band(_ band: UInt8, frequency: UInt16?, _ nest: inout NetlinkWriter) {
        typealias Name = NL80211Attribute.Band
        nest.u8(Name.band, band)
        if let frequency { nest.u16(Name.frequency, frequency) }
        nest.u8(Name.rssiClose, UInt8(bitPattern: -50))
        nest.u8(Name.rssiMiddle, UInt8(bitPattern: -65))
        nest.u8(Name.wakeDW, 1)
    }
}

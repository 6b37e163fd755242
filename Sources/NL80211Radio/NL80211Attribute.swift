/// nl80211's attributes (NL80211_ATTR_…, kernel 7.3), as far as they are used here.
enum NL80211Attribute {
    static let wiphy: UInt16 = 1
    static let wiphyName: UInt16 = 2
    static let interfaceIndex: UInt16 = 3
    static let interfaceName: UInt16 = 4
    static let interfaceType: UInt16 = 5
    static let mac: UInt16 = 6
    static let stationListenInterval: UInt16 = 18
    static let stationInfo: UInt16 = 21
    static let wiphyBands: UInt16 = 22
    static let htCapability: UInt16 = 31
    static let supportedInterfaceTypes: UInt16 = 32
    static let regulatoryDomain: UInt16 = 33
    static let wiphyFrequency: UInt16 = 38
    static let frame: UInt16 = 51
    static let cipherSuites: UInt16 = 57
    static let stationFlags: UInt16 = 67
    static let key: UInt16 = 80
    static let cookie: UInt16 = 88
    static let frameMatch: UInt16 = 91
    static let ack: UInt16 = 92
    static let frameType: UInt16 = 101
    static let interfaceCombinations: UInt16 = 120
    static let transmitWithoutCCK: UInt16 = 135
    static let receivedSignal: UInt16 = 151
    static let wirelessDevice: UInt16 = 153
    static let vhtCapability: UInt16 = 157
    static let channelWidth: UInt16 = 159
    static let centerFrequency1: UInt16 = 160
    static let centerFrequency2: UInt16 = 161
    static let splitWiphyDump: UInt16 = 174
    static let socketOwner: UInt16 = 204
    static let extendedFeatures: UInt16 = 217
    static let nanMasterPreference: UInt16 = 238
    static let bands: UInt16 = 239
    static let receiveMulticast: UInt16 = 289
    static let nanConfiguration: UInt16 = 342
    static let nanNewCluster: UInt16 = 343
    static let nanCapabilities: UInt16 = 344
    static let nanChannel: UInt16 = 351
    static let nanChannelEntry: UInt16 = 352
    static let nanTimeSlots: UInt16 = 353
    static let nanRxNSS: UInt16 = 354
    static let nanAvailabilityBlob: UInt16 = 355
    static let nanNMIMAC: UInt16 = 358
    static let nanCommittedDW: UInt16 = 360
    static let nanSequenceID: UInt16 = 361
    static let nanMaxChannelSwitchTime: UInt16 = 362
    static let nanPeerMaps: UInt16 = 363

    /// NL80211_NAN_CONF_….
    enum Configuration {
        static let clusterID: UInt16 = 1
        static let bandConfigurations: UInt16 = 4
        static let scanPeriod: UInt16 = 5
        static let scanDwellTime: UInt16 = 6
        static let discoveryBeaconInterval: UInt16 = 7
        static let notifyDW: UInt16 = 8
    }

    /// NL80211_NAN_BAND_CONF_….
    enum Band {
        static let band: UInt16 = 1
        static let frequency: UInt16 = 2
        static let rssiClose: UInt16 = 3
        static let rssiMiddle: UInt16 = 4
        static let wakeDW: UInt16 = 5
    }

    /// NL80211_NAN_CAPA_….
    enum Capabilities {
        static let configurableSync: UInt16 = 1
        static let userSpaceDiscovery: UInt16 = 2
        static let operationMode: UInt16 = 3
        static let antennas: UInt16 = 4
        static let maxChannelSwitchTime: UInt16 = 5
        static let capabilities: UInt16 = 6
        static let phy: UInt16 = 7
    }

    /// NL80211_NAN_PHY_CAP_ATTR_….
    enum PHY {
        static let htMCSSet: UInt16 = 1
        static let htCapabilities: UInt16 = 2
        static let htAMPDUFactor: UInt16 = 3
        static let htAMPDUDensity: UInt16 = 4
        static let vhtMCSSet: UInt16 = 5
        static let vhtCapabilities: UInt16 = 6
    }

    /// NL80211_NAN_PEER_MAP_ATTR_….
    enum PeerMap {
        static let mapID: UInt16 = 1
        static let timeSlots: UInt16 = 2
    }

    /// NL80211_KEY_….
    enum Key {
        static let data: UInt16 = 1
        static let index: UInt16 = 2
        static let cipher: UInt16 = 3
        static let sequence: UInt16 = 4
        static let type: UInt16 = 7
    }

    /// NL80211_STA_INFO_….
    enum Station {
        static let inactiveTime: UInt16 = 1
    }

    /// NL80211_IFACE_COMB_… and NL80211_IFACE_LIMIT_….
    enum Combination {
        static let limits: UInt16 = 1
        static let maximum: UInt16 = 2
        static let channelCount: UInt16 = 4
        static let limitMaximum: UInt16 = 1
        static let limitTypes: UInt16 = 2
    }

    /// NL80211_BAND_ATTR_… and NL80211_FREQUENCY_ATTR_….
    enum Frequency {
        static let list: UInt16 = 1
        static let frequency: UInt16 = 1
        static let disabled: UInt16 = 2
        static let noInitiatingRadiation: UInt16 = 3
    }
}

/// What a radio can do (nl80211 NAN_CAPABILITIES and its PHY nest), in the encodings that NAN attributes carry.
package struct RadioCapabilities: Equatable, Sendable {
    /// Device Capability, octet 3: b2 2.4 GHz, b4 5 GHz.
    package var supportedBands: UInt8
    /// Device Capability, octet 4.
    package var operationMode: UInt8
    /// Device Capability, octet 5: low nibble transmit, high nibble receive.
    package var antennas: UInt8
    /// Device Capability, octets 6-7: µs.
    package var maxChannelSwitchTime: UInt16
    /// Device Capability, octet 8, without the NDPE bit, which is ours.
    package var capabilities: UInt8
    /// Ours, for the Element Container, and what a peer's must look like: HT is mandatory on an NDP.
    package var station: StationCapabilities
    /// Management frames can be encrypted (NL80211_EXT_FEATURE_SECURE_NAN).
    package var protectsManagementFrames: Bool
    package var ciphers: Set<PairwiseCipher>
    /// NAN data interfaces that can be up at once; 0 means no data path.
    package var dataInterfaceLimit: Int
    /// Control frequencies, MHz, that schedules may use where the radio is: of 2437, 5180, 5220 and 5745.
    package var frequencies: [Int]

    package init(
        supportedBands: UInt8, operationMode: UInt8, antennas: UInt8, maxChannelSwitchTime: UInt16, capabilities: UInt8,
        station: StationCapabilities, protectsManagementFrames: Bool, ciphers: Set<PairwiseCipher>,
        dataInterfaceLimit: Int, frequencies: [Int] = [2437]
    ) {
        self.supportedBands = supportedBands
        self.operationMode = operationMode
        self.antennas = antennas
        self.maxChannelSwitchTime = maxChannelSwitchTime
        self.capabilities = capabilities
        self.station = station
        self.protectsManagementFrames = protectsManagementFrames
        self.ciphers = ciphers
        self.dataInterfaceLimit = dataInterfaceLimit
        self.frequencies = frequencies
    }

    /// What mac80211_hwsim's NAN radios report, and so what the simulated radio reports.
    package static let simulated = RadioCapabilities(
        supportedBands: 0x14, operationMode: 0x17, antennas: 0x22, maxChannelSwitchTime: 0, capabilities: 0,
        station: .simulated, protectsManagementFrames: true, ciphers: [.ccmp128, .gcmp256], dataInterfaceLimit: 2)
}

/// A station's 802.11 capabilities as element bodies.
package struct StationCapabilities: Equatable, Sendable {
    /// HT Capabilities, 26 octets; a peer without them gets no data path.
    package var ht: [UInt8]
    /// VHT Capabilities, 12 octets.
    package var vht: [UInt8]?

    /// - Precondition: 26 octets of HT and 12 of VHT.
    package init(ht: [UInt8], vht: [UInt8]?) {
        precondition(ht.count == 26 && (vht.map { $0.count == 12 } ?? true), "HT has 26 octets, VHT 12")
        self.ht = ht
        self.vht = vht
    }

    /// mac80211_hwsim's, captured on kernel 7.3.4.
    package static let simulated = StationCapabilities(
        ht: [0x72, 0x10, 0x1B, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 10) + [0x01]
            + [UInt8](repeating: 0, count: 10),
        vht: [0xFA, 0x04, 0x80, 0x03, 0xAA, 0xAA, 0x00, 0x00, 0xAA, 0xAA, 0x00, 0x00])
}

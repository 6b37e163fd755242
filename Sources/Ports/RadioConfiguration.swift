package import NANFrames

/// What NAN is started with (nl80211 START_NAN and NAN_CONFIG).
package struct RadioConfiguration: Equatable, Sendable {
    /// The management address to use; the radio refuses one that is not locally administered.
    package var nmi: NMI
    /// 2…254: how much the device wants to be the cluster's anchor master.
    package var masterPreference: UInt8
    /// Discovery windows on 5745 MHz as well as on 2437 MHz.
    package var usesFiveGigahertz: Bool
    /// A cluster to join or create; nil lets the radio choose.
    package var cluster: ClusterID?

    package init(nmi: NMI, masterPreference: UInt8 = 2, usesFiveGigahertz: Bool = false, cluster: ClusterID? = nil) {
        self.nmi = nmi
        self.masterPreference = masterPreference
        self.usesFiveGigahertz = usesFiveGigahertz
        self.cluster = cluster
    }
}

package import NANFrames

/// What is asked of a radio, one case per nl80211 command of the NAN interface and its data interfaces.
///
/// Effects are carried out in order. One that the radio refuses comes back as `RadioEvent.refused`.
package enum RadioEffect: Equatable, Sendable {
    /// Creates the NAN interface, registers for frames and starts NAN; answered by `started` or `failed`, later `clusterJoined`.
    case start(RadioConfiguration)
    /// Takes everything down; answered by `stopped(.requested)`.
    case stop
    /// Queues a frame; answered by `transmitted`.
    case transmit(Transmission)
    case setLocalSchedule(LocalRadioSchedule)

    /// NEW_STATION for a peer's NMI; before the first authentication frame to it.
    case addPeer(NMI)
    /// SET_STATION: frames of category 9 to and from it are encrypted; before its key.
    case protectPeer(NMI)
    /// NEW_KEY on the peer's NMI: the NM-TK.
    case installManagementKey(NMI, PairwiseKey)
    /// NAN_SET_PEER_SCHED; replaces the whole previous schedule.
    case setPeerSchedule(NMI, PeerRadioSchedule)
    /// SET_STATION: AUTHORIZED, with the capabilities of its Element Container; before its data stations.
    case authorizePeer(NMI, StationCapabilities)
    /// DEL_STATION: its keys and data stations go with it.
    case removePeer(NMI)

    /// NEW_INTERFACE NAN_DATA; answered by `dataInterfaceAdded`.
    case addDataInterface(NDI)
    case removeDataInterface(NDI)
    /// NEW_STATION on a data interface.
    case addDataPeer(DataPeer, of: NMI, isProtected: Bool)
    /// NEW_KEY on a data station: the ND-TK.
    case installDataKey(DataPeer, PairwiseKey)
    /// NEW_KEY: the IGTK that opens a peer's protected group-addressed management frames.
    case installPeerGroupKey(NMI, GroupKey)
    /// NEW_KEY: the GTK that opens a data station's group-addressed frames.
    case installDataGroupKey(DataPeer, GroupKey)
    /// SET_STATION: AUTHORIZED; last.
    case authorizeDataPeer(DataPeer)
    /// Clears AUTHORIZED, deletes the key and the station, in that order.
    case removeDataPeer(DataPeer)
    /// Configures addresses for an authorised data peer; answered by `dataLinkOpened`.
    case openDataLink(DataPeer, interfaceIdentifier: [UInt8], peerIdentifier: [UInt8]?)
    /// GET_STATION; answered by `inactivity`.
    case queryInactivity(DataPeer)
}

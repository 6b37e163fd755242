package import NANFrames

/// A peer's instance together with the one of ours that knows it.
package struct ServicePeer: Hashable, Sendable {
    package var nmi: NMI
    package var instance: InstanceID
    package var peerInstance: InstanceID

    package init(nmi: NMI, instance: InstanceID, peerInstance: InstanceID) {
        self.nmi = nmi
        self.instance = instance
        self.peerInstance = peerInstance
    }
}

package import NANFrames

/// A peer's data address as seen from one of our data interfaces.
package struct DataPeer: Hashable, Sendable {
    package var interface: NDI
    package var peer: NDI

    package init(interface: NDI, peer: NDI) {
        self.interface = interface
        self.peer = peer
    }
}

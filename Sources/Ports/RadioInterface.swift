package import NANFrames

/// Which of a radio's interfaces a frame goes through.
package enum RadioInterface: Hashable, Sendable {
    case management
    case data(NDI)
}

package import NANFrames

/// How a data path request is answered.
package enum DataPathAnswer: Equatable, Sendable {
    /// With the service info that names port and protocol.
    case accept(serviceInfo: [UInt8])
    case reject(ReasonCode)
}

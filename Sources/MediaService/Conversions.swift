package import Identity
package import LinuxRuntime
package import MediaTransport
package import Ports

extension SocketAddress {
    package init(_ address: IPAddress, port: UInt16) {
        switch address {
        case .v4(let bits): self.init(Host.v4(bits), port: port)
        case .v6(let high, let low, let scope): self.init(Host.v6(high: high, low: low, scope: scope), port: port)
        }
    }

    package init(_ endpoint: IPEndpoint) { self.init(endpoint.address, port: endpoint.port) }

    package init(_ endpoint: LocalEndpoint) {
        switch endpoint.host {
        case .ipv4(let second, let third, let fourth):
            let bits = 0x7F00_0000 | UInt32(second) << 16 | UInt32(third) << 8 | UInt32(fourth)
            self.init(Host.v4(bits), port: endpoint.port)
        case .ipv6: self.init(Host.v6(high: 0, low: 1, scope: 0), port: endpoint.port)
        }
    }

    /// The address alone.
    package var ipAddress: IPAddress {
        switch host {
        case .v4(let bits): .v4(bits)
        case .v6(let high, let low, let scope): .v6(high: high, low: low, scope: scope)
        }
    }
}

extension TrafficMarking {
    package init(_ serviceClass: ServiceClass) {
        switch serviceClass {
        case .background: self = .background
        case .bestEffort: self = .bestEffort
        case .interactiveVideo: self = .interactiveVideo
        case .interactiveVoice: self = .interactiveVoice
        }
    }
}

extension ViewerEnd {
    init(_ reason: VideoSender.EndReason) {
        switch reason {
        case .goodbye: self = .goodbye
        case .silence: self = .silence
        case .stopped: self = .disconnected
        }
    }
}

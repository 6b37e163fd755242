internal import NANFrames
internal import Octets
internal import Ports

extension NANSession {
    /// Takes what has arrived on the sockets and turns it into events.
    func receive(now: MonotonicInstant) {
        do throws(NetlinkError) {
            let received = try events.drain()
            for message in received.messages { handle(message, now: now) }
            if received.isOverrun { overrun() }
            let changed = try links.drain()
            for message in changed.messages {
                if let state = RouteClient.state(message) { operate(state.index, state.isOperational) }
            }
            if changed.isOverrun { try catchUp() }
        } catch { lose("\(wiphy.name): \(error)") }
    }

    /// Changes of links were dropped: asks for what they are now.
    private func catchUp() throws(NetlinkError) {
        for interface in interfaces { operate(interface.index, try route.isOperational(interface.index)) }
    }

    private func handle(_ message: NetlinkMessage, now: MonotonicInstant) {
        guard let (command, attributes) = NL80211Client.parse(message) else { return }
        switch command {
        case .frame: received(attributes)
        case .frameTransmitStatus:
            guard isOurs(attributes), let cookie = attributes.u64(NL80211Attribute.cookie) else { return }
            finish(cookie: cookie, acknowledged: attributes.has(NL80211Attribute.ack))
        case .nanNextDWNotification:
            guard isOurs(attributes), let frequency = attributes.u32(NL80211Attribute.wiphyFrequency) else { return }
            membership.windowAhead(now: now)
            tell(.discoveryWindowAhead(frequency: Int(frequency)))
        case .nanClusterJoined:
            guard isOurs(attributes), let address = attributes.mac(NL80211Attribute.mac) else { return }
            membership.join(ClusterID(address), now: now)
            tell(.clusterJoined(ClusterID(address), isNew: attributes.has(NL80211Attribute.nanNewCluster)))
        case .deleteInterface:
            if attributes.u64(NL80211Attribute.wirelessDevice) == device {
                lose("\(wiphy.name): its NAN interface was removed")
            } else if let index = attributes.u32(NL80211Attribute.interfaceIndex),
                interfaces.contains(where: { $0.index == index })
            {
                lose("\(wiphy.name): a data interface was removed")
            }
        case .deleteWiphy:
            if attributes.u32(NL80211Attribute.wiphy) == wiphy.index { lose("\(wiphy.name) was removed") }
        case .stopNAN:
            if isOurs(attributes) { lose("\(wiphy.name): NAN was stopped") }
        default: break
        }
    }

    private func isOurs(_ attributes: NetlinkAttributes) -> Bool { interface(of: attributes) != nil }

    /// Which of our interfaces a message is about.
    private func interface(of attributes: NetlinkAttributes) -> RadioInterface? {
        if attributes.u64(NL80211Attribute.wirelessDevice) == device { return .management }
        guard let index = attributes.u32(NL80211Attribute.interfaceIndex) else { return nil }
        return interfaces.first { $0.index == index }.map { .data($0.ndi) }
    }

    private func received(_ attributes: NetlinkAttributes) {
        guard let interface = interface(of: attributes), let octets = attributes[NL80211Attribute.frame],
            octets.count >= 24
        else { return }
        if interface == .management, let cluster = membership.learn(from: octets) {
            log.log(.warning, "a merge of clusters shows in a frame: its message was lost")
            tell(.clusterJoined(cluster, isNew: false))
        }
        let signal = attributes.u32(NL80211Attribute.receivedSignal).map { Int(Int32(bitPattern: $0)) }
        tell(.received(ReceivedFrame(octets: octets, interface: interface, signal: signal)))
    }
}

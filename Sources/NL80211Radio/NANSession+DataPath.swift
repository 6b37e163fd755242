internal import Glibc
internal import NANFrames
internal import Octets
internal import Ports

extension NANSession {
    /// Names tried for a data interface before it is given up.
    private static let nameLimit = 32

    func dataInterface(_ ndi: NDI) throws(RadioFailure) -> DataInterface {
        guard let found = interfaces.first(where: { $0.ndi == ndi }) else {
            throw RadioFailure(.invalid, "there is no such data interface")
        }
        return found
    }

    func place(_ peer: DataPeer) throws(RadioFailure) -> Place {
        .data(index: try dataInterface(peer.interface).index)
    }

    func add(_ ndi: NDI) throws(RadioFailure) {
        guard interfaces.count < wiphy.dataInterfaceLimit else {
            throw RadioFailure(.busy, "\(interfaces.count) data interfaces are up, and \(wiphy.name) has no more")
        }
        let interface = DataInterface(ndi: ndi, index: try makeInterface(ndi))
        do throws(NetlinkError) {
            for registration in FrameRegistration.data {
                try client.call(.registerFrame, on: events) { message in
                    message.u32(NL80211Attribute.interfaceIndex, interface.index)
                    registration.write(to: &message)
                }
            }
            try route.bringUp(interface.index)
        } catch {
            remove(interface)
            // It was told in place of an answer, and nothing else will tell of it.
            if error.code == ENOBUFS { overrun() }
            throw error.failure
        }
        interfaces.append(interface)
        tell(.dataInterfaceAdded(ndi))
    }

    /// NEW_INTERFACE under the first free name.
    ///
    /// Not on the event socket: there an overrun may take the answer's place, and the interface would stay, unknown.
    private func makeInterface(_ ndi: NDI) throws(RadioFailure) -> UInt32 {
        var last: NetlinkError?
        for number in 0..<Self.nameLimit where if_nametoindex("ndi\(number)") == 0 {
            do throws(NetlinkError) {
                let told = try client.addInterface(
                    "ndi\(number)", NL80211.interfaceTypeNANData, ndi.address, on: wiphy)
                guard let index = told.u32(NL80211Attribute.interfaceIndex) else {
                    throw NetlinkError(command: "NEW_INTERFACE", code: ENODEV, text: "it told no index")
                }
                return index
            } catch {
                // Somebody else was faster with that name.
                guard error.code == EEXIST || error.code == ENFILE else { throw error.failure }
                last = error
            }
        }
        throw last?.failure ?? RadioFailure(.busy, "NEW_INTERFACE: all names from ndi0 on are taken")
    }

    func remove(_ interface: DataInterface) {
        // It fails only when the interface is gone already.
        _ = try? client.call(.deleteInterface) { $0.u32(NL80211Attribute.interfaceIndex, interface.index) }
    }

    func add(_ peer: DataPeer, of nmi: NMI, isProtected: Bool) throws(RadioFailure) {
        let flags = Flag.authenticated | Flag.associated | (isProtected ? Flag.mfp : 0)
        try addStation(peer.peer.address, on: try place(peer), flags: flags, owner: nmi)
        dataStations.append(DataStation(peer: peer, nmi: nmi))
    }

    /// The kernel has removed them, with what they stand on.
    func forgetDataStations(where isGone: (DataStation) -> Bool) {
        for station in dataStations where isGone(station) {
            guard let link = dataLinks.removeValue(forKey: station.peer) else { continue }
            // Both fail where the interface is gone already.
            if let other = dataLinks.first(where: { $0.value.hasPeerAddress(of: link) }) {
                // A phone that is back under another NDI before its old path has ended: the entry is that one's.
                try? route.addNeighbor(link.peer, at: other.key.peer.address, on: link.index)
            } else {
                try? route.removeNeighbor(link.peer, on: link.index)
            }
        }
        dataStations.removeAll(where: isGone)
    }

    func remove(_ peer: DataPeer) throws(RadioFailure) {
        let place = try place(peer)
        // The first says whether the station is there; an open one has no key to delete.
        try setFlags(Flag.authorized, of: peer.peer.address, on: place, isSet: false)
        _ = try? client.call(.deleteKey) { message in
            write(place, peer.peer.address, to: &message)
            message.nest(NL80211Attribute.key) { $0.u8(NL80211Attribute.Key.index, 0) }
        }
        try call(.deleteStation) { write(place, peer.peer.address, to: &$0) }
        forgetDataStations { $0.peer == peer }
    }

    /// Configures both addresses; the link is told once packets leave.
    ///
    /// An identifier that another peer has is taken over: a phone that comes back is not told from one that pretends.
    func open(_ peer: DataPeer, own: [UInt8], other: [UInt8]?) throws(RadioFailure) {
        guard own.count == 8, other.map({ $0.count == 8 }) ?? true else {
            throw RadioFailure(.invalid, "address: no interface identifier of 8 octets")
        }
        let interface = try dataInterface(peer.interface)
        guard let station = dataStations.first(where: { $0.peer == peer }) else {
            throw RadioFailure(.unknownStation, "address: there is no such station")
        }
        guard station.isAuthorized else {
            throw RadioFailure(.invalid, "address: the station is not authorised")
        }
        let link = DataLink(
            index: interface.index, local: Self.number(own),
            peer: other.map(Self.number) ?? Self.number(InterfaceIdentifier(eui64: peer.peer).encoded))
        guard !link.asksForOurs(among: dataLinks.values) else {
            throw RadioFailure(.invalid, "address: the peer's interface identifier is our own")
        }
        do throws(NetlinkError) {
            try route.add(linkLocal: link.local, to: link.index)
            try route.addNeighbor(link.peer, at: peer.peer.address, on: link.index)
            dataLinks[peer] = link
            operate(link.index, try route.isOperational(link.index))
        } catch { throw error.failure }
    }

    private static func number(_ octets: [UInt8]) -> UInt64 { octets.reduce(0) { $0 << 8 | UInt64($1) } }

    /// The state of a data interface is known: with it, links open.
    func operate(_ index: UInt32, _ isOperational: Bool) {
        guard isOperational else { return }
        for (peer, link) in dataLinks where link.index == index && !link.isTold {
            dataLinks[peer]?.isTold = true
            tell(
                .dataLinkOpened(
                    peer, local: .linkLocal(identifier: link.local, scope: index),
                    peer: .linkLocal(identifier: link.peer, scope: index)))
        }
    }

    func queryInactivity(_ peer: DataPeer) throws(RadioFailure) {
        let place = try place(peer)
        let answers = try call(.getStation) { write(place, peer.peer.address, to: &$0) }
        let time = answers.compactMap { answer in
            answer.nest(NL80211Attribute.stationInfo)?.u32(NL80211Attribute.Station.inactiveTime)
        }
        guard let milliseconds = time.first else {
            throw RadioFailure(.other, "GET_STATION: no inactive time")
        }
        tell(.inactivity(peer, .milliseconds(Int(milliseconds))))
    }
}

extension NANSession.DataLink {
    /// Its peer has chosen an identifier that is ours on that interface.
    func asksForOurs(among others: some Sequence<Self>) -> Bool {
        peer == local || others.contains { $0.index == index && $0.local == peer }
    }

    func hasPeerAddress(of other: Self) -> Bool { index == other.index && peer == other.peer }
}

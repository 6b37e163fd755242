internal import NANFrames
internal import Octets
internal import Ports

extension ConformanceRun {
    private static var identifiers: [[UInt8]] {
        [[0x50, 0, 0, 0xFF, 0xFE, 0, 0x10, 0], [0x50, 0, 0, 0xFF, 0xFE, 0, 0x10, 1]]
    }

    private func open(_ radio: Int) -> RadioEffect {
        .openDataLink(
            Self.dataPeer(radio), interfaceIdentifier: Self.identifiers[radio],
            peerIdentifier: Self.identifiers[1 - radio])
    }

    mutating func dataInterfacesAreChecked() throws(Failure) {
        let early = NDI(MACAddress(bits: 0x5200_0000_1010))
        try expectRefusal(
            of: .addDataInterface(early), as: .dataInterface(early), [.notStarted], "a data interface before start")
        try start(0)
        let equal = NDI(Self.nmi(0).address)
        try expectRefusal(
            of: .addDataInterface(equal), as: .dataInterface(equal), [.busy, .invalid], "the management address")
        for number in 0...1 {
            let ndi = NDI(MACAddress(bits: 0x5200_0000_1000 + UInt64(number)))
            perform(.addDataInterface(ndi), on: 0)
            try awaitEvent("data interface", on: 0) { $0 == .dataInterfaceAdded(ndi) }
        }
        let third = NDI(MACAddress(bits: 0x5200_0000_1002))
        try expectRefusal(of: .addDataInterface(third), as: .dataInterface(third), [.busy], "a third data interface")
        try expectAcceptance(of: .removeDataInterface(Self.ndi(0)), "removal")
        perform(.addDataInterface(third), on: 0)
        try awaitEvent("data interface", on: 0) { $0 == .dataInterfaceAdded(third) }
    }

    mutating func dataStationNeedsCapabilities() throws(Failure) {
        try start(0)
        perform(.addDataInterface(Self.ndi(0)), on: 0)
        let (peer, data) = (Self.nmi(1), Self.dataPeer(0))
        let station = RadioEffect.addDataPeer(data, of: peer, isProtected: true)
        try expectRefusal(of: station, as: .dataPeer(data), [.unknownStation], "a data station of nobody")
        try expectAcceptance(of: .addPeer(peer), "a station")
        try expectRefusal(of: station, as: .dataPeer(data), [.invalid], "a data station without HT capabilities")
        try expectRefusal(
            of: .installDataKey(data, TestFrame.key(1)), as: .dataPeer(data), [.unknownStation], "a key for nobody")
        try expectRefusal(of: .authorizeDataPeer(data), as: .dataPeer(data), [.unknownStation], "nobody authorised")
        try expectAcceptance(of: .authorizePeer(peer, .simulated), "HT capabilities")
        try expectAcceptance(of: station, "a data station")
        try expectRefusal(of: station, as: .dataPeer(data), [.busy], "a second equal data station")
    }

    mutating func groupKeysAreTaken() throws(Failure) {
        try start(0)
        perform(.addDataInterface(Self.ndi(0)), on: 0)
        let (peer, data) = (Self.nmi(1), Self.dataPeer(0))
        let (management, payload) = (TestFrame.groupKey(.igtk, 4), TestFrame.groupKey(.gtk, 1))
        try expectRefusal(
            of: .installPeerGroupKey(peer, management), as: .peer(peer), [.unknownStation], "an IGTK of nobody")
        try expectRefusal(
            of: .installDataGroupKey(data, payload), as: .dataPeer(data), [.unknownStation], "a GTK of nobody")
        for effect: RadioEffect in [
            .addPeer(peer), .authorizePeer(peer, .simulated), .installPeerGroupKey(peer, management),
            .addDataPeer(data, of: peer, isProtected: true), .installDataKey(data, TestFrame.key(1)),
            .installDataGroupKey(data, payload),
        ] {
            try expectAcceptance(of: effect, "\(effect)")
        }
    }

    /// Everything up to the link, in the kernel's order; nil is an open data path.
    private mutating func connect(
        _ keys: (UInt8?, UInt8?), local: LocalRadioSchedule = .twoBands, peer: PeerRadioSchedule = .twoBands
    ) throws(Failure) -> ClusterID {
        let cluster = try startBoth()
        try scheduleBoth(local, peer)
        for (radio, key) in [keys.0, keys.1].enumerated() {
            let data = Self.dataPeer(radio)
            perform(.addDataInterface(Self.ndi(radio)), on: radio)
            try awaitEvent("data interface", on: radio) { $0 == .dataInterfaceAdded(Self.ndi(radio)) }
            perform(
                .authorizePeer(Self.nmi(1 - radio), .simulated),
                .addDataPeer(data, of: Self.nmi(1 - radio), isProtected: key != nil), on: radio)
            if let key { perform(.installDataKey(data, TestFrame.key(key)), on: radio) }
            perform(.authorizeDataPeer(data), on: radio)
        }
        try settle()
        for radio in 0...1 {
            if let told = events[radio].first(where: { if case .refused = $0.event { true } else { false } }) {
                throw Failure("radio \(radio): \(told.event)")
            }
        }
        forget()
        return cluster
    }

    mutating func dataLinkOpens(isProtected: Bool) throws(Failure) {
        _ = try connect(isProtected ? (5, 5) : (nil, nil))
        var addresses: [(IPAddress, IPAddress)] = []
        for radio in 0...1 { perform(open(radio), on: radio) }
        for radio in 0...1 {
            let told = try awaitEvent("data link", on: radio, within: .seconds(10), where: \.isDataLink)
            guard case .dataLinkOpened(let peer, let own, let other) = told.event else { return }
            try require(peer == Self.dataPeer(radio), "another peer's link")
            addresses.append((Self.withoutScope(own), Self.withoutScope(other)))
        }
        try require(addresses[0].0 == addresses[1].1 && addresses[0].1 == addresses[1].0, "\(addresses)")
        try require(addresses[0].0 != addresses[0].1, "one address for both")
    }

    private static func withoutScope(_ address: IPAddress) -> IPAddress {
        if case .v6(let high, let low, _) = address { return .v6(high: high, low: low, scope: 0) }
        return address
    }

    mutating func dataLinkNeedsAuthorization() throws(Failure) {
        try start(0)
        perform(.addDataInterface(Self.ndi(0)), on: 0)
        try expectRefusal(of: open(0), as: .dataPeer(Self.dataPeer(0)), [.unknownStation], "a link to nobody")
        for effect: RadioEffect in [
            .addPeer(Self.nmi(1)), .authorizePeer(Self.nmi(1), .simulated),
            .addDataPeer(Self.dataPeer(0), of: Self.nmi(1), isProtected: false),
        ] {
            try expectAcceptance(of: effect, "\(effect)")
        }
        try expectRefusal(
            of: open(0), as: .dataPeer(Self.dataPeer(0)), [.invalid], "a link to a station without authorisation")
    }

    mutating func dataLinkNeedsEqualKeys() throws(Failure) {
        _ = try connect((5, 6))
        for radio in 0...1 { perform(open(radio), on: radio) }
        for radio in 0...1 { try refuseAny("a link", on: radio, for: .seconds(1), where: \.isDataLink) }
    }

    mutating func dataLinkNeedsCommonSlots() throws(Failure) {
        _ = try connect((5, 5), peer: .windowsOnly)
        for radio in 0...1 { perform(open(radio), on: radio) }
        for radio in 0...1 { try refuseAny("a link", on: radio, for: .seconds(1), where: \.isDataLink) }
    }

    private func dataPath(_ cluster: ClusterID, category: UInt8, tag: UInt8) -> [UInt8] {
        TestFrame.dataPath(
            to: Self.ndi(1).address, from: Self.ndi(0).address, in: cluster, category: category, tag: tag)
    }

    mutating func dataFramesTravelBetweenInterfaces() throws(Failure) {
        let cluster = try connect((5, 5))
        let frame = dataPath(cluster, category: 9, tag: 1)
        try awaitQuietTime()
        let isAcknowledged = try send(frame, through: .data(Self.ndi(0)))
        try require(isAcknowledged, "not acknowledged")
        let received = try awaitFrame(frame).received
        try require(received.interface == .data(Self.ndi(1)), "delivered on \(received.interface)")
        try require(received.octets[1] & 0x40 != 0, "delivered without the Protected bit")
    }

    mutating func dataFramesNeedCommonSlots() throws(Failure) {
        // The one slot in common is the discovery window's.
        let cluster = try connect(
            (5, 5), local: .one(.two, .only(0...0)),
            peer: PeerRadioSchedule(
                committedDW: 0x0449, sequenceID: 1, channels: [.two],
                maps: [PeerRadioSchedule.PeerMap(mapID: 1, slots: .only(0...0))]))
        let frame = dataPath(cluster, category: 9, tag: 2)
        let id = takeTransmissionID()
        perform(.transmit(Transmission(id: id, interface: .data(Self.ndi(0)), frame: frame)), on: 0)
        try refuseAny("a frame in a window", on: 1, for: .milliseconds(1600)) { $0.carries(frame) }
        for radio in 0...1 {
            perform(.setLocalSchedule(.twoBands), .setPeerSchedule(Self.nmi(1 - radio), .twoBands), on: radio)
        }
        _ = try awaitFrame(frame)
        try awaitEvent("status", on: 0) { $0 == .transmitted(id, acknowledged: true) }
    }

    mutating func clearDataFrameIsNotDelivered() throws(Failure) {
        let cluster = try connect((5, 5))
        let frame = dataPath(cluster, category: 4, tag: 3)
        perform(
            .transmit(Transmission(id: takeTransmissionID(), interface: .data(Self.ndi(0)), frame: frame)), on: 0)
        try refuseAny("a clear frame on a data interface", on: 1, for: .milliseconds(700)) { event in
            guard case .received(let received) = event else { return false }
            return received.interface != .management && event.carries(frame)
        }
    }

    mutating func removalCascades() throws(Failure) {
        _ = try connect((5, 5))
        let (peer, data) = (Self.nmi(1), Self.dataPeer(0))
        try expectAcceptance(of: .removePeer(peer), "removal of the peer")
        try expectRefusal(of: .authorizeDataPeer(data), as: .dataPeer(data), [.unknownStation], "a data station left")
        try expectRefusal(of: .queryInactivity(data), as: .dataPeer(data), [.unknownStation], "a data station left")
        try expectAcceptance(of: .addPeer(peer), "the peer again")
        let station = RadioEffect.addDataPeer(data, of: peer, isProtected: true)
        try expectRefusal(of: station, as: .dataPeer(data), [.invalid], "capabilities of a station that was removed")
    }

    mutating func inactivityIsTold() throws(Failure) {
        _ = try connect((5, 5))
        for radio in 0...1 { perform(open(radio), on: radio) }
        try awaitEvent("data link", on: 0, within: .seconds(10), where: \.isDataLink)
        perform(.queryInactivity(Self.dataPeer(0)), on: 0)
        let told = try awaitEvent("inactivity", on: 0) { if case .inactivity = $0 { true } else { false } }
        guard case .inactivity(let peer, let duration) = told.event else { return }
        try require(peer == Self.dataPeer(0), "another station's")
        try require(duration >= .zero && duration < .seconds(5), "inactive for \(duration)")
        let unknown = DataPeer(interface: Self.ndi(0), peer: NDI(Self.stranger.address))
        try expectRefusal(of: .queryInactivity(unknown), as: .dataPeer(unknown), [.unknownStation], "nobody's")
    }
}

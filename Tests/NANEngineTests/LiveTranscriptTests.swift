import Cryptography
import Dot11Frames
import NANEngine
import NANFrames
import NANSecurity
import Octets
import Ports
import Testing

/// The `live` transcript as whole frames: a device in either role, driven by the other side's frames alone.
@Suite("Live transcript, whole devices") struct LiveTranscriptTests {
    let vectors: PairingVectors
    static let cluster = ClusterID(MACAddress(bits: 0x506F_9A01_D8CD))

    init() throws { vectors = try PairingVectors() }

    // MARK: The devices

    func publisher() throws -> DeviceRig {
        var configuration = try Self.configuration(
            nmi: 0x4200_0000_0000, ndi: 0x5200_0000_0000, identifier: 0x0200_0000_FFFE_0002,
            igtk: "c23f57bea3ee2b80a3e35d63755c77fa")
        configuration.pairing.lifetime = .seconds(43200)
        let entropy = Entropy.scripted(byLabel: [
            "device": try hex("b89dc474453a49de"), "bootstrap": try hex("38fc76a7"),
            "pairing/sae": try vectors.octets("live|PUB rand") + vectors.octets("live|PUB mask"),
            "pairing/ephemeral": try vectors.octets("live|PUB ECDH priv") + vectors.octets("live|verify_PUB ECDH priv"),
            "pairing/nira": try hex("5abc90fe6bf17e4d"),
            "ndp/nonce": try vectors.octets("live|ndp_RNonce"), "ndp/ndc": try hex("251c3a6ce58e"),
        ])
        return DeviceRig(
            NANDevice(configuration, identityKey: SecretKey(copying: Array(0xA0...0xAF)), entropy: entropy),
            cluster: Self.cluster)
    }

    func subscriber() throws -> DeviceRig {
        var configuration = try Self.configuration(
            nmi: 0x4200_0000_0100, ndi: 0x5200_0000_0100, identifier: 0x0200_0000_FFFE_0001,
            igtk: "e33cdf377aa4819de5deeabfb21f76b7")
        configuration.pairing.lifetime = .seconds(43200)
        let entropy = Entropy.scripted(byLabel: [
            "device": try hex("744e987896563585"),
            "pairing/sae": try vectors.octets("live|SUB rand") + vectors.octets("live|SUB mask"),
            "pairing/ephemeral": try vectors.octets("live|SUB ECDH priv") + vectors.octets("live|verify_SUB ECDH priv"),
            "pairing/nira": try hex("95bbb70101204db6"), "ndp/nonce": try vectors.octets("live|ndp_INonce"),
        ])
        return DeviceRig(
            NANDevice(configuration, identityKey: SecretKey(copying: Array(0xB0...0xBF)), entropy: entropy),
            cluster: Self.cluster)
    }

    private func hex(_ text: String) throws -> [UInt8] { try #require([UInt8](hex: text)) }

    private static func configuration(
        nmi: UInt64, ndi: UInt64, identifier: UInt64, igtk: String
    ) throws -> NANDevice.Configuration {
        let wide = Channel(controlFrequency: 5180, centerFrequency: 5210, width: .mhz80)
        let possible: [(UInt8, UInt16)] = [
            (81, 0x07FF), (115, 0x0F), (116, 0x03), (117, 0x03), (124, 0x0F), (125, 0x1F), (126, 0x03), (127, 0x03),
            (128, 0x21),
        ]
        let schedule = LocalSchedule(
            sequenceID: 1,
            [
                try #require(LocalSchedule.Allotment(.social24GHz, slots: 0x0000_000E, rxNSS: 2)),
                try #require(LocalSchedule.Allotment(wide, slots: 0xFFFF_FFF0, rxNSS: 2)),
            ],
            potential: [
                LocalSchedule.Potential(
                    preference: 1,
                    entries: possible.map {
                        ChannelEntry(
                            operatingClass: OperatingClass(rawValue: $0.0), channelBitmap: $0.1, primaryBitmap: 0)
                    }, rxNSS: 2)
            ])
        var configuration = NANDevice.Configuration(schedule: schedule)
        configuration.pairing.preparesVerifications = false  // as the transcript's devices: one stream, in this order
        configuration.nmi = NMI(MACAddress(bits: nmi))
        configuration.ndi = NDI(MACAddress(bits: ndi))
        configuration.interfaceIdentifier = InterfaceIdentifier(bits: identifier)
        configuration.pairingSuites = [.ncsPKPASN128]
        configuration.dataPath.groupKeyCapabilities = .init(groupKeySupport: .gtkAndIGTK)
        configuration.dataPath.ownGroupKey = GroupKey(
            .igtk, keyID: 4, packetNumber: [0, 0, 0, 0, 0, 0],
            key: SecretKey(copying: try #require([UInt8](hex: igtk))))
        return configuration
    }

    private func password() throws -> PairingSecret {
        let pin = try #require(PIN(typed: "123456"))
        return .passwordElements([try PasswordElement(password: pin.password, group: .p256)])
    }

    private func hear(_ rig: inout DeviceRig, _ name: String, isProtected: Bool = false) throws -> [NANReport] {
        rig.receive(try vectors.octets("live|\(name)"), isProtected: isProtected)
    }

    /// What was sent last equals the transcript's frame, but for what the kernel writes into headers.
    private func expectSent(_ rig: DeviceRig, _ name: String, _ location: SourceLocation = #_sourceLocation) throws {
        let expected = DeviceRig.clearHeader(try vectors.octets("live|\(name)"))
        #expect(rig.frames.last?.hex == expected.hex, "\(name)", sourceLocation: location)
    }

    // MARK: The roles

    @Test("the board emits the transcript's frames, from its first publish to M4") func board() throws {
        var board = try publisher()
        var publication = PublishConfiguration(instance: InstanceID(1), serviceName: "_cam._udp")
        publication.isUnsolicited = false
        publication.serviceInfo = try hex("0002005c1101010011")
        publication.bootstrappingMethods = .pinDisplay
        publication.cipherSuites = [.ncsPKPASN128]
        board.command(.publish(publication))
        board.join()
        _ = try hear(&board, "subscribe")
        try expectSent(board, "publish")
        let peer = ServicePeer(
            nmi: NMI(MACAddress(bits: 0x4200_0000_0100)), instance: InstanceID(1), peerInstance: InstanceID(1))
        #expect(
            try hear(&board, "npba_request").contains(
                .bootstrapRequested(peer, method: .pinDisplay, serviceInfo: [])))
        board.command(.answerBootstrap(peer.nmi, .comeBack(after: .timeUnits(1024))))
        try expectSent(board, "npba_comeback_response")
        _ = try hear(&board, "npba_comeback_request")
        board.command(.expectPairing(peer, try password()))
        board.command(.answerBootstrap(peer.nmi, .accept))
        try expectSent(board, "npba_accept")
        _ = try hear(&board, "auth1")
        try expectSent(board, "auth2")
        #expect(try hear(&board, "auth3").contains(.authenticated(peer.nmi, verified: nil)))
        let reports = try hear(&board, "nik_sub", isProtected: true)
        let credential = try #require(reports.credential)
        let sent = board.frames.count
        board.command(.keepPairing(peer.nmi))
        #expect(board.frames.count == sent + 1)
        try expectSent(board, "nik_pub")
        #expect(credential.peerNIK == SecretKey(copying: Array(0xB0...0xBF)))
        board.command(.setPairings([PairingRecord(credential)]))
        #expect(
            try hear(&board, "app_followup", isProtected: true).contains(
                .followUp(peer, serviceInfo: [0xAA, 0xBB, 0xCC])))
        let request = try #require(try hear(&board, "M1", isProtected: true).request)
        #expect(request.pairing == PairingID(1))
        board.command(.answerDataPath(request.id, .accept(serviceInfo: try hex("0002005c1101010011"))))
        try expectSent(board, "M2")
        _ = try hear(&board, "M3", isProtected: true)
        try expectSent(board, "M4")
        board.acknowledgeLast()
        #expect(try hear(&board, "termination", isProtected: true).contains { $0.isEnd })
        // The transcript's second meeting is between new instances on both sides.
        publication.instance = InstanceID(2)
        board.command(.cancel(InstanceID(1)))
        board.command(.publish(publication))
        _ = try hear(&board, "vauth1")
        try expectSent(board, "vauth2")
        #expect(try hear(&board, "vauth3").contains(.authenticated(peer.nmi, verified: PairingID(1))))
    }

    @Test("the phone emits the transcript's frames, from its first subscribe to the termination") func phone() throws {
        var phone = try subscriber()
        phone.command(.subscribe(SubscribeConfiguration(instance: InstanceID(1), serviceName: "_cam._udp")))
        phone.join()
        phone.window()
        try expectSent(phone, "subscribe")
        let peer = ServicePeer(
            nmi: NMI(MACAddress(bits: 0x4200_0000_0000)), instance: InstanceID(1), peerInstance: InstanceID(1))
        #expect(try hear(&phone, "publish").contains { $0.isDiscovery })
        phone.command(.bootstrap(peer, method: .pinKeypad, serviceInfo: []))
        try expectSent(phone, "npba_request")
        _ = try hear(&phone, "npba_comeback_response")
        phone.pass(.timeUnits(1024))
        try expectSent(phone, "npba_comeback_request")
        #expect(try hear(&phone, "npba_accept").contains(.bootstrapAccepted(peer)))
        phone.command(.pair(peer, try password(), .ncsPKPASN128))
        try expectSent(phone, "auth1")
        _ = try hear(&phone, "auth2")
        try expectSent(phone, "auth3")
        phone.acknowledgeLast()
        phone.pass(.milliseconds(30))
        try expectSent(phone, "nik_sub")
        let credential = try #require(try hear(&phone, "nik_pub", isProtected: true).credential)
        phone.command(.setPairings([PairingRecord(credential)]))
        phone.command(.followUp(FollowUp(peer: peer, serviceInfo: [0xAA, 0xBB, 0xCC])))
        try expectSent(phone, "app_followup")
        phone.command(
            .requestDataPath(peer, DataPathOffer(cipherSuite: .ncsPKPASN128, serviceInfo: [0xA1, 0xA2])))
        try expectSent(phone, "M1")
        _ = try hear(&phone, "M2", isProtected: true)
        try expectSent(phone, "M3")
        phone.acknowledgeLast()
        _ = try hear(&phone, "M4", isProtected: true)
        let opened = phone.openLink()
        let id = try #require(opened)
        phone.command(.terminateDataPath(id))
        try expectSent(phone, "termination")
        phone.acknowledgeLast()
        // The transcript's second meeting is between new instances on both sides.
        phone.command(.cancel(InstanceID(1)))
        phone.command(.subscribe(SubscribeConfiguration(instance: InstanceID(2), serviceName: "_cam._udp")))
        let again = ServicePeer(nmi: peer.nmi, instance: InstanceID(2), peerInstance: InstanceID(2))
        phone.command(.verify(again, PairingID(1)))
        try expectSent(phone, "vauth1")
        _ = try hear(&phone, "vauth2")
        try expectSent(phone, "vauth3")
    }
}

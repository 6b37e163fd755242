import Dot11Frames
import NANFrames
import Octets
import Testing

struct AttributeVector: Sendable, CustomTestStringConvertible {
    let name: String
    let hex: String
    let decoded: Attribute
    var testDescription: String { name }

    init(_ name: String, _ hex: String, _ decoded: Attribute) {
        self.name = name
        self.hex = hex
        self.decoded = decoded
    }

    private static func npba(
        _ token: UInt8, _ message: PairingBootstrapping.Message, _ reason: ReasonCode = .none,
        methods: BootstrappingMethods = []
    ) -> Attribute {
        .pairingBootstrapping(
            PairingBootstrapping(
                dialogToken: DialogToken(token), message: message, reason: reason, methods: methods))
    }

    private static let ndiA = NDI(MACAddress(bits: 0x5200_0000_0100))

    /// Captured between two hostap devices, or built by hand from the reference's tables where the name says so.
    static let all = [
        AttributeVector(
            "subscribe", "03 0900 d6c884665613 01 00 01",
            .serviceDescriptor(
                ServiceDescriptor(
                    serviceID: ServiceID(bits: 0xD6C8_8466_5613), instanceID: InstanceID(1), kind: .subscribe))),
        AttributeVector(
            "SDA with everything, by hand", "03 1b00 d6c884665613 01 02 7c 3412 03 02aabb 07 02020000000001 03 010203",
            .serviceDescriptor(
                ServiceDescriptor(
                    serviceID: ServiceID(bits: 0xD6C8_8466_5613), instanceID: InstanceID(1),
                    requestorInstanceID: InstanceID(2), kind: .publish, isRangeLimited: true, bindingBitmap: 0x1234,
                    matchingFilter: MatchingFilter([0x02, 0xAA, 0xBB]),
                    serviceResponseFilter: ServiceResponseFilter([NMI(MACAddress(bits: 0x0200_0000_0001))]),
                    serviceInfo: [1, 2, 3]))),
        AttributeVector(
            "SDEA with everything, by hand", "0e 0f00 07 4703 0100 0200 09 0500 506f9a02ff",
            .serviceDescriptorExtension(
                ServiceDescriptorExtension(
                    instanceID: InstanceID(7),
                    control: [.fsdRequired, .fsdWithGAS, .dataPathRequired, .securityRequired],
                    rangeLimit: .init(ingress: 1, egress: 2), serviceUpdateIndicator: 9,
                    serviceInfo: ServiceInfo(.generic, [0xFF])))),
        AttributeVector(
            "NDL QoS", "15 0300 0c 0300", .ndlQoS(NDLQoS(minimumSlots: 12, maximumLatency: 3))),
        AttributeVector(
            "NDL request", "14 0600 02 00 00 10 1900",
            .ndl(NDL(dialogToken: DialogToken(2), kind: .request, status: .continued, maximumIdlePeriod: 25))),
        AttributeVector(
            "NDL confirm with an immutable schedule, by hand", "14 0c00 02 12 00 06 01 1800 04 0e000000",
            .ndl(
                NDL(
                    dialogToken: DialogToken(2), kind: .confirm, status: .accepted, control: .ndcPresent,
                    immutableSchedule: [ScheduleEntry(mapID: 1, TimeBitmap(everyPeriod: 0x0E))]))),
        AttributeVector(
            "NDP with service info, by hand", "10 1400 01 01 00 520000000100 01 34 520000000100 aabbcc",
            .ndp(
                NDP(
                    dialogToken: DialogToken(1), kind: .response, status: .continued, initiatorNDI: ndiA,
                    ndpID: NDPID(1), control: .securityPresent, responderNDI: ndiA,
                    content: .ndp(serviceInfo: [0xAA, 0xBB, 0xCC])))),
        AttributeVector(
            "NDPE of an open request",
            "29 1e00 02 00 00 520000000100 01 0d 01 000800 020000 00fffe0001 01 0400 506f9a02",
            .ndp(
                NDP(
                    dialogToken: DialogToken(2), kind: .request, status: .continued, initiatorNDI: ndiA,
                    ndpID: NDPID(1), control: [.confirmRequired, .securityPresent], publishID: InstanceID(1),
                    content: .ndpe([
                        .interfaceIdentifier(InterfaceIdentifier(bits: 0x0200_0000_FFFE_0001)),
                        .serviceInfo(ServiceInfo(.generic, [])),
                    ])))),
        AttributeVector(
            "NDPE with a TLV nobody knows and a short identifier, by hand",
            "29 1400 00 24 01 520000000100 01 20 000200 aabb 770100 cc",
            .ndp(
                NDP(
                    dialogToken: DialogToken(0), kind: .terminate, status: .rejected, reason: .unspecified,
                    initiatorNDI: ndiA, ndpID: NDPID(1), control: .gtkRequired,
                    content: .ndpe([.unknown(0, [0xAA, 0xBB]), .unknown(0x77, [0xCC])])))),
        AttributeVector(
            "CSIA", "22 0500 04 0701 0501",
            .cipherSuiteInformation(
                CipherSuiteInformation(
                    capabilities: .init(groupKeySupport: .gtkIGTKAndBIGTK),
                    [
                        .init(.ncsPKPASN128, publishID: InstanceID(1)),
                        .init(.ncsGTKCCMP128, publishID: InstanceID(1)),
                    ]))),
        AttributeVector(
            "master indication of a captured beacon", "00 0200 00 00",
            .masterIndication(MasterIndication(masterPreference: 0, randomFactor: 0))),
        AttributeVector(
            "cluster, by hand", "01 0d00 0102030405060708 09 0a0b0c0d",
            .cluster(
                ClusterAttribute(
                    anchorMasterRank: 0x0807_0605_0403_0201, hopCount: 9, transmissionTime: 0x0D0C_0B0A))),
        AttributeVector(
            "ULW with a band, by hand", "17 1200 01 02 10000000 20000000 40000000 05 01 00 04",
            .unalignedSchedule(
                UnalignedSchedule(
                    scheduleID: 1, sequenceID: 2, startTime: 16, duration: 32, period: 64, countDown: 5, overwrite: 1,
                    entry: [0x00, 0x04]))),
        AttributeVector(
            "vendor specific, by hand", "dd 0500 506f9a beef",
            .vendorSpecific(VendorSpecific(.wifiAlliance, [0xBE, 0xEF]))),
        AttributeVector("NPBA request, PIN keypad", "2c 0500 01 01 00 2000", npba(1, .request, methods: .pinKeypad)),
        AttributeVector("NPBA accept", "2c 0500 01 02 00 0200", npba(1, .accept, methods: .pinDisplay)),
        AttributeVector(
            "NPBA reject, by hand", "2c 0500 01 12 0d 0000", npba(1, .reject, .pairingBootstrappingRejected)),
        AttributeVector(
            "NPBA with an empty cookie and reserved bits, by hand", "2c 0600 01 21 07 00 0030",
            npba(1, .comebackRequest(.init([])), ReasonCode(rawValue: 7), methods: .init(rawValue: 0x3000))),
        AttributeVector(
            "attribute nobody defined yet", "f7 0200 beef", .unknown(AttributeID(rawValue: 0xF7), [0xBE, 0xEF])),
    ]
}

@Suite("NAN attributes") struct AttributeTests {
    @Test("decode", arguments: AttributeVector.all)
    func decodes(_ vector: AttributeVector) throws {
        #expect(try AttributeList.decode(bytes(vector.hex)) == AttributeList([vector.decoded]))
    }

    @Test("encode is the inverse", arguments: AttributeVector.all)
    func reencodes(_ vector: AttributeVector) throws {
        let expected = try bytes(vector.hex)
        #expect(vector.decoded.encoded == expected)
    }

    @Test("every strict prefix throws, none traps", arguments: AttributeVector.all)
    func rejectsPrefixes(_ vector: AttributeVector) throws {
        let whole = try bytes(vector.hex)
        for length in 1..<whole.count {
            #expect(throws: WireError.self) { try AttributeList.decode(Array(whole.prefix(length))) }
        }
    }

    @Test(
        "a longer attribute of a later revision decodes and keeps its octets",
        arguments: [
            "2c 0700 01 01 00 2000 beef", "0f 0b00 00 4904 14 17 22 0000 08 beef", "2a 0400 00 03 beef",
            "14 0800 02 00 00 10 1900 beef", "15 0500 0c 0300 beef", "03 0b00 d6c884665613 01 00 01 beef",
        ])
    func keepsTail(_ hex: String) throws {
        let octets = try bytes(hex)
        let list = try AttributeList.decode(octets)
        if case .unknown = list.attributes[0] { Issue.record("not decoded") }
        #expect(list.encoded == octets)
    }

    @Test("where one counts it is the last, and NDPE before NDP")
    func lastWins() throws {
        let list = try AttributeList.decode(
            bytes(
                "15 0300 01 0300  15 0300 02 0300  29 0b00 00 24 01 520000000100 02 00  10 0b00 00 24 01 520000000100 03 00"
            ))
        #expect(list.ndlQoS?.minimumSlots == 2)
        #expect(list.ndp?.ndpID == NDPID(2))
    }

    @Test("GSP: unknown types survive, names that are no UTF-8 are not strings")
    func generic() throws {
        let payload = try bytes("00 0200 5c11 01 0100 11 03 0300 63616d 42 0100 ff 00 0100 00")
        let info = try GenericServiceInfo(octets: payload, "GSP")
        #expect(info.port == 4444 && info.transportProtocol == .udp && info.instanceName == "cam")
        #expect(info.tlvs.suffix(2) == [.unknown(0x42, [0xFF]), .unknown(0x00, [0x00])])
        #expect(info.encoded == payload)
        #expect(GenericServiceInfo([.instanceName([0xFF])]).instanceName == nil)
        #expect(ServiceInfo(octets: [0x00, 0x11, 0x22, 0x02]).protocolType == nil)
        #expect(ServiceInfo(.bonjour, payload).generic == nil)
    }

    @Test(
        "each method has one counterpart, in both directions",
        arguments: [
            (BootstrappingMethods.opportunistic, BootstrappingMethods.opportunistic),
            (.pinDisplay, .pinKeypad), (.passphraseDisplay, .passphraseKeypad),
            (.qrDisplay, .qrScan), (.nfcTag, .nfcReader),
            (.serviceManaged, .serviceManaged), (.handshakeSkipped, .handshakeSkipped),
        ])
    func complements(_ one: BootstrappingMethods, _ other: BootstrappingMethods) {
        #expect(one.complement == other)
        #expect(other.complement == one)
    }

    @Test(
        "none, several and nameless method bits have none",
        arguments: [BootstrappingMethods(), [.pinKeypad, .opportunistic], .init(rawValue: 1 << 9)])
    func noComplement(_ methods: BootstrappingMethods) { #expect(methods.complement == nil) }

    @Test("a DW value of n wakes in every 2^(n-1)-th window")
    func committedDW() {
        #expect(DeviceCapability.CommittedDW.everyWindow.interval24GHz == 1)
        #expect(DeviceCapability.CommittedDW.everyWindow.interval5GHz == 1)
        #expect(DeviceCapability.CommittedDW(rawValue: 0x0003).interval24GHz == 4)
        #expect(DeviceCapability.CommittedDW(rawValue: 0x0003).interval5GHz == nil)
    }

    @Test("CSIA: exactly one pairwise suite, group suites aside")
    func onlyPairwise() {
        let seven = CipherSuiteInformation.Entry(.ncsPKPASN128, publishID: InstanceID(1))
        let one = CipherSuiteInformation.Entry(.ncsSK128, publishID: InstanceID(1))
        let group = CipherSuiteInformation.Entry(.ncsGTKCCMP128, publishID: InstanceID(1))
        #expect(CipherSuiteInformation([seven, group]).onlyPairwise == seven)
        #expect(CipherSuiteInformation([seven, one]).onlyPairwise == nil)
        #expect(CipherSuiteInformation([group]).onlyPairwise == nil)
        #expect(CipherSuiteID.ncsPKPASN256.micLength == 24 && CipherSuiteID.ncsSK128.micLength == 16)
        #expect(CipherSuiteID.ncsPK2WDH128.dataCipher == nil)
    }
}

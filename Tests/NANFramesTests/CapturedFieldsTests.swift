import Dot11Frames
import NANFrames
import Octets
import Testing

@Suite("Fields of captured frames") struct CapturedFieldsTests {
    private func frame(_ name: String) throws -> AttributeList {
        try NANFrame.decode(FrameVector.named("live/" + name).body).attributes
    }

    @Test("publish: service, SDEA control and port, advertised method, suite")
    func publish() throws {
        let attributes = try frame("publish")
        let descriptor = try #require(attributes.serviceDescriptors.first)
        #expect(descriptor.serviceID == ServiceID([0xD6, 0xC8, 0x84, 0x66, 0x56, 0x13]))
        #expect(descriptor.instanceID == InstanceID(1) && descriptor.requestorInstanceID == InstanceID(1))
        #expect(descriptor.kind == .publish)
        let more = try #require(attributes.serviceDescriptorExtension(of: descriptor))
        #expect(more.control == [.dataPathRequired, .securityRequired])
        #expect(more.serviceInfo == ServiceInfo(GenericServiceInfo(port: 4444, transportProtocol: .udp)))
        #expect(more.serviceInfo?.generic?.port == 4444)
        #expect(more.serviceInfo?.generic?.transportProtocol == .udp)
        #expect(
            attributes.pairingBootstrapping
                == PairingBootstrapping(dialogToken: DialogToken(0), message: .advertise, methods: .pinDisplay))
        #expect(
            attributes.cipherSuiteInformation
                == CipherSuiteInformation([.init(.ncsPKPASN128, publishID: InstanceID(1))]))
        #expect(
            attributes.deviceCapabilityExtension
                == DeviceCapabilityExtension(pairing: [.setupEnabled, .cachingEnabled]))
        #expect(try attributes.identityResolution?.npkid == bytes("b89dc474453a49de05329cff1ebb245d"))
        #expect(
            attributes.deviceCapabilities == [
                DeviceCapability(
                    committedDW: .everyWindow, bands: [.band24GHz, .band5GHz],
                    operationMode: [.vht, .vht80Plus80, .vht160, .he], antennas: 0x22, capabilities: .ndpeSupported)
            ])
    }

    @Test("comeback response: cookie and delay")
    func comeback() throws {
        let cookie = PairingBootstrapping.Cookie([0x38, 0xFC, 0x76, 0xA7])
        #expect(
            try frame("npba_comeback_response").pairingBootstrapping
                == PairingBootstrapping(
                    dialogToken: DialogToken(1), message: .comeback(afterTimeUnits: 1024, cookie)))
        #expect(
            try frame("npba_comeback_request").pairingBootstrapping
                == PairingBootstrapping(
                    dialogToken: DialogToken(1), message: .comebackRequest(cookie), methods: .pinKeypad))
    }

    @Test("availability: two committed channels and the potential ones")
    func availability() throws {
        let schedule = try #require(try DeviceSchedule(frame("publish").availability))
        #expect(schedule.sequenceID == 1)
        #expect(schedule.allotments.map(\.channel.controlFrequency) == [2437, 5180])
        #expect(schedule.allotments.map(\.channel.centerFrequency) == [2437, 5210])
        #expect(schedule.allotments.map(\.channel.width) == [.mhz20, .mhz80])
        #expect(schedule.allotments.map(\.slots.firstPeriod) == [0x0000_000E, 0xFFFF_FFF0])
        #expect(schedule.allotments.map(\.slots.everyPeriod) == [0x0000_000E, 0xFFFF_FFF0])
        #expect(schedule.allotments.map(\.rxNSS) == [2, 2])
        #expect(schedule.allotments.allSatisfy { !$0.isConditional && $0.mapID == 1 })
        #expect(schedule.allotments.map(\.entry.kernelOctets.hex) == ["512000000000", "800100010000"])
        #expect(schedule.potential.count == 1)
        #expect(schedule.potential[0].channels.contains(Channel(5745)))
        #expect(
            schedule.potential[0].channels.contains(
                Channel(controlFrequency: 5180, centerFrequency: 5190, width: .mhz40)))
        #expect(schedule.potential[0].usagePreference == 1)
    }

    @Test("data path response: NDPE, NDC, NDL, capabilities")
    func response() throws {
        let attributes = try frame("M2")
        let ndp = try #require(attributes.ndp)
        #expect(ndp.attributeID == .ndpExtension)
        #expect(ndp.kind == .response && ndp.status == .continued)
        #expect(ndp.initiatorNDI == NDI(MACAddress(bits: 0x5200_0000_0100)))
        #expect(ndp.responderNDI == NDI(MACAddress(bits: 0x5200_0000_0000)))
        #expect(ndp.ndpID == NDPID(1) && ndp.control == .securityPresent && ndp.publishID == nil)
        #expect(ndp.interfaceIdentifier == InterfaceIdentifier(bits: 0x0200_0000_FFFE_0002))
        #expect(ndp.serviceInfo?.generic?.port == 4444)
        #expect(
            attributes.ndl
                == NDL(
                    dialogToken: DialogToken(2), kind: .response, status: .accepted, control: .ndcPresent,
                    maximumIdlePeriod: 25))
        let ndc = try #require(attributes.ndcs.first)
        #expect(ndc.isSelected && ndc.ndcID == MACAddress(bits: 0x251C_3A6C_E58E))
        #expect(ndc.entries == [ScheduleEntry(mapID: 1, TimeBitmap(everyPeriod: 0b10))])
        #expect(attributes.elementContainers[0].elements.htCapabilities != nil)
        #expect(attributes.elementContainers[0].elements.vhtCapabilities != nil)
        #expect(attributes.cipherSuiteInformation?.capabilities.groupKeySupport == .gtkAndIGTK)
        #expect(
            try attributes.securityContextInformation?.entries[0].pmkid == bytes("4bbfeb2a6c15f50b2316fc134eb513af"))
    }

    @Test("key descriptors of all four messages and of the NIK exchange")
    func keyDescriptors() throws {
        let expected: [(String, UInt16, UInt64, Int, Int)] = [
            ("M1", 0x0088, 1, 16, 0), ("M2", 0x0108, 1, 16, 0), ("M3", 0x13C8, 2, 16, 40), ("M4", 0x1348, 2, 16, 40),
            ("nik_sub", 0x1088, 0, 0, 48), ("nik_pub", 0x1088, 0, 0, 48),
        ]
        for (name, information, counter, micLength, dataLength) in expected {
            let attribute = try #require(try frame(name).sharedKeyDescriptor)
            #expect(attribute.descriptor.information.rawValue == information, "\(name)")
            #expect(attribute.descriptor.replayCounter == counter)
            #expect(attribute.descriptor.mic.count == micLength)
            #expect(attribute.descriptor.keyData.count == dataLength)
        }
    }

    @Test("where the MIC stands in M2, so that it can be zeroed")
    func micRange() throws {
        let body = try FrameVector.named("live/M2").body
        let range = try #require(SharedKeyDescriptor.micRange(inNAF: body, micLength: 16))
        #expect(Array(body[range]).hex == "077ed2dd4e13cf680da1f7b92eb9a3f6")
        #expect(SharedKeyDescriptor.micRange(inNAF: Array(body.prefix(100)), micLength: 16) == nil)
        #expect(SharedKeyDescriptor.micRange(inNAF: [], micLength: 16) == nil)
    }

    @Test("termination: dialog token 0, rejected, reason 1")
    func termination() throws {
        let ndp = try #require(try frame("termination").ndp)
        #expect(ndp.kind == .terminate && ndp.status == .rejected && ndp.reason == .unspecified)
        #expect(ndp.dialogToken == DialogToken(0))
    }

    @Test("the interface identifier that Linux makes of an NDI")
    func eui64() throws {
        let identifier = InterfaceIdentifier(eui64: NDI(MACAddress(bits: 0x5200_0000_0000)))
        #expect(identifier.encoded.hex == "500000fffe000000")
    }
}

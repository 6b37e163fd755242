import Dot11Frames
import NANFrames
import Octets
import Testing

/// Attribute and element ids of every frame in nan-vectors.json, listed by a program that shares nothing with the codec.
private let listedIDs: [String: String] = [
    "live/M1": "0f 2a 29 22 23 24 12 14 1d",
    "live/M2": "0f 2a 29 22 23 24 12 13 14 1d",
    "live/M3": "0f 2a 29 24 12",
    "live/M4": "0f 2a 29 24 12",
    "live/app_followup": "03 0e 0f 12 2a 2b",
    "live/auth1": "30 ff.08 f4 ff.64 dd",
    "live/auth2": "30 ff.08 f4 ff.64 dd ff.a1 8c",
    "live/auth3": "ff.08 ff.64 dd 8c",
    "live/ndp2_M1": "0f 2a 29 22 23 24 12 14 1d",
    "live/ndp2_M2": "0f 2a 29 22 23 24 12 13 14 1d",
    "live/ndp2_M3": "0f 2a 29 24 12",
    "live/ndp2_M4": "0f 2a 29 24 12",
    "live/nik_pub": "03 0e 0f 12 2a 2b 24 22",
    "live/nik_sub": "03 0f 12 2a 2b 24",
    "live/npba_accept": "03 0e 0f 12 2a 2b 2c 22",
    "live/npba_comeback_request": "03 0f 12 2a 2b 2c",
    "live/npba_comeback_response": "03 0e 0f 12 2a 2b 2c 22",
    "live/npba_request": "03 0f 12 2a 2b 2c",
    "live/publish": "03 0e 2c 0f 12 2a 2b 22",
    "live/subscribe": "03 0f 12 2a 2b",
    "live/termination": "0f 2a 29 12",
    "live/vauth1": "30 f4 ff.64 dd",
    "live/vauth2": "30 f4 ff.64 dd ff.a1 8c",
    "live/vauth3": "ff.64 dd 8c",
    "ndp/Four way NDP and two way NDL channel 149 with CCMP 128/M1": "0f 2a 10 22 23 24 12 14 15 1d",
    "ndp/Four way NDP and two way NDL channel 149 with CCMP 128/M2": "0f 2a 10 22 23 24 12 13 14 15 1d",
    "ndp/Four way NDP and two way NDL channel 149 with CCMP 128/M3": "0f 2a 10 24 12",
    "ndp/Four way NDP and two way NDL channel 149 with CCMP 128/M4": "0f 2a 10 24 12",
    "ndp/Four way NDP and two way NDL channel 149 with CCMP 128/termination": "0f 2a 10 12",
    "ndp_open/Three way NDP and three way NDL/0": "0f 2a 10 12 14 15 1d",
    "ndp_open/Three way NDP and three way NDL/1": "0f 2a 10 12 13 14 15 1d",
    "ndp_open/Three way NDP and three way NDL/2": "0f 2a 10 12 13 14 15",
    "ndp_open/Three way NDP and three way NDL/3": "0f 2a 10 12",
    "ndp_open/Three way NDP and two way NDL rejected/0": "0f 2a 10 12 14 15 1d",
    "ndp_open/Three way NDP and two way NDL rejected/1": "0f 2a 10 14",
    "ndp_open/Two NDPs: no security. Both accepted/0": "0f 2a 10 12 14 15 1d",
    "ndp_open/Two NDPs: no security. Both accepted/1": "0f 2a 10 12 13 14 15 1d",
    "ndp_open/Two NDPs: no security. Both accepted/2": "0f 2a 10 12",
    "ndp_open/Two NDPs: no security. Both accepted/3": "0f 2a 10 12",
    "ndp_open/Two NDPs: no security. Both accepted/4": "0f 2a 10 12",
    "ndp_open/Two NDPs: no security. Both accepted/5": "0f 2a 10 12",
    "ndp_open/Two NDPs: no security. Both accepted/6": "0f 2a 10 12",
    "pairing/pairing_opportunistic_ncs128/pairing/frame1": "30 ff.64 dd",
    "pairing/pairing_opportunistic_ncs128/pairing/frame2": "30 ff.64 dd ff.a1 8c",
    "pairing/pairing_opportunistic_ncs128/pairing/frame3": "ff.64 dd 8c",
    "pairing/pairing_opportunistic_ncs128/verification/frame1": "30 f4 ff.64 dd",
    "pairing/pairing_opportunistic_ncs128/verification/frame2": "30 f4 ff.64 dd ff.a1 8c",
    "pairing/pairing_opportunistic_ncs128/verification/frame3": "ff.64 dd 8c",
    "pairing/pairing_sae_ncs128/pairing/frame1": "30 ff.08 f4 ff.64 dd",
    "pairing/pairing_sae_ncs128/pairing/frame2": "30 ff.08 f4 ff.64 dd ff.a1 8c",
    "pairing/pairing_sae_ncs128/pairing/frame3": "ff.08 ff.64 dd 8c",
    "pairing/pairing_sae_ncs128/verification/frame1": "30 f4 ff.64 dd",
    "pairing/pairing_sae_ncs128/verification/frame2": "30 f4 ff.64 dd ff.a1 8c",
    "pairing/pairing_sae_ncs128/verification/frame3": "ff.64 dd 8c",
    "pairing/pairing_sae_ncs256/pairing/frame1": "30 ff.08 f4 ff.64 dd",
    "pairing/pairing_sae_ncs256/pairing/frame2": "30 ff.08 f4 ff.64 dd ff.a1 8c",
    "pairing/pairing_sae_ncs256/pairing/frame3": "ff.08 ff.64 dd 8c",
    "pairing/pairing_sae_ncs256/verification/frame1": "30 f4 ff.64 dd",
    "pairing/pairing_sae_ncs256/verification/frame2": "30 f4 ff.64 dd ff.a1 8c",
    "pairing/pairing_sae_ncs256/verification/frame3": "ff.64 dd 8c",
]

@Suite("Published frames") struct FrameVectorTests {
    @Test("the fixture holds the 60 frames that the table lists")
    func complete() {
        #expect(Set(FrameVector.all.map(\.name)) == Set(listedIDs.keys))
        #expect(FrameVector.all.count == 60)
    }

    @Test("an action frame decodes to the listed attributes and encodes to its octets", arguments: FrameVector.actions)
    func action(_ vector: FrameVector) throws {
        let frame = try NANFrame.decode(vector.body)
        let ids = frame.attributes.attributes.map { [$0.id.rawValue].hex }.joined(separator: " ")
        #expect(ids == listedIDs[vector.name])
        for attribute in frame.attributes.attributes {
            if case .unknown(let id, _) = attribute { Issue.record("unknown \(id)") }
        }
        #expect(frame.encoded == vector.body)
        let header = try #require(vector.header)
        #expect(header.encoded == Array(vector.octets.prefix(24)))
        #expect(header.frameControl.kind == .action)
        #expect(header.frameControl.isProtected == (vector.octets[1] == 0x40))
    }

    @Test(
        "an authentication frame decodes to the listed elements and encodes to its octets",
        arguments: FrameVector.authentications)
    func authentication(_ vector: FrameVector) throws {
        let body = try AuthenticationBody(octets: vector.body, "authentication")
        let ids = body.elements.map { element in
            [element.id.rawValue].hex + (element.id.ext.map { "." + [$0].hex } ?? "")
        }
        #expect(ids.joined(separator: " ") == listedIDs[vector.name])
        #expect(body.encoded == vector.body)
        #expect(body.algorithm == .pasn && body.status == .success)
        #expect(vector.header?.frameControl.kind == .authentication)

        let nan = try #require(try NANElement(in: body))
        #expect(nan.elements == body.elements.filter { $0.id == .vendor })
        #expect(nan.attributes.cipherSuiteInformation?.onlyPairwise != nil)
        #expect(try body.rsne()?.element == body.raw(.rsn))
        #expect(try body.rsnxe()?.element == body.raw(.rsnx))
        #expect(try body.pasnParameters()?.element == body.raw(.pasnParameters))
        #expect(try body.supportedGroups()?.element == body.raw(.supportedGroups))
        guard let wrapped = body.wrappedData else { return }
        switch body.sequence {
        case 1: #expect(try SAECommit(octets: wrapped, "commit").encoded == wrapped)
        case 2: #expect(try SAECommitAndConfirm(octets: wrapped, "both").encoded == wrapped)
        default: #expect(try SAEConfirm(octets: wrapped, "confirm").encoded == wrapped)
        }
    }

    @Test(
        "every strict prefix of an action frame throws or ends between two attributes", arguments: FrameVector.actions)
    func actionPrefixes(_ vector: FrameVector) throws {
        let whole = vector.body
        let attributes = try NANFrame.decode(whole).attributes.attributes
        for length in 0..<whole.count {
            let prefix = Array(whole.prefix(length))
            guard let frame = try? NANFrame.decode(prefix) else { continue }
            #expect(frame.encoded == prefix)
            #expect(frame.attributes.attributes == Array(attributes.prefix(frame.attributes.attributes.count)))
        }
    }

    @Test(
        "every strict prefix of an authentication frame throws or ends between two elements",
        arguments: FrameVector.authentications)
    func authenticationPrefixes(_ vector: FrameVector) throws {
        let whole = vector.body
        let elements = try AuthenticationBody(octets: whole, "authentication").elements
        for length in 0..<whole.count {
            let prefix = Array(whole.prefix(length))
            guard let body = try? AuthenticationBody(octets: prefix, "authentication") else { continue }
            #expect(body.encoded == prefix)
            #expect(body.elements == Array(elements.prefix(body.elements.count)))
        }
    }

    @Test("every strict prefix of an attribute body is reported or keeps its octets", arguments: FrameVector.actions)
    func attributePrefixes(_ vector: FrameVector) throws {
        for attribute in try NANFrame.decode(vector.body).attributes.attributes {
            let body = Array(attribute.encoded.dropFirst(3))
            for length in 0..<body.count {
                var reader = ByteReader(Array(body.prefix(length)))
                guard let shorter = try? Attribute(attribute.id, from: &reader) else { continue }
                #expect(Array(shorter.encoded.dropFirst(3)) == Array(body.prefix(length)))
            }
        }
    }

    @Test("20 000 seeded mutations decode or throw, and survivors encode to their octets", arguments: 0..<20)
    func mutations(batch: Int) throws {
        var entropy = Entropy.seeded(UInt64(batch))
        var survivors = 0
        for _ in 0..<1000 {
            let vector = FrameVector.all[Int.random(in: FrameVector.all.indices, using: &entropy)]
            let octets = mutated(vector.body, &entropy)
            if vector.octets[0] == 0xD0 {
                guard let frame = try? NANFrame.decode(octets) else {
                    _ = try? NANFrame.decodeTolerantly(octets)
                    continue
                }
                #expect(frame.encoded == octets)
                exercise(frame.attributes)
            } else {
                guard let body = try? AuthenticationBody(octets: octets, "authentication") else { continue }
                #expect(body.encoded == octets)
                exercise(body)
            }
            survivors += 1
        }
        #expect(survivors > 200)
    }

    /// One to four octets changed, and now and then a piece cut out or doubled.
    private func mutated(_ octets: [UInt8], _ entropy: inout Entropy) -> [UInt8] {
        var octets = octets
        for _ in 0..<Int.random(in: 1...4, using: &entropy) where !octets.isEmpty {
            let at = Int.random(in: octets.indices, using: &entropy)
            switch Int.random(in: 0..<10, using: &entropy) {
            case 0: octets.removeSubrange(at..<min(octets.count, at + Int.random(in: 1...8, using: &entropy)))
            case 1: octets.insert(contentsOf: octets[at..<min(octets.count, at + 8)], at: at)
            case 2: octets[at] ^= 1 << UInt8.random(in: 0..<8, using: &entropy)
            default: octets[at] = UInt8.random(in: .min ... .max, using: &entropy)
            }
        }
        return octets
    }

    /// Calls what engines call on decoded frames; nothing of it may trap.
    private func exercise(_ attributes: AttributeList) {
        _ = try? DeviceSchedule(attributes.availability)
        for descriptor in attributes.serviceDescriptors {
            _ = MatchingFilter.matches(subscribe: descriptor.matchingFilter, publish: descriptor.matchingFilter)
            _ = descriptor.serviceResponseFilter?.admits(NMI(MACAddress(bits: 1)))
            _ = attributes.serviceDescriptorExtension(of: descriptor)?.serviceInfo?.generic?.instanceName
        }
        _ = attributes.ndp?.serviceInfo?.generic
        for ndc in attributes.ndcs { for entry in ndc.entries { _ = entry.timeBitmap.expanded.longestGap } }
        for container in attributes.elementContainers { _ = container.elements.htCapabilities }
        for length in KeyDescriptor.micLengths { _ = try? attributes.sharedKeyDescriptor?.decoded(micLength: length) }
        if let keyData = attributes.sharedKeyDescriptor?.descriptor.keyData {
            _ = try? KeyDataElement.decodeAll(keyData)
        }
    }

    private func exercise(_ body: AuthenticationBody) {
        _ = try? NANElement(in: body)
        _ = try? body.rsne()
        _ = try? body.rsnxe()?.saeHashToElement
        _ = try? body.pasnParameters()
        _ = try? body.supportedGroups()
        if let wrapped = body.wrappedData {
            _ = try? SAECommit(octets: wrapped, "commit")
            _ = try? SAECommitAndConfirm(octets: wrapped, "both")
            _ = try? SAEConfirm(octets: wrapped, "confirm")
        }
    }
}

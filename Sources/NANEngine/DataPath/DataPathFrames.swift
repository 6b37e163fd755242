internal import Dot11Frames
internal import NANFrames
internal import NANSecurity

extension DataPathMachine {
    /// What a message says beside the NDP attribute that every one of a path has.
    struct Parts {
        var security: [Attribute] = []
        var availability: [Availability] = []
        var link: [Attribute] = []
        var elements: ElementContainer?
    }

    /// A body in hostap's attribute order (reference 2.0.3), its MIC still zero.
    func body(_ subtype: NAF.Subtype, isProtected: Bool, _ ndp: NDP?, _ parts: Parts) -> [UInt8] {
        var list = AttributeList([])
        if let own {
            list.append(.deviceCapability(own.capability))
            if own.capabilityExtension != DeviceCapabilityExtension(pairing: []) {
                list.append(.deviceCapabilityExtension(own.capabilityExtension))
            }
        }
        if let ndp { list.append(.ndp(ndp)) }
        for attribute in parts.security { list.append(attribute) }
        for attribute in parts.availability { list.append(.availability(attribute)) }
        for attribute in parts.link { list.append(attribute) }
        if let elements = parts.elements { list.append(.elementContainer(elements)) }
        return NAF(category: isProtected ? .protectedDual : .publicAction, subtype, list).encoded
    }

    /// The NDP attribute of a path's message, in the form the path uses.
    func ndp(
        _ path: DataPath, _ kind: NDP.Kind, _ status: NegotiationStatus, reason: ReasonCode = .none,
        control: NDP.Control = [], publishID: InstanceID? = nil, responderNDI: NDI? = nil, isTokenZero: Bool = false,
        serviceInfo: [UInt8] = [], identifier: InterfaceIdentifier? = nil
    ) -> NDP {
        let content: NDP.Content
        if path.usesExtension {
            var tlvs: [NDP.TLV] = []
            if !serviceInfo.isEmpty { tlvs.append(.serviceInfo(ServiceInfo(.generic, serviceInfo))) }
            if let identifier { tlvs.append(.interfaceIdentifier(identifier)) }
            content = .ndpe(tlvs)
        } else {
            content = .ndp(serviceInfo: serviceInfo.isEmpty ? nil : serviceInfo)
        }
        return NDP(
            dialogToken: isTokenZero ? DialogToken(0) : path.dialogToken, kind: kind, status: status, reason: reason,
            initiatorNDI: path.id.initiator, ndpID: path.id.number, control: control, publishID: publishID,
            responderNDI: responderNDI, content: content)
    }

    /// NDC, NDL and QoS of a message that negotiates a link.
    func link(
        _ path: DataPath, _ kind: NDL.Kind, _ status: NegotiationStatus, reason: ReasonCode = .none, ndc: NDC?
    ) -> [Attribute] {
        guard path.negotiatesLink else { return [] }
        var control: NDL.Control = []
        if ndc != nil { control.insert(.ndcPresent) }
        let qos = status == .rejected ? nil : schedule.qos
        if qos != nil { control.insert(.qosPresent) }
        let idle = status == .rejected || configuration.idlePeriod == 0 ? nil : configuration.idlePeriod
        let ndl = NDL(
            dialogToken: path.dialogToken, kind: kind, status: status, reason: reason, control: control,
            maximumIdlePeriod: idle)
        return (ndc.map { [.ndc($0)] } ?? []) + [.ndl(ndl)] + (qos.map { [.ndlQoS($0)] } ?? [])
    }

    /// CSIA and SCIA of M1 and M2.
    func securityContext(_ path: DataPath, _ handshake: DataPathHandshake) -> [Attribute] {
        [
            .cipherSuiteInformation(
                CipherSuiteInformation(
                    capabilities: configuration.groupKeyCapabilities,
                    [.init(handshake.suite, publishID: path.publishID)])),
            .securityContextInformation(
                SecurityContextInformation([
                    .init(ndPMKID: handshake.keyIdentifier, publishID: path.publishID)
                ])),
        ]
    }

    func keyDescriptor(
        _ path: DataPath, _ handshake: DataPathHandshake, _ information: KeyInformation, nonce: [UInt8],
        keyData: [UInt8] = []
    ) -> Attribute {
        .sharedKeyDescriptor(
            SharedKeyDescriptor(
                publishID: path.publishID,
                KeyDescriptor(
                    information: keyData.isEmpty ? information : information.union(.encryptedKeyData),
                    replayCounter: handshake.replayCounter, nonce: nonce, micLength: handshake.suite.micLength,
                    keyData: keyData)))
    }

    /// Our group key, wrapped, when both sides support group keys.
    func ownKeyData(_ handshake: DataPathHandshake, _ keys: DataPathKeys) -> [UInt8] {
        guard let key = configuration.ownGroupKey, configuration.groupKeyCapabilities.groupKeySupport != .none,
            handshake.peerCapabilities.groupKeySupport != .none
        else { return [] }
        return KeyData([key.element]).wrapped(with: keys.keyEncryptionKey)
    }

    /// Fills the MIC in: it covers everything behind it too, so the body is complete before.
    func signed(_ body: [UInt8], _ keys: DataPathKeys, micLength: Int, token: [UInt8] = []) -> [UInt8] {
        guard let range = SharedKeyDescriptor.micRange(inNAF: body, micLength: micLength) else { return body }
        var signed = body
        signed.replaceSubrange(range, with: keys.mic(token: token, body: body))
        return signed
    }

    /// Whether the MIC in a received body is the one the keys give; in constant time.
    func verifies(_ body: [UInt8], _ keys: DataPathKeys, micLength: Int, token: [UInt8] = []) -> Bool {
        guard let range = SharedKeyDescriptor.micRange(inNAF: body, micLength: micLength) else { return false }
        var unsigned = body
        unsigned.replaceSubrange(range, with: [UInt8](repeating: 0, count: micLength))
        return keys.verifies(mic: Array(body[range]), token: token, body: unsigned)
    }
}

extension KeyInformation {
    /// Of the four messages, without key data (reference 2.13).
    static let firstMessage: KeyInformation = [.pairwise, .acknowledge]
    static let secondMessage: KeyInformation = [.pairwise, .mic]
    static let thirdMessage: KeyInformation = [.pairwise, .install, .acknowledge, .mic, .secure]
    static let fourthMessage: KeyInformation = [.pairwise, .install, .mic, .secure]
}

extension NDP {
    /// The generic service protocol's payload, or whatever else the peer put there.
    var serviceInfoPayload: [UInt8] {
        guard let info = serviceInfo else { return [] }
        return info.protocolType == .generic ? info.payload ?? [] : info.octets
    }
}

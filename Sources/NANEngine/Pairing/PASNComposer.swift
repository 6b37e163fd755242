internal import Cryptography
internal import Dot11Frames
internal import NANFrames
internal import NANSecurity
internal import Octets

/// Writes one side's frames of an exchange, octet for octet as hostap does.
struct PASNComposer: Equatable, Sendable {
    let parameters: PairingParameters
    let suite: CipherSuiteID
    let strength: SuiteStrength
    /// Ours, fresh, in a verification.
    let identity: IdentityResolution?

    private var akm: PairingAKM { parameters.akm }
    var pasnSuite: PASNSuite { PASNSuite(akm, strength) }
    private var isSAESetup: Bool { akm == .sae && !parameters.isVerification }

    func frame1(publicKey: EllipticCurvePoint, commit: SAECommitment?) -> [UInt8] {
        let wrapped = commit.map { Element.fragments(.wrappedData, encode($0).encoded) } ?? []
        let elements = [rsne(pmkid: identity?.npkid)] + wrapped + rsnxe + [parametersElement(publicKey)] + nan
        return AuthenticationBody(sequence: 1, elements: elements).encoded
    }

    func frame2(
        publicKey: EllipticCurvePoint, sae: (commit: SAECommitment, confirm: [UInt8], pmkid: [UInt8])?, keys: PASNKeys
    ) -> [UInt8] {
        let wrapped = sae.map { sae in
            Element.fragments(
                .wrappedData,
                SAECommitAndConfirm(
                    commit: encode(sae.commit),
                    confirm: SAEConfirm(sendConfirm: SAEKeys.sendConfirm, confirm: sae.confirm)
                ).encoded)
        }
        let groups = SupportedGroups([FiniteCyclicGroup(rawValue: strength.group.rawValue)])
        let elements =
            [rsne(pmkid: identity?.npkid ?? sae?.pmkid)] + (wrapped ?? []) + rsnxe + [parametersElement(publicKey)]
            + nan
            + [groups.element]
        return protected(AuthenticationBody(sequence: 2, elements: elements)) { body in
            keys.micOfSecondFrame(securityElements: body.securityElements, body: body.encoded)
        }
    }

    func frame3(confirm: [UInt8]?, firstFrame: [UInt8], keys: PASNKeys) -> [UInt8] {
        let wrapped = confirm.map {
            Element.fragments(.wrappedData, SAEConfirm(sendConfirm: SAEKeys.sendConfirm, confirm: $0).encoded)
        }
        let elements = (wrapped ?? []) + [parametersElement(nil)] + nan
        return protected(AuthenticationBody(sequence: 3, elements: elements)) { body in
            keys.micOfThirdFrame(firstBody: firstFrame, body: body.encoded)
        }
    }

    /// A frame that ends the exchange: a status and the NAN element that says what it belongs to.
    func abort(sequence: UInt16, _ status: StatusCode) -> [UInt8] {
        AuthenticationBody(sequence: sequence, status: status, elements: nan).encoded
    }

    private func protected(_ body: AuthenticationBody, _ mic: (AuthenticationBody) -> [UInt8]) -> [UInt8] {
        var body = body
        body.elements.append(Element(.mic, [UInt8](repeating: 0, count: pasnSuite.micLength)))
        body.elements[body.elements.count - 1] = Element(.mic, mic(body))
        return body.encoded
    }

    private func rsne(pmkid: [UInt8]?) -> Element {
        RSNE(
            pairwiseCipher: strength == .bits128 ? .ccmp128 : .gcmp256, akm: akm == .sae ? .sae : .pasn, pmkid: pmkid
        ).element
    }

    /// Absent in an opportunistic setup alone (hostap).
    private var rsnxe: [Element] {
        guard akm == .sae || parameters.isVerification else { return [] }
        return [RSNXE(saeHashToElement: akm == .sae).element]
    }

    private func parametersElement(_ publicKey: EllipticCurvePoint?) -> Element {
        PASNParameters(
            wrappedDataFormat: isSAESetup ? .sae : .none,
            publicKey: publicKey.map {
                PASNParameters.PublicKey(
                    group: FiniteCyclicGroup(rawValue: $0.group.rawValue), point: $0.compressedIgnoringParity)
            }
        ).element
    }

    private func encode(_ commit: SAECommitment) -> SAECommit {
        let length = commit.group.coordinateLength
        return SAECommit(
            group: FiniteCyclicGroup(rawValue: commit.group.rawValue), scalar: commit.scalar,
            elementX: Array(commit.element.prefix(length)), elementY: Array(commit.element.suffix(length)))
    }

    private var nan: [Element] {
        var attributes: AttributeList = [
            .cipherSuiteInformation(
                CipherSuiteInformation(
                    capabilities: parameters.capabilities, [.init(suite, publishID: parameters.instance)]))
        ]
        if let identity {
            attributes.append(.identityResolution(identity))
        } else {
            attributes.append(.deviceCapabilityExtension(parameters.capabilityExtension))
            if let request = parameters.bootstrapping { attributes.append(.pairingBootstrapping(request)) }
        }
        return VendorElement(.wifiAlliance, type: PASNFrame.elementType, attributes.encoded).elements
    }
}

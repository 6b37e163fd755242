internal import Dot11Frames
internal import NANFrames
internal import NANSecurity
internal import Octets

/// A received authentication frame of NAN pairing, from the algorithm field on.
struct PASNFrame: Equatable, Sendable {
    /// As received: frame 1 is hashed as it came.
    let octets: [UInt8]
    let body: AuthenticationBody
    let attributes: AttributeList

    /// Wi-Fi Alliance, NAN: the vendor element that makes an authentication frame one of NAN pairing.
    static let elementType: UInt8 = 0x13

    init(_ octets: [UInt8]) throws(PairingFailure.Reason) {
        guard octets.count <= NANFrame.maximumLength else {
            throw .malformed(
                .excessive(field: "PASN frame", offset: NANFrame.maximumLength, limit: NANFrame.maximumLength))
        }
        self.octets = octets
        body = try Self.decoding { () throws(WireError) in
            var reader = ByteReader(octets)
            return try AuthenticationBody(from: &reader)
        }
        guard body.algorithm == .pasn else { throw .mismatch("algorithm") }
        guard let nan = body.vendorBody(.wifiAlliance, type: Self.elementType) else {
            throw .incomplete("NAN element")
        }
        attributes = try Self.decoding { () throws(WireError) in
            var reader = ByteReader(nan)
            return try AttributeList.decodeTolerantly(&reader).0
        }
    }

    /// What frames 1 and 2 propose.
    struct Proposal: Equatable, Sendable {
        let suite: CipherSuiteID
        let akm: PairingAKM
        let strength: SuiteStrength
        /// The ephemeral public key, in any form.
        let publicKey: [UInt8]
        /// Present in a verification, and what makes it one: a PMKID in the RSNE may be a stale one.
        let identity: IdentityResolution?
        /// Present in setup with SAE.
        let commit: SAECommit?

        var request: PairingRequest {
            identity.map { .verification($0, akm, suite) } ?? .setup(akm, suite)
        }
    }

    func proposal() throws(PairingFailure.Reason) -> Proposal {
        let optionalRSNE = try Self.decoding { () throws(WireError) in try body.rsne() }
        guard let rsne = optionalRSNE else { throw .incomplete("RSNE") }
        guard rsne.akmSuites.count == 1 else { throw .mismatch("AKM") }
        let akm: PairingAKM
        switch rsne.akmSuites[0] {
        case .sae: akm = .sae
        case .pasn: akm = .opportunistic
        default: throw .mismatch("AKM")
        }
        guard let csia = attributes.cipherSuiteInformation else { throw .incomplete("CSIA") }
        guard let suite = csia.entries.first(where: { $0.suite.pairingStrength != nil })?.suite,
            let strength = suite.pairingStrength
        else { throw .mismatch("cipher suite") }
        guard rsne.pairwiseCiphers == [suite.dataCipher] else { throw .mismatch("pairwise cipher") }
        let optionalParameters = try Self.decoding { () throws(WireError) in try body.pasnParameters() }
        guard let publicKey = optionalParameters?.publicKey else { throw .incomplete("public key") }
        guard publicKey.group.rawValue == strength.group.rawValue else { throw .unsupportedGroup }
        let identity = attributes.identityResolution
        return Proposal(
            suite: suite, akm: akm, strength: strength, publicKey: publicKey.point, identity: identity,
            commit: akm == .sae && identity == nil ? try commit(in: strength) : nil)
    }

    /// The commit of frame 1, which stands alone, or of frame 2, which a confirm follows.
    private func commit(in strength: SuiteStrength) throws(PairingFailure.Reason) -> SAECommit {
        guard let wrapped = body.wrappedData else { throw .incomplete("wrapped data") }
        let commit = try Self.decoding { () throws(WireError) -> SAECommit in
            var reader = ByteReader(wrapped)
            if body.sequence == 2 { return try SAECommitAndConfirm(from: &reader).commit }
            return try SAECommit(from: &reader)
        }
        guard commit.group.rawValue == strength.group.rawValue else { throw .unsupportedGroup }
        guard commit.status == SAECommit.hashToElement else { throw .mismatch("SAE commit status") }
        return commit
    }

    /// The confirm of frame 2 or 3.
    func confirm() throws(PairingFailure.Reason) -> SAEConfirm {
        guard let wrapped = body.wrappedData else { throw .incomplete("wrapped data") }
        let confirm = try Self.decoding { () throws(WireError) -> SAEConfirm in
            var reader = ByteReader(wrapped)
            if body.sequence == 2 { return try SAECommitAndConfirm(from: &reader).confirm }
            return try SAEConfirm(from: &reader)
        }
        guard confirm.status == StatusCode.success.rawValue else {
            throw .aborted(StatusCode(rawValue: confirm.status))
        }
        return confirm
    }

    /// The MIC, what it covers of the frame itself, and the RSNE and RSNXE in front of that.
    struct Protection: Equatable, Sendable {
        let mic: [UInt8]
        let securityElements: [UInt8]
        let unprotected: [UInt8]
    }

    func protection() throws(PairingFailure.Reason) -> Protection {
        guard let mic = body.mic else { throw .incomplete("MIC") }
        guard body.elements.filter({ $0.id == .mic }).count == 1 else { throw .mismatch("MIC count") }
        var blank = body
        blank.elements = body.elements.map { element in
            element.id == .mic ? Element(.mic, [UInt8](repeating: 0, count: element.body.count)) : element
        }
        return Protection(mic: mic, securityElements: body.securityElements, unprotected: blank.encoded)
    }

    private static func decoding<Value>(
        _ body: () throws(WireError) -> Value
    ) throws(PairingFailure.Reason) -> Value {
        do throws(WireError) { return try body() } catch { throw .malformed(error) }
    }
}

extension AuthenticationBody {
    /// RSNE and RSNXE, whole, which frame 2's MIC covers in the place of a beacon's.
    var securityElements: [UInt8] {
        [ElementID.rsn, .rsnx].compactMap { raw($0) }.encoded
    }
}

extension PublicCommit {
    init(_ commit: SAECommit) {
        self.init(scalar: commit.scalar, element: commit.elementX + commit.elementY)
    }
}

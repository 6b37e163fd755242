/// What a campaign has to have seen; `make lint` compares the lists with the sources of `NANEngine`.
enum Expectations {
    /// Every state of every machine, but those below.
    static let states = [
        "NANDevice.Radio.off", "NANDevice.Radio.starting", "NANDevice.Radio.started", "NANDevice.Radio.joined",
        "BootstrapResponder.State.asked", "BootstrapResponder.State.accepted", "BootstrapResponder.State.deferred",
        "PASNInitiator.State.preparing", "PASNInitiator.State.waiting", "PASNInitiator.State.agreeing",
        "PASNInitiator.State.confirming",
        "PASNResponder.State.armed", "PASNResponder.State.preparing", "PASNResponder.State.agreeing",
        "PASNResponder.State.answered",
        "DataPath.State.requested", "DataPath.State.responded", "DataPath.State.installing",
        "DataPath.State.requesting", "DataPath.State.confirming", "DataPath.State.connected", "DataPath.State.ending",
    ]

    /// States that are entered and left within one step, with the report that shows it.
    static let passing = [
        "PASNInitiator.State.ended": "Phone pairingFailed",
        "PASNResponder.State.ended": "Accessory attemptFailed",
        "DataPath.State.choosing": "moved to the peer's channel",
    ]

    /// Every reason to drop a frame, but those below; one that ends in a slash or a space stands for all that begin so.
    static let drops = [
        "NDP/ID in use", "NDP/M2 MIC", "NDP/M3 MIC", "NDP/M4 MIC", "NDP/late request", "NDP/malformed request",
        "NDP/missing", "NDP/refused ", "NDP/type", "NDP/unexpected confirm", "NDP/unexpected installment",
        "NDP/unexpected response", "NDP/unknown", "NIK/descriptor", "NPBA/answer to nothing", "PASN/AKM",
        "PASN/MIC count", "PASN/aborted", "PASN/algorithm", "PASN/cipher suite", "PASN/frame 1", "PASN/frame 2",
        "PASN/frame 3", "PASN/group", "PASN/malformed", "PASN/no CSIA", "PASN/no MIC", "PASN/no NAN element",
        "PASN/no RSNE", "PASN/no public key", "PASN/no wrapped data", "PASN/not expected", "PASN/pairwise cipher",
        "PASN/sequence", "PASN/wrong secret", "SAE/", "SDF/no descriptor", "authentication/address", "availability/",
        "frame/clear", "frame/kind", "frame/length", "frame/no cluster", "frame/protection", "frame/source",
    ]

    /// Reasons that need more than a frame, or one bit of one frame in one state.
    static let notExpected = [
        "NDP/clear": "a paired device's frames in clear are refused before",
        "NDP/clear request": "the same",
        "NDP/no device": "the owner's doing",
        "NDP/responder NDI": "one bit of M2",
        "NDP/security differs": "one bit of M2 or M3",
        "NIK/key data": "only the peer's key makes key data that can be opened",
        "PASN/SAE commit status": "two octets of two frames",
        "PASN/crypto": "our own failure",
        "PASN/no suite": "the owner's doing",
        "PASN/timed out": "no frame's doing",
        "PASN/too many sessions": "the owner's doing",
        "peer/limit": "64 devices that all hold a session",
        "radio/": "the radio's failure",
    ]

    /// Every case of `WireError`.
    static let wireErrors = ["truncated", "invalid", "trailing", "excessive", "attribute"]

    static let decodedAtLeast = 0.3
    static let reachedSAEAtLeast = 10_000

    /// What is missing; empty when the campaign was as thorough as it has to be.
    static func missing(_ histogram: Histogram, _ census: StateCensus) -> [String] {
        var missing = states.filter { census.entered[$0] == nil }.map { "state \($0) was never entered" }
        missing += passing.filter { histogram.reports[$1] == nil }.map { "nothing shows that \($0.key) was entered" }
        missing += drops.filter { !histogram.hasDrop($0) }.map { "nothing was dropped as \($0)" }
        missing += wireErrors.filter { !histogram.hasDrop("decoder: \($0)") }.map { "the decoder never threw \($0)" }
        if Double(histogram.decoded) < Double(histogram.frames) * decodedAtLeast {
            missing.append("too few frames decode")
        }
        if histogram.reachedSAE < reachedSAEAtLeast { missing.append("too few frames reach SAE") }
        return missing
    }
}

extension Histogram {
    fileprivate func hasDrop(_ key: String) -> Bool {
        if key.hasSuffix("/") || key.hasSuffix(" ") { return drops.keys.contains { $0.hasPrefix(key) } }
        return drops[key] != nil
    }
}

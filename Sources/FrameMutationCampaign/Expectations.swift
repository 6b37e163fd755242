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

    /// Every reason to drop a frame or to end a pairing, but those below; one that ends in a slash or a space stands for
    /// all that begin so.
    static let drops = [
        "NDL/clear schedule", "NDP/ID in use", "NDP/M2 MIC", "NDP/M3 MIC", "NDP/M4 MIC", "NDP/clear",
        "NDP/clear request",
        "NDP/late request",
        "NDP/malformed request", "NDP/missing", "NDP/refused ", "NDP/responder NDI", "NDP/security differs", "NDP/type",
        "NDP/unexpected confirm", "NDP/unexpected installment", "NDP/unexpected response", "NDP/unknown",
        "NIK/descriptor", "NIK/key data", "NPBA/answer to nothing", "PASN/AKM", "PASN/MIC count",
        "PASN/SAE commit status", "PASN/aborted", "PASN/algorithm", "PASN/cipher suite", "PASN/frame 1",
        "PASN/frame 2", "PASN/frame 3", "PASN/group", "PASN/malformed", "PASN/no CSIA", "PASN/no MIC",
        "PASN/no NAN element", "PASN/no RSNE", "PASN/no public key", "PASN/no wrapped data", "PASN/not expected",
        "PASN/pairwise cipher", "PASN/sequence", "PASN/timed out", "PASN/wrong secret", "SAE/", "SDF/no descriptor",
        "authentication/address", "availability/", "frame/clear", "frame/kind", "frame/length", "frame/no cluster",
        "frame/protection", "frame/source",
    ]

    /// Reasons that no frame brings about, and why not.
    static let notExpected = [
        "NDP/address in use": "it takes a data path of another device, and an encounter has one phone",
        "NDP/no device": "before the radio has joined, every frame is frame/no cluster; only the owner asks too early",
        "PASN/crypto": "no memory, or random numbers out of range: both are ours, the peer's numbers are SAE/",
        "PASN/no suite": "the owner begins or expects a pairing without any suite that it may use",
        "PASN/too many sessions": "a session is made by the owner, or by a device that proves one of its pairings",
        "peer/limit": "a place is kept for a device that is being paired or connected alone: 16 at once",
        "radio/": "the radio tells it of what it was asked to do, not of what it hears",
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

internal import Octets

/// Where a session's random numbers come from, each kind from a stream of its own.
struct PairingEntropy: Sendable {
    /// Private values of the ephemeral keys.
    var ephemeral: Entropy
    /// SAE's random and mask, in this order.
    var sae: Entropy
    /// NIRA nonces.
    var nonce: Entropy
    /// Ephemeral keys that are there already.
    var spares: SpareKeys

    init(_ entropy: Entropy) {
        ephemeral = entropy.fork(label: "ephemeral")
        sae = entropy.fork(label: "sae")
        nonce = entropy.fork(label: "nira")
        spares = SpareKeys(entropy)
    }
}

internal import Cryptography

/// The Service ID of a service name: six octets of SHA-256 over the name with A to Z in lower case.
///
/// Other octets stay as they are; there is neither a terminator nor a trailing dot (hostap nan_de.c).
package func serviceHash(ofName name: String) -> [UInt8] {
    let lowered = name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    return Array(HashFunction.sha256.digest(lowered).prefix(6))
}

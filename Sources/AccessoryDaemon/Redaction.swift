internal import NANFrames

/// Device addresses as the log may have them: numbered as they come, for one run.
///
/// A peer's address is its owner's business and changes anyway; what the reader of a log needs is which
/// lines are about the same device.
struct PeerLabels {
    /// Addresses remembered at once; a crowd that changes addresses must not grow this for ever.
    static let limit = 256

    private var numbers: [NMI: Int] = [:]
    private var next = 1

    mutating func label(_ peer: NMI) -> String {
        if let number = numbers[peer] { return "\(number)" }
        if numbers.count == Self.limit { numbers.removeAll(keepingCapacity: true) }
        numbers[peer] = next
        next += 1
        return label(peer)
    }
}

/// `text` without anything that looks like a MAC address, for words of a kernel or an adapter.
func withoutAddresses(_ text: String) -> String {
    var result: [UInt8] = []
    let octets = Array(text.utf8)
    var index = 0
    while index < octets.count {
        if isAddress(octets, at: index) {
            result += Array("<address>".utf8)
            index += addressLength
        } else {
            result.append(octets[index])
            index += 1
        }
    }
    return String(decoding: result, as: UTF8.self)
}

/// Six pairs of digits with five separators.
private let addressLength = 17

private func isAddress(_ octets: [UInt8], at start: Int) -> Bool {
    guard start + addressLength <= octets.count else { return false }
    for offset in 0..<addressLength {
        let octet = octets[start + offset]
        let isRight =
            offset % 3 == 2
            ? octet == UInt8(ascii: ":") || octet == UInt8(ascii: "-")
            : Character(Unicode.Scalar(octet)).isHexDigit
        guard isRight else { return false }
    }
    return true
}

// Reads one 802.11 frame in clear a line, as hex; writes one line of JSON for each: what our codec makes of it, under
// the names tshark has. Tests/Witness/witness.py compares the two.

internal import Octets

while let line = readLine() {
    guard let frame = [UInt8](hex: line) else {
        print("{\"error\":\"not hexadecimal\"}")
        continue
    }
    do throws(WireError) {
        print(try Listing(frame).json)
    } catch {
        let text = "\(error)".split(separator: "\"").joined(separator: "'")
        print("{\"error\":\"\(text)\"}")
    }
}

import Octets
import Testing

@Suite struct HoldingTests {
    @Test("A text is found wherever it stands", arguments: ["PIN: 1", "1 PIN", "a PIN b", "PPIN", "PIN"])
    func found(text: String) {
        #expect(text.holds("PIN"))
    }

    @Test("A text is not found in part", arguments: ["", "P", "PI", "PI N", "pin", "IN P"])
    func notFound(text: String) {
        #expect(!text.holds("PIN"))
    }

    @Test("The empty text stands everywhere")
    func empty() {
        #expect("".holds("") && "a".holds(""))
    }
}

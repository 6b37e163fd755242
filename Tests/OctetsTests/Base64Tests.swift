import Octets
import Testing

@Suite("Base64") struct Base64Tests {
    // RFC 4648 10, "Test Vectors".
    @Test(
        "the published vectors, both ways",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func vectors(_ text: String, _ encoded: String) {
        #expect(Array(text.utf8).base64 == encoded)
        #expect([UInt8](base64: encoded) == Array(text.utf8))
    }

    @Test(
        "what is not whole and canonical is refused",
        arguments: ["Z", "Zg", "Zg=", "Zh==", "Z===", "=m9v", "Zm9v====", "Zm 9", "Zm9-"])
    func refusals(_ encoded: String) { #expect([UInt8](base64: encoded) == nil) }
}

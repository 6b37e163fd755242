import MediaTransport
import Testing

@Suite("Session descriptions") struct SessionDescriptionTests {
    @Test("it names address, port, payload type and the stream's parameter sets") func text() {
        var description = SessionDescription(address: .ipv6("::1"), port: 5004, name: "view")
        #expect(description.text.contains("c=IN IP6 ::1\r\n"))
        #expect(description.text.contains("m=video 5004 RTP/AVPF 96\r\n"))
        #expect(!description.text.contains("sprop"))
        description.sequenceParameterSet = [0x67, 0x42, 0xC0, 0x1E]
        description.pictureParameterSet = [0x68, 0xCE]
        #expect(
            description.text.contains(
                "a=fmtp:96 packetization-mode=1;profile-level-id=42C01E;sprop-parameter-sets=Z0LAHg==,aM4=\r\n"))
    }
}

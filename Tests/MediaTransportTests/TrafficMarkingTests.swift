import MediaTransport
import Testing

@Suite("Markings and first octets") struct TrafficMarkingTests {
    @Test(
        "each class has the code point and user priority of RFC 8325",
        arguments: [
            (TrafficMarking.background, 0x20, 257), (.bestEffort, 0x00, 256), (.interactiveVideo, 0x88, 260),
            (.interactiveVoice, 0xB8, 262),
        ] as [(TrafficMarking, UInt8, Int32)])
    func marking(_ marking: TrafficMarking, _ trafficClass: UInt8, _ priority: Int32) {
        #expect(marking.trafficClass == trafficClass)
        #expect(marking.socketPriority == priority)
        // What the kernel makes of the code point alone: its top three bits, and 46 as 6 (cfg80211_classify8021d).
        let derived = marking.dscp == 46 ? 6 : marking.dscp >> 3
        #expect(derived == marking.userPriority)
    }

    @Test(
        "the first two octets tell RTCP, DTLS and control apart at every border",
        arguments: [
            ([], .control), ([19], .control), ([20], .dtls), ([63, 200], .dtls), ([64, 200], .control),
            ([127, 200], .control), ([128], .control), ([128, 191], .control), ([128, 192], .rtcp),
            ([191, 223], .rtcp),
            ([191, 224], .control), ([192, 200], .control), ([0xFE, 9], .control),
        ] as [([UInt8], DatagramKind)])
    func kinds(_ datagram: [UInt8], _ kind: DatagramKind) {
        #expect(DatagramKind(of: datagram) == kind)
    }
}

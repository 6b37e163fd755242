import AccessoryDaemon
import Testing

@Suite("awared: options") struct DaemonOptionTests {
    @Test("no two have the same letter") func letters() {
        #expect(Set(DaemonOption.allCases.map(\.letter)).count == DaemonOption.allCases.count)
    }
}

import FactoryLine
import LinuxRuntime
import Testing

@Suite("The echo program") struct EchoProgramTests {
    @Test("each datagram goes back to its own sender, octet for octet") func echo() throws {
        let loop = try EventLoop()
        let echo = try EchoProgram(on: loop)
        let address = SocketAddress(SocketAddress.Host.v4(0x7F00_0001), port: echo.port)
        let first = try InternetSocket.datagram(connectedTo: address)
        let second = try InternetSocket.datagram(connectedTo: address)
        try first.send([1, 2, 3])
        try second.send([])
        try second.send([UInt8](repeating: 9, count: 1400))
        var answers: [[UInt8]] = []
        let source = try loop.watch(second.raw) {
            while let answer = try? second.receive(limit: 2000) { answers.append(answer) }
            if answers.count == 2 { loop.exit() }
        }
        _ = try loop.run()
        _ = consume source
        #expect(answers == [[], [UInt8](repeating: 9, count: 1400)])
        #expect(try first.receive(limit: 2000) == [1, 2, 3])
    }
}

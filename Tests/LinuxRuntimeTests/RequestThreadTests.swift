import LinuxRuntime
import Testing

@Suite("Request thread") struct RequestThreadTests {
    @Test("requests are answered in order, on the loop") func order() throws {
        let loop = try EventLoop()
        var answers: [Int] = []
        let thread = try RequestThread<Int, Int>(
            name: "double", capacity: 100, on: loop, makeWorker: { { $0 * 2 } },
            onReply: { answer in
                answers.append(answer)
                if answers.count == 100 { loop.exit() }
            })
        for number in 0..<100 { #expect(thread.ask(number)) }
        #expect(thread.unanswered == 100)
        #expect(!thread.ask(100), "more than the capacity is refused")
        _ = try loop.run()
        #expect(answers == (0..<100).map { $0 * 2 })
        #expect(thread.unanswered == 0)
        #expect(thread.ask(1))
    }

    @Test("what the worker keeps stays on its thread") func state() throws {
        final class Counter { var count = 0 }
        let loop = try EventLoop()
        var answers: [Int] = []
        let thread = try RequestThread<Bool, Int>(
            name: "count", capacity: 3, on: loop,
            makeWorker: {
                let counter = Counter()
                return { _ in
                    counter.count += 1
                    return counter.count
                }
            },
            onReply: { answer in
                answers.append(answer)
                if answer == 3 { loop.exit() }
            })
        for _ in 0..<3 { #expect(thread.ask(true)) }
        _ = try loop.run()
        #expect(answers == [1, 2, 3])
    }

    @Test("ending it waits for what it was asked") func ending() throws {
        let loop = try EventLoop()
        let file = "/tmp/aware-request-\(UInt64.random(in: .min ... .max))"
        defer { _ = try? DurableFile(path: file).remove() }
        do {
            let target = try AppendedFile(creating: file)
            let thread = try RequestThread<[UInt8], Bool>(
                name: "write", capacity: 8, on: loop,
                makeWorker: { { octets in (try? target.append(octets)) != nil } }, onReply: { _ in })
            for octet in 1...8 as ClosedRange<UInt8> { #expect(thread.ask([octet])) }
        }
        #expect(try DurableFile(path: file).read(limit: 100) == Array(1...8))
        #expect(throws: SystemError.self, "a file that exists is nobody's to write over") {
            _ = try AppendedFile(creating: file)
        }
    }
}

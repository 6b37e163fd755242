/// Cuts a stream into messages, each ended by a NUL (varlink.org, "Method Calls").
package struct VarlinkFramer: Sendable {
    private var buffer: [UInt8] = []
    private var start = 0
    /// Where the search for a NUL goes on.
    private var searched = 0
    private let limit: Int

    /// A message never finished must not grow for ever.
    package struct TooLong: Error, Equatable, Sendable {
        package let limit: Int
        package init(limit: Int) { self.limit = limit }
    }

    /// - Parameter limit: octets of whatever waits here, whole messages included.
    package init(limit: Int) { self.limit = limit }

    package mutating func append(_ octets: [UInt8]) throws(TooLong) {
        if start > 0 {
            buffer.removeFirst(start)
            searched -= start
            start = 0
        }
        guard buffer.count + octets.count <= limit else { throw TooLong(limit: limit) }
        buffer.append(contentsOf: octets)
    }

    /// The next whole message, without its NUL.
    package mutating func next() -> [UInt8]? {
        while searched < buffer.count {
            if buffer[searched] == 0 {
                defer {
                    searched += 1
                    start = searched
                }
                return Array(buffer[start..<searched])
            }
            searched += 1
        }
        return nil
    }
}

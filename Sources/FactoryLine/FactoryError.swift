internal import LinuxRuntime

/// Why something could not be begun: one line for a person.
package struct FactoryError: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }

    /// The content of a file; nil when there is none.
    static func reading(_ path: String, limit: Int) throws(FactoryError) -> [UInt8]? {
        do throws(FileError) { return try DurableFile(path: path).read(limit: limit) } catch {
            throw FactoryError("\(error)")
        }
    }
}

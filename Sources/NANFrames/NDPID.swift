/// A data path's number, chosen by its initiator and unique together with the initiator's NDI; never zero.
package struct NDPID: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt8
    package init(_ rawValue: UInt8) { self.rawValue = rawValue }
    package var description: String { "NDP \(rawValue)" }
}

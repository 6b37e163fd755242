/// Why NAN ended.
package enum RadioStop: Equatable, Sendable {
    case requested
    /// The radio went away or was switched off; `start` may be tried again.
    case lost(String)
}

/// How a bootstrapping request is answered.
package enum BootstrapAnswer: Equatable, Sendable {
    case accept
    case reject
    /// Ask again after this time.
    case comeBack(after: Duration)
}

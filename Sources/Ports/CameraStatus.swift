/// How the board's camera stands, a program that runs while somebody views.
package struct CameraStatus: Equatable, Sendable {
    package enum State: String, CaseIterable, Equatable, Sendable {
        /// Nobody views.
        case idle
        /// It has shown no picture yet.
        case starting
        case running
        case ending
        /// It has been lost and is started again after `delay`.
        case waiting
    }

    package var state: State
    package var delay: Duration?
    /// How often it has been lost since the daemon's start.
    package var losses: Int
    /// Why it was lost last; nil once it has shown a picture again.
    package var trouble: String?

    package init(state: State, delay: Duration? = nil, losses: Int = 0, trouble: String? = nil) {
        self.state = state
        self.delay = delay
        self.losses = losses
        self.trouble = trouble
    }
}

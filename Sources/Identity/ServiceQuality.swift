/// How the link's schedule is made; both ends must use the same (the phone framework's `performanceMode`).
package enum PerformanceMode: String, CaseIterable, Hashable, Sendable {
    /// Throughput and battery first: the framework's default.
    case bulk
    /// Latency first: more of the air is kept for the link.
    case realtime
}

/// What a flow is for, and so its marking on the wire and its access category on the air.
package enum ServiceClass: String, CaseIterable, Hashable, Sendable {
    case background
    case bestEffort = "best-effort"
    case interactiveVideo = "interactive-video"
    case interactiveVoice = "interactive-voice"
}

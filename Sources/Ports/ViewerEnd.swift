/// Why a video stream ended.
package enum ViewerEnd: String, Equatable, Sendable {
    case goodbye
    case silence
    case disconnected
}

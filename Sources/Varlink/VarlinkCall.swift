package import JSONText
package import LinuxRuntime

/// A method call that a server has accepted: known interface and method, parameters of the right shape.
package struct VarlinkCall: Equatable, Sendable {
    /// Names a call for its replies; stale once the caller is gone.
    package struct ID: Hashable, Sendable {
        let connection: UInt64
        let call: UInt64
    }

    package let id: ID
    /// Fully qualified.
    package let method: String
    package let parameters: JSONObject
    package let wantsMore: Bool
    package let isOneway: Bool
    package let caller: PeerCredentials
}

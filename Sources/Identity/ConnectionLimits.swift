/// How many data paths the accessory takes, and for how long an unused one is kept.
package struct ConnectionLimits: Hashable, Sendable {
    package let maximumConnections: Int
    /// Saves air and power: nobody who could not connect anyway is told of the service.
    package let stopsPublishingWhenFull: Bool
    /// Nil keeps an unused data path until the phone ends it.
    package let idleTimeout: Duration?

    /// Upper bound: what current radios keep as NDP peers.
    package static let connections = 1...8
    package static let defaultConnections = 4
    package static let idleSeconds = 5...86400

    package static let standard = Self(unchecked: defaultConnections, false, nil)

    /// `idleTimeoutSeconds` is 0 for none.
    package init(
        maximumConnections: Int = defaultConnections, stopsPublishingWhenFull: Bool = false,
        idleTimeoutSeconds: Int = 0
    ) throws(IdentityError) {
        guard Self.connections.contains(maximumConnections) else {
            throw IdentityError(
                field: "maximum-connections", value: "\(maximumConnections)", accepted: Self.connections.accepted)
        }
        guard idleTimeoutSeconds == 0 || Self.idleSeconds.contains(idleTimeoutSeconds) else {
            throw IdentityError(
                field: "idle-timeout-seconds", value: "\(idleTimeoutSeconds)",
                accepted: "\(Self.idleSeconds.accepted), or 0 for none")
        }
        self.init(
            unchecked: maximumConnections, stopsPublishingWhenFull,
            idleTimeoutSeconds == 0 ? nil : .seconds(idleTimeoutSeconds))
    }

    private init(unchecked connections: Int, _ stops: Bool, _ idle: Duration?) {
        maximumConnections = connections
        stopsPublishingWhenFull = stops
        idleTimeout = idle
    }
}

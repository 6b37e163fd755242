/// How many data paths the accessory takes, and for how long an unused one is kept.
package struct ConnectionLimits: Hashable, Sendable {
    package let maximumConnections: Int
    /// Saves air and power: nobody who could not connect anyway is told of the service.
    package let stopsPublishingWhenFull: Bool
    /// Nil keeps an unused data path until the phone ends it.
    package let idleTimeout: Duration?
    /// A phone that gives no sign of life for this long has vanished, and its place is free; nil waits for a word.
    package let presenceTimeout: Duration?

    /// Upper bound: what current radios keep as NDP peers.
    package static let connections = 1...8
    package static let defaultConnections = 4
    package static let idleSeconds = 5...86400

    /// Two discovery windows have to fit into the half in which a silent phone is asked.
    package static let presenceSeconds = 2...3600
    package static let defaultPresenceSeconds = 5

    package static let standard = Self(unchecked: defaultConnections, false, nil, .seconds(defaultPresenceSeconds))

    /// `idleTimeoutSeconds` and `presenceTimeoutSeconds` are 0 for none.
    package init(
        maximumConnections: Int = defaultConnections, stopsPublishingWhenFull: Bool = false,
        idleTimeoutSeconds: Int = 0, presenceTimeoutSeconds: Int = defaultPresenceSeconds
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
        guard presenceTimeoutSeconds == 0 || Self.presenceSeconds.contains(presenceTimeoutSeconds) else {
            throw IdentityError(
                field: "presence-timeout-seconds", value: "\(presenceTimeoutSeconds)",
                accepted: "\(Self.presenceSeconds.accepted), or 0 for none")
        }
        self.init(
            unchecked: maximumConnections, stopsPublishingWhenFull,
            idleTimeoutSeconds == 0 ? nil : .seconds(idleTimeoutSeconds),
            presenceTimeoutSeconds == 0 ? nil : .seconds(presenceTimeoutSeconds))
    }

    private init(unchecked connections: Int, _ stops: Bool, _ idle: Duration?, _ presence: Duration?) {
        maximumConnections = connections
        stopsPublishingWhenFull = stops
        idleTimeout = idle
        presenceTimeout = presence
    }
}

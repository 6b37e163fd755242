package import JSONText
internal import Octets

/// What changed from one snapshot of the accessory to the next, in words.
///
/// It reads what it knows of the control interface's Snapshot and passes over the rest.
package struct AccessoryNews: Equatable, Sendable {
    private var service = ""
    private var window: Bool?
    private var attempt = ""
    private var lockedOut = false
    private var peers: Set<String> = []
    private var connections: [Int64: Bool] = [:]

    package private(set) var isPublishing = false
    package private(set) var viewers = 0

    package init() {}

    /// Takes the next snapshot; returns what is new.
    package mutating func take(_ snapshot: JSONObject) -> [String] {
        takeService(snapshot) + takePairing(snapshot) + takePeers(snapshot) + takeConnections(snapshot)
    }

    private mutating func takeService(_ snapshot: JSONObject) -> [String] {
        guard let service = snapshot["services"]?.array?.first?.object else { return [] }
        isPublishing = service["is_published"]?.bool ?? false
        let name = service["name"]?.string ?? "its service"
        let reason = service["reason"]?.string.map { " (\($0))" } ?? ""
        let state = "\(service["state"]?.string ?? "unknown")\(reason)\(isPublishing ? ", publishing \(name)" : "")"
        if state == self.service { return [] }
        self.service = state
        return ["listener is \(state)"]
    }

    private mutating func takePairing(_ snapshot: JSONObject) -> [String] {
        guard let pairing = snapshot["pairing"]?.object else { return [] }
        var news: [String] = []
        if let isOpen = pairing["is_open"]?.bool, isOpen != window {
            window = isOpen
            news.append(isOpen ? "pairing window open" : "pairing window closed")
        }
        if let attempt = pairing["attempt"]?.string, attempt != self.attempt {
            let previous = self.attempt
            self.attempt = attempt
            switch attempt {
            case "none": if !previous.isEmpty, previous != "none" { news.append("no attempt under way") }
            case "pin_shown": news.append("PIN shown, waiting for it to be typed")
            default: news.append("pairing attempt: \(attempt)")
            }
        }
        if let isLockedOut = pairing["is_locked_out"]?.bool, isLockedOut != lockedOut {
            lockedOut = isLockedOut
            news.append(isLockedOut ? "locked: too many wrong PINs" : "unlocked")
        }
        return news
    }

    private mutating func takePeers(_ snapshot: JSONObject) -> [String] {
        guard let list = snapshot["peers"]?.array else { return [] }
        let now = list.compactMap { $0.object?["id"]?.string }
        let news = now.filter { !peers.contains($0) }.map { "paired device \($0) kept" }
        let gone = peers.subtracting(now).sorted().map { "paired device \($0) forgotten" }
        peers = Set(now)
        return news + gone
    }

    private mutating func takeConnections(_ snapshot: JSONObject) -> [String] {
        guard let list = snapshot["connections"]?.array else { return [] }
        var now: [Int64: Bool] = [:]
        var news: [String] = []
        for case let connection? in list.map(\.object) {
            guard let id = connection["id"]?.integer else { continue }
            let isViewing = connection["is_viewing"]?.bool ?? false
            now[id] = isViewing
            let peer = connection["peer"]?.string ?? "a device"
            if connections[id] == nil { news.append("connection \(id) with \(peer)") }
            if connections[id] ?? false != isViewing {
                news.append(isViewing ? "sends video on connection \(id)" : "video on connection \(id) ended")
            }
        }
        news += connections.keys.filter { now[$0] == nil }.sorted().map { "connection \($0) ended" }
        connections = now
        viewers = now.values.filter { $0 }.count
        return news
    }
}

extension DemoScript {
    mutating func take(_ snapshot: JSONValue, _ now: MonotonicInstant) -> [Effect] {
        // `awarectl watch --json` prints the reply's parameters or the snapshot itself.
        guard let object = snapshot.object?["snapshot"]?.object ?? snapshot.object else { return [] }
        let news = accessory.take(object)
        if publishing == nil, accessory.isPublishing { publishing = now }
        viewedTogether = max(viewedTogether, accessory.viewers)
        return news.map { .say(.accessory, $0) }
    }
}

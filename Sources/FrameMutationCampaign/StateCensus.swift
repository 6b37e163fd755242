/// Which states of which machines have been entered: read by reflection, for they are private.
struct StateCensus {
    private(set) var entered: [String: Int] = [:]

    /// Notes every value whose type is called `State` or `Radio`, at any depth of a root machine.
    mutating func note(_ root: Any) { note(root, depth: 0) }

    private mutating func note(_ value: Any, depth: Int) {
        guard depth < 12, !(value is [UInt8]) else { return }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .enum, let owner = Self.owner(of: value) {
            let name = mirror.children.first?.label ?? "\(value)"
            entered["\(owner).\(name)", default: 0] += 1
        }
        for child in mirror.children { note(child.value, depth: depth + 1) }
    }

    /// `PASNResponder.State` of a type that is called so; nil for any other.
    private static func owner(of value: Any) -> String? {
        let path = String(reflecting: type(of: value)).split(separator: ".").filter {
            !$0.hasPrefix("(") && !$0.hasPrefix("$")
        }
        guard let last = path.last, last == "State" || last == "Radio", path.count > 1 else { return nil }
        return "\(path[path.count - 2]).\(last)"
    }
}

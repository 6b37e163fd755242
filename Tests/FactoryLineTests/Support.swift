import Cryptography
import FactoryLine
import Identity
import LinuxRuntime
import NANFrames
import Octets
import PhoneCore
import Ports

extension PhonePlan {
    /// The plan of a command line, in an environment of its own.
    init(
        _ arguments: String..., environment: [String: String] = [:], isTerminal: Bool = false
    ) throws(UsageError) {
        try self.init(
            CommandLineOptions(parsing: ["phone"] + arguments),
            directories: ServiceDirectories(configuration: "/c", state: "/s", runtime: "/r"),
            environment: environment, isTerminal: isTerminal)
    }
}

extension MonotonicInstant {
    static func milliseconds(_ count: Int64) -> Self { Self(nanoseconds: count * 1_000_000) }
}

extension NMI {
    static func number(_ number: UInt64) -> NMI { NMI(MACAddress(bits: 0x0200_0000_0000 | number)) }
}

extension DiscoveredAccessory {
    static func sample(
        _ number: UInt64 = 1, name: String? = "Falcon", isOpen: Bool = true, pairing: PairingID? = nil
    ) -> DiscoveredAccessory {
        DiscoveredAccessory(
            nmi: .number(number), vendor: "Example Air", model: "Falcon 2", name: name, port: 5600, transport: 17,
            pairingWindowIsOpen: isOpen, pairing: pairing)
    }
}

extension PhoneLink {
    static let sample = PhoneLink(
        local: .v4(0x7F01_0203), accessory: IPEndpoint(address: .v4(0x7F04_0506), port: 5600), transport: 17,
        pairing: PairingID(7))
}

extension PairingRecord {
    static func sample(_ id: PairingID) -> PairingRecord {
        PairingRecord(
            id: id, name: "Falcon 2 A17", vendor: "Example Air", model: "Falcon 2",
            peerNIK: SecretKey(copying: [UInt8](repeating: 1, count: 16)),
            npk: SecretKey(copying: [UInt8](repeating: 2, count: 32)), akm: .sae, cipherSuite: .ncsPKPASN128)
    }
}

extension ClusterID {
    static func number(_ number: UInt64) -> ClusterID { ClusterID(MACAddress(bits: 0x506F_9A01_0000 | number)) }
}

// swift-tools-version:6.0
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

/// One `contains` of a String in a String would link the engine of regular expressions: 1 MB in every program.
let strictProduct =
    strict + [.unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])]

/// Of C, a warning is an error; unsafe flags are refused of dependencies only, and nothing depends on this package.
let strictC: [CSetting] = [
    .unsafeFlags(["-Wall", "-Wextra", "-Wshadow", "-Werror", "-Wno-error=deprecated-declarations"])
]

func library(_ name: String, _ dependencies: [String] = []) -> Target {
    .target(name: name, dependencies: dependencies.map { .byName(name: $0) }, swiftSettings: strictProduct)
}

func program(_ name: String, _ dependencies: [String]) -> Target {
    .executableTarget(name: name, dependencies: dependencies.map { .byName(name: $0) }, swiftSettings: strictProduct)
}

func tests(_ name: String, _ dependencies: [String], resources: [Resource] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies.map { .byName(name: $0) }, resources: resources, swiftSettings: strict)
}

// The rows of docs/ARCHITECTURE.md, lowest first: an import that is not declared here does not compile.

let cLibraries: [Target] = [
    .target(name: "CLinux", cSettings: strictC),
    .systemLibrary(name: "CNetlink", pkgConfig: "libnl-genl-3.0", providers: [.apt(["libnl-genl-3-dev"])]),
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
    .target(name: "CNetlinkShim", dependencies: ["CNetlink"], cSettings: strictC),
    .target(name: "CCryptoShim", cSettings: strictC, linkerSettings: [.linkedLibrary("mbedcrypto")]),
    .target(name: "CGPIOShim", cSettings: strictC, linkerSettings: [.linkedLibrary("gpiod")]),
    .target(name: "CBluetoothShim", cSettings: strictC, linkerSettings: [.linkedLibrary("bluetooth")]),
    .target(name: "AllocationProbe", cSettings: strictC),
]

let values: [Target] = [
    library("Octets"),
    library("Dot11Frames", ["Octets"]),
    library("NANFrames", ["Dot11Frames", "Octets"]),
    library("BluetoothFrames", ["Octets"]),
    library("Cryptography", ["CCryptoShim", "Octets"]),
    library("NANSecurity", ["Cryptography", "Dot11Frames", "NANFrames", "Octets"]),
    library("Identity", ["BluetoothFrames", "Octets"]),
    library("JSONText"),
    library("Ports", ["BluetoothFrames", "Cryptography", "Identity", "NANFrames", "NANSecurity", "Octets"]),
]

let machines: [Target] = [
    library("NANEngine", ["Cryptography", "Dot11Frames", "NANFrames", "NANSecurity", "Ports", "Octets"]),
    library("BluetoothEngine", ["BluetoothFrames", "Cryptography", "Octets", "Ports"]),
    library("MediaTransport", ["Octets"]),
    library(
        "AccessoryCore",
        [
            "BluetoothEngine", "BluetoothFrames", "Cryptography", "Identity", "NANEngine", "NANFrames", "NANSecurity",
            "Octets", "Ports",
        ]),
    library(
        "PhoneCore",
        [
            "BluetoothEngine", "BluetoothFrames", "Cryptography", "Identity", "NANEngine", "NANFrames", "NANSecurity",
            "Octets", "Ports",
        ]),
    library("Hosting", ["NANSecurity", "Octets", "Ports"]),
    library("SimulatedMedium", ["BluetoothFrames", "Cryptography", "Dot11Frames", "NANFrames", "Octets", "Ports"]),
    library("RadioConformance", ["Cryptography", "NANFrames", "Octets", "Ports"]),
    library("DisplayDrivers", ["Octets"]),
]

let adapters: [Target] = [
    library("LinuxRuntime", ["CLinux", "CSystemd", "Octets"]),
    library(
        "SimulatedRadio",
        ["Cryptography", "Dot11Frames", "LinuxRuntime", "NANFrames", "Octets", "Ports", "SimulatedMedium"]),
    library("NL80211Radio", ["CNetlinkShim", "Cryptography", "LinuxRuntime", "NANFrames", "Octets", "Ports"]),
    library(
        "BluetoothAdapter",
        ["BluetoothFrames", "CBluetoothShim", "Cryptography", "LinuxRuntime", "Octets", "Ports"]),
    library("MediaService", ["CLinux", "Identity", "LinuxRuntime", "MediaTransport", "Octets", "Ports"]),
    library("GPIOAdapter", ["CGPIOShim", "DisplayDrivers", "LinuxRuntime", "NANSecurity", "Octets", "Ports"]),
    library("Provisioning", ["DisplayDrivers", "Identity", "JSONText", "LinuxRuntime", "Octets"]),
    library(
        "PeerStore", ["BluetoothFrames", "Cryptography", "LinuxRuntime", "NANFrames", "NANSecurity", "Octets", "Ports"]),
    library("Varlink", ["JSONText", "LinuxRuntime", "Octets"]),
]

let assemblies: [Target] = [
    library(
        "AccessoryDaemon",
        [
            "AccessoryCore", "BluetoothAdapter", "BluetoothEngine", "Cryptography", "DisplayDrivers", "GPIOAdapter",
            "Hosting", "Identity", "JSONText",
            "LinuxRuntime",
            "MediaService",
            "NANEngine",
            "NANFrames", "NANSecurity", "NL80211Radio", "Octets", "PeerStore", "Ports", "Provisioning",
            "SimulatedMedium",
            "SimulatedRadio",
            "Varlink",
        ]),
    library(
        "FactoryLine",
        [
            "BluetoothAdapter", "BluetoothEngine", "BluetoothFrames", "Cryptography", "Hosting", "Identity", "JSONText",
            "LinuxRuntime",
            "MediaService", "MediaTransport",
            "NANEngine", "NANFrames", "NANSecurity", "NL80211Radio", "Octets", "PeerStore", "PhoneCore", "Ports",
            "Provisioning",
            "SimulatedRadio",
        ]),
    program("awared", ["AccessoryDaemon", "LinuxRuntime"]),
    program("awarectl", ["Identity", "JSONText", "LinuxRuntime", "Octets", "Provisioning", "Varlink"]),
    program("aware-factory", ["FactoryLine", "LinuxRuntime"]),
    program(
        "Benchmarks",
        [
            "AllocationProbe", "Cryptography", "Identity", "LinuxRuntime", "MediaService", "MediaTransport",
            "NANFrames",
            "NANSecurity", "Octets", "Ports",
        ]),
    program(
        "radio-conformance", ["LinuxRuntime", "NL80211Radio", "Octets", "Ports", "RadioConformance"]),
    program("FrameListing", ["Dot11Frames", "NANFrames", "Octets"]),
    program(
        "FrameMutationCampaign",
        [
            "AccessoryCore", "Cryptography", "Dot11Frames", "Identity", "LinuxRuntime", "NANEngine", "NANFrames",
            "NANSecurity", "Octets", "PhoneCore", "Ports", "SimulatedMedium",
        ]),
    program("FuzzFrames", ["BluetoothFrames", "Dot11Frames", "NANFrames", "Octets"]),
    program(
        "StoreTorture", ["Cryptography", "LinuxRuntime", "NANFrames", "NANSecurity", "Octets", "PeerStore", "Ports"]),
    program("ConstantTimeCheck", ["CCryptoShim", "Cryptography", "NANSecurity", "Octets"]),
]

let suites: [Target] = [
    .target(
        name: "TestVectors", path: "Tests/TestVectors", exclude: ["README.md"],
        resources: [.copy("nan-vectors.json")], swiftSettings: strict),
    tests("OctetsTests", ["Octets"]),
    tests("BluetoothFramesTests", ["BluetoothFrames", "Octets"]),
    tests(
        "BluetoothEngineTests",
        ["BluetoothEngine", "BluetoothFrames", "Cryptography", "Octets", "Ports", "SimulatedMedium"]),
    tests("CryptographyTests", ["Cryptography", "Octets"]),
    tests("Dot11FramesTests", ["Dot11Frames", "Octets"]),
    tests("NANFramesTests", ["Dot11Frames", "NANFrames", "Octets", "TestVectors"]),
    tests(
        "NANSecurityTests", ["Cryptography", "Dot11Frames", "NANFrames", "NANSecurity", "Octets", "TestVectors"]),
    tests("IdentityTests", ["Identity", "Octets"]),
    tests(
        "NANEngineTests",
        ["Cryptography", "Dot11Frames", "NANEngine", "NANFrames", "NANSecurity", "Octets", "Ports", "TestVectors"]),
    tests("MediaTransportTests", ["MediaTransport", "Octets"]),
    tests("LinuxRuntimeTests", ["LinuxRuntime", "Octets"]),
    tests("DisplayDriversTests", ["DisplayDrivers", "Octets"]),
    tests("GPIOAdapterTests", ["DisplayDrivers", "GPIOAdapter", "LinuxRuntime", "NANSecurity", "Octets", "Ports"]),
    tests("BluetoothAdapterTests", ["BluetoothAdapter", "BluetoothFrames", "LinuxRuntime", "Octets", "Ports"]),
    tests("ShimTests", ["CBluetoothShim", "CGPIOShim", "DisplayDrivers"]),
    tests(
        "Conformance",
        [
            "Cryptography", "Dot11Frames", "NANFrames", "NANSecurity", "Octets", "Ports", "RadioConformance",
            "SimulatedMedium",
        ]),
    tests(
        "SimulatedRadioTests",
        [
            "Cryptography", "LinuxRuntime", "NANFrames", "Octets", "Ports", "RadioConformance", "SimulatedMedium",
            "SimulatedRadio",
        ]),
    tests("NL80211RadioTests", ["LinuxRuntime", "NANFrames", "NL80211Radio", "Octets", "Ports"]),
    tests("MediaServiceTests", ["Identity", "LinuxRuntime", "MediaService", "MediaTransport", "Octets", "Ports"]),
    tests("JSONTextTests", ["JSONText"]),
    tests(
        "ProvisioningTests",
        [
            "BluetoothFrames", "DisplayDrivers", "Identity", "JSONText", "LinuxRuntime", "Octets", "Provisioning",
        ]),
    tests(
        "PeerStoreTests",
        [
            "BluetoothFrames", "Cryptography", "LinuxRuntime", "NANFrames", "NANSecurity", "Octets", "PeerStore",
            "Ports",
        ],
        resources: [.copy("Fixtures")]),
    tests("VarlinkTests", ["JSONText", "LinuxRuntime", "Octets", "Varlink"]),
    tests(
        "Scenarios",
        [
            "AccessoryCore", "BluetoothEngine", "BluetoothFrames", "Cryptography", "Dot11Frames", "Hosting", "Identity",
            "NANEngine", "NANFrames",
            "NANSecurity",
            "Octets", "PhoneCore", "Ports", "SimulatedMedium",
        ]),
    tests(
        "AccessoryDaemonTests",
        [
            "AccessoryCore", "AccessoryDaemon", "Cryptography", "Identity", "LinuxRuntime", "NANFrames", "NANSecurity",
            "Octets", "Ports", "Provisioning", "Varlink",
        ]),
    tests(
        "FactoryLineTests",
        [
            "BluetoothEngine", "BluetoothFrames",
            "Cryptography", "FactoryLine", "Identity", "JSONText", "LinuxRuntime", "MediaService", "MediaTransport",
            "NANFrames", "NANSecurity", "Octets", "PhoneCore", "Ports",
        ]),
    tests("ProgramTests", ["JSONText", "LinuxRuntime", "Octets", "Varlink", "awarectl", "awared", "aware-factory"]),
]

/// The programs that are named, and what they are made of: one build then makes them side by side, and nothing else.
func only(_ programs: String, of all: [Target]) -> [Target] {
    var wanted = Set(programs.split(separator: " ").map(String.init))
    for target in all.reversed() where wanted.contains(target.name) {
        for case .byNameItem(let name, _) in target.dependencies { wanted.insert(name) }
    }
    return all.filter { wanted.contains($0.name) }
}

let everything = cLibraries + values + machines + adapters + assemblies + suites

let package = Package(
    name: "AwareAccessory",
    targets: Context.environment["AWARE_PROGRAMS"].map { only($0, of: everything) } ?? everything,
    swiftLanguageModes: [.v6]
)

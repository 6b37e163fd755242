internal import CLinux

/// Which build of the product this is.
package enum ProductVersion {
    package static let number = "0.1.0"

    /// The commit it was built from, as far as the build said: `make build` has the linker note it.
    package static var commit: String? {
        // 4 octets of "git:", 20 of the commit, one more when there were changes beside it.
        var octets = [UInt8](repeating: 0, count: 25)
        let count = clinux_build_id(&octets, octets.count)
        guard count >= 24, octets.starts(with: Array("git:".utf8)) else { return nil }
        let digits = octets[4..<10].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return digits + (count > 24 ? "+" : "")
    }

    /// Both, for people.
    package static var text: String { commit.map { "\(number) (\($0))" } ?? number }
}

/// The kernel that runs, as `uname -r` prints it.
package enum KernelRelease {
    package static var text: String {
        var octets = [CChar](repeating: 0, count: 128)
        guard clinux_kernel_release(&octets, octets.count) == 0 else { return "unknown" }
        return String(decoding: octets.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

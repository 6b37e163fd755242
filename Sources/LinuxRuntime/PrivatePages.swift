internal import CLinux
internal import Glibc

/// Memory for octets on their way between a secret's owner and a file.
///
/// Pages of their own: wiped when the last holder lets go, absent from core dumps and from children,
/// and locked into memory where the limits allow.
package final class PrivatePages {
    package let count: Int
    private let storage: UnsafeMutableRawBufferPointer

    /// - Throws: `ENOMEM`.
    package init(count: Int) throws(SystemError) {
        self.count = count
        let size = max(count, 1)
        guard let pages = clinux_private_pages(size) else { throw SystemError(call: "mmap", code: errno) }
        storage = UnsafeMutableRawBufferPointer(start: pages, count: size)
    }

    deinit {
        guard let base = storage.baseAddress else { return }
        clinux_release_private_pages(base, storage.count)
    }

    /// Lends the octets for writing; the pointer is invalid once `body` has returned.
    package func withOctets<R, E: Error>(_ body: (UnsafeMutableRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try body(UnsafeMutableRawBufferPointer(rebasing: storage[0..<count]))
    }
}

extension PrivatePages: CustomReflectable {
    /// Empty: `dump` and test diagnostics follow pointers where they can.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Overwrites octets, or plain values, that an array had to hold for a moment.
package func wipe<Element: BitwiseCopyable>(_ elements: inout [Element]) {
    elements.withUnsafeMutableBytes { buffer in
        if let base = buffer.baseAddress { clinux_wipe(base, buffer.count) }
    }
}

/// Zeroes the vector registers of this thread, where the octets last copied or hashed stay until something
/// else happens to be: a core dump has them as well as memory.
///
/// For a thread that has handled a secret and is about to wait.
package func clearVectorRegisters() { clinux_clear_vector_registers() }

/// Zeroes what functions that have returned left on this thread's stack.
///
/// For a thread that keeps running a loop after it has handled a secret which is nowhere else.
package func clearStack() { clinux_clear_stack() }

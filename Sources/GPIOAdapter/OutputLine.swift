internal import CGPIOShim
internal import Glibc
package import LinuxRuntime

/// One GPIO line driven as an output, released when the value goes away.
package struct OutputLine: ~Copyable {
    private let handle: OpaquePointer

    /// Requests one line.
    ///
    /// - Parameters:
    ///   - chip: device path, for example `/dev/gpiochip0`.
    ///   - offset: line number on that chip, from 0.
    ///   - consumer: name `gpioinfo` shows.
    ///   - initiallyOn: level driven before this returns.
    /// - Throws: `SystemError`: `ENOENT` when the board has no such chip, `EBUSY` when the line is taken.
    package init(chip: String, offset: UInt32, consumer: String, initiallyOn: Bool = false) throws(SystemError) {
        errno = 0
        guard let handle = cgpio_output_open(chip, offset, consumer, initiallyOn) else {
            throw SystemError(call: "gpiod open \(chip) line \(offset)", code: errno)
        }
        self.handle = handle
    }

    deinit { cgpio_output_close(handle) }

    package func set(_ on: Bool) throws(SystemError) {
        try systemCall("gpiod set") { cgpio_output_set(handle, on) }
    }
}

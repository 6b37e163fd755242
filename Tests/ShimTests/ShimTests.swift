import CBluetoothShim
import CGPIOShim
import DisplayDrivers
import Glibc
import Testing

/// Each shim compiles, links and answers on Debian 12 and 13.
@Suite("Library shims") struct ShimTests {
    @Test("libgpiod says ENOENT of a chip that the board has not") func gpio() {
        errno = 0
        #expect(cgpio_lines_open("/dev/gpiochip-none", [0], 1, "test", 0, 0, 0) == nil)
        #expect(errno == ENOENT)
        var info = cgpio_chip_info()
        errno = 0
        #expect(cgpio_chip_info("/dev/gpiochip-none", &info) == -1)
        #expect(errno == ENOENT)
        errno = 0
        #expect(cgpio_input_open("/dev/gpiochip-none", 0, "test", 1) == nil)
        #expect(errno == ENOENT)
    }

    @Test("a driver's steps are laid out as the shim takes them") func steps() {
        #expect(MemoryLayout<LineStep>.size == MemoryLayout<cgpio_step>.size)
        #expect(MemoryLayout<LineStep>.stride == MemoryLayout<cgpio_step>.stride)
        let step = LineStep(mask: 1, levels: 2, nanoseconds: 3, sense: 4)
        let taken = withUnsafeBytes(of: step) { $0.load(as: cgpio_step.self) }
        #expect(taken.mask == 1 && taken.levels == 2 && taken.nanoseconds == 3 && taken.sense == 4)
    }

    @Test("more lines than a request may have are refused") func tooMany() {
        errno = 0
        #expect(cgpio_lines_open("/dev/gpiochip-none", [], 0, "test", 0, 0, 0) == nil)
        #expect(errno == EINVAL)
    }

    @Test("the Bluetooth management socket opens, or says why not") func bluetooth() {
        errno = 0
        let descriptor = cbt_open_management()
        if descriptor >= 0 {
            #expect(close(descriptor) == 0)
        } else {
            // No Bluetooth in the kernel, or no permission: what a board without an adapter meets.
            #expect([EAFNOSUPPORT, EPERM, EACCES, EPROTONOSUPPORT].contains(errno))
        }
    }
}

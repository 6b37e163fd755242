import CBluetoothShim
import CGPIOShim
import Glibc
import Testing

/// The shims of libraries that no product code uses yet: each compiles, links and answers on Debian 12 and 13.
@Suite("Library shims") struct ShimTests {
    @Test("libgpiod says ENOENT of a chip that the board has not") func gpio() {
        errno = 0
        #expect(cgpio_output_open("/dev/gpiochip-none", 0, "test", false) == nil)
        #expect(errno == ENOENT)
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

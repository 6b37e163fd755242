internal import Glibc
package import Octets

extension MonotonicInstant {
    /// Now, on `CLOCK_BOOTTIME`: it goes on while the board sleeps.
    package static var boot: MonotonicInstant {
        var value = timespec()
        clock_gettime(CLOCK_BOOTTIME, &value)
        return MonotonicInstant(nanoseconds: Int64(value.tv_sec) * 1_000_000_000 + Int64(value.tv_nsec))
    }
}

/// Calendar time, for records that people read; nothing decides by it.
package enum WallClock {
    /// Seconds since 1970, UTC; a board without a battery may be decades behind.
    package static var seconds: Int64 {
        var value = timespec()
        clock_gettime(CLOCK_REALTIME, &value)
        return Int64(value.tv_sec)
    }
}

extension MonotonicInstant {
    /// Now on `CLOCK_MONOTONIC`, which systemd counts reloads by.
    package static var monotonicMicroseconds: Int64 {
        var value = timespec()
        clock_gettime(CLOCK_MONOTONIC, &value)
        return Int64(value.tv_sec) * 1_000_000 + Int64(value.tv_nsec) / 1000
    }
}

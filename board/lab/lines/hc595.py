"""74HC595 in a chain: times at the pins, by the data sheet of the SN74HC595 (Texas Instruments SCLS041).

At 2 V the sheet asks for most, at 4.5 V for a fifth of it, and for 3.3 V it says nothing: what is asked for here is what it
asks for at 2 V, from -40 to 85 degrees. What is shifted and latched is read by sigrok's spi decoder (see judge.py).
"""

from timing import Timings

NAMES = ("ser", "srclk", "rclk")
# Nanoseconds.
CLOCK_PULSE, DATA_SETUP, DATA_HOLD, CLOCK_TO_LATCH, LATCH_PULSE = 125, 125, 0, 94, 125


def check_pins(levels, timings=None):
    """Times of (ns, (ser, srclk, rclk)). Returns what was found."""
    timings = timings or Timings()
    last = {}
    before = None

    def since(what, limit, event, at):
        if event in last:
            timings.at_least(what, limit, at - last[event], at)

    for at, now in levels:
        if before is None:
            before = now
            continue
        (ser, srclk, rclk), (was_ser, was_srclk, was_rclk), before = now, before, now
        if ser != was_ser:
            if srclk and was_srclk:
                since("SER held after SRCLK rises", DATA_HOLD, "srclk up", at)
            last["ser"] = at
        if srclk < was_srclk:
            since("SRCLK high", CLOCK_PULSE, "srclk up", at)
            last["srclk down"] = at
        elif srclk > was_srclk:
            since("SRCLK low", CLOCK_PULSE, "srclk down", at)
            since("SER before SRCLK rises", DATA_SETUP, "ser", at)
            last["srclk up"] = at
        if rclk < was_rclk:
            since("RCLK high", LATCH_PULSE, "rclk up", at)
            last["rclk down"] = at
        elif rclk > was_rclk:
            since("RCLK low", LATCH_PULSE, "rclk down", at)
            since("SRCLK risen before RCLK rises", CLOCK_TO_LATCH, "srclk up", at)
            last["rclk up"] = at
    return timings


class Chain:
    """The outputs of a chain of registers; register 0 is the one whose SER is the board's."""

    def __init__(self, registers):
        self.shifted = [0] * registers

    def shift(self, octets):
        """Octets as they came in, the first bit of each being its highest."""
        self.shifted = (list(reversed(octets)) + self.shifted)[: len(self.shifted)]

    def latch(self):
        return tuple(self.shifted)

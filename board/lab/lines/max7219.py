"""MAX7219/MAX7221, by its data sheet (Maxim 19-4452): times at the pins, and what the registers make visible.

The words themselves are read by sigrok's spi and max7219 decoders (see judge.py).
"""

import segments
from timing import Timings

NAMES = ("din", "clk", "load")
# Table "Timing characteristics", nanoseconds.
CLOCK_PERIOD, CLOCK_HIGH, CLOCK_LOW = 100, 50, 50
LOAD_LOW_TO_CLOCK, CLOCK_TO_LOAD, DATA_SETUP, DATA_HOLD = 25, 0, 25, 0
LOAD_TO_CLOCK, LOAD_HIGH = 50, 50


def check_pins(levels, timings=None):
    """Times of (ns, (din, clk, load)). Returns what was found."""
    timings = timings or Timings()
    last = {}
    before = None
    for at, (din, clk, load) in levels:
        if before is None:
            before = din, clk, load
            continue
        was_din, was_clk, was_load = before
        if load < was_load:
            since(timings, "LOAD high", LOAD_HIGH, last, "load up", at)
            last["load down"] = at
        if din != was_din:
            if clk and was_clk:
                since(timings, "DIN held after CLK rises", DATA_HOLD, last, "clk up", at)
            last["din"] = at
        if clk < was_clk:
            since(timings, "CLK high", CLOCK_HIGH, last, "clk up", at)
            last["clk down"] = at
        if clk > was_clk:
            since(timings, "CLK low", CLOCK_LOW, last, "clk down", at)
            since(timings, "CLK period", CLOCK_PERIOD, last, "clk up", at)
            since(timings, "DIN before CLK rises", DATA_SETUP, last, "din", at)
            since(timings, "LOAD low before CLK rises", LOAD_LOW_TO_CLOCK, last, "load down", at)
            since(timings, "LOAD high before CLK rises", LOAD_TO_CLOCK, last, "load up", at)
            last["clk up"] = at
        if load > was_load:
            since(timings, "CLK risen before LOAD rises", CLOCK_TO_LOAD, last, "clk up", at)
            if clk > was_clk:
                timings.fault(at, "CLK and LOAD rise at once")
            last["load up"] = at
        before = din, clk, load
    return timings


def since(timings, what, limit, last, event, at):
    if event in last:
        timings.at_least(what, limit, at - last[event], at)


def words(levels):
    """(ns, word) for each time LOAD rises after CLK did: the last 16 bits, whatever was meant to be one word."""
    before, shifted, is_new = None, 0, False
    for at, (din, clk, load) in levels:
        if before and clk > before[0]:
            shifted, is_new = (shifted << 1 | din) & 0xFFFF, True
        if before and load > before[1] and is_new:
            yield at, shifted
            is_new = False
        before = clk, load


class Registers:
    """One chip's registers since power came up, and what they show."""

    # Code B, by which a digit is read whose decode bit is set.
    CODE_B = "0123456789-EHLP "

    def __init__(self, order, segment_order="gfedcbap"):
        self.order, self.segment_order = order, segment_order
        self.digits = [0] * 8
        self.decode = self.scan_limit = self.intensity = 0
        self.is_on = self.is_test = False
        self.faults = []

    def write(self, at, register, value):
        if 1 <= register <= 8:
            self.digits[register - 1] = value
        elif register == 9:
            self.decode = value
        elif register == 10:
            self.intensity = value & 15
        elif register == 11:
            self.scan_limit = value & 7
        elif register == 12:
            self.is_on = bool(value & 1)
        elif register == 15:
            self.is_test = bool(value & 1)
        elif register:
            self.faults.append((at, f"no register {register:#x}"))

    def glyph(self, digit):
        if digit > self.scan_limit:
            return " "
        if self.decode >> digit & 1:
            return self.CODE_B[self.digits[digit] & 15] + ("." if self.digits[digit] & 0x80 else "")
        return segments.glyph(segments.rearranged(self.digits[digit], self.segment_order))

    def text(self):
        if self.is_test:
            return "8." * 8
        if not self.is_on:
            return ""
        return "".join(map(self.glyph, self.order)).rstrip()

"""TM1637, by its data sheet (Titan Micro Electronics, V2.4): two wires, least significant bit first, an acknowledge bit.

A start is DIO falling while CLK is high, a stop DIO rising while CLK is high; in between DIO changes only while CLK is
low and is read as CLK rises. After eight bits the chip holds DIO low from CLK's eighth fall to its ninth; nobody may drive
DIO high meanwhile.
"""

import segments
from timing import Timings

NAMES = ("clk", "dio")
# Nanoseconds: "Timing characteristics" and the 500 kHz at most of "Switching characteristics".
CLOCK_WIDTH, CLOCK_PERIOD, DATA_SETUP, DATA_HOLD, BETWEEN_COMMANDS = 400, 2000, 100, 100, 1000
ADDRESSES = 6


class TM1637:
    """The chip since power came up. history: (ns, text) each time when something else is to be seen."""

    def __init__(self, order, segment_order="abcdefgp"):
        self.order, self.segment_order = order, segment_order
        self.timings = Timings()
        self.history = []
        self.memory = [0] * ADDRESSES
        self.is_on = False
        self.brightness = 0
        self.adds = True  # the address grows with each datum
        self.commands = []  # (ns, octets between a start and its stop)
        self.levels = None
        self.last = {}
        self.frame = None  # octets since the start
        self.bits = []

    def fault(self, at, text):
        self.timings.fault(at, text)

    def since(self, what, limit, event, at):
        if event in self.last:
            self.timings.at_least(what, limit, at - self.last[event], at)

    def feed(self, at, states):
        """States of (clk, dio): 0, 1, z. Both lines have pull-ups."""
        clk, dio = (int(state != "0") for state in states)
        if self.levels is None:
            self.levels = clk, dio
            return
        was_clk, was_dio = self.levels
        self.levels = clk, dio
        if dio != was_dio:
            if clk == was_clk:
                if clk and not self.is_chips_turn():
                    self.condition(at, is_start=not dio)
            elif self.frame is not None and not self.is_chips_turn():
                # While CLK is still or already high this is a start or a stop.
                self.fault(at, "DIO changes at once with CLK")
            self.last["dio"] = at
        if clk < was_clk:
            self.clock_falls(at)
        elif clk > was_clk:
            self.clock_rises(at, states[1])

    def is_chips_turn(self):
        return self.frame is not None and len(self.bits) == 9

    def condition(self, at, is_start):
        self.since("CLK high before start or stop", DATA_SETUP, "clk up", at)
        if is_start:
            if self.frame is not None:
                self.fault(at, "a start inside a command")
            self.since("time between commands", BETWEEN_COMMANDS, "stop", at)
            self.last["start"] = at
            self.frame, self.bits = [], []
            return
        if self.frame is None:
            return  # the lines come up
        if len(self.bits) == 1:
            # The clock of the stop itself was the first of a ninth bit.
            self.bits = []
        if self.bits:
            self.fault(at, f"a stop after {len(self.bits)} bits of an octet: no acknowledge clock?")
        self.command(at, self.frame)
        self.last["stop"] = at
        self.frame = None

    def clock_falls(self, at):
        self.since("CLK high", CLOCK_WIDTH, "clk up", at)
        if self.frame is not None and not self.frame and not self.bits:
            self.since("start held before CLK falls", DATA_HOLD, "start", at)
        self.last["clk down"] = at
        if self.is_chips_turn():
            octet = sum(bit << n for n, bit in enumerate(self.bits[:8]))
            self.frame.append(octet)
            self.bits = []

    def clock_rises(self, at, dio):
        self.since("CLK low", CLOCK_WIDTH, "clk down", at)
        self.since("CLK period", CLOCK_PERIOD, "clk up", at)
        self.last["clk up"] = at
        if self.frame is None:
            return
        if len(self.bits) == 8:
            if dio == "1":
                self.fault(at, "DIO is driven high while the chip acknowledges")
            self.bits.append(0)
            return
        self.since("DIO before CLK rises", DATA_SETUP, "dio", at)
        self.bits.append(int(dio != "0"))

    def command(self, at, octets):
        self.commands.append((at, tuple(octets)))
        if not octets:
            self.fault(at, "a command without an octet")
            return
        first, data = octets[0], octets[1:]
        if first >> 6 == 0b01:
            if first & 0x38 or first & 3:
                self.fault(at, f"data command {first:#04x}: test mode or reading of keys")
            self.adds = not first & 4
            if data:
                self.fault(at, f"{len(data)} octets after a data command")
        elif first >> 6 == 0b11:
            self.store(at, first & 15, data)
        elif first >> 6 == 0b10:
            self.is_on, self.brightness = bool(first & 8), first & 7
            if data or first & 0x30:
                self.fault(at, f"display control {first:#04x} with {len(data)} octets")
        else:
            self.fault(at, f"no command {first:#04x}")
        self.note(at)

    def store(self, at, address, data):
        for octet in data:
            if address >= ADDRESSES:
                self.fault(at, f"no address {address}")
                return
            self.memory[address] = octet
            address += self.adds

    def digits(self):
        return [segments.rearranged(self.memory[number], self.segment_order) for number in self.order]

    def text(self):
        return segments.text(self.digits()) if self.is_on else ""

    def note(self, at):
        text = self.text()
        if not self.history or self.history[-1][1] != text:
            self.history.append((at, text))

    def finish(self):
        if self.frame is not None:
            self.fault(self.last["start"], "a command without an end")

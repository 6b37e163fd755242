"""HD44780U, by its data sheet (Hitachi ADE-207-272): four data lines, read as E falls, high nibble first.

Times are those of 2.7 to 4.5 V (table "Write operation"), which are the longer ones, and of the internal clock of 270 kHz.
"""

from timing import Timings

NAMES = ("rs", "e", "d4", "d5", "d6", "d7")
# Nanoseconds.
E_CYCLE, E_HIGH, ADDRESS_SETUP, ADDRESS_HOLD, DATA_SETUP, DATA_HOLD = 1000, 450, 60, 20, 195, 10
INSTRUCTION, DATUM, CLEAR_OR_HOME = 37_000, 41_000, 1_520_000
# "Initializing by instruction": what follows the first two function sets.
AFTER_FIRST, AFTER_SECOND = 4_100_000, 100_000
FUNCTION_SET_8, FUNCTION_SET_4 = 0x3, 0x2
ROW_LENGTH = 40


class HD44780:
    """The controller since power came up. history: (ns, rows) each time when something else is to be seen."""

    def __init__(self, columns=16, rows=2):
        self.columns, self.rows = columns, min(rows, 2)
        self.timings = Timings()
        self.history = []
        self.levels = None
        self.last = {}
        # The internal reset: eight bits wide, display off, memory full of spaces.
        self.is_wide, self.high = True, None
        self.has_two_lines = False
        self.is_on, self.grows, self.shifts = False, True, False
        self.address, self.shift, self.in_characters = 0, 0, False
        self.memory = [0x20] * 0x80
        self.busy = 0, None, 0  # since when, with what, for how long
        self.sets = []  # the nibbles of an initialisation by instruction
        self.was_initialised = False
        self.may_begin = False  # somebody has just taken the lines

    def fault(self, at, text):
        self.timings.fault(at, text)

    def since(self, what, limit, event, at):
        if event in self.last:
            self.timings.at_least(what, limit, at - self.last[event], at)

    def feed(self, at, levels):
        """Levels of (rs, e, d4, d5, d6, d7)."""
        was, self.levels = self.levels, levels
        if was is None:
            return
        rs, e, data = levels[0], levels[1], levels[2:]
        if e > was[1]:
            if levels[0] != was[0]:
                self.fault(at, "RS changes at once with E rising")
            self.since("RS before E rises", ADDRESS_SETUP, "rs", at)
            self.since("E cycle", E_CYCLE, "e up", at)
            since, what, needed = self.busy
            if what:
                self.timings.at_least(f"time for {what}", needed, at - since, at)
            self.last["e up"] = at
        if rs != was[0]:
            if e and was[1]:
                self.fault(at, "RS changes while E is high")
            elif e == was[1]:
                self.since("RS after E falls", ADDRESS_HOLD, "e down", at)
            self.last["rs"] = at
        if data != was[2:]:
            if e < was[1]:
                self.fault(at, "data change at once with E falling")
            elif e == was[1] == 0:
                self.since("data after E falls", DATA_HOLD, "e down", at)
            self.last["data"] = at
        if e < was[1]:
            if rs != was[0]:
                self.fault(at, "RS changes at once with E falling")
            self.since("E high", E_HIGH, "e up", at)
            self.since("data before E falls", DATA_SETUP, "data", at)
            self.last["e down"] = at
            self.busy = at, None, 0
            self.strobe(at, was[0], sum(bit << n for n, bit in enumerate(was[2:])))

    def strobe(self, at, rs, nibble):
        begins = self.may_begin and not rs and nibble == FUNCTION_SET_8
        if begins:
            # Whatever was under way: the chip stays as it is, the initialisation counts from here.
            self.sets, self.was_initialised, self.may_begin = [], False, False
        if not self.was_initialised and not rs:
            self.initialise(at, nibble)
        elif not self.was_initialised:
            self.fault(at, "a datum before the initialisation")
        if self.is_wide:
            # The four lower lines are not there: only a function set makes sense.
            if rs or nibble not in (FUNCTION_SET_8, FUNCTION_SET_4):
                self.fault(at, f"{nibble:#x} while the interface is 8 bits wide")
                return
            self.is_wide = nibble == FUNCTION_SET_8
            self.busy = at, "a function set", INSTRUCTION
            return
        if self.high is None:
            self.high = rs, nibble
            return
        (high_rs, high), self.high = self.high, None
        if high_rs != rs and not begins:
            self.fault(at, "RS changes between the nibbles of an octet")
        octet = high << 4 | nibble
        if rs:
            self.busy = at, "a datum", DATUM
            self.datum(octet)
        else:
            self.busy = at, f"instruction {octet:#04x}", INSTRUCTION
            self.instruction(at, octet)
        self.note(at)

    def initialise(self, at, nibble):
        """The sequence by instruction, from whatever state: 3, 3, 3, 2 with their waits."""
        self.sets.append((at, nibble))
        place = len(self.sets)
        if nibble != (FUNCTION_SET_8, FUNCTION_SET_8, FUNCTION_SET_8, FUNCTION_SET_4)[place - 1]:
            self.fault(at, f"initialisation: nibble {place} is {nibble:#x}")
        if place in (2, 3):
            # Measured to where E rises.
            wanted = AFTER_FIRST if place == 2 else AFTER_SECOND
            waited = self.last["e up"] - self.sets[-2][0]
            self.timings.at_least(f"wait {place - 1} of the initialisation", wanted, waited, at)
        self.was_initialised = place == 4

    def taken(self):
        """Somebody takes lines anew: an initialisation may begin, and the chip is as it was."""
        self.may_begin = True

    def instruction(self, at, octet):
        if octet & 0x80:
            self.address, self.in_characters = octet & 0x7F, False
            if not self.is_address(self.address):
                self.fault(at, f"no address {self.address:#04x}")
        elif octet & 0x40:
            self.in_characters = True
        elif octet & 0x20:
            self.is_wide, self.has_two_lines = bool(octet & 0x10), bool(octet & 0x08)
        elif octet & 0x10:
            way = 1 if octet & 0x04 else -1
            if octet & 0x08:
                self.shift -= way
            else:
                self.move(way)
        elif octet & 0x08:
            self.is_on = bool(octet & 0x04)
        elif octet & 0x04:
            self.grows, self.shifts = bool(octet & 0x02), bool(octet & 0x01)
        elif octet & 0x02:
            self.address, self.shift, self.in_characters = 0, 0, False
            self.busy = at, "return home", CLEAR_OR_HOME
        elif octet & 0x01:
            self.memory = [0x20] * 0x80
            self.address, self.shift, self.grows, self.in_characters = 0, 0, True, False
            self.busy = at, "clear display", CLEAR_OR_HOME
        else:
            self.fault(at, "instruction 0x00")

    def is_address(self, address):
        return address % 0x40 < ROW_LENGTH if self.has_two_lines else address < 2 * ROW_LENGTH

    def move(self, way):
        self.address += way
        if self.has_two_lines:
            row, column = divmod(self.address, 0x40)
            if column >= ROW_LENGTH:
                row, column = (row + 1, 0) if way > 0 else (row, ROW_LENGTH - 1)
            self.address = row % 2 * 0x40 + column
        else:
            self.address %= 2 * ROW_LENGTH

    def datum(self, octet):
        if self.in_characters:
            return
        self.memory[self.address] = octet
        self.move(1 if self.grows else -1)
        if self.shifts:
            self.shift += 1 if self.grows else -1

    def shown(self):
        """The rows as they are seen; none when the display is off."""
        if not self.is_on:
            return ()
        rows = []
        for row in range(self.rows if self.has_two_lines else 1):
            start = row * 0x40
            octets = [self.memory[start + (column + self.shift) % ROW_LENGTH] for column in range(self.columns)]
            rows.append("".join(chr(o) if 0x20 <= o < 0x7E and o != 0x5C else "?" for o in octets).rstrip())
        return tuple(rows)

    def note(self, at):
        rows = self.shown()
        if not self.history or self.history[-1][1] != rows:
            self.history.append((at, rows))

    def finish(self):
        if self.high is not None:
            self.fault(self.last["e down"], "half an octet at the end")

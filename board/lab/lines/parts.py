"""The parts of a board's profile (docs/CONFIG.md) as witnesses: each one reads a recording of its lines.

A witness has `faults` and `timings`, says which texts were to be seen between two times, and what is to be seen at last.
"""

import bisect

import hc595
import hd44780
import lamps
import max7219
import segments
import sigrok
import tm1637
from recording import TAKEN
from timing import Timings


class Wiring:
    """Lines as a profile names them: ! for a wire that is inverted before the part."""

    def __init__(self, recording, names):
        self.recording = recording
        self.inverted = [name.startswith("!") for name in names]
        self.names = [name.removeprefix("!") for name in names]
        if unknown := set(self.names) - set(recording.pulls):
            raise SystemExit(f"judge: the recording has no line {', '.join(sorted(unknown))}")

    def levels(self):
        return [
            (at, tuple(level ^ inverse for level, inverse in zip(levels, self.inverted)))
            for at, levels in self.recording.levels(self.names)
        ]


class Seen:
    """A part that keeps what it shows."""

    def __init__(self):
        self.timings, self.history = Timings(), []
        self.remarks = []

    @property
    def faults(self):
        return self.timings.faults

    def texts(self, start, end):
        """All that was to be seen, in the order of time."""
        first = max(bisect.bisect_right(self.history, start, key=lambda state: state[0]) - 1, 0)
        return [text for at, text in self.history[first:] if at < end]

    def last(self):
        return self.history[-1][1] if self.history else self.nothing

    def digits(self, written):
        """How a text is read on this part."""
        return segments.as_read(written)

    nothing = ""


class MAX7219(Seen):
    def __init__(self, recording, keys, after_kill):
        super().__init__()
        levels = Wiring(recording, [keys[name] for name in max7219.NAMES]).levels()
        max7219.check_pins(levels, self.timings)
        count = keys.get("digits", 8)
        order = keys.get("digit-order", list(range(count - 1, -1, -1)))
        registers = max7219.Registers(order, keys.get("segment-order", "gfedcbap"))
        writes = list(max7219.words(levels))
        if not after_kill:
            by_sigrok = list(self.sigrok_writes(levels))
            if [at for at, _, _ in by_sigrok] != [at for at, _ in writes]:
                self.timings.fault(0, f"sigrok reads {len(by_sigrok)} words, LOAD rises {len(writes)} times")
            writes = by_sigrok
        else:
            writes = [(at, word >> 8 & 15, word & 0xFF) for at, word in writes]
        for at, register, value in writes:
            registers.write(at, register, value)
            text = registers.text()
            if not self.history or self.history[-1][1] != text:
                self.history.append((at, text))
        self.timings.faults += registers.faults
        self.remarks.append(f"{len(writes)} words")

    NUMBERS = {"No-op": 0, "Decode": 9, "Intensity": 10, "Scan limit": 11, "Shutdown": 12, "Display test": 15}
    VALUES = {"min": 0, "max": 15, "": 0}

    def sigrok_writes(self, levels):
        """(ns, register, value) as sigrok's max7219 decoder names them."""
        rises = [at for at, _ in max7219.words(levels)]
        for first, _, _, text in sigrok.annotations(
            [state for _, state in levels], ["spi:mosi=0:clk=1:cs=2,max7219"], "max7219"
        ):
            name, _, value = text.partition(": ")
            at = next(iter(rises[bisect.bisect_right(rises, levels[first][0]) :]), 0)
            if name.startswith("Digit "):
                yield at, int(name[6:]), int(value, 16)
            elif name == "Shutdown":
                yield at, 12, int(value == "off")
            elif name == "Display test":
                yield at, 15, int(value == "on")
            elif name == "Scan limit":
                yield at, 11, int(value) - 1
            elif name in self.NUMBERS:
                yield at, self.NUMBERS[name], self.VALUES[value] if value in self.VALUES else int(value, 0)
            else:
                self.timings.fault(at, f"sigrok: {text}")


class TM1637(Seen):
    def __init__(self, recording, keys, after_kill):
        super().__init__()
        order = keys.get("digit-order", list(range(keys.get("digits", 4))))
        chip = tm1637.TM1637(order, keys.get("segment-order", "abcdefgp"))
        wiring = Wiring(recording, [keys[name] for name in tm1637.NAMES])
        for at, states in recording.instants(wiring.names):
            chip.feed(at, states)
        chip.finish()
        self.timings, self.history = chip.timings, chip.history
        self.remarks.append(f"{len(chip.commands)} commands")


class HD44780(Seen):
    nothing = ()

    def __init__(self, recording, keys, after_kill):
        super().__init__()
        chip = hd44780.HD44780(keys.get("columns", 16), keys.get("rows", 2))
        wiring = Wiring(recording, [keys[name] for name in (*hd44780.NAMES, *(["rw"] if "rw" in keys else []))])
        takings = [at for at, _, name, _ in recording.edges if name == TAKEN]
        for at, levels in wiring.levels():
            while takings and takings[0] <= at:
                takings.pop(0)
                chip.taken()
            if any(levels[6:]):
                chip.fault(at, "R/W is high: the controller drives the data lines")
            chip.feed(at, levels[:6])
        chip.finish()
        self.timings, self.history = chip.timings, chip.history

    WORDS = {
        "ready": ("Ready to pair", ""), "paired": ("Paired", ""), "failed": ("Not paired", ""),
        "locked": ("Locked", "Too many PINs"), "blank": (),
    }


class Lamps:
    """Digits that somebody else's current lights: a chain of 74HC595, or bare ones."""

    nothing = ""

    def __init__(self):
        self.timings, self.remarks = Timings(), []
        self.states = []  # (ns, digits)
        self.by_sigrok = None

    @property
    def faults(self):
        return self.timings.faults

    def texts(self, start, end):
        found = [lamps.text(self.states, start, end)]
        if found[0].replace(" ", "").isdigit():
            found.append(self.sigrok_text(start, end))
        return found

    def last(self):
        return segments.text(self.states[-1][1]) if self.states else ""

    def digits(self, written):
        return segments.as_read(written)

    def sigrok_text(self, start, end):
        """What sigrok's seven_segment decoder reads of each digit for most of its time."""
        if self.by_sigrok is None:
            self.by_sigrok = list(self.sigrok_digits())
        text = ""
        for spans in self.by_sigrok:
            times = {}
            first = max(bisect.bisect_right(spans, start, key=lambda span: span[0]) - 1, 0)
            for since, until, glyph in spans[first:]:
                if since >= end:
                    break
                if glyph != " ":
                    times[glyph] = times.get(glyph, 0) + min(until, end) - max(since, start)
            text += max(times, key=times.get) if times else " "
        return text.rstrip()

    def sigrok_digits(self):
        """For each digit (from, to, glyph)."""
        count = len(self.states[0][1])
        samples = [
            tuple(lit >> bit & 1 for lit in digits for bit in range(7)) for _, digits in self.states
        ]
        # It tells what was there when it changes: so it does at last.
        samples.append(tuple(1 - level for level in samples[-1]))
        times = [at for at, _ in self.states] + [self.states[-1][0] + 1_000_000_000] * 2
        decoders = [
            "seven_segment:" + ":".join(f"{name}={number * 7 + bit}" for bit, name in enumerate("abcdefg"))
            for number in range(count)
        ]
        spans = [[] for _ in range(count)]
        for first, last, decoder, text in sigrok.annotations(samples, decoders, "seven_segment"):
            spans[int(decoder.rpartition("-")[2]) - 1].append((times[first], times[last], text))
        return spans


class HC595(Lamps):
    def __init__(self, recording, keys, after_kill):
        super().__init__()
        names = [keys[name] for name in hc595.NAMES]
        levels = Wiring(recording, names).levels()
        hc595.check_pins(levels, self.timings)
        is_static = keys.get("layout", "static") == "static"
        count = keys.get("digits", 6)
        order = keys.get("digit-order", list(range(count)))
        anode = keys.get("common", "cathode") == "anode"
        wired = keys.get("segment-order", "abcdefgp")
        chain = hc595.Chain(count if is_static else 2)
        matrix = lamps.Multiplexed(anode, keys.get("digit-drivers-invert", False))
        segment_register = keys.get("segment-register", 0)
        digit_register = keys.get("digit-register", 1 - segment_register)
        outputs = [(levels[0][0] if levels else 0, None)]
        for _, last, _, text in sigrok.annotations(
            [state for _, state in levels], ["spi:mosi=0:clk=1:cs=2"], "spi=mosi-transfer"
        ):
            chain.shift([int(octet, 16) for octet in text.split()])
            outputs.append((levels[min(last, len(levels) - 1)][0], chain.latch()))
        enabled = [(0, True)]
        if "oe" in keys:
            enabled += [(at, bool(level)) for at, (level,) in Wiring(recording, [keys["oe"]]).levels()]
        for at, is_enabled, latched in merged(enabled, outputs):
            if not is_enabled or latched is None:
                digits = (0,) * count
            elif is_static:
                lit = (latched[number] ^ (0xFF if anode else 0) for number in order)
                digits = tuple(segments.rearranged(octet, wired) for octet in lit)
            else:
                lines = [latched[segment_register] >> output & 1 for output in range(8)]
                choose = [latched[digit_register] >> number & 1 for number in order]
                digits = tuple(segments.rearranged(lit, wired) for lit in matrix.lit(lines, choose))
            self.states.append((at, digits))
        self.remarks.append(f"{len(outputs) - 1} latches")


class Bare(Lamps):
    def __init__(self, recording, keys, after_kill):
        super().__init__()
        segment_lines, digit_lines = keys["segment-lines"], keys["digit-lines"]
        matrix = lamps.Multiplexed(keys.get("common", "cathode") == "anode", keys.get("digit-drivers-invert", False))
        dark = [matrix.segment_level ^ 1] * (8 - len(segment_lines))
        for at, levels in Wiring(recording, [*segment_lines, *digit_lines]).levels():
            lines = [*levels[: len(segment_lines)], *dark]
            self.states.append((at, matrix.lit(lines, levels[len(segment_lines) :])))


def merged(switch, states):
    """(ns, switch, state) whenever one of the two changes."""
    events = sorted([(at, 0, value) for at, value in switch] + [(at, 1, value) for at, value in states], key=lambda e: e[:2])
    now = [True, None]
    for at, which, value in events:
        now[which] = value
        yield at, now[0], now[1]


PARTS = {"max7219": MAX7219, "tm1637": TM1637, "74hc595": HC595, "hd44780": HD44780, "segments": Bare}

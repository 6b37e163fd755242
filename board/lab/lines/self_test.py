#!/usr/bin/env python3
"""The witnesses of GPIO lines against edges written by hand from the data sheets: right ones, and each fault they are for.

Where sigrok-cli is not installed (it is in the lab's guest) what needs it is left out. Usage: self_test.py
"""

import shutil
import struct
import sys
import tempfile
import unittest
from pathlib import Path

import hc595
import hd44780
import lamps
import max7219
import parts
import recording
import segments
import tm1637
from recording import Recording

US = 1_000


class Pen:
    """Writes edges down."""

    def __init__(self, **levels):
        self.at, self.edges, self.shown = 1_000_000, [], {}
        self.set(**levels)

    def set(self, **levels):
        for name, state in levels.items():
            if self.shown.get(name) != str(state):
                self.shown[name] = str(state)
                self.edges.append((self.at, name, str(state)))

    def wait(self, nanoseconds):
        self.at += nanoseconds

    def recording(self, **pulls):
        return Recording.of(self.edges, pulls)


class SPI:
    """din, clk, load as the sheet of the MAX7219 has them."""

    def __init__(self, step=100):
        self.pen, self.step = Pen(din=0, clk=0, load=1), step
        self.setup = step

    def word(self, word, bits=16):
        pen = self.pen
        pen.wait(self.step)
        pen.set(load=0)
        for bit in range(bits - 1, -1, -1):
            pen.set(din=word >> bit & 1)
            pen.wait(self.setup)
            pen.set(clk=1)
            pen.wait(self.step)
            pen.set(clk=0)
        pen.wait(self.step)
        pen.set(load=1)
        pen.wait(self.step)

    def pins(self):
        return max7219.check_pins(self.pen.recording().levels(max7219.NAMES))


def texts_of(timings):
    return [text for _, text in timings.faults]


class MAX7219Tests(unittest.TestCase):
    def written(self, step=100):
        spi = SPI(step)
        for register, value in ((9, 0), (11, 7), (15, 0), (12, 1), (10, 7)):
            spi.word(register << 8 | value)
        # 1 to 6 from the left, the leftmost being digit 5; segments in the chip's order, bit 6 = a.
        for register, value in zip(range(6, 0, -1), (0x30, 0x6D, 0x79, 0x33, 0x5B, 0x5F)):
            spi.word(register << 8 | value)
        return spi

    def test_words_are_those_that_load_latched(self):
        words = [word for _, word in max7219.words(self.written().pen.recording().levels(max7219.NAMES))]
        self.assertEqual(words[0], 0x0900)
        self.assertEqual(words[-1], 0x015F)
        self.assertEqual(len(words), 11)

    def test_times_of_the_sheet_are_enough_and_shorter_ones_are_not(self):
        self.assertEqual(self.written(50).pins().faults, [])
        for text in ("CLK high: 49 ns", "CLK low: 49 ns", "CLK period: 98 ns"):
            self.assertTrue(any(text in fault for fault in texts_of(self.written(49).pins())), text)
        late = SPI(60)
        late.setup = 24
        late.word(0x0101)
        self.assertTrue(any("DIN before CLK rises: 24 ns" in fault for fault in texts_of(late.pins())))

    def test_data_that_change_with_the_clock_are_a_fault(self):
        edges = [(0, 0, "din", "0"), (0, 0, "clk", "0"), (0, 0, "load", "1"), (100, 1, "load", "0"),
                 (200, 2, "din", "1"), (201, 2, "clk", "1"), (300, 3, "clk", "0")]
        pins = max7219.check_pins(Recording({n: "down" for n in max7219.NAMES}, edges).levels(max7219.NAMES))
        self.assertIn("DIN before CLK rises: 0 ns, 25 wanted", texts_of(pins))

    def test_registers_show_what_they_hold(self):
        chip = max7219.Registers([5, 4, 3, 2, 1, 0])
        for register, value in ((11, 7), (6, 0x30), (5, 0x6D), (4, 0x79), (3, 0x33), (2, 0x5B), (1, 0x5F)):
            chip.write(0, register, value)
        self.assertEqual(chip.text(), "")
        chip.write(0, 12, 1)
        self.assertEqual(chip.text(), "123456")
        chip.write(0, 11, 4)
        self.assertEqual(chip.text(), " 23456")
        chip.write(0, 9, 0xFF)
        self.assertNotEqual(chip.text(), " 23456")
        chip.write(0, 15, 1)
        self.assertNotEqual(chip.text(), "")

    @unittest.skipUnless(shutil.which("sigrok-cli"), "no sigrok-cli")
    def test_sigrok_reads_the_same(self):
        keys = {"din": "din", "clk": "clk", "load": "load", "digits": 6}
        part = parts.MAX7219(self.written().pen.recording(), keys, False)
        self.assertEqual(part.faults, [])
        self.assertEqual(part.last(), "123456")
        cut = self.written()
        cut.word(0x01, bits=7)
        self.assertNotEqual(parts.MAX7219(cut.pen.recording(), keys, False).faults, [])


class TwoWires:
    """clk and dio, open-drain, as the sheet of the TM1637 draws them."""

    def __init__(self, half=5 * US):
        self.pen, self.half = Pen(clk="z", dio="z"), half
        self.leaves_acknowledge_out = self.drives_acknowledge = self.starts_early = False

    def step(self, **levels):
        self.pen.set(**levels)
        self.pen.wait(self.half)

    def command(self, *octets):
        self.step(dio=0)
        self.step(clk=0)
        for octet in octets:
            for bit in range(8):
                self.step(dio="z" if octet >> bit & 1 else 0)
                self.step(clk="z")
                self.step(clk=0)
            if self.leaves_acknowledge_out:
                continue
            self.step(dio=1 if self.drives_acknowledge else "z")
            self.step(clk="z")
            self.step(clk=0)
        self.step(dio=0)
        self.step(clk="z")
        self.step(dio="z")

    def chip(self, order=(0, 1, 2, 3, 4, 5)):
        chip = tm1637.TM1637(list(order))
        for at, states in self.pen.recording(clk="up", dio="up").instants(tm1637.NAMES):
            chip.feed(at, states)
        chip.finish()
        return chip


class TM1637Tests(unittest.TestCase):
    DIGITS = (0x06, 0x5B, 0x4F, 0x66, 0x6D, 0x7D)

    def written(self, **faults):
        wires = TwoWires(faults.pop("half", 5 * US))
        for name, value in faults.items():
            setattr(wires, name, value)
        wires.command(0x40)
        wires.command(0xC0, *self.DIGITS)
        wires.command(0x8C)
        return wires

    def test_a_display_written_by_the_sheet_is_read(self):
        chip = self.written().chip()
        self.assertEqual(chip.timings.faults, [])
        self.assertEqual([octets for _, octets in chip.commands], [(0x40,), (0xC0, *self.DIGITS), (0x8C,)])
        self.assertEqual(chip.history[-1][1], "123456")
        self.assertEqual(chip.brightness, 4)
        self.assertEqual(self.written().chip((2, 1, 0, 5, 4, 3)).text(), "321654")

    def test_nothing_is_seen_before_the_display_is_on_nor_after_it_is_off(self):
        wires = self.written()
        self.assertEqual([text for _, text in wires.chip().history], ["", "123456"])
        wires.command(0x80)
        self.assertEqual(wires.chip().history[-1][1], "")

    def test_a_fixed_address_takes_one_digit(self):
        wires = self.written()
        wires.command(0x44)
        wires.command(0xC2, 0x7F)
        self.assertEqual(wires.chip().text(), "128456")
        wires.command(0x40)
        wires.command(0xC5, 0x06, 0x06)
        self.assertIn("no address 6", texts_of(wires.chip().timings))

    def test_no_acknowledge_clock_is_a_fault_and_shows_nothing(self):
        chip = self.written(leaves_acknowledge_out=True).chip()
        self.assertNotEqual(chip.timings.faults, [])
        self.assertNotEqual(chip.text(), "123456")

    def test_driving_high_against_the_acknowledge_is_a_fault(self):
        chip = self.written(drives_acknowledge=True).chip()
        self.assertIn("DIO is driven high while the chip acknowledges", texts_of(chip.timings))

    def test_pulses_below_the_sheet_are_faults(self):
        self.assertEqual(self.written(half=1 * US).chip().timings.faults, [])
        found = texts_of(self.written(half=390).chip().timings)
        for text in ("CLK high: 390 ns", "CLK period: 1170 ns", "time between commands: 390 ns"):
            self.assertTrue(any(text in fault for fault in found), (text, found[:3]))

    def test_most_significant_bit_first_is_not_read(self):
        wires = TwoWires()
        wires.command(int("{:08b}".format(0x40)[::-1], 2))
        wires.command(*(int("{:08b}".format(o)[::-1], 2) for o in (0xC0, *self.DIGITS)))
        self.assertNotEqual(wires.chip().timings.faults, [])

    def test_data_and_clock_at_once_is_a_fault(self):
        wires = TwoWires()
        wires.step(dio=0)
        wires.pen.set(clk=0, dio="z")
        edges = [(at, 100 if at == wires.pen.at else n, name, state) for n, (at, name, state) in enumerate(wires.pen.edges)]
        chip = tm1637.TM1637([0])
        for at, states in Recording({"clk": "up", "dio": "up"}, edges).instants(tm1637.NAMES):
            chip.feed(at, states)
        self.assertIn("DIO changes at once with CLK", texts_of(chip.timings))


class Parallel:
    """rs, e and four data lines as the sheet of the HD44780 has them."""

    def __init__(self):
        self.pen = Pen(rs=0, e=0, d4=0, d5=0, d6=0, d7=0)
        self.setup, self.high, self.low_first, self.wait = 200, 500, False, 50 * US

    def nibble(self, rs, nibble):
        pen = self.pen
        pen.set(rs=rs)
        pen.wait(60)
        pen.set(e=1)
        pen.wait(self.high - self.setup)
        pen.set(**{f"d{4 + bit}": nibble >> bit & 1 for bit in range(4)})
        pen.wait(self.setup)
        pen.set(e=0)
        pen.wait(500)

    def octet(self, rs, octet, wait=None):
        nibbles = (octet >> 4, octet & 15)
        for nibble in reversed(nibbles) if self.low_first else nibbles:
            self.nibble(rs, nibble)
        self.pen.wait(self.wait if wait is None else wait)

    def initialise(self, first=4_200 * US, second=110 * US):
        self.pen.wait(50_000 * US)
        for nibble, wait in ((3, first), (3, second), (3, 50 * US), (2, 50 * US)):
            self.nibble(0, nibble)
            self.pen.wait(wait)
        for octet in (0x28, 0x08):
            self.octet(0, octet)
        self.octet(0, 0x01, 1_600 * US)
        for octet in (0x06, 0x0C):
            self.octet(0, octet)

    def write(self, row, text):
        self.octet(0, 0x80 | row * 0x40)
        for letter in text:
            self.octet(1, ord(letter))

    def chip(self, taken=()):
        chip = hd44780.HD44780()
        taken = list(taken)
        for at, levels in self.pen.recording().levels(hd44780.NAMES):
            while taken and taken[0] <= at:
                taken.pop(0)
                chip.taken()
            chip.feed(at, levels)
        chip.finish()
        return chip


class HD44780Tests(unittest.TestCase):
    def written(self, **faults):
        lines = Parallel()
        lines.initialise(**{name: faults.pop(name) for name in ("first", "second") if name in faults})
        for name, value in faults.items():
            setattr(lines, name, value)
        lines.write(0, "PIN  123 456")
        lines.write(1, "Type it")
        return lines

    def test_a_display_written_by_the_sheet_is_read(self):
        chip = self.written().chip()
        self.assertEqual(chip.timings.faults, [])
        self.assertEqual(chip.history[-1][1], ("PIN  123 456", "Type it"))

    def test_a_display_that_is_off_shows_nothing(self):
        lines = self.written()
        lines.octet(0, 0x08)
        self.assertEqual(lines.chip().history[-1][1], ())

    def test_clearing_leaves_an_empty_display(self):
        lines = self.written()
        lines.octet(0, 0x01, 1_600 * US)
        self.assertEqual(lines.chip().history[-1][1], ("", ""))

    def test_short_pulses_and_late_data_are_faults(self):
        self.assertTrue(any("E high: 449 ns" in text for text in texts_of(self.written(high=449).chip().timings)))
        self.assertTrue(any("data before E falls: 194 ns" in t for t in texts_of(self.written(setup=194).chip().timings)))

    def test_an_instruction_that_is_not_waited_for_is_a_fault(self):
        found = texts_of(self.written(wait=40 * US).chip().timings)
        self.assertTrue(any("time for a datum: 40" in text for text in found), found[:3])
        lines = self.written()
        lines.octet(0, 0x01, 1_400 * US)
        lines.write(0, "1")
        self.assertTrue(any("time for clear display" in text for text in texts_of(lines.chip().timings)))

    def test_a_hasty_initialisation_is_a_fault(self):
        for fault, text in (("first", "wait 1 of the initialisation"), ("second", "wait 2 of the initialisation")):
            found = texts_of(self.written(**{fault: 90 * US}).chip().timings)
            self.assertTrue(any(text in one for one in found), found[:3])

    def test_nibbles_in_the_wrong_order_are_not_read(self):
        chip = self.written(low_first=True).chip()
        self.assertNotEqual(chip.history[-1][1], ("PIN  123 456", "Type it"))

    def test_a_lost_nibble_is_a_fault(self):
        lines = self.written()
        lines.nibble(1, 3)
        self.assertIn("half an octet at the end", texts_of(lines.chip().timings))

    def test_an_initialisation_mends_whatever_was_cut_short(self):
        lines = self.written()
        lines.nibble(1, 3)
        taken = lines.pen.at
        lines.pen.wait(10)
        lines.initialise()
        lines.write(0, "Paired")
        chip = lines.chip([taken])
        self.assertEqual(chip.history[-1][1], ("Paired", ""))
        self.assertEqual(chip.timings.faults, [])


class Registers595:
    def __init__(self, step=200):
        self.pen, self.step, self.setup = Pen(ser=0, srclk=0, rclk=0), step, step

    def write(self, *octets):
        """Octets, that of the farthest register first."""
        pen = self.pen
        for octet in octets:
            for bit in range(7, -1, -1):
                pen.set(ser=octet >> bit & 1)
                pen.wait(self.setup)
                pen.set(srclk=1)
                pen.wait(self.step)
                pen.set(srclk=0)
                pen.wait(self.step)
        pen.set(rclk=1)
        pen.wait(self.step)
        pen.set(rclk=0)
        pen.wait(self.step)


class HC595Tests(unittest.TestCase):
    KEYS = {"ser": "ser", "srclk": "srclk", "rclk": "rclk"}

    def test_times(self):
        def pins(registers):
            return texts_of(hc595.check_pins(registers.pen.recording().levels(hc595.NAMES)))

        right = Registers595(130)
        right.write(0xA5, 0x5A)
        self.assertEqual(pins(right), [])
        short = Registers595(120)
        short.write(0xA5)
        for text in ("SRCLK high: 120 ns", "RCLK high: 120 ns", "SER before SRCLK rises: 120 ns"):
            self.assertTrue(any(text in fault for fault in pins(short)), text)

    @unittest.skipUnless(shutil.which("sigrok-cli"), "no sigrok-cli")
    def test_a_static_chain_is_read(self):
        registers = Registers595()
        registers.write(0x7D, 0x6D, 0x66, 0x4F, 0x5B, 0x06)
        start = registers.pen.at
        registers.pen.wait(10_000 * US)
        end = registers.pen.at
        registers.write(0, 0, 0, 0, 0, 0)
        part = parts.HC595(registers.pen.recording(), self.KEYS | {"layout": "static", "digits": 6}, False)
        self.assertEqual(part.texts(start, end), ["123456", "123456"])
        self.assertEqual((part.last(), part.faults), ("", []))

    @unittest.skipUnless(shutil.which("sigrok-cli"), "no sigrok-cli")
    def test_a_multiplexed_pair_is_read(self):
        registers = Registers595(1 * US)
        shapes = (0x06, 0x5B, 0x4F, 0x66, 0x6D, 0x6D)
        start = registers.pen.at
        for _ in range(20):
            for digit, lit in enumerate(shapes):
                registers.write(0xFF & ~(1 << digit), lit)  # the digits' register is the farther one
                registers.pen.wait(1_300 * US)
        keys = self.KEYS | {"layout": "multiplexed", "digits": 6}
        part = parts.HC595(registers.pen.recording(), keys, False)
        self.assertEqual(part.texts(start + 10_000 * US, registers.pen.at), ["123455", "123455"])


class LampTests(unittest.TestCase):
    def states(self, order=range(6), step=1_300 * US, ghost=0):
        shapes = (0x06, 0x5B, 0x4F, 0x66, 0x6D, 0x6D)
        matrix = lamps.Multiplexed(anode=False, digit_is_inverted=False)
        at, states = 0, []
        for _ in range(20):
            for digit in order:
                for lit, time in ((shapes[digit - 1], ghost), (shapes[digit], step - ghost)):
                    if time:
                        lines = [lit >> bit & 1 for bit in range(8)]
                        states.append((at, matrix.lit(lines, [int(n != digit) for n in range(6)])))
                        at += time
        return states, at

    def test_what_is_lit_in_turn_is_seen_together(self):
        states, end = self.states()
        self.assertEqual(lamps.text(states, 0, end), "123455")
        self.assertEqual(list(lamps.ghosts(states, 0, end)), [])

    def test_the_refresh_is_measured(self):
        states, end = self.states()
        for rate, gap in lamps.rates(states, 0, end).values():
            self.assertAlmostEqual(rate, 1e9 / (6 * 1_300 * US), places=3)
            self.assertEqual(gap, 6 * 1_300 * US)

    def test_the_neighbours_segments_for_a_moment_are_a_flash(self):
        states, end = self.states(ghost=5 * US)
        self.assertEqual(lamps.text(states, 0, end), "123455")
        self.assertNotEqual(list(lamps.ghosts(states, 0, end)), [])

    def test_a_digit_left_out_is_not_seen(self):
        states, end = self.states(order=(0, 1, 2, 4, 5))
        self.assertEqual(lamps.text(states, 0, end), "123 55")

    def test_common_anodes_are_lit_by_low_segments_and_high_digits(self):
        matrix = lamps.Multiplexed(anode=True, digit_is_inverted=False)
        self.assertEqual(matrix.lit([1, 0, 0, 1, 1, 1, 1, 1], [0, 1]), (0, 0x06))
        inverted = lamps.Multiplexed(anode=True, digit_is_inverted=True)
        self.assertEqual(inverted.lit([1, 0, 0, 1, 1, 1, 1, 1], [0, 1]), (0x06, 0))

    @unittest.skipUnless(shutil.which("sigrok-cli"), "no sigrok-cli")
    def test_bare_digits_are_read(self):
        pen = Pen()
        shapes = (0x06, 0x5B, 0x4F)
        for _ in range(10):
            for digit, lit in enumerate(shapes):
                pen.set(**{name: lit >> bit & 1 for bit, name in enumerate("abcdefg")},
                        **{f"D{n}": int(n != digit) for n in range(3)})
                pen.wait(2_000 * US)
        # What is set together was set by one call.
        edges = [(at, at, name, state) for at, name, state in pen.edges]
        made = Recording({name: "down" for _, name, _ in pen.edges}, edges)
        part = parts.Bare(made, {"segment-lines": list("abcdefg"), "digit-lines": ["D0", "D1", "D2"]}, False)
        self.assertEqual(part.texts(pen.edges[0][0] + 10_000 * US, pen.at), ["123", "123"])


class SegmentTests(unittest.TestCase):
    def test_shapes(self):
        self.assertEqual(segments.text([0x3F, 0x06, 0x5B, 0x4F, 0x66, 0x6D, 0x7D, 0x07, 0x7F, 0x6F]), "0123456789")
        self.assertEqual(segments.text([0x73, 0x77, 0x6D, 0x6D, 0, 0]), segments.as_read("PASS"))
        self.assertEqual(segments.text([0x71, 0x77, 0x30, 0x38]), "FAIL")
        self.assertEqual(segments.glyph(0x01), "?")
        self.assertEqual(segments.glyph(0x86), "1.")

    def test_wiring_in_another_order(self):
        self.assertEqual(segments.rearranged(0x30, "gfedcbap"), segments.number_of("bc"))


class RecordingTests(unittest.TestCase):
    def test_what_one_call_does_is_done_at_once(self):
        made = Recording({"a": "down", "b": "up"}, [(10, 1, "a", "1"), (12, 1, "b", "0"), (20, 2, "a", "0")])
        self.assertEqual(list(made.levels(["a", "b"])), [(9, (0, 1)), (12, (1, 0)), (20, (0, 0))])
        self.assertEqual(list(made.levels(["b"])), [(9, (1,)), (12, (0,))])

    def test_a_file_keeps_it(self):
        made = Recording({"a": "down", "b": "up"}, [(10, 1, "a", "1"), (12, 1, "b", "z")])
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "edges"
            made.write(path)
            again = Recording.read(path)
            recording.write_vcd(again, Path(folder) / "vcd", 1)
            dump = (Path(folder) / "vcd").read_text()
        self.assertEqual((again.pulls, again.edges), (made.pulls, made.edges))
        self.assertIn("$timescale 1 ns $end", dump)
        self.assertIn("#3\n1n0\n", dump)

    def test_the_kernels_pages_are_read(self):
        def word(kind, delta, *more):
            return struct.pack("<I", delta << 5 | kind) + b"".join(more)

        def event(kind, *numbers, delta):
            body = struct.pack("<HBBi", kind, 0, 0, 77) + struct.pack("<Iii", *numbers)
            return word(len(body) // 4, delta, body)

        call = struct.pack("<HBBi", 9, 0, 0, 77) + struct.pack("<Q", 16) + struct.pack("<QQQ", 4, 0xC010B40F, 0)
        data = b"".join([
            word(len(call) // 4, 5, call),
            event(3, 512, 0, 1, delta=10), event(4, 512, 0, 0, delta=2),  # driven high
            word(recording.TIME_EXTEND, 1, struct.pack("<I", 1)),
            event(3, 513, 1, 1, delta=7),  # somebody reads
            event(4, 512, 1, 0, delta=0),  # released
        ])
        page = struct.pack("<QQ", 1000, len(data)) + data
        events = list(recording.raw_events(page.ljust(4096, b"\0")))
        self.assertEqual(events[0][0], 1005)
        kinds = {"gpio_value": 3, "gpio_direction": 4, "sys_enter_ioctl": 9}
        edges = list(recording.edges_of(events, kinds, {512: "A", 513: "B"}))
        later = 1017 + (1 << 27) + 1 + 7
        self.assertEqual(edges, [(1017, 1, "A", "1"), (later, 1, "A", "z")])
        lost = struct.pack("<QQ", 1000, recording.MISSED_EVENTS)
        self.assertRaises(recording.Lost, list, recording.raw_events(lost.ljust(4096, b"\0")))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])

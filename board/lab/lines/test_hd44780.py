"""The witness of an HD44780."""

import unittest

import hd44780
from by_hand import US, Pen, texts_of


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

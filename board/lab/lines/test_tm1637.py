"""The witness of a TM1637."""

import unittest

import tm1637
from by_hand import US, Pen, texts_of
from recording import Recording


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

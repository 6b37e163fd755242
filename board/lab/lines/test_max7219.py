"""The witness of a MAX7219."""

import shutil
import unittest

import max7219
import parts
from by_hand import Pen, texts_of
from recording import Recording


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

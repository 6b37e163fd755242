"""The witness of 74HC595s."""

import shutil
import unittest

import hc595
import parts
from by_hand import US, Pen, texts_of


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

"""What an eye sees of digits."""

import shutil
import unittest

import lamps
import parts
import segments
from by_hand import US, Pen
from recording import Recording


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

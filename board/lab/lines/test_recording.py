"""The kernel's trace and the file of edges."""

import struct
import tempfile
import unittest
from pathlib import Path

import recording
from recording import Recording


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
        self.assertEqual(edges, [(1015, 1, "A", "1"), (later, 1, "A", "z")])
        late = list(recording.edges_of([(0, call), (1, events[1][1]), (2, events[2][1])], kinds, {512: "A"}))
        self.assertEqual(late, [(1, 1, "A", "1")])
        lost = struct.pack("<QQ", 1000, recording.MISSED_EVENTS)
        self.assertRaises(recording.Lost, list, recording.raw_events(lost.ljust(4096, b"\0")))

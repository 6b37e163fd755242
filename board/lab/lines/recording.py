"""What happened on GPIO lines: the kernel's own trace, a file of edges made of it, and what others read of that.

A file of edges is text. Comment lines name the lines; every other line is `TIME CALL LINE STATE`: nanoseconds, the number
of the system call that did it, the line's name, and 0 or 1 when somebody drives it, z when nobody does. What one call
changes, it changes at once, whatever the order in which the kernel notes it. A line named * says that somebody takes lines.
"""

import struct

DRIVEN_LOW, DRIVEN_HIGH, RELEASED = "0", "1", "z"


class Recording:
    """Lines, and their edges in the order of time."""

    def __init__(self, pulls, edges):
        self.pulls = pulls  # name -> "up" or "down": what a line shows that nobody drives
        self.edges = edges  # (ns, call, name, state)

    @classmethod
    def of(cls, edges, pulls=None):
        """A recording written by hand: (ns, name, state), each edge by a call of its own."""
        names = {name for _, name, _ in edges}
        pulls = {name: "down" for name in names} | (pulls or {})
        return cls(pulls, [(at, number, name, str(state)) for number, (at, name, state) in enumerate(edges)])

    @classmethod
    def read(cls, path):
        pulls, edges = {}, []
        with open(path, encoding="ascii") as file:
            for line in file:
                words = line.split()
                if words[0] != "#":
                    edges.append((int(words[0]), int(words[1]), words[2], words[3]))
                elif words[1] == "line":
                    pulls[words[2]] = words[4]
        return cls(pulls, edges)

    def write(self, path):
        with open(path, "w", encoding="ascii") as file:
            file.write("# edges of GPIO lines: nanoseconds (CLOCK_MONOTONIC_RAW), system call, line, state\n")
            for name, pull in self.pulls.items():
                file.write(f"# line {name} pull {pull}\n")
            for at, call, name, state in self.edges:
                file.write(f"{at} {call} {name} {state}\n")

    def level(self, name, state):
        return int(self.pulls[name] == "up") if state == RELEASED else int(state)

    def instants(self, names):
        """(ns, states) for every call after which one of these lines is otherwise than before; first how it all began."""
        place = {name: number for number, name in enumerate(names)}
        states = [RELEASED] * len(names)
        shown = tuple(states)
        yield (self.edges[0][0] - 1 if self.edges else 0), shown
        last_call = last_at = None
        for at, call, name, state in self.edges:
            number = place.get(name)
            if number is None:
                continue
            if call != last_call:
                if last_call is not None and (now := tuple(states)) != shown:
                    shown = now
                    yield last_at, shown
                last_call = call
            last_at = at
            states[number] = state
        if last_call is not None and (now := tuple(states)) != shown:
            yield last_at, now

    def levels(self, names):
        """As instants, and every state is 0 or 1."""
        idle = [int(self.pulls.get(name) == "up") for name in names]
        last = None
        for at, states in self.instants(names):
            levels = tuple(idle[n] if state == RELEASED else int(state) for n, state in enumerate(states))
            if levels != last:
                last = levels
                yield at, levels


def write_vcd(recording, path, nanoseconds=1):
    """A value change dump with steps of so many nanoseconds, which GTKWave, PulseView and sigrok-cli read."""
    names = list(recording.pulls)
    marks = {name: f"n{number}" for number, name in enumerate(names)}
    with open(path, "w", encoding="ascii") as file:
        file.write(f"$timescale {nanoseconds} ns $end\n$scope module lines $end\n")
        for name in names:
            file.write(f"$var wire 1 {marks[name]} {name} $end\n")
        file.write("$upscope $end\n$enddefinitions $end\n")
        start, shown, last = None, [None] * len(names), -1
        for at, levels in recording.levels(names):
            start = at if start is None else start
            if (at - start) // nanoseconds != last:
                last = (at - start) // nanoseconds
                file.write(f"#{last}\n")
            for number, level in enumerate(levels):
                if level != shown[number]:
                    shown[number] = level
                    file.write(f"{level}{marks[names[number]]}\n")
        file.write(f"#{last + 1}\n")


# The kernel's ring buffer, as trace_pipe_raw gives it (Linux, include/linux/ring_buffer.h): pages of a time stamp, a
# length and events; an event's first word is its kind or length (5 bits) and the time since the one before (27 bits).
PADDING, TIME_EXTEND, TIME_STAMP = 29, 30, 31
MISSED_EVENTS = 1 << 31

TAKEN = "*"
GPIO_V2_GET_LINE = 0xC250B407


class Lost(Exception):
    """The buffer was too small: edges are missing."""


def raw_events(octets, page_size=4096):
    """(ns, octets of the event)"""
    for start in range(0, len(octets), page_size):
        now, commit = struct.unpack_from("<QQ", octets, start)
        if commit & MISSED_EVENTS:
            raise Lost("the trace buffer overflowed: edges are missing")
        at, end = start + 16, start + 16 + (commit & 0xFFFFF)
        while at + 4 <= end:
            (word,) = struct.unpack_from("<I", octets, at)
            kind, delta = word & 31, word >> 5
            at += 4
            if kind == PADDING:
                if not delta:
                    break
                at += struct.unpack_from("<I", octets, at)[0]
                continue
            if kind in (TIME_EXTEND, TIME_STAMP):
                (high,) = struct.unpack_from("<I", octets, at)
                at += 4
                now = (high << 27) + delta if kind == TIME_STAMP else now + (high << 27) + delta
                continue
            if kind:
                length = kind * 4
            else:
                length = struct.unpack_from("<I", octets, at)[0] - 4
                at += 4
            now += delta
            yield now, octets[at : at + length]
            at += length


def edges_of(events, kinds, names):
    """Edges, of the events of all processors in the order of time.

    kinds: names of events -> their numbers; names: numbers of lines -> their names.
    """
    value, direction, entry = kinds["gpio_value"], kinds["gpio_direction"], kinds["sys_enter_ioctl"]
    calls, count = {}, 0
    driven, is_output, shown = {}, {}, {}
    for at, octets in events:
        kind, _, _, process = struct.unpack_from("<HBBi", octets)
        if kind == entry:
            count += 1
            calls[process] = count
            if struct.unpack_from("<Q", octets, 24)[0] & 0xFFFFFFFF == GPIO_V2_GET_LINE:
                yield at, count, TAKEN, "-"
            continue
        if kind not in (value, direction):
            continue
        line, first, second = struct.unpack_from("<Iii", octets, 8)
        name = names.get(line)
        if name is None:
            continue
        if kind == value:
            if first:  # somebody reads
                continue
            driven[name] = second
            # Taken before the recording began: a line whose level is set is an output.
            is_output.setdefault(name, True)
        elif second == 0:
            is_output[name] = not first
            if first:
                driven[name] = 0
        state = str(driven.get(name, 0)) if is_output.get(name) else RELEASED
        if shown.get(name, RELEASED) != state:
            shown[name] = state
            yield at, calls.get(process, 0), name, state

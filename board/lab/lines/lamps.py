"""Digits that are lit directly, one after the other or all the time: what an eye sees, and how often each one is lit.

The input is (ns, digits): from then on those segments of each digit, from the left, have current.
"""

import bisect

import segments

# A segment that is lit for less than this share of the time of the brightest one is not seen.
SEEN = 0.25


class Multiplexed:
    """Digits out of the levels of segment and digit lines."""

    def __init__(self, anode, digit_is_inverted):
        self.segment_level = 0 if anode else 1
        self.digit_level = int(bool(anode) != bool(digit_is_inverted))

    def lit(self, segment_levels, digit_levels):
        chosen = [level == self.digit_level for level in digit_levels]
        lit = sum(1 << bit for bit, level in enumerate(segment_levels) if level == self.segment_level)
        return tuple(lit if is_chosen else 0 for is_chosen in chosen)


def spans(states, start, end):
    """(digits, from, to) of what was lit between two times."""
    first = max(bisect.bisect_right(states, start, key=lambda state: state[0]) - 1, 0)
    for number in range(first, len(states)):
        at, digits = states[number]
        if at >= end:
            return
        until = states[number + 1][0] if number + 1 < len(states) else end
        if min(until, end) > max(at, start):
            yield digits, max(at, start), min(until, end)


def seen(states, start, end):
    """What an eye sees on each digit between two times: its segments."""
    times = {}
    for digits, since, until in spans(states, start, end):
        for number, lit in enumerate(digits):
            for bit in range(8):
                if lit >> bit & 1:
                    times[number, bit] = times.get((number, bit), 0) + until - since
    count = len(states[0][1]) if states else 0
    brightest = max(times.values(), default=0)
    return [sum(1 << bit for bit in range(8) if times.get((n, bit), 0) > SEEN * brightest) for n in range(count)]


def rates(states, start, end):
    """For each digit that is lit: times a second, and the longest time (ns) from one lighting to the next."""
    starts, lit_before = {}, None
    for digits, since, _ in spans(states, start, end):
        for number, lit in enumerate(digits):
            if lit and not (lit_before and lit_before[number]):
                starts.setdefault(number, []).append(since)
        lit_before = digits
    found = {}
    for number, times in starts.items():
        if len(times) > 2:
            gaps = [later - earlier for earlier, later in zip(times, times[1:])]
            found[number] = len(gaps) * 1e9 / (times[-1] - times[0]), max(gaps)
    return found


def ghosts(states, start, end):
    """Flashes of what an eye shall not see: (ns, digit, segments) of any lit segment that does not belong there."""
    right = seen(states, start, end)
    for digits, since, until in spans(states, start, end):
        for number, lit in enumerate(digits):
            if lit & ~right[number]:
                yield since, number, lit & ~right[number]


def text(states, start, end):
    return segments.text(seen(states, start, end))

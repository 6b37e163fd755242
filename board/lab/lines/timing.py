"""Times that a chip's data sheet asks for, and the least that were seen."""


class Timings:
    """Collects what was too short, and how near to its limit everything came."""

    def __init__(self):
        self.least = {}  # what -> (ns, limit)
        self.faults = []  # (ns, text)

    def at_least(self, what, limit, nanoseconds, at):
        if what not in self.least or nanoseconds < self.least[what][0]:
            self.least[what] = nanoseconds, limit
        if nanoseconds < limit:
            self.fault(at, f"{what}: {nanoseconds} ns, {limit} wanted")

    def fault(self, at, text):
        self.faults.append((at, text))

    def summary(self):
        """The time nearest to its limit."""
        near = sorted((seen / (limit or 1), what) for what, (seen, limit) in self.least.items())
        return ", ".join(f"{what} {self.least[what][0]} ns (at least {self.least[what][1]})" for _, what in near[:1])

"""Edges written by hand, for the tests of the witnesses."""

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


def texts_of(timings):
    return [text for _, text in timings.faults]

"""Seven-segment digits: which segments are lit, and what a person reads there.

A digit is a number whose bits 0 to 7 are the segments a to g and the decimal point.
"""

SHAPES = {
    "abcdef": "0", "bc": "1", "abdeg": "2", "abcdg": "3", "bcfg": "4", "acdfg": "5", "acdefg": "6", "abc": "7",
    "abcdefg": "8", "abcdfg": "9", "abcefg": "A", "adef": "C", "bcdeg": "d", "aefg": "F", "ef": "I", "def": "L",
    "abefg": "P", "eg": "r", "bcdfg": "y", "g": "-", "": " ",
    "cdefg": "6", "abcfg": "9", "abcf": "7",
}
# Letters that look like digits are read as those.
ALIKE = str.maketrans("SO", "50")


def number_of(letters):
    return sum(1 << "abcdefgp".index(letter) for letter in letters)


GLYPHS = {number_of(letters): glyph for letters, glyph in SHAPES.items()}


def glyph(lit):
    """What a digit with these segments is read as; a point after it when that is lit, ? for no shape known."""
    return GLYPHS.get(lit & 0x7F, "?") + ("." if lit & 0x80 else "")


def text(digits):
    """What a row of digits is read as, without the dark ones at the end."""
    return "".join(map(glyph, digits)).rstrip()


def as_read(written):
    """How a text looks on such digits."""
    return written.translate(ALIKE)


def rearranged(outputs, order):
    """Segments, from a part's outputs 0 to 7 and the names of the segments they are wired to."""
    return sum(1 << "abcdefgp".index(name) for bit, name in enumerate(order) if outputs >> bit & 1)

"""The published transcripts that the codec's tests are held to as well."""

import json
from pathlib import Path

FIXTURE = Path(__file__).resolve().parent.parent / "TestVectors/nan-vectors.json"


def published():
    """Name and frame, in order, of every published transcript."""
    def walk(path, value):
        if isinstance(value, dict):
            for key, inner in value.items():
                yield from walk(path + [key], inner)
        elif isinstance(value, list):
            for index, inner in enumerate(value, 1):
                yield from walk(path + [str(index)], inner)
        elif isinstance(value, str) and value[:4] in ("d000", "d040", "b000") and len(value) > 60:
            yield "/".join(path), bytes.fromhex(value)
    yield from walk([], json.loads(FIXTURE.read_text()))

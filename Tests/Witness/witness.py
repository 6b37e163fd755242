#!/usr/bin/env python3
"""tshark as a witness: it reads our frames and must print what was sent, attribute by attribute, and complain about nothing.

Usage: witness.py LISTING [--full] [CAPTURE...]

LISTING is the built FrameListing program: it decodes frames with our codec and lists each attribute's and element's
octets, encoded anew, and its values under tshark's names. Without a CAPTURE (pcap or pcapng of 802.11 frames in clear)
the published transcripts are read. --full insists on a tshark that knows the attributes of pairing (4.4 and later);
without it, an older one is asked only for what it knows.
"""

import json
import subprocess
import sys
from pathlib import Path

import capture
import transcripts
import tshark

AUTHENTICATION, ACTION, BEACON = 0xB0, 0xD0, 0x80

# What tshark says of frames that are right: it takes a NAN element outside a beacon for a beacon of unknown kind,
# and does not know PASN's element 161 (hash-to-element groups of the encrypted data).
EXPECTED_OF_PASN = ("Unknown beacon type - Beacon type detection error", "Extension Tag (161) code not implemented")

# Printed beside the values, and no value of its own: numbers and lengths of the parts, which are compared, and an octet
# that only 4.0 names, whose bits are.
FRAMING = {
    "wifi_nan.cipher_suite.capabilities",
    "wifi_nan.attribute.type", "wifi_nan.attribute.len", "wlan.tag.number", "wlan.tag.length", "wlan.ext_tag.number",
    "wlan.ext_tag.length", "wlan.ext_tag.data", "wlan.tag.oui", "wlan.tag.vendor.oui.type", "wlan.tag.vendor.data",
}


def captured(path):
    for number, frame in enumerate(capture.read(Path(path).read_bytes()), 1):
        if len(frame) > 24 and frame[0] in (AUTHENTICATION, ACTION, BEACON):
            yield f"{Path(path).name}:{number}", frame


def list_frames(program, frames):
    """Our codec's view of each frame."""
    lines = "".join(f"{frame.hex()}\n" for frame in frames)
    output = subprocess.run([program], input=lines, capture_output=True, text=True, check=True).stdout
    listings = [json.loads(line) for line in output.splitlines()]
    if len(listings) != len(frames):
        raise ValueError(f"{program} listed {len(listings)} of {len(frames)} frames")
    return listings


class Witness:
    def __init__(self, full):
        self.names = tshark.known_names()
        self.knows_pairing = "wifi_nan.nan_pairing_bootstrapping.dialog_token" in self.names
        self.compared = self.parts = 0
        self.missing = set()
        if full and not self.knows_pairing:
            sys.exit(f"witness: {tshark.version()} does not know the attributes of pairing; 4.4 does")

    def differences(self, listing, reading, is_pasn):
        """What tshark prints otherwise than it was sent; empty when all is well."""
        if "error" in listing:
            return [f"our codec refuses it: {listing['error']}"]
        found = [f"tshark complains: {text}" for text in self.unexpected(reading, is_pasn)]
        found += self.parts_differ("attribute", listing["attributes"], reading.attributes)
        found += self.parts_differ("element", listing["elements"], reading.elements)
        found += self.values_differ("frame", listing["values"], reading.values, complete=False)
        return found

    def unexpected(self, reading, is_pasn):
        late = sum(part.name in tshark.LATE_ATTRIBUTES for part in reading.attributes)
        for text in reading.complaints:
            if is_pasn and any(expected in text for expected in EXPECTED_OF_PASN):
                continue
            if not self.knows_pairing and late and "Unknown attribute ID" in text:
                late -= 1
                continue
            yield text

    def parts_differ(self, kind, ours, theirs):
        names = [tuple(part["id"]) if kind == "element" else part["id"] for part in ours]
        if names != [part.name for part in theirs]:
            yield f"{kind}s sent {names}, printed {[part.name for part in theirs]}"
            return
        for name, our, their in zip(names, ours, theirs):
            self.parts += 1
            if our["octets"] != their.octets.hex():
                yield f"{kind} {name}: sent {our['octets']}, printed {their.octets.hex()}"
            elif self.knows_pairing or name not in tshark.LATE_ATTRIBUTES:
                yield from self.values_differ(f"{kind} {name}", our["values"], their.values, complete=kind == "attribute")

    def values_differ(self, place, ours, theirs, complete):
        printed, sent = {}, {}
        for value in theirs:
            printed.setdefault(value.name, []).append(value)
        for name, value in ours:
            sent.setdefault(name, []).append(value)
        for name, values in sent.items():
            if name not in self.names:
                self.missing.add(name)
                continue
            shown = printed.get(name, [])
            if len(shown) != len(values) or not all(map(tshark.same, values, shown)):
                yield f"{place}: {name} sent {values}, printed {[value.shown for value in shown]}"
            self.compared += len(values)
        if complete:
            for name, values in printed.items():
                if name not in sent and name not in FRAMING and not all(value.derived for value in values):
                    yield f"{place}: tshark prints {name} = {values[0].shown}, which nobody sent"

    def can_fail(self, name, frame, listing, is_pasn):
        """Flips one octet after another of what tshark gets; every one must be noticed."""
        places = range(4, len(frame))
        flipped = [frame[:at] + bytes([frame[at] ^ 0x01]) + frame[at + 1 :] for at in places]
        compared, parts, missing = self.compared, self.parts, set(self.missing)
        unnoticed = [
            at for at, reading in zip(places, tshark.read(flipped)) if not list(self.differences(listing, reading, is_pasn))
        ]
        self.compared, self.parts, self.missing = compared, parts, missing
        return len(places), unnoticed


def main():
    arguments = sys.argv[1:]
    full = "--full" in arguments
    arguments = [argument for argument in arguments if argument != "--full"]
    if not arguments or any(argument.startswith("-") for argument in arguments):
        print(__doc__.strip().split("\n\n")[1], file=sys.stderr)
        return 2
    program, captures = arguments[0], arguments[1:]
    named = [pair for path in captures for pair in captured(path)] if captures else list(transcripts.published())
    frames = [capture.in_clear(frame) for _, frame in named]
    if not frames:
        print("witness: no frame to read", file=sys.stderr)
        return 1

    witness = Witness(full)
    failures = 0
    listings = list_frames(program, frames)
    for (name, frame), listing, reading in zip(named, listings, tshark.read(frames)):
        for difference in witness.differences(listing, reading, frame[0] == AUTHENTICATION):
            print(f"{name}: {difference}")
            failures += 1
    if full and witness.missing:
        print(f"tshark has no field of these names: {', '.join(sorted(witness.missing))}")
        failures += 1

    # A witness that cannot say no is none: one frame of each kind, every octet of it changed in turn.
    seen, flips = set(), 0
    for (name, frame), listing in zip(zip((n for n, _ in named), frames), listings):
        kind = (frame[0], frame[24:32] if frame[0] == ACTION else frame[26:28])
        if kind in seen or "error" in listing:
            continue
        seen.add(kind)
        count, unnoticed = witness.can_fail(name, frame, listing, frame[0] == AUTHENTICATION)
        flips += count
        if unnoticed:
            print(f"{name}: a changed octet goes unnoticed at {unnoticed}")
            failures += 1

    print(f"witness: {tshark.version()}")
    print(f"witness: {len(frames)} frames, {witness.parts} attributes and elements, {witness.compared} values compared,"
          f" {flips} changed octets tried, {failures} differences")
    return 1 if failures else 0


sys.exit(main())

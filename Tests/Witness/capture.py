"""Capture files: reads 802.11 frames from pcap and pcapng, writes them as pcap."""

import struct

PLAIN_80211, RADIOTAP = 105, 127
PROTECTED = 0x40


def read(octets):
    """Yields every frame of a pcap or pcapng file, without a radiotap header."""
    if octets[:4] == b"\x0a\x0d\x0d\x0a":
        yield from _pcapng(octets)
    elif octets[:4] in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1"):
        link, at = struct.unpack_from("<I", octets, 20)[0], 24
        while at < len(octets):
            length = struct.unpack_from("<I", octets, at + 8)[0]
            yield _bare(octets[at + 16 : at + 16 + length], link)
            at += 16 + length
    else:
        raise ValueError("neither pcap nor pcapng, little-endian")


def _pcapng(octets):
    links, at = [], 0
    while at + 12 <= len(octets):
        kind, length = struct.unpack_from("<II", octets, at)
        if length < 12 or at + length > len(octets):
            raise ValueError(f"pcapng block at {at} is cut off")
        if kind == 0x0A0D0D0A:
            links = []
        elif kind == 1:
            links.append(struct.unpack_from("<H", octets, at + 8)[0])
        elif kind == 6:
            interface, _, _, captured = struct.unpack_from("<IIII", octets, at + 8)
            yield _bare(octets[at + 28 : at + 28 + captured], links[interface])
        at += length


def _bare(frame, link):
    if link == RADIOTAP:
        return frame[struct.unpack_from("<H", frame, 2)[0] :]
    if link != PLAIN_80211:
        raise ValueError(f"link type {link} is not 802.11")
    return frame


def in_clear(frame):
    """The same frame with the Protected bit cleared: its octets are not encrypted, and tshark would believe it."""
    return frame[:1] + bytes([frame[1] & ~PROTECTED]) + frame[2:]


def write(path, frames):
    with open(path, "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, PLAIN_80211))
        for number, frame in enumerate(frames):
            file.write(struct.pack("<IIII", number, 0, len(frame), len(frame)) + frame)

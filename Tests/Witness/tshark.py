"""What tshark says about a frame: attributes, elements, every named value, and its complaints."""

import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import capture

# 4.0 does not know these attributes; 4.4 does.
LATE_ATTRIBUTES = {0x29, 0x2A, 0x2B, 0x2C}


class Part:
    """An attribute or element as tshark delimits and reads it."""

    def __init__(self, name, octets, values):
        self.name, self.octets, self.values = name, octets, values


class Reading:
    """One frame: `attributes` and `elements` in order, `values` outside them, `complaints`."""

    def __init__(self):
        self.attributes, self.elements, self.values, self.complaints = [], [], [], []


def known_names():
    """Every field name this tshark can print."""
    listed = subprocess.run(["tshark", "-G", "fields"], capture_output=True, text=True, check=True).stdout
    return {modern(line.split("\t")[2]) for line in listed.split("\n") if line.startswith("F\t")}


def modern(name):
    """4.0 calls the protocol `nan`, 4.4 `wifi_nan`."""
    return f"wifi_{name}" if name == "nan" or name.startswith("nan.") else name


def version():
    return subprocess.run(["tshark", "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[0]


def read(frames):
    """tshark's reading of each frame."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "frames.pcap"
        capture.write(path, frames)
        document = subprocess.run(["tshark", "-n", "-r", str(path), "-T", "pdml"], capture_output=True, check=True).stdout
    packets = list(ElementTree.fromstring(document))
    for packet in packets:
        for node in packet.iter():
            node.set("name", modern(node.get("name") or ""))
    if len(packets) != len(frames):
        raise ValueError(f"tshark read {len(packets)} of {len(frames)} frames")
    return [_reading(packet, frame) for packet, frame in zip(packets, frames)]


def _reading(packet, frame):
    reading = Reading()
    for protocol in packet:
        if protocol.get("name") not in ("geninfo", "frame"):
            _walk(protocol, frame, reading)
    for node in packet.iter():
        if node.get("name") == "_ws.expert":
            reading.complaints.append(node.get("showname", "complaint"))
        elif node.get("name").startswith(("_ws.malformed", "_ws.short", "_ws.unreassembled")):
            reading.complaints.append(node.get("showname", node.get("name")))
        elif node.get("name") == "data":
            reading.complaints.append("octets that tshark does not dissect")
    return reading


def _walk(node, frame, reading):
    for child in node:
        name = child.get("name")
        start, size = int(child.get("pos") or 0), int(child.get("size") or 0)
        octets = frame[start : start + size]
        if name == "_ws.expert":
            continue
        if (kind := child.find("./field[@name='wifi_nan.attribute.type']")) is not None:
            reading.attributes.append(Part(int(kind.get("show"), 0), octets, _values(child)))
        elif name == "wlan.tag":
            number = int(child.find("./field[@name='wlan.tag.number']").get("show"))
            reading.elements.append(Part((number,), octets[2:], _values(child)))
            _walk(child, frame, reading)
        elif name == "wlan.ext_tag":
            number = child.find("./field[@name='wlan.ext_tag.number']")
            at = int(number.get("pos"))  # its octet; the one before it is the length, whatever the group's position says
            octets = frame[at : at + frame[at - 1]]
            reading.elements.append(Part((255, int(number.get("show"))), octets, _values(child)))
        else:
            reading.values.extend(_own(child))
            _walk(child, frame, reading)


class Value:
    """A named field: what tshark shows, its octets as hex, where it ends, and whether it is bits or made of fields below."""

    def __init__(self, node, derived):
        size, octets = int(node.get("size")), node.get("value") or ""
        self.name, self.shown, self.octets = node.get("name"), node.get("show") or "", octets
        self.end = int(node.get("pos")) + size
        self.derived = derived or len(octets) != 2 * size or any(child.get("name") for child in node)


def _own(node, derived=False):
    if node.tag == "field" and node.get("name") and int(node.get("size") or 0):
        yield Value(node, derived)


def _values(part, inside_field=False):
    """The fields below a node, in order; a nested NAN attribute is not its element's business."""
    found = []
    end = int(part.get("pos")) + int(part.get("size"))
    for child in part:
        name = child.get("name")
        if name.startswith("_ws.") or name == "wifi_nan" and child.tag == "proto":
            continue
        for value in _own(child, inside_field):
            # Two habits of tshark: it reads a responder NDI out of any NDP response, past its end when there is none,
            # and a key descriptor to the end of the frame.
            past = value.end - end
            if value.name == "wifi_nan.shared_key.rsna_key_descriptor" and past > 0:
                value.octets = value.octets[: -2 * past]
            if value.name != "wifi_nan.ndp.responder.ndi" or past <= 0:
                found.append(value)
        found += _values(child, inside_field or bool(name))
    return found


def same(ours, value):
    """Whether what tshark prints is our number, our octets as hex, or our text."""
    shown = value.shown.strip()
    if isinstance(ours, str):
        return ours in (value.octets, shown)
    if shown in ("True", "False"):
        return ours == (shown == "True")
    try:
        return ours == int(shown, 0)
    except ValueError:
        return False

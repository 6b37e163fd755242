"""sigrok's decoders, which know nothing of this project: sigrok-cli is run on instants, one sample for each.

So the number of a sample is that of an instant, whose time is known to the nanosecond, and nothing depends on how long
lines were quiet.
"""

import subprocess
import tempfile


def annotations(levels, decoders, shown):
    """(first, last, decoder, text) of what the decoders say, in samples.

    levels: a list of levels of channels for each sample; decoders: sigrok-cli's words for them, which name a channel by its
    number; shown: its words for the annotations.
    """
    if not levels:
        return []
    channels = len(levels[0])
    width = (channels + 7) // 8
    octets = bytearray()
    for sample in levels:
        octets += sum(level << n for n, level in enumerate(sample)).to_bytes(width, "little")
    # The last state is only told when another follows.
    octets += octets[-width:]
    with tempfile.NamedTemporaryFile(suffix=".bin") as file:
        file.write(octets)
        file.flush()
        command = ["sigrok-cli", "-i", file.name, "-I", f"binary:numchannels={channels}:samplerate=1000000"]
        for decoder in decoders:
            command += ["-P", decoder]
        command += ["-A", shown, "--protocol-decoder-samplenum"]
        answer = subprocess.run(command, capture_output=True, text=True)
    if answer.returncode or "error" in answer.stderr.lower():
        raise RuntimeError(f"sigrok-cli: {answer.stderr.strip()}")
    found = []
    for line in answer.stdout.splitlines():
        place, _, rest = line.partition(" ")
        decoder, _, text = rest.partition(": ")
        first, _, last = place.partition("-")
        found.append((int(first), int(last), decoder, text))
    return found

#!/usr/bin/env python3
"""Writes every published frame into a folder, one file each: what libFuzzer starts from. Usage: seeds.py FOLDER"""

import sys
from pathlib import Path

import transcripts

folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for number, (_, frame) in enumerate(transcripts.published()):
    (folder / f"{number:03}").write_bytes(frame)

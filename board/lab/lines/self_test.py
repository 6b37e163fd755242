#!/usr/bin/env python3
"""The witnesses of GPIO lines against edges written by hand from the data sheets: right ones, and each fault they are for.

Where sigrok-cli is not installed (it is in the lab's guest) what needs it is left out. Usage: self_test.py [-q]
"""

import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
unittest.main(module=None, argv=["self_test.py", "discover", "-s", str(Path(__file__).parent), *sys.argv[1:]])

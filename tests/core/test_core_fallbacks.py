"""An interpreter without the compiled parts that hooks use directly."""

import json
import subprocess
import sys

import pytest

from support import ROOT

SCRIPT = """
import sys
sys.path.insert(0, {lib!r})
for name in {missing!r}:
    sys.modules[name] = None
from session_memory.core.digest import sha256_hex
from session_memory.core.json_text import encode, first_value
value, end = first_value({text!r})
assert end == len({text!r}), end
print(encode([value, sha256_hex(b"")]))
"""
MOVED = """
import _json
real = _json.make_scanner
_json.make_scanner = lambda options: real(options) if hasattr(options, "decode") else options.new
"""
TEXT = '{"a": [1, 2.5, "\\u4e2d", null, true]}'
EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.mark.parametrize("missing", [(), ("_json",), ("_sha256", "_sha2")], ids=str)
def test_the_answers_are_the_same(missing: tuple[str, ...]) -> None:
    script = SCRIPT.format(lib=str(ROOT / "lib"), missing=missing, text=TEXT)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert json.loads(done.stdout) == [json.loads(TEXT), EMPTY]


def test_a_scanner_whose_interface_has_moved() -> None:
    script = MOVED + SCRIPT.format(lib=str(ROOT / "lib"), missing=(), text=TEXT)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert json.loads(done.stdout) == [json.loads(TEXT), EMPTY]

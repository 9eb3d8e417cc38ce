"""A fault in JSON is told as such also by an interpreter that has not imported json."""

import subprocess
import sys

import pytest

from support import ROOT


@pytest.mark.parametrize("text", ["{", "[1", '"a', '{"a" 1}', '"\x01"'])
def test_fault_without_json_imported(text: str) -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT / 'lib')!r})\n"
        "from session_memory.core.json_text import first_value\n"
        f"try: first_value({text!r})\nexcept ValueError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False
    )
    assert "at character" in done.stdout, done.stderr

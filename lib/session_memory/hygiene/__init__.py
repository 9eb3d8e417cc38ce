"""Release hygiene: the edit of an entry point ships with a version bump (SMC-12).

Entry points are the files of a plugin that its users meet first.
"""

# Relative to the checkout's root. This is the only list; "/**" stands for all that a folder holds.
ENTRY_POINTS = (
    *("agents/**", "commands/**", "skills/**", "hooks/**", ".claude-plugin/**"),
    *("plugin.json", "README.md", ".github/copilot-instructions.md"),
)

_FOLDERS = tuple([name[:-2].lower() for name in ENTRY_POINTS if name.endswith("/**")])
_FILES = tuple([name.lower() for name in ENTRY_POINTS if not name.endswith("/**")])
_INNER_FOLDERS = tuple(["/" + name for name in _FOLDERS])
_INNER_FILES = tuple(["/" + name for name in _FILES])


def is_entry_point(relative: str) -> bool:
    """Whether this path, relative to the checkout's root, is an entry point."""
    path = canonical(relative)
    return path in _FILES or path.startswith(_FOLDERS)


def may_be_entry_point(path: str) -> bool:
    """Whether the absolute ``path`` could be one below some root, as far as its text tells.

    It spares all other edits the search for a checkout.
    """
    path = path.lower()
    return path.endswith(_INNER_FILES) or any([name in path for name in _INNER_FOLDERS])


def canonical(relative: str) -> str:
    """A relative path in the one spelling for comparisons, which ignore case on every system."""
    return relative.replace("\\", "/").removeprefix("./").lower()

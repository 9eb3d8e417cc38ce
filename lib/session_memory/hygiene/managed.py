"""The managed files: where each states the version, and how to find it there.

A pattern is literal text around one placeholder, not a regular expression: it may come from the
repository being edited and must not be able to hang a hook. The work is bounded by constants.
"""

from session_memory.hygiene.versions import CHARACTERS, MAX_LENGTH, precedence

PLACEHOLDER = "(VERSION)"

_JSON = '"version": "(VERSION)"'
_DEFAULT_FILES = (
    ("plugin.json", _JSON, 1),
    (".claude-plugin/plugin.json", _JSON, 1),
    (".claude-plugin/marketplace.json", _JSON, 2),
    (".github/plugin/marketplace.json", _JSON, 2),
    ("README.md", "version-v(VERSION)-blue", 1),
)

# Together they keep the question to git within a pipe's buffer, on every system.
MAX_FILES = 16
MAX_PATH = 128
MAX_PATTERN = 200
MAX_MINIMUM = 100

_MEMBERS = frozenset(("path", "pattern", "minimum"))
_MAX_PLACES = 500
_MAX_GAP = 64
_WHITE = frozenset(" \t\r\n")


class ManagedFile:
    """A file that states the version, ``minimum`` times or more."""

    __slots__ = ("minimum", "path", "pattern")

    def __init__(self, path: str, pattern: str, minimum: int) -> None:
        self.path = path
        self.pattern = Pattern(pattern)
        self.minimum = minimum


def default_files() -> "tuple[ManagedFile, ...]":
    """The managed files of a plugin whose settings name no others."""
    return tuple([ManagedFile(*row) for row in _DEFAULT_FILES])


def listed_files(listed: object) -> "tuple[ManagedFile, ...]":
    """The managed files that settings list; :class:`ValueError` when one of them is unusable."""
    if not isinstance(listed, list) or not 0 < len(listed) <= MAX_FILES:
        raise ValueError(f"not a list of 1 to {MAX_FILES} tables")
    return tuple([_listed_file(item) for item in listed])


def _listed_file(item: object) -> ManagedFile:
    members = item if isinstance(item, dict) else {}
    if not _MEMBERS.issuperset(members):
        raise ValueError(f"a file has other keys than {', '.join(sorted(_MEMBERS))}")
    path, pattern = members.get("path"), members.get("pattern")
    minimum = members.get("minimum", 1)
    if not isinstance(path, str) or not _is_inside(path):
        raise ValueError("path is not that of a file below the root")
    if not isinstance(pattern, str) or len(pattern) > MAX_PATTERN:
        raise ValueError("pattern is not a short text")
    if type(minimum) is not int or not 0 < minimum <= MAX_MINIMUM:
        raise ValueError("minimum is not a positive number")
    return ManagedFile(path, pattern, minimum)


def _is_inside(path: str) -> bool:
    """Whether this is a path below the root that can be sent to git on a line of its own."""
    parts = path.split("/")
    plain = len(path) <= MAX_PATH and path.isprintable() and "\\" not in path
    return plain and not any([part in ("", ".", "..") for part in parts])


class Pattern:
    """A text such as ``"version": "(VERSION)"``.

    A blank stands for any run of white space, also for none. Raises :class:`ValueError` unless the
    placeholder occurs once and the text does not begin with a blank.
    """

    def __init__(self, text: str) -> None:
        before, placeholder, after = text.partition(PLACEHOLDER)
        if not placeholder or PLACEHOLDER in after:
            raise ValueError(f"needs {PLACEHOLDER} once")
        if text[0] in _WHITE:
            raise ValueError("begins with a blank")
        self.text = text
        self._before = before.split(" ")
        self._after = after.split(" ")
        # A badge separates its fields by dashes, so a dash inside of one is doubled.
        self._doubled_dash = after.startswith("-")

    def find(self, text: str) -> "list[str]":
        """Every version that ``text`` states here, in order."""
        found = []
        for place in self._places(text):
            start = _match(text, place, self._before)
            version = self._version(text, start) if start >= 0 else ""
            if version:
                found.append(version)
        return found

    def _places(self, text: str) -> "list[int]":
        anchor = self._before[0]
        if not anchor:  # the placeholder comes first: the file begins with its version
            return [0]
        places: list[int] = []
        place = text.find(anchor)
        while place >= 0 and len(places) < _MAX_PLACES:
            places.append(place)
            place = text.find(anchor, place + 1)
        return places

    def _version(self, text: str, start: int) -> str:
        """The longest version at ``start`` that is followed by the rest of the pattern."""
        end = start
        while end < len(text) and end - start < MAX_LENGTH and text[end] in CHARACTERS:
            end += 1
        for stop in range(end, start, -1):
            if _match(text, stop, self._after) >= 0:
                version = text[start:stop]
                if self._doubled_dash:
                    version = version.replace("--", "-")
                if precedence(version):
                    return version
        return ""


def _match(text: str, place: int, words: "list[str]") -> int:
    """Where ``words`` end that stand at ``place``; -1 when they do not."""
    for index, word in enumerate(words):
        if index:
            place = _behind_white(text, place)
        if not text.startswith(word, place):
            return -1
        place += len(word)
    return place


def _behind_white(text: str, place: int) -> int:
    end = min(len(text), place + _MAX_GAP)
    while place < end and text[place] in _WHITE:
        place += 1
    return place

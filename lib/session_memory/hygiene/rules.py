"""Whether releases are made from a checkout, and by which rules."""

from session_memory.core.settings import SOURCES, read_settings
from session_memory.core.system import is_absolute, is_link, is_regular, join, native

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.settings import Lose
    from session_memory.hygiene.managed import ManagedFile

# Its presence tells the checkout of a maintainer from all others.
BUMP_COMMAND = ".github/scripts/bump-version.ps1"

MAX_COMMAND = 200


class Rules:
    """``bump_command`` is a text to show and never to run; it may be empty.

    ``marked`` tells that its script or a list of managed files marks the checkout. Otherwise only
    the managed files themselves can do so.
    """

    __slots__ = ("bump_command", "files", "marked")

    def __init__(
        self, bump_command: str, files: "tuple[ManagedFile, ...]", marked: bool = True
    ) -> None:
        self.bump_command = bump_command
        self.files = files
        self.marked = marked

    @property
    def sources(self) -> "tuple[str, ...]":
        """Every file, relative to the root, that the rules and the version come from."""
        script = _script(self.bump_command or BUMP_COMMAND)
        return (*SOURCES, *([script] if script else []), *[file.path for file in self.files])


def load(root: str, lose: "Lose") -> "Rules | None":
    """The rules of the checkout at ``root``; ``None`` unless releases are made from it.

    They are where the script of the bump command exists, or where the settings list managed files.
    """
    settings = read_settings(root, lose)
    command = _bump_command(root, settings.get("bump_command", BUMP_COMMAND), lose)
    listed = settings.get("managed_files")
    if not command and listed is None:
        return None
    from session_memory.hygiene import managed

    if listed is None:
        return Rules(command, managed.default_files(), bool(_script(command)))
    try:
        return Rules(command, managed.listed_files(listed))
    except ValueError as error:
        lose(f"settings: managed_files: {error}")
        return Rules(command, managed.default_files()) if command else None


def _bump_command(root: str, command: object, lose: "Lose") -> str:
    """The command, or ``""`` when its script is not in the checkout."""
    if not isinstance(command, str) or len(command) > MAX_COMMAND:
        lose("settings: bump_command is not a short text")
        command = BUMP_COMMAND
    script = _script(command)
    if script and not _has(root, script):
        return ""
    return command if script else command.strip()


def _has(root: str, script: str) -> bool:
    """Whether ``script`` is a plain file below ``root``; neither links nor ``..`` are followed."""
    path, mode = root, 0
    for part in script.split("/"):
        if part in ("", "."):
            continue
        path = join(path, part)
        try:
            mode = native.lstat(path).st_mode
        except (OSError, ValueError):
            return False
        if part == ".." or is_link(mode):
            return False
    return is_regular(mode)


def _script(command: str) -> str:
    """The first relative path in ``command``; ``""`` when it has none."""
    words = command.split()
    return next((word for word in words if "/" in word and not is_absolute(word)), "")

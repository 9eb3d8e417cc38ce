"""What the managed files say: one version in all of them, or a difference."""

from session_memory.core.folder import Folder
from session_memory.core.quoting import quoted
from session_memory.hygiene.managed import MAX_PATH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Callable

    from session_memory.hygiene.managed import ManagedFile

MAX_BYTES = 1 << 20


class Reading:
    """The versions found in the managed files, in one place at one time."""

    def __init__(
        self, files: "Iterable[ManagedFile]", content: "Callable[[str], bytes | None]"
    ) -> None:
        """``content`` gives the bytes of a managed file, or ``None`` when it cannot be read."""
        self.found: dict[str, list[str]] = {}
        self.missing_files: list[str] = []
        self.regex_incomplete_files: list[str] = []
        for file in files:
            data = content(file.path)
            if data is None:
                self.missing_files.append(file.path)
                continue
            versions = file.pattern.find(data.decode("utf-8", "replace"))
            self.found[file.path] = list(dict.fromkeys(versions))
            if len(versions) < file.minimum:
                self.regex_incomplete_files.append(file.path)

    @property
    def has_versions(self) -> bool:
        """Whether any version is stated."""
        return bool(self._distinct())

    @property
    def in_lockstep(self) -> bool:
        """Whether exactly one version is stated, however often."""
        return len(self._distinct()) == 1

    @property
    def version(self) -> str:
        """The version of all files in lockstep, else ``""``."""
        return self._distinct()[0] if self.in_lockstep else ""

    @property
    def is_complete(self) -> bool:
        """Whether every file was read and stated a version often enough."""
        return not self.missing_files and not self.regex_incomplete_files

    @property
    def agreed_version(self) -> str:
        """The version that every managed file states, or ``""``."""
        return self.version if self.is_complete else ""

    @property
    def drift_details(self) -> "list[dict[str, object]]":
        """Each file with its distinct versions, when there is more than one version in all."""
        if len(self._distinct()) < 2:
            return []
        return [{"file": path, "found_versions": list(found)} for path, found in self.found.items()]

    def describe(self) -> str:
        """Every file with what was found there."""
        said = [self._describe(path, versions) for path, versions in self.found.items()]
        missing = [f"{quoted(path, MAX_PATH)} missing" for path in self.missing_files]
        return "; ".join(said + missing)

    def _describe(self, path: str, versions: "list[str]") -> str:
        said = " and ".join(versions) or "without a version"
        return f"{quoted(path, MAX_PATH)} {said}" + (
            " (too few)" if versions and path in self.regex_incomplete_files else ""
        )

    def _distinct(self) -> "list[str]":
        return list(dict.fromkeys([one for versions in self.found.values() for one in versions]))


def read_working_tree(root: str, files: "Iterable[ManagedFile]") -> Reading:
    """What the files below ``root`` say now; links are not followed."""

    def content(path: str) -> "bytes | None":
        *folders, name = path.split("/")
        try:
            folder = Folder(root, tuple(folders), create=False)
        except OSError:
            return None
        try:
            return folder.read(name, MAX_BYTES)
        except OSError:
            return None
        finally:
            folder.close()

    return Reading(files, content)

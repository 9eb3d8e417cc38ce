"""In which lines of a settings file its keys stand."""

from collections.abc import Sequence

from session_memory.core.toml_subset import Document

Path = tuple[str, ...]


class Lines:
    """The lines of one file that hooks can read; numbers begin with 1."""

    def __init__(self, text: str, table: Path) -> None:
        located = _Located(text.replace("\r\n", "\n"))
        located.read()
        self._text = located.text
        self._offsets = located.offsets
        self._table = table

    def find(self, path: Sequence[object]) -> int:
        """The line of what ``path`` leads to, else of the nearest key above it; 0 for none.

        Numbers in ``path`` count the items of a list.
        """
        keys = self._table + tuple(part for part in path if isinstance(part, str))
        index = next((part for part in path if isinstance(part, int)), 0)
        while keys:
            offsets = self._offsets.get(keys)
            if offsets:
                return self._text.count("\n", 0, offsets[min(index, len(offsets) - 1)]) + 1
            keys = keys[:-1]
        return 0


class _Located(Document):
    """Notes at which offset each key stands."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.offsets: dict[Path, list[int]] = {}
        self._header_path: Path = ()
        self._keys: list[Path] = []

    def _header(self, ending: str) -> list[str]:
        self._header_path = ()
        key = super()._header(ending)
        self._header_path = tuple(key)
        return key

    def key(self) -> list[str]:
        start = self.at
        parts = super().key()
        if self._keys:
            self._keys[-1] = tuple(parts)
        path = self._header_path + tuple(part for key in self._keys for part in key)
        self.offsets.setdefault(path or tuple(parts), []).append(start)
        return parts

    def assign(self, table: dict[str, object], made: set[int], depth: int = 0) -> None:
        self._keys.append(())
        super().assign(table, made, depth)
        self._keys.pop()

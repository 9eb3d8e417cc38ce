"""Which files of a clone are documents that an index may hand to a model.

A link or an index that names a key, an environment file or the settings of a tool must not get it
injected, so it is the real path that counts: a document has the extension of a text for people, and
lies in no hidden folder but those that a declared root names.
"""

from session_memory.references.budgets import read_text
from session_memory.references.tree import Tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

EXTENSIONS = (".md", ".markdown", ".mdx", ".txt", ".rst", ".adoc")


class Documents(Tree):
    """The documents below ``root``; ``hidden`` are the names of hidden folders that may hold any.

    ``hidden`` comes from :func:`hidden_names`.
    """

    def __init__(self, root: str, hidden: "frozenset[str]" = frozenset()) -> None:
        super().__init__(root)
        self.hidden = hidden

    def allows(self, parts: "list[str]") -> bool:
        if not (super().allows(parts) and parts[-1].lower().endswith(EXTENSIONS)):
            return False
        return self.hidden.issuperset([part for part in parts if part.startswith(".")])


def hidden_names(roots: "Iterable[str]") -> "frozenset[str]":
    """The hidden folders and files that declared roots name."""
    parts = [part for root in roots for part in root.replace("\\", "/").split("/")]
    return frozenset([part for part in parts if part.startswith(".")])


def read_documents(tree: Tree) -> Documents:
    """The documents of a repository, its declared roots read without a YAML library.

    No more is needed than the words that may be roots, so any text behind ``declared_roots`` counts
    up to the next key.
    """
    words: list[str] = []
    inside = False
    for line in read_text(tree).splitlines():
        key, colon, rest = line.partition(":")
        if colon:
            inside = key.strip() == "declared_roots"
        if inside:
            words += (rest if colon else line).translate(_MARKS).split()
    return Documents(tree.root, hidden_names(words))


_MARKS = str.maketrans("[],\"'", "     ")

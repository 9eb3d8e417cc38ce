"""Documents that own state say near it how long it survives, and cite its row."""

from collections.abc import Iterator
from dataclasses import dataclass

from session_memory.contract.lint.document import Document
from session_memory.contract.lint.finding import Fault
from session_memory.contract.lint.mentions import FILE, FOLDER, VAGUE, Mention, mentions
from session_memory.contract.lint.prescription import prescribes
from session_memory.contract.lint.signs import Signs, signs_of
from session_memory.contract.table import contract


@dataclass(frozen=True)
class Around:
    """What stands near a mention."""

    labelled: bool
    cited: frozenset[str]
    fitting: bool


def check(document: Document) -> Iterator[Fault]:
    """Every state that is prescribed without its label and row, once in a section."""
    signs = signs_of(document)
    owned = [one for one in mentions(document) if prescribes(document, one)]
    around = {one: _around(one, signs) for one in owned}
    labelled = {one.name for one, found in around.items() if found.labelled and found.fitting}
    told: set[tuple[str, int]] = set()
    for one in sorted(owned, key=lambda mention: mention.start):
        place = (one.name, document.enclosing(one.start)[0].start)
        if one.name in labelled or place in told or _is_covered(one, owned, document):
            continue
        told.add(place)
        yield _fault(one, around[one])


def _is_covered(mention: Mention, owned: list[Mention], document: Document) -> bool:
    """Whether the same sentence names a file, which says more than a folder or less."""
    if mention.kind not in (FOLDER, VAGUE):
        return False
    start, end = document.sentence(mention.start)
    return any(one.kind == FILE and start <= one.start < end for one in owned)


def _fault(mention: Mention, around: Around) -> Fault:
    what = f"{mention.kind} {mention.name}" if mention.kind != VAGUE else VAGUE
    rows = " or ".join(sorted(mention.owners)) or "its row"
    if around.cited and not around.fitting:
        cited = ", ".join(sorted(around.cited))
        return Fault(mention.start, "wrong-row", f"{what} is state of {rows}, not of {cited}")
    if around.labelled:
        return Fault(
            mention.start, "missing-row", f"{what} has a survival label and cites no row: {rows}"
        )
    if around.cited:
        return Fault(
            mention.start, "missing-label", f"{what} cites {rows} without a survival label"
        )
    return Fault(
        mention.start,
        "unlabelled-state",
        f"{what} has no survival label and no row near it: {rows}",
    )


def _around(mention: Mention, signs: Signs) -> Around:
    """What stands near ``mention``. A label beside rows of other state does not count."""
    near = set(signs.near(mention.start, mention.rows))
    cited = frozenset[str]().union(*(signs.cited.get(line, set()) for line in near))
    labelled = any(_fits(signs.cited.get(line, set()), mention) for line in near & signs.labelled)
    return Around(labelled, cited, bool(cited) and _fits(cited, mention))


def _fits(cited: "set[str] | frozenset[str]", mention: Mention) -> bool:
    """Whether rows on a line may speak of ``mention``; unknown ones are told elsewhere."""
    if not cited or not mention.rows:
        return True
    return bool(cited & mention.rows) or not cited & contract().rows.keys()

"""The block ``references:`` of ``.agent-orchestra.yml``, read as YAML."""

from dataclasses import dataclass, field

from session_memory.references.budgets import CONFIGURATION, Budgets, byte_count, read_text
from session_memory.references.tree import Tree
from session_memory.yaml_text import YamlError, load

DEFAULT_ROOTS = ("Documents/**",)
DEFAULT_THRESHOLD = 5


class InvalidConfiguration(ValueError):
    """The file cannot be used; the text says why."""


@dataclass(frozen=True)
class Configuration:
    """What a repository declares about its references."""

    declared_roots: tuple[str, ...] = DEFAULT_ROOTS
    doc_count_threshold: int = DEFAULT_THRESHOLD
    budgets: Budgets = field(default_factory=Budgets)


def read_configuration(tree: Tree) -> Configuration:
    """The configuration of a repository; raises :class:`InvalidConfiguration`."""
    try:
        document = load(read_text(tree))
    except YamlError as error:
        raise InvalidConfiguration(f"{CONFIGURATION}:{error.line}: {error.reason}") from None
    block = document.get("references") if isinstance(document, dict) else document
    if block is None:
        return Configuration()
    if not isinstance(block, dict):
        raise InvalidConfiguration(f"{CONFIGURATION}: references is not a mapping")
    return Configuration(
        _roots(block),
        int(_number(block, "doc_count_threshold") or DEFAULT_THRESHOLD),
        Budgets(_number(block, "max_critical_loaded"), _size(block)),
    )


def _roots(block: dict[str, object]) -> tuple[str, ...]:
    roots = block.get("declared_roots")
    if roots is None:
        return DEFAULT_ROOTS
    if isinstance(roots, str):
        roots = [roots]
    if not isinstance(roots, list) or not all(isinstance(r, str) and r.strip() for r in roots):
        raise InvalidConfiguration(f"{CONFIGURATION}: declared_roots is not a list of texts")
    return tuple(root.strip() for root in roots)


def _number(block: dict[str, object], key: str) -> str:
    value = block.get(key)
    text = "" if value is None else str(value)
    if text and not (text.isascii() and text.isdigit() and len(text) <= 6):
        raise InvalidConfiguration(f"{CONFIGURATION}: {key} is not a number")
    return text


def _size(block: dict[str, object]) -> str:
    value = block.get("max_total_loaded_bytes")
    text = "" if value is None else str(value)
    if text and byte_count(text) is None:
        raise InvalidConfiguration(
            f"{CONFIGURATION}: max_total_loaded_bytes is not a size such as 102400, 100KB or 1MB"
        )
    return text

"""``references validate``: what is wrong with the references of a repository, all at once."""

import os
from collections import Counter
from collections.abc import Iterator

from session_memory.references.budgets import CONFIGURATION, read_budgets
from session_memory.references.citations import Citation, read_citations
from session_memory.references.configuration import (
    Configuration,
    InvalidConfiguration,
    read_configuration,
)
from session_memory.references.documents import EXTENSIONS, Documents, hidden_names
from session_memory.references.finding import ERROR, WARNING, Finding
from session_memory.references.index import (
    MAX_ENTRIES,
    MAX_TEXTS,
    MAX_TRIGGERS,
    PATH,
    Entry,
)
from session_memory.references.index_writer import (
    index_entries,
    is_list_of_others,
    outdated_files,
)
from session_memory.references.inventory import (
    LIST_PATH,
    list_files,
    markdown_documents,
    read_sidecars,
)
from session_memory.references.settings_check import check_settings
from session_memory.references.sidecar import InvalidSidecar, Sidecar, sidecar_of
from session_memory.references.tree import Tree


def validate(tree: Tree) -> list[Finding]:
    """Every finding, errors first, each kind in the order of paths and lines."""
    files = list_files(tree.root)
    configuration, found = _configuration(tree)
    sidecars = read_sidecars(tree, files)
    documents = markdown_documents(tree, files, configuration.declared_roots)
    found += [_invalid(error) for error in sidecars.invalid]
    checks: tuple[Iterator[Finding], ...] = (
        _targets(tree, sidecars.usable),
        _documents(tree, configuration, sidecars.usable),
        _limits(sidecars.usable),
        _names(sidecars.usable),
        _forms(sidecars.usable),
        _coverage(documents, files, sidecars.usable),
        _citations(tree, documents, sidecars.usable),
        _budgets(tree, configuration, sidecars.usable),
        _generated(tree, sidecars.usable, bool(sidecars.invalid)),
        check_settings(tree.root),
    )
    found += [finding for check in checks for finding in check]
    return sorted(found, key=lambda f: (f.severity, f.path, f.line, f.code, f.message))


def _configuration(tree: Tree) -> tuple[Configuration, list[Finding]]:
    scanned = read_budgets(tree).as_dict()
    try:
        configuration = read_configuration(tree)
    except InvalidConfiguration as error:
        message = str(error)
        return Configuration(), [Finding(ERROR, "configuration", CONFIGURATION, 0, message)]
    read = configuration.budgets.as_dict()
    return configuration, [
        Finding(
            *(WARNING, "budget-spelling", CONFIGURATION, 0),
            f"{name} is {read[name]}, but the hook reads {scanned[name]}; write it as a plain"
            f" number on a line of its own below references:",
        )
        for name in read
        if read[name] != scanned[name]
    ]


def _invalid(error: InvalidSidecar) -> Finding:
    return Finding(ERROR, error.code, error.path, error.line, error.reason)


def _targets(tree: Tree, sidecars: list[Sidecar]) -> Iterator[Finding]:
    for sidecar in sidecars:
        target = sidecar.entry.target_path
        stale = tree.size(target) is None
        if stale:
            fault = "is not a plain file inside the repository"
            message = f"target {target} {fault if _exists(tree, target) else 'is missing'}"
            yield Finding(ERROR, "stale-target", sidecar.path, 0, message)
        if tree.size(sidecar.document) is None:
            severity = ERROR if stale else WARNING
            message = f"there is no document {sidecar.document} beside it"
            yield Finding(severity, "orphan-sidecar", sidecar.path, 0, message)


def _documents(
    tree: Tree, configuration: Configuration, sidecars: list[Sidecar]
) -> Iterator[Finding]:
    """Files that exist but are never shown to a model."""
    documents = Documents(tree.root, hidden_names(configuration.declared_roots))
    for sidecar in sidecars:
        target = sidecar.entry.target_path
        if tree.size(target) is not None and documents.size(target) is None:
            message = (
                f"target {target} is never loaded: it has none of the extensions"
                f" {' '.join(EXTENSIONS)}, or is hidden and no declared root names it"
            )
            yield Finding(ERROR, "target-kind", sidecar.path, 0, message)


def _limits(sidecars: list[Sidecar]) -> Iterator[Finding]:
    """What the index cannot hold or the hook passes over."""
    if len(sidecars) > MAX_ENTRIES:
        message = f"{len(sidecars)} entries, of which {MAX_ENTRIES} are allowed; none will load"
        yield Finding(ERROR, "index-limit", PATH, 0, message)
    for sidecar in sidecars:
        triggers = sidecar.entry.triggers
        longest = max((len(t) for one in triggers for t in one.texts), default=0)
        if len(triggers) > MAX_TRIGGERS or longest > MAX_TEXTS:
            message = (
                f"only the first {MAX_TRIGGERS} triggers count, and of each the first {MAX_TEXTS}"
                " labels, globs and keywords"
            )
            yield Finding(WARNING, "trigger-limit", sidecar.path, 0, message)


def _exists(tree: Tree, target: str) -> bool:
    return os.path.lexists(os.path.join(tree.root, target))


def _names(sidecars: list[Sidecar]) -> Iterator[Finding]:
    counts = Counter(sidecar.entry.name for sidecar in sidecars)
    for sidecar in sidecars:
        name = sidecar.entry.name
        if counts[name] > 1:
            message = f"the name {name} is used {counts[name]} times"
            yield Finding(ERROR, "duplicate-name", sidecar.path, 0, message)


def _forms(sidecars: list[Sidecar]) -> Iterator[Finding]:
    for sidecar in sidecars:
        for key in sidecar.unknown_keys:
            yield Finding(WARNING, "unknown-key", sidecar.path, 0, f"unknown key {key}")
        if _is_keyed_by_globs_only(sidecar.entry):
            message = (
                "a critical entry that only globs can match is never loaded before work starts,"
                " when no changed path is known"
            )
            yield Finding(WARNING, "critical-globs-only", sidecar.path, 0, message)


def _is_keyed_by_globs_only(entry: Entry) -> bool:
    return entry.critical and not any(t.labels or t.keywords for t in entry.triggers)


def _coverage(documents: list[str], files: list[str], sidecars: list[Sidecar]) -> Iterator[Finding]:
    covered = {sidecar.entry.target_path for sidecar in sidecars}
    present = set(files)
    for document in documents:
        if document not in covered and sidecar_of(document) not in present:
            yield Finding(WARNING, "uncovered-document", document, 0, "has no sidecar")


def _citations(tree: Tree, documents: list[str], sidecars: list[Sidecar]) -> Iterator[Finding]:
    targets = {sidecar.entry.name: sidecar.entry.target_path for sidecar in sidecars}
    for citation in (c for document in documents for c in read_citations(tree, document)):
        if citation.name not in targets:
            yield _citation(citation, "citation-unknown", "no reference has this name")
        elif targets[citation.name] not in citation.paths:
            message = f"the reference lies at {targets[citation.name]}"
            yield _citation(citation, "citation-path", message)


def _citation(citation: Citation, code: str, message: str) -> Finding:
    return Finding(ERROR, code, citation.document, citation.line, f"{citation.text}: {message}")


def _budgets(
    tree: Tree, configuration: Configuration, sidecars: list[Sidecar]
) -> Iterator[Finding]:
    """What would not be loaded if every trigger fired."""
    budgets = configuration.budgets
    sizes = {s.path: tree.size(s.entry.target_path) or 0 for s in sidecars}
    critical = [s for s in sidecars if s.entry.critical]
    if len(critical) > budgets.max_critical_loaded:
        message = f"{len(critical)} critical entries, of which {budgets.max_critical_loaded} load"
        yield Finding(WARNING, "budget-critical", CONFIGURATION, 0, message)
    total = sum(sizes[s.path] for s in critical)
    if total > budgets.max_total_loaded_bytes:
        message = f"critical documents have {total} bytes; {budgets.max_total_loaded_bytes} load"
        yield Finding(WARNING, "budget-bytes", CONFIGURATION, 0, message)
    for sidecar in sidecars:
        if sizes[sidecar.path] > budgets.max_total_loaded_bytes:
            message = f"its document of {sizes[sidecar.path]} bytes is over the budget by itself"
            yield Finding(ERROR, "budget-document", sidecar.path, 0, message)


def _generated(tree: Tree, sidecars: list[Sidecar], incomplete: bool) -> Iterator[Finding]:
    if incomplete:
        return
    for path in outdated_files(tree, index_entries(sidecars)):
        if path == LIST_PATH and is_list_of_others(tree):
            message = "was not made by session-memory references index, which will not replace it"
            yield Finding(ERROR, "list-of-others", path, 0, message)
        else:
            message = "is not what the sidecars say; run session-memory references index"
            yield Finding(ERROR, "index-outdated", path, 0, message)

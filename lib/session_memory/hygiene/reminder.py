"""The words of the reminder: facts about the edited file and the version."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.hygiene.reading import Reading
    from session_memory.hygiene.rules import Rules

_MAX_SHOWN = 200


def text(
    touched: "list[str]",
    rules: "Rules",
    working: "Reading",
    baseline: "Reading | None",
    state_file: str,
) -> str:
    """The context to inject for the first entry points that a conversation touched."""
    more = f" (and {len(touched) - 1} more)" if len(touched) > 1 else ""
    parts = [
        f"Release hygiene: `{shown(touched[0])}`{more} is an entry point of this repository.",
        "Entry points ship with a version bump.",
        _versions(working, baseline),
    ]
    if rules.bump_command:
        parts.append(f"The command that raises the version is `{shown(rules.bump_command)}`.")
    parts.append(
        f"The decision belongs in `chosen_level` (patch, minor, major or skip) of `{state_file}`."
    )
    return " ".join(parts)


def shown(name: str) -> str:
    """``name`` as it may be quoted: printable, without the quote itself, of limited length."""
    plain = "".join([c if c.isprintable() and c != "`" else "?" for c in name])
    return plain if len(plain) <= _MAX_SHOWN else plain[: _MAX_SHOWN - 1] + "…"


def _fault(working: "Reading") -> str:
    if not working.found:
        return "None of the managed files exists"
    if working.drift_details:
        return "The managed files do not agree"
    return "Not every managed file states a version"


def _versions(working: "Reading", baseline: "Reading | None") -> str:
    if not working.agreed_version:
        return f"{_fault(working)}: {working.describe()}."
    if baseline is None:
        before = "the version on the default branch is unknown"
    else:
        before = f"the default branch states {baseline.agreed_version or 'no single version'}"
    return f"The managed files ({', '.join(working.found)}) state {working.version}; {before}."

"""The words of the reminder: facts about the edited file and the version."""

from session_memory.core.quoting import quoted

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
    first = quoted(touched[0], _MAX_SHOWN)
    more = f" (and {len(touched) - 1} more)" if len(touched) > 1 else ""
    parts = [
        f"Release hygiene: {first}{more} is an entry point of this repository.",
        "Entry points ship with a version bump.",
        _versions(working, baseline),
    ]
    if rules.bump_command:
        command = quoted(rules.bump_command, _MAX_SHOWN)
        parts.append(f"The command that raises the version is {command}.")
    parts.append(
        f"The decision belongs in `chosen_level` (patch, minor, major or skip) of `{state_file}`."
    )
    return " ".join(parts)


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
    files = ", ".join([quoted(path, _MAX_SHOWN) for path in working.found])
    return f"The managed files ({files}) state {working.version}; {before}."

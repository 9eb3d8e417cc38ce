"""Findings for people, for programs, and for the annotations of GitHub Actions."""

from session_memory.contract.lint.finding import Finding


def as_text(finding: Finding) -> str:
    """The usual line of a linter."""
    return f"{finding.path}:{finding.line}:{finding.column}: {finding.code} {finding.message}"


def as_json(finding: Finding) -> dict[str, object]:
    """A finding as plain data."""
    return dict(vars(finding))


def as_annotation(finding: Finding) -> str:
    """A workflow command that GitHub shows beside the line."""
    places = f"file={_property(finding.path)},line={finding.line},col={finding.column}"
    return f"::error {places},title={_property(finding.code)}::{_data(finding.message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")

"""What is wrong with the settings of a repository, by their schema."""

from collections.abc import Iterator

from jsonschema import Draft202012Validator, ValidationError

from session_memory import schemas
from session_memory.core.settings import SOURCES, read_source
from session_memory.references.finding import ERROR, WARNING, Finding

_MAX_MESSAGE = 200


def check_settings(root: str) -> Iterator[Finding]:
    """The findings of both files. An unknown key is a warning: a later version may know it."""
    validator = Draft202012Validator(schemas.load("settings"))
    for name in SOURCES:
        try:
            found = read_source(root, name)
        except (OSError, ValueError) as error:
            yield Finding(ERROR, "settings", name, 0, f"cannot be read: {error}")
            continue
        for fault in sorted(validator.iter_errors(found), key=lambda fault: fault.json_path):
            yield _finding(name, fault)


def _finding(name: str, fault: ValidationError) -> Finding:
    unknown = fault.validator == "additionalProperties"
    where = fault.json_path.removeprefix("$").removeprefix(".") or "settings"
    message = f"{where}: {fault.message}"[:_MAX_MESSAGE]
    if unknown:
        return Finding(WARNING, "unknown-key", name, 0, message)
    return Finding(ERROR, "settings", name, 0, message)

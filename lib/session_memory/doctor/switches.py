"""What switches hooks off, or changes how they run: variables, and settings of the editors."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from session_memory.core.guard import SWITCH, is_thrown
from session_memory.doctor.finding import Finding, Level
from session_memory.editors.claude_settings import ClaudeSettings, Setting
from session_memory.editors.json_files import read
from session_memory.editors.locations import (
    CLAUDE,
    COPILOT,
    HOSTS,
    MANAGED,
    Source,
    repository_settings,
)
from session_memory.editors.surroundings import Surroundings

CHECK = "switches"

INTERPRETER = "SESSION_MEMORY_PYTHON"

_PREFIX = "SESSION_MEMORY_"
_DISABLE = "disableAllHooks"


@dataclass(frozen=True)
class Off:
    """``host`` runs no hooks, by what ``path`` says; ``spares_managed`` but those of an admin."""

    host: str
    what: str
    mend: str
    path: Path
    spares_managed: bool = True

    def holds_for(self, source: Source) -> bool:
        """Whether hooks that ``source`` registers do not run."""
        return not (self.spares_managed and source.scope == MANAGED)


def off(around: Surroundings, settings: ClaudeSettings) -> list[Off]:
    """Why editors run none of our hooks here."""
    return [*_claude(settings), *_copilot(around)]


def check(around: Surroundings, found: list[Off], settings: ClaudeSettings) -> Iterator[Finding]:
    """What is switched off, and variables of ours that Claude Code gives to hooks."""
    for one in found:
        why = f"No hook of this bundle does anything in {HOSTS[one.host]}."
        yield Finding(CHECK, Level.WARNING, one.what, why, one.mend, str(one.path))
    if is_thrown(around.environ.get(SWITCH, "")):
        what = f"Hooks are switched off by {SWITCH} in this environment."
        why = "An editor that is started from here runs none of them."
        yield Finding(CHECK, Level.WARNING, what, why, f"unset {SWITCH}")
    for name, setting in variables(settings).items():
        if name != SWITCH:
            yield _variable(name, setting)


def _variable(name: str, setting: Setting) -> Finding:
    where = str(setting.path)
    if name == INTERPRETER and setting.source and setting.source.shared:
        what = f"The repository's settings name an interpreter for hooks, by {name}."
        why = "Hooks start that program as soon as Claude Code trusts the folder; it was not tried."
        mend = "look at it, or take it out of that file"
        return Finding(CHECK, Level.WARNING, what, why, mend, where)
    return Finding(CHECK, Level.OK, f"Claude Code sets {name} for hooks.", where=where)


def variables(settings: ClaudeSettings) -> dict[str, Setting]:
    """The variables of ours among those that Claude Code's settings give to hooks, as texts."""
    found: dict[str, Setting] = {}
    for name in settings.members("env"):
        setting = settings.setting("env", name)
        if name.startswith(_PREFIX) and isinstance(setting.value, str | int | float):
            found[name] = Setting(_text(setting.value), setting.source)
    return found


def _claude(settings: ClaudeSettings) -> Iterator[Off]:
    thrown = variables(settings).get(SWITCH, Setting(""))
    if is_thrown(str(thrown.value)):
        what = f'Claude Code sets {SWITCH} for hooks, in the "env" of its settings.'
        mend = f"take {SWITCH} out of that file"
        yield Off(CLAUDE, what, mend, thrown.path, spares_managed=False)
    disabled = settings.setting(_DISABLE)
    if disabled.value is True:
        what = f"All hooks of Claude Code are switched off by {_DISABLE}."
        spared = not disabled.is_managed
        yield Off(CLAUDE, what, _again(disabled.path), disabled.path, spares_managed=spared)
    only = settings.setting("allowManagedHooksOnly")
    if only.value is True and only.is_managed:
        what = "An administrator allows Claude Code no hooks but managed ones."
        mend = "ask who manages this machine; allowManagedHooksOnly is set"
        yield Off(CLAUDE, what, mend, only.path)


def _copilot(around: Surroundings) -> Iterator[Off]:
    """Settings of a repository switch off all hooks; those of the user only their own."""
    for sources in repository_settings(around):
        found = [(source.path, read(source.path).value.get(_DISABLE)) for source in sources]
        said = [(path, value) for path, value in found if isinstance(value, bool)]
        if said and said[-1][1]:
            what = f"All hooks of Copilot CLI are switched off by {_DISABLE}."
            yield Off(COPILOT, what, _again(said[-1][0]), said[-1][0])


def _again(path: Path) -> str:
    return f"remove {_DISABLE} from {path}, or set it to false"


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)

"""Every setting, environment variable and key of git's configuration that the bundle reads."""

from dataclasses import dataclass

from session_memory.core.guard import SWITCH
from session_memory.core.places import SETTINGS
from session_memory.core.settings import NETWORK
from session_memory.hygiene.rules import BUMP_COMMAND
from session_memory.references.budgets import CONFIGURATION

# Where a setting may be made, in the words of the documentation.
USER = "user's file"
REPOSITORY = "repository"
ENVIRONMENT = "environment"
GIT = "git config"
ORCHESTRA = CONFIGURATION

TRUSTED_AUTHOR = "session-memory.trustedAuthor"

PROJECT, OWN = SETTINGS

# How values of several places become one.
NARROWEST = "false in any place wins"
NARROWEST_MATCH = "labels in any place wins"
LATER = f"{OWN} before {PROJECT}"
ONLY = "one place"


@dataclass(frozen=True)
class Setting:
    """``instead`` is what counts when the value cannot be used. A secret's value is never shown."""

    name: str
    kind: str
    default: object
    places: tuple[str, ...]
    meaning: str
    precedence: str = ONLY
    instead: object = None
    secret: bool = False


def _switch(name: str, meaning: str) -> Setting:
    return Setting(name, "boolean", True, (USER, REPOSITORY), meaning, NARROWEST, instead=False)


# The members of settings.schema.json.
IN_FILES = (
    _switch("enabled", "Hooks do their work; `false` switches all of it off."),
    _switch("startup.enabled", "The start-up check."),
    Setting(
        *("startup.network", "boolean", False, (USER, REPOSITORY, ENVIRONMENT)),
        "The start-up check may ask the remote and GitHub.",
        f"`{NETWORK}` before all files; among these {NARROWEST}",
        instead=False,
    ),
    _switch("references.enabled", "Documents are injected for the issue that a prompt names."),
    Setting(
        *("references.match", "`any` or `labels`", "any", (USER, REPOSITORY)),
        "What of an issue chooses documents: `labels` leaves out its text.",
        NARROWEST_MATCH,
        instead="labels",
    ),
    _switch("hygiene.enabled", "The reminder that a release needs a new version."),
    _switch("gates.enabled", "Questions are logged."),
    Setting(
        *("bump_command", "text", BUMP_COMMAND, (REPOSITORY,)),
        "The command that raises the version. It is shown to the agent and never run. A relative"
        " path in it is looked for: without that file there are no reminders.",
        LATER,
        instead=BUMP_COMMAND,
    ),
    Setting(
        *("managed_files", "list of tables", None, (REPOSITORY,)),
        "The files that state the version: `path`, `pattern`, and `minimum`, which is how often it"
        " is there. Without them, the manifests of a plugin.",
        LATER,
    ),
)

# The file of Agent Orchestra, as far as it is read.
IN_ORCHESTRA = (
    Setting(
        *("references.declared_roots", "list of globs", ["Documents/**"], (ORCHESTRA,)),
        "Where documents with sidecars lie, for `references` commands.",
    ),
    Setting(
        *("references.doc_count_threshold", "number", 5, (ORCHESTRA,)),
        "From how many documents on `references` suggests `init`.",
    ),
    Setting(
        *("references.max_critical_loaded", "number", 10, (ORCHESTRA,)),
        "How many critical documents are loaded for an issue.",
        instead=10,
    ),
    Setting(
        *("references.max_total_loaded_bytes", "size", 102_400, (ORCHESTRA,)),
        "How many bytes of documents are loaded for an issue, up to 1 MiB.",
        instead=102_400,
    ),
)

IN_GIT = (
    Setting(
        *(TRUSTED_AUTHOR, "logins", [], (GIT,)),
        "Accounts whose comments count without write access, as `login` or `login#id`. Several"
        " keys, or blanks between.",
        "all values together",
    ),
)


def _variable(name: str, kind: str, meaning: str, secret: bool = False) -> Setting:
    return Setting(name, kind, "", (ENVIRONMENT,), meaning, secret=secret)


IN_ENVIRONMENT = (
    _variable(SWITCH, "switch", "Any value but an empty one and `0` switches all hooks off."),
    _variable(NETWORK, "`1` or `0`", "Sets `startup.network`, whatever the files say."),
    _variable("SESSION_MEMORY_PYTHON", "path", "The interpreter that the launcher uses."),
    _variable("GH_REPO", "`[HOST/]OWNER/NAME`", "The repository on GitHub, without `--repo`."),
    _variable("GH_HOST", "host", "The host of GitHub; otherwise github.com."),
    _variable("GH_TOKEN", "token", "What `gh` signs in with.", secret=True),
    _variable("GITHUB_TOKEN", "token", "The same, for `gh`.", secret=True),
    _variable("NO_COLOR", "switch", "Any value: the demo prints without colours."),
)

# What editors and systems tell; nobody sets these for this bundle.
GIVEN = (
    _variable("CLAUDE_PROJECT_DIR", "path", "The project, if a payload names no folder."),
    _variable("COPILOT_PROJECT_DIR", "path", "The same, of Copilot CLI."),
    _variable("CLAUDE_CODE_REMOTE_SESSION_ID", "id", "The conversation, when hosted."),
    _variable("CLAUDE_CODE_SESSION_ID", "id", "The conversation, for commands."),
    _variable("COPILOT_CLI", "switch", "It is Copilot CLI."),
    _variable("CLAUDE_PLUGIN_ROOT", "path", "The folder of the plugin."),
    _variable("COPILOT_PLUGIN_ROOT", "path", "The same, of Copilot CLI."),
    _variable("PLUGIN_ROOT", "path", "The same, of VS Code."),
    _variable("CLAUDE_PLUGIN_DATA", "path", "The plugin's data folder."),
    _variable("COPILOT_PLUGIN_DATA", "path", "The same, of Copilot CLI."),
    _variable("CLAUDE_CONFIG_DIR", "path", "Where Claude Code keeps its settings."),
    _variable("COPILOT_HOME", "path", "Where Copilot CLI keeps its settings."),
    _variable("GIT_DIR", "path", "Git's own: the repository, where no folder tells."),
    _variable("GIT_WORK_TREE", "path", "Git's own: the checkout, where no folder tells."),
    _variable("HOME", "path", "The user's home."),
    _variable("PATH", "paths", "Where `python3`, `git` and `gh` are."),
    _variable("XDG_CONFIG_HOME", "path", "Where the user's file lies."),
    _variable("XDG_CACHE_HOME", "path", "Where compiled modules may lie."),
    _variable("XDG_STATE_HOME", "path", "Where the locks of commands lie."),
    _variable("APPDATA", "path", "Where the user's file lies on Windows."),
    _variable("LOCALAPPDATA", "path", "Where the locks of commands lie on Windows."),
    _variable("TERM", "text", "The kind of terminal; `dumb` ones get no colours."),
)

ALL = (*IN_FILES, *IN_ORCHESTRA, *IN_GIT, *IN_ENVIRONMENT, *GIVEN)


def find(name: str) -> Setting:
    """The setting called ``name``. Raises :class:`KeyError`."""
    return {setting.name: setting for setting in ALL}[name]

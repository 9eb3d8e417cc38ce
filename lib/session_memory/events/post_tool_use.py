"""After a tool call: record questions (SMC-21), watch entry points (SMC-12)."""

from session_memory import preload

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.session import Session

# Matchers of the hosts cannot be trusted (some ignore them), so the tools are told apart here:
# the names of Claude Code, of Copilot CLI, and of VS Code.
QUESTION_TOOLS = frozenset(
    ("AskUserQuestion", "ask_user", "vscode/askQuestions", "askQuestions", "vscode_askQuestions")
)
# Its documentation of file tools; both take file_path. Codex edits by apply_patch alone. Apart from
# the set below, which is the matcher of our own registrations: Gemini CLI is registered by hand.
GEMINI_EDIT_TOOLS = frozenset(("write_file", "replace"))
EDIT_TOOLS = frozenset(
    (
        *("Edit", "Write", "MultiEdit"),
        *("edit", "create", "apply_patch"),
        *("create_file", "replace_string_in_file", "multi_replace_string_in_file"),
        "insert_edit_into_file",
    )
)


def handle(session: "Session") -> None:
    """Record or watch, and say what there is to say."""
    tool = session.event.tool_name
    if tool in QUESTION_TOOLS:
        preload.load("question")
        from session_memory.gates import questions

        questions.record(session)
    elif tool in EDIT_TOOLS or tool in GEMINI_EDIT_TOOLS:
        preload.load("edit")
        from session_memory.hygiene import watch

        session.say(watch.after_edit(session))
    else:
        session.explain("hook", "other-tool")

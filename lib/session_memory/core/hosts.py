"""Which editor sent a payload, told from the payload's own shape.

The environment is no witness: editors start each other and their variables are inherited. It only
breaks a tie between Copilot CLI and VS Code, whose prompt payloads look alike.
"""

from session_memory.core.system import environ

CLAUDE = "claude"
COPILOT_CLI = "copilot-cli"
VSCODE = "vscode"
CODEX = "codex"
GEMINI = "gemini"
# Copilot CLI or VS Code: a prompt or start event with PascalCase registration fits both.
COPILOT = "copilot"

NAMES = (CLAUDE, COPILOT_CLI, VSCODE, COPILOT, CODEX, GEMINI)

_GEMINI_EVENTS = frozenset(("BeforeAgent", "AfterTool", "BeforeTool", "AfterAgent"))
_CAMEL_KEYS = ("sessionId", "toolName", "toolArgs", "initialPrompt", "toolResult")
_COPILOT_CLI_KEYS = ("initial_prompt", "tool_result")
_VSCODE_KEYS = ("transcript_path", "tool_use_id", "tool_response")


def detect(payload: "dict[str, object]") -> str:
    """One of :data:`NAMES`."""
    if "turn_id" in payload:
        return CODEX
    event = payload.get("hook_event_name")
    if isinstance(event, str) and event in _GEMINI_EVENTS:
        return GEMINI
    if "hookEventName" in payload:
        return VSCODE
    if _has(payload, _CAMEL_KEYS):
        return COPILOT_CLI
    if "timestamp" not in payload:
        return CLAUDE
    if _has(payload, _COPILOT_CLI_KEYS):
        return COPILOT_CLI
    if _has(payload, _VSCODE_KEYS):
        return VSCODE
    return COPILOT_CLI if environ("COPILOT_CLI") else COPILOT


def _has(payload: "dict[str, object]", keys: "tuple[str, ...]") -> bool:
    return any([key in payload for key in keys])

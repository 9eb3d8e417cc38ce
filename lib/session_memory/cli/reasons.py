"""The words for the codes by which hooks tell why they do nothing."""

from session_memory.core import guard

WORDS = {
    guard.DISABLED: f"{guard.SWITCH} switches all hooks off",
    guard.OTHER_EVENT: "the payload is of another event",
    "already-bumped": "the version is ahead of the default branch already",
    "checked-before": "the marker of the start-up check is complete",
    "claimed-by-another": "another hook has claimed the start-up check",
    "history-inherited": "the conversation inherits what was said before its fork",
    "index-empty": "the reference index has no entries",
    "index-unusable": "the reference index cannot be used",
    "injected-before": "the references of this issue were injected, and it has not changed",
    "issue-not-fetched": "the issue could not be fetched",
    "machine-made-prompt": "the prompt was made by the editor, not by a person",
    "no-entry-point": "no edited path is an entry point",
    "no-index": "the repository has no reference index",
    "no-issue-named": "the prompt names no issue",
    "no-place-for-state": "no folder takes the marker",
    "no-releases-here": "the checkout is no maintainer's: no bump script, no managed files",
    "nothing-left-over": "nothing is left over from earlier work",
    "nothing-matches": "no reference matches the issue",
    "only-recorded": "questions are recorded; nothing is ever injected for them",
    "other-repository": "the edited file is of another repository than the conversation",
    "other-tool": "the tool neither edits files nor asks the user",
    "outside-repository": "the folder is outside any repository",
    "out-of-time": "the hook's time is over",
    "reminded-before": "the reminder was given before in this conversation",
    "switched-off": "settings switch it off; session-memory config shows which",
    "subagent": "a subagent's prompts and starts are not answered",
}

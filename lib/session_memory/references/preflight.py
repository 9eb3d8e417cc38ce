"""Reference pre-flight: inject what an issue needs, once a conversation (SMC-22)."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from session_memory.core.session import Session

# A user names the issue early; a prompt of megabytes is a pasted log.
MAX_PROMPT = 1 << 20


def inject(session: "Session", taken: int = 0) -> str:
    """The references for the issue that the prompt names, or ``""``.

    ``taken`` bytes of the reply's room are used already.
    """
    prompt = session.event.prompt[:MAX_PROMPT]
    if not may_name_issue(prompt):
        session.explain("references", "no-issue-named")
        return ""
    from session_memory.references.prompt import find_mention

    mention = find_mention(prompt)
    if mention is None:
        session.explain("references", "no-issue-named")
        return ""
    if not session.allows("references"):
        return ""
    # Running gh takes modules that a prompt without an issue need not pay for.
    from session_memory.core import reply
    from session_memory.references.injection import inject_for

    return inject_for(session, mention, reply.MAX_BYTES - taken)


def may_name_issue(prompt: str) -> bool:
    """Whether a look with regular expressions is worth importing them.

    Headings and the mere word "issue" are common in prompts; a number behind them is not.
    """
    after_hash = prompt.split("#")[1:]
    after_word = [text.lstrip("s/").lstrip().lstrip("#") for text in _behind_issue(prompt)]
    return any([text[:1].isdigit() for text in after_hash + after_word])


def _behind_issue(prompt: str) -> "list[str]":
    return prompt.lower().split("issue")[1:]

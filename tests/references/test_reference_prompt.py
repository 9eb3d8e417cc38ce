"""Which issue a prompt names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from session_memory.references.preflight import may_name_issue
from session_memory.references.prompt import find_mention


def _found(prompt: str) -> tuple[int, str] | None:
    mention = find_mention(prompt)
    return (mention.number, mention.repository) if mention else None


@pytest.mark.parametrize(
    ("prompt", "number"),
    [
        pytest.param("Work on issue #647 please", 647, id="keyword-hash"),
        pytest.param("Work on Issue 647.", 647, id="keyword-number"),
        pytest.param("issue\n#5", 5, id="keyword-line-end"),
        pytest.param("#647", 647, id="start"),
        pytest.param("fix #647, then rest", 647, id="space"),
        pytest.param("fix(#647)", 647, id="bracket"),
        pytest.param("see:#647", 647, id="colon"),
        pytest.param("expr #647", 647, id="expr-is-not-pr"),
        pytest.param("the pull was hard; #647", 647, id="pull-further-away"),
        pytest.param("#1 and #2", 1, id="first-hash"),
        pytest.param("#1, but issue 2", 2, id="keyword-before-hash"),
        pytest.param("PR #12 fixes #647", 647, id="pull-request-first"),
        pytest.param("issue 0, issue 5", 5, id="zero-is-none"),
        pytest.param("#2147483647", 2_147_483_647, id="largest"),
        pytest.param("#00647", 647, id="leading-zeros"),
    ],
)
def test_number(prompt: str, number: int) -> None:
    assert _found(prompt) == (number, "")


@pytest.mark.parametrize(
    "prompt",
    [
        pytest.param("PR #647", id="pr"),
        pytest.param("(PR: #647)", id="pr-colon"),
        pytest.param("pr issue 647", id="pr-issue"),
        pytest.param("pull #647", id="pull"),
        pytest.param("pull request #647", id="pull-request"),
        pytest.param("Pull  Request\n#647", id="pull-request-spaces"),
        pytest.param("PRs #647", id="prs"),
        pytest.param("costs $100", id="money"),
        pytest.param("line 647", id="line"),
        pytest.param("color #fff", id="color"),
        pytest.param("color #123abc", id="color-with-digits"),
        pytest.param("647", id="bare"),
        pytest.param("a#647", id="inside-a-word"),
        pytest.param("fixed in owner/repo#3", id="of-another-repository"),
        pytest.param("issue owner/repo#3", id="issue-of-another-repository"),
        pytest.param("GH-4", id="gh-number"),
        pytest.param("issue-12", id="issue-dash"),
        pytest.param("tissue 647", id="inside-another-word"),
        pytest.param("issues 647", id="plural"),
        pytest.param("#0", id="zero"),
        pytest.param("#2147483648", id="too-large"),
        pytest.param("#99999999999999", id="far-too-large"),
        pytest.param("https://github.com/o/r/pull/647", id="pull-url"),
        pytest.param("#\u0661\u0662", id="other-digits"),
        pytest.param("", id="empty"),
    ],
)
def test_nothing(prompt: str) -> None:
    assert _found(prompt) is None


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("https://github.com/o/r/issues/5", (5, "o/r")),
        (
            "#9 is like https://github.com/Own-er/re.po_1/issues/5#issuecomment-1",
            (5, "Own-er/re.po_1"),
        ),
        ("www.github.com/o/r/issues/5?x=1", (5, "o/r")),
        ("https://notgithub.com/o/r/issues/5 #6", (6, "")),
        ("https://github.com.evil.test/o/r/issues/5 #6", (6, "")),
        ("https://github.com/o/../issues/5 #6", (6, "")),
        ("https://github.com/-o/r/issues/5 #6", (6, "")),
    ],
    ids=["plain", "url-first", "www", "other-host", "host-prefix", "dots", "option"],
)
def test_url(prompt: str, expected: tuple[int, str]) -> None:
    assert _found(prompt) == expected


def test_long_prompt_costs_little() -> None:
    assert _found("issue " * 200_000) is None


@pytest.mark.parametrize("prompt", ["# Heading", "an issue with text", "issues", "#", "line 5", ""])
def test_cheap_look_spares_the_grammar(prompt: str) -> None:
    assert not may_name_issue(prompt)


@given(
    st.lists(
        st.sampled_from(
            [
                "issue",
                "Issues/",
                " ",
                "\n",
                "\u00a0",
                "#",
                "5",
                "pr",
                "x",
                "(",
                "github.com/o/r/issues/",
            ]
        ),
        max_size=8,
    ).map("".join)
)
def test_cheap_look_misses_nothing(prompt: str) -> None:
    assert find_mention(prompt) is None or may_name_issue(prompt)

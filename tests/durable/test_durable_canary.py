"""Nothing that a comment says, and no token, gets into errors, warnings, logs or diagnostics."""

import pytest

from durable_support import Cli, completion, decision, lines, record, token
from fake_github import World
from fake_github.state import TOKEN
from support import Repository

CANARY = "canary-4711"
# Messages may repeat the beginning of a value, and say how much they left out.
LONG = "x" * 500 + CANARY

ISSUE = [
    f"talk of {CANARY}",
    record(7, "design", decision(choice=CANARY, audit_rationale=CANARY)),
    record(7, "design", decision(choice=CANARY)).replace("cache-key", LONG),
    record(7, "plan", decision(choice=CANARY)).replace("schema_version: 2", "schema_version: x"),
    f"<!-- engagement-record-plan-7 -->\n\n```yaml\n{CANARY}: &{CANARY} [\n```",
    f"<!-- engagement-record-plan-7 -->\n\n```yaml\na: {CANARY}\na: {CANARY}\n```",
    f"<!-- engagement-record-plan-7 -->\n\n```yaml\nphase: {LONG}\n```",
    completion(7, "design-phase-complete", f"```yaml\n{CANARY}: [\n```"),
    completion(7, "experience-owner-complete", CANARY),
    f"<!-- credit-input-experience-7 -->\n\n```yaml\nport: {CANARY}\n```",
    f"<!-- proposed-followups-7 -->\n\nstate: {CANARY}\n\n```yaml\na: {CANARY}\n```",
]
REVIEW = [
    "<!-- review-judge-produced-9 -->",
    f"<!-- review-dispositions-9 -->\n\n```yaml\nschema_version: {LONG}\n```",
    f"<!-- review-dispositions-9 -->\n\n```yaml\n{CANARY}: *{CANARY}\n```",
    f"<!-- review-dispositions-9 -->\n\n```yaml\nschema_version: 4\nentries:\n  - {LONG}: 1\n```",
    record(9, "review", decision("gh-1", CANARY)).replace("phase: review", f"phase: {LONG}"),
]
COMMANDS = {
    "records": "records read --issue 7 --pr 9",
    "records of anyone": "records read --issue 7 --pr 9 --any-author --legacy",
    "reconcile": "reconcile --issue 7 --strict",
    "reconcile review": "reconcile --pr 9 --strict",
    "credits": "credits harvest --issue 7 --pr 9 --retries 0",
    "sentinel": "sentinel --pr 9 --any-author",
    "dispositions": "dispositions check --pr 9",
    "merge": "dispositions merge --pr 9",
    "followups": "followups list --issue 7",
    "claim": "followups claim --issue 7",
    "rule": "followups rule --issue 7 --approved x",
    "consume": "followups consume --issue 7",
    "resume": "resume --issue 7",
    "markers": "markers list --issue 7 --any-author",
    "metrics": "markers show pipeline-metrics --pr 9",
}


@pytest.fixture(params=["octo-dev", "stranger"])
def author(request: pytest.FixtureRequest, world: World) -> str:
    """Wrote everything on issue 7 and pull request 9."""
    name = str(request.param)
    for number, bodies in ((7, ISSUE), (9, REVIEW)):
        opened = world.repository().open(CANARY, CANARY, number=number, pull_request=number == 9)
        for body in bodies:
            opened.post(body, name)
    return name


@pytest.mark.parametrize("status", [0, 403], ids=["read", "failing"])
@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_comments_stay_out_of_messages(
    cli: Cli, world: World, author: str, status: int, command: str
) -> None:
    if status:
        world.fault("comments", status=status, times=9)

    ran = cli(*command.split())

    assert ran.code in (0, 2, 3, 10, 11, 12)
    assert CANARY not in ran.stderr
    assert TOKEN not in ran.stdout + ran.stderr
    if author == "stranger" and "--any-author" not in command:
        assert CANARY not in ran.stdout


@pytest.mark.usefixtures("author")
def test_reading_leaves_no_trace(cli: Cli, clone: Repository) -> None:
    log = clone.write("memories/session/gate-events-s-1.jsonl", lines(token("cache-key")) + CANARY)
    before = log.read_bytes()

    for command in COMMANDS.values():
        assert CANARY not in cli(*command.split()).stderr

    assert log.read_bytes() == before
    assert sorted(path.name for path in clone.session.iterdir()) == [log.name]


FILES = {
    "records render": ["records", "render", "-", "--issue", "7"],
    "records check": ["records", "check", "-"],
    "dispositions check": ["dispositions", "check", "-"],
    "followups propose": ["followups", "propose", "-", "--issue", "7"],
}
TEXTS = [
    f"{CANARY}: [",
    f'{{"{CANARY}": ',
    f"- {LONG}: 1",
    f"<!-- review-dispositions-9 -->\n```yaml\n{CANARY}: &a\n```",
    f'{{"phase": "design", "schema_version": 2, "capture_session": "```\\n```{CANARY}"}}',
]


@pytest.mark.usefixtures("issue")
@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
@pytest.mark.parametrize("command", FILES.values(), ids=FILES)
def test_files_stay_out_of_messages(cli: Cli, command: list[str], text: str) -> None:
    ran = cli(*command, stdin=text)

    assert ran.code == 2
    assert CANARY not in ran.stdout + ran.stderr

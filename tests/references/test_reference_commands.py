"""The command group as a user runs it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from reference_support import Gh, add_references, entry
from session_memory.cli.main import main
from session_memory.cli.references import command
from session_memory.references.nudge import NUDGE
from support import Repository

Run = Callable[..., Result]


@pytest.fixture
def run(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(repo.root)
    return lambda *arguments: CliRunner().invoke(command, arguments)


def test_from_nothing_to_loaded(run: Run, repo: Repository) -> None:
    repo.write("Documents/parser.md", "# How the parser works\n\nIt parses.\n")
    created = run("init")
    assert (created.exit_code, created.output.splitlines()) == (
        0,
        ["created Documents/parser.md.ref.yml", "1 created, 0 kept as they are"],
    )
    assert run("index").output == "wrote .references/index.json\nwrote Documents/INDEX.md\n"
    assert run("index").output == "everything is up to date\n"
    assert (run("validate").exit_code, run("validate").output) == (0, "0 errors, 0 warnings\n")
    loaded = run("load", "--title", "The parser fails")
    assert loaded.exit_code == 0
    assert "untrusted-content\n# How the parser works\n" in loaded.output


def test_json(run: Run, repo: Repository) -> None:
    repo.write("Documents/parser.md", "x\n")
    assert json.loads(run("init", "--json").output)["created"] == ["Documents/parser.md.ref.yml"]
    assert json.loads(run("index", "--json").output)["entries"] == 1
    assert json.loads(run("validate", "--json").output) == {"valid": True, "findings": []}
    result = json.loads(run("load", "--label", "parser", "--body", "parser", "--json").output)
    assert (result["matched"], result["nudge_due"]) == (["parser"], False)
    assert json.loads(run("init", "--undo", "--json").output)["removed"] == [
        "Documents/parser.md.ref.yml"
    ]


def test_findings_are_told_and_exit_2(run: Run, repo: Repository) -> None:
    repo.write("Documents/a.md.ref.yml", "schema_version: 9\n")
    result = run("validate")
    assert result.exit_code == 2
    assert result.output.startswith(
        "Documents/a.md.ref.yml:1: error: schema_version 9 is not known"
    )
    assert result.output.endswith("1 error, 0 warnings\n")


def test_warnings_exit_0(run: Run, repo: Repository) -> None:
    repo.write("Documents/a.md", "x")
    result = run("validate")
    assert (result.exit_code, result.output.splitlines()[0]) == (
        0,
        "Documents/a.md: warning: has no sidecar [uncovered-document]",
    )


def test_index_refuses_invalid_sidecars(run: Run, repo: Repository) -> None:
    repo.write("Documents/a.md.ref.yml", "schema_version: 9\n")
    assert run("index").exit_code == 2
    assert not (repo.root / ".references").exists()


def test_index_refuses_duplicate_names(run: Run, repo: Repository) -> None:
    for name in ("a", "b"):
        repo.write(f"{name}.md.ref.yml", "schema_version: 1\nname: same\n")
    result = run("index")
    assert (result.exit_code, result.output) == (2, "Error: a.md and b.md are both called same\n")
    assert not (repo.root / ".references").exists()


def test_index_never_writes_through_a_link(run: Run, repo: Repository, tmp_path: Path) -> None:
    repo.write("Documents/a.md.ref.yml", "schema_version: 1\n")
    (tmp_path / "out").mkdir()
    (repo.root / ".references").symlink_to(tmp_path / "out")
    assert run("index").exit_code == 2
    assert list((tmp_path / "out").iterdir()) == []
    assert not (repo.root / "Documents/INDEX.md").exists()


@pytest.mark.parametrize("kind", ["text", "empty", "quoted", "folder", "link"])
def test_index_replaces_no_text_of_others(
    run: Run, repo: Repository, tmp_path: Path, kind: str
) -> None:
    repo.write("Documents/a.md.ref.yml", "schema_version: 1\n")
    path = repo.root / "Documents/INDEX.md"
    if kind == "folder":
        repo.write("Documents/INDEX.md/x", "x")
    elif kind == "link":
        path.symlink_to(tmp_path / "elsewhere.md")
    else:
        mark = "See <!-- made by `session-memory references index` -->.\n"
        path.write_text({"text": "# Ours\n", "empty": "", "quoted": mark}[kind])
    before = sorted((p, p.is_file() and p.read_bytes()) for p in repo.root.rglob("*"))
    result = run("index")
    assert result.exit_code == 2
    assert "Documents/INDEX.md was not made by this command" in result.output
    assert "rename or remove it, then run this again" in result.output
    assert sorted((p, p.is_file() and p.read_bytes()) for p in repo.root.rglob("*")) == before


def test_index_is_all_or_nothing(run: Run, repo: Repository) -> None:
    repo.write("Documents/a.md.ref.yml", "schema_version: 1\n")
    repo.write(".references/index.json/x", "x")
    assert run("index").exit_code == 2
    assert sorted(p.name for p in (repo.root / "Documents").iterdir()) == ["a.md.ref.yml"]


def test_list_is_made_only_where_its_folder_is(run: Run, repo: Repository) -> None:
    repo.write("docs/a.md.ref.yml", "schema_version: 1\n")
    assert run("index").output == "wrote .references/index.json\n"
    assert not (repo.root / "Documents").exists()


def test_index_of_nothing_is_not_made(run: Run, repo: Repository) -> None:
    repo.write("Documents/a.md", "x")
    assert run("index").output == "no sidecar, so no index; init makes sidecars\n"
    assert not (repo.root / ".references").exists()


def test_last_sidecar_leaves_an_empty_index(run: Run, repo: Repository) -> None:
    repo.write("Documents/a.md.ref.yml", "schema_version: 1\n")
    run("index")
    (repo.root / "Documents/a.md.ref.yml").unlink()
    assert run("index").output == "wrote .references/index.json\nwrote Documents/INDEX.md\n"
    assert (repo.root / ".references/index.json").read_text() == "[]\n"


@pytest.mark.parametrize(("count", "tail"), [(1, "1\n"), (2, "1 (and 1 other sidecar like it)\n")])
def test_index_counts_invalid_sidecars(run: Run, repo: Repository, count: int, tail: str) -> None:
    for name in range(count):
        repo.write(f"{name}.ref.yml", "schema_version: 9\n")
    assert run("index").output.endswith("this version reads " + tail)


@pytest.mark.parametrize(
    ("roots", "said"),
    [
        ("[docs, notes/**]", "no Markdown document under docs, notes/**; declared_roots in"),
        ("[]", "declared_roots in .agent-orchestra.yml is empty"),
    ],
)
def test_init_says_where_it_looked(run: Run, repo: Repository, roots: str, said: str) -> None:
    repo.write(".agent-orchestra.yml", f"references:\n  declared_roots: {roots}\n")
    assert run("init").output.splitlines()[1].startswith(said)


def test_dismissal(run: Run, repo: Repository) -> None:
    for number in range(5):
        repo.write(f"Documents/{number}.md", "x")
    assert json.loads(run("load", "--title", "x", "--json").output)["nudge_due"] is True
    assert run("init", "--dismiss-nudge").exit_code == 0
    result = json.loads(run("load", "--title", "x", "--json").output)
    assert (result["nudge_due"], result["nudge_dismissed"]) == (False, True)


@pytest.mark.parametrize(
    "case", ["few", "manual-sidecar", "index", "set-up", "high-threshold", "no-roots"]
)
def test_no_nudge(run: Run, repo: Repository, case: str) -> None:
    for number in range(4 if case == "few" else 5):
        repo.write(f"Documents/{number}.md", "x")
    files = {
        "manual-sidecar": ("x.md.ref.yml", "schema_version: 1\n"),
        "index": (".references/index.json", "[]"),
        "set-up": (".copilot-tracking/references-state.yml", "references_setup_complete: true\n"),
        "high-threshold": (".agent-orchestra.yml", "references:\n  doc_count_threshold: 6\n"),
        "no-roots": (".agent-orchestra.yml", "references:\n  declared_roots: []\n"),
    }
    if case in files:
        repo.write(*files[case])
    result = run("load", "--title", "x", "--json")
    assert json.loads(result.stdout)["nudge_due"] is False


@pytest.mark.parametrize("arguments", [("load", "--title", "x"), ("validate",)], ids=str)
def test_nudge_is_shown_until_it_is_dismissed(
    run: Run, repo: Repository, arguments: tuple[str, ...]
) -> None:
    for number in range(5):
        repo.write(f"Documents/{number}.md", "x")
    assert run(*arguments).stderr.splitlines()[-1] == NUDGE
    run("init", "--dismiss-nudge")
    assert NUDGE not in run(*arguments).stderr


def test_load_of_an_issue(
    run: Run, repo: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gh = Gh.create(tmp_path / "bin")
    gh.answer("x", "y", ("bug",))
    monkeypatch.setenv("PATH", gh.environment["PATH"])
    add_references(repo, entry("guide", labels=["bug"]))
    assert "Text of guide." in run("load", "--issue", "5", "--repo", "o/r").output
    assert gh.calls[0]["arguments"][2] == "5"
    assert gh.calls[0]["arguments"][-1] == "o/r"
    gh.plan(code=4)
    result = run("load", "--issue", "5")
    assert (result.exit_code, result.output) == (
        3,
        "Error: issue 5 could not be fetched: gh is not signed in\n",
    )


def test_load_with_paths(run: Run, repo: Repository) -> None:
    add_references(repo, entry("guide", globs=["src/**"]))
    assert "Text of guide." in run("load", "--changed-path", "src/a.py").output
    result = run("load", "--changed-path", "lib/a.py")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "no reference was loaded: none of 1 entry matches\n"


def test_load_without_an_index_says_so(run: Run) -> None:
    assert run("load", "--title", "x").stderr.startswith(
        "no reference was loaded: .references/index.json has no entries"
    )


def test_load_over_the_budget_says_so(run: Run, repo: Repository) -> None:
    repo.write(".agent-orchestra.yml", "references: {max_total_loaded_bytes: 1}\n")
    add_references(repo, entry("guide", labels=["bug"]))
    assert run("load", "--label", "bug").stderr.splitlines() == [
        "guide [skipped: max_total_loaded_bytes]",
        "no reference was loaded: what matches is over the budget",
    ]


def test_load_of_a_document_that_is_gone_says_so(run: Run, repo: Repository) -> None:
    add_references(repo, entry("guide", labels=["bug"]))
    (repo.root / "Documents/guide.md").unlink()
    assert run("load", "--label", "bug").stderr.splitlines()[-1] == (
        "no reference was loaded: the documents of what matches cannot be read"
    )


def test_load_warns_of_an_index_that_is_behind(run: Run, repo: Repository) -> None:
    repo.write("Documents/a.md", "x")
    run("init")
    run("index")
    repo.write("Documents/a.md.ref.yml", "schema_version: 1\nload-when: parsing\n")
    result = run("load", "--title", "parsing")
    warning, outcome = result.stderr.splitlines()
    assert warning.startswith("warning: .references/index.json is not what the sidecars say; run")
    assert outcome == "no reference was loaded: none of 1 entry matches"
    run("index")
    assert run("load", "--title", "parsing").stderr == ""


def test_load_warns_of_a_broken_sidecar(run: Run, repo: Repository) -> None:
    repo.write("a.ref.yml", "schema_version: 1\nload-priority: high\n")
    assert run("load", "--title", "x").stderr.startswith(
        "warning: a.ref.yml:2: load-priority is none of critical,"
    )


def test_load_warns_of_misspelt_settings(run: Run, repo: Repository) -> None:
    repo.write(".session-memory.toml", 'references.match = "lables"\n')
    add_references(repo, entry("guide", keywords=["parser"]))
    result = run("load", "--title", "parser")
    assert 'warning: settings: references.match is neither "any" nor "labels"' in result.stderr
    assert result.stdout == ""


def test_load_reads_the_budgets_as_yaml(run: Run, repo: Repository) -> None:
    repo.write(".agent-orchestra.yml", "references: {max_total_loaded_bytes: 1}\n")
    add_references(repo, entry("guide", labels=["bug"]))
    result = json.loads(run("load", "--label", "bug", "--json").output)
    assert result["budget_skipped"] == [{"name": "guide", "reason": "max_total_loaded_bytes"}]


@pytest.mark.parametrize(
    "arguments",
    [
        ("load",),
        ("load", "--issue", "0"),
        ("load", "--issue", "2147483648"),
        ("load", "--issue", "5", "--title", "x"),
        ("load", "--issue", "5", "--repo=-o/r"),
        ("load", "--title", "x", "--repo", "o/r"),
        ("init", "--undo", "--dismiss-nudge"),
    ],
)
def test_usage(run: Run, arguments: tuple[str, ...]) -> None:
    assert CliRunner().invoke(main, ["references", *arguments]).exit_code == 64


@pytest.mark.parametrize(
    ("path", "text", "arguments"),
    [
        (".references/index.json", "{", ("load", "--title", "x")),
        (".agent-orchestra.yml", "references: 5\n", ("load", "--title", "x")),
        (".agent-orchestra.yml", "references: 5\n", ("init",)),
    ],
)
def test_refusals(
    run: Run, repo: Repository, path: str, text: str, arguments: tuple[str, ...]
) -> None:
    repo.write(path, text)
    result = run(*arguments)
    assert result.exit_code == 2
    assert path in result.output


def test_outside_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plain").mkdir()
    monkeypatch.chdir(tmp_path / "plain")
    result = CliRunner().invoke(command, ["validate"])
    assert (result.exit_code, result.output) == (2, "Error: this folder belongs to no repository\n")

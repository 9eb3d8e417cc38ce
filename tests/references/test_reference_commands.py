"""The command group as a user runs it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from reference_support import Gh, add_references, entry
from session_memory.cli.main import main
from session_memory.cli.references import command
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
    assert result.output.endswith("1 errors, 0 warnings\n")


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
    (tmp_path / "out").mkdir()
    (repo.root / ".references").symlink_to(tmp_path / "out")
    assert run("index").exit_code == 2
    assert list((tmp_path / "out").iterdir()) == []


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
    assert json.loads(run("load", "--title", "x", "--json").output)["nudge_due"] is False


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
    assert (result.exit_code, result.output) == (0, "no reference was loaded\n")


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

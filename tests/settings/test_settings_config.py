"""``session-memory config``."""

import json
import os
from pathlib import Path

import pytest

from command_line import Ran, environment, run, run_here
from session_memory import schemas
from session_memory.settings import table
from support import Repository

OWN = ".session-memory.toml"


@pytest.fixture(autouse=True)
def _environment_of_a_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As empty as that of a command which is started."""
    for name in set(os.environ) - set(environment(tmp_path / "home")):
        monkeypatch.delenv(name)


def config(repo: Repository, *arguments: str, **env: str) -> Ran:
    return run_here("config", *arguments, cwd=repo.root, env=env)


def test_json(repo: Repository) -> None:
    repo.write(OWN, "\nstartup.network = true\n")
    ran = run("config", "show", "--json", cwd=repo.root)
    assert (ran.code, ran.stderr, ran.json["root"]) == (0, "", str(repo.root))
    assert [one["name"] for one in ran.json["settings"]] == [one.name for one in table.ALL]
    assert config(repo, "get", "startup.network", "--json").json in ran.json["settings"]


@pytest.mark.parametrize("arguments", ["show", "show --json", "get {}", "get {} --json"])
def test_secrets_are_not_shown(repo: Repository, arguments: str) -> None:
    secrets = {"GH_TOKEN": "s3cret", "GITHUB_TOKEN": "s3cret"}
    ran = config(repo, *arguments.replace("{}", "GH_TOKEN").split(), **secrets)
    assert (ran.code, ran.stderr) == (0, "")
    assert "s3cret" not in ran.stdout
    assert "set" in ran.stdout


def test_alone_it_shows(repo: Repository) -> None:
    alone = config(repo)
    assert (alone.code, alone.stderr) == (0, "")
    assert alone.stdout == config(repo, "show").stdout
    assert "  startup.network                    false  (default)\n" in alone.stdout
    assert "CLAUDE_PROJECT_DIR" not in alone.stdout
    assert "CLAUDE_PROJECT_DIR" in config(repo, "show", "--all").stdout


def test_show_points_to_check(repo: Repository) -> None:
    repo.write(OWN, "enabled = 1\n")
    shown = config(repo).stdout
    assert "  enabled                            false  (in place of what " in shown
    assert shown.endswith("\n1 setting needs a look: session-memory config check\n")


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("enabled", "true\n"),
        ("bump_command", ".github/scripts/bump-version.ps1\n"),
        ("references.max_critical_loaded", "10\n"),
        ("references.declared_roots", '["Documents/**"]\n'),
        ("SESSION_MEMORY_PYTHON", "\n"),
    ],
)
def test_get(repo: Repository, name: str, printed: str) -> None:
    ran = config(repo, "get", name)
    assert (ran.code, ran.stdout) == (0, printed)


def test_get_of_an_unknown_name(repo: Repository) -> None:
    config(repo, "get", "startup").assert_fault(64, "no setting called startup", "startup.network")


def test_check_of_good_settings(repo: Repository) -> None:
    ran = config(repo, "check")
    assert (ran.code, ran.stdout, ran.stderr) == (0, "0 errors, 0 warnings\n", "")


def test_check_of_an_error(repo: Repository) -> None:
    repo.write(OWN, "\nenabled = 'no'\n")
    ran = config(repo, "check")
    assert ran.code == 2
    assert ran.stdout == (
        f"{repo.root}/{OWN}:2: error: enabled: 'no' is not of type 'boolean'; false counts"
        " [settings-invalid]\n1 error, 0 warnings\n"
    )
    (found,) = config(repo, "check", "--json").json["findings"]
    assert (found["severity"], found["line"], found["file"]) == ("error", 2, OWN)


def test_warnings_alone_pass(repo: Repository) -> None:
    repo.write(OWN, "x = 1\n")
    ran = config(repo, "check", SESSION_MEMORY_NETWROK="1")
    assert (ran.code, ran.stdout.count("warning:")) == (0, 2)


def test_check_covers_the_file_of_agent_orchestra(repo: Repository) -> None:
    repo.write(".agent-orchestra.yml", "references: 3\n")
    ran = config(repo, "check")
    assert ran.code == 2
    assert ".agent-orchestra.yml: error: references is not a mapping; its defaults" in ran.stdout


def test_check_prints_nothing_that_a_terminal_obeys(repo: Repository) -> None:
    repo.write(OWN, '"\\u001b[31m\\u202e" = 1\nreferences.match = "\\u001b]0;x\\u0007"\n')
    printed = config(repo, "check").stdout
    assert printed.replace("\n", "").isprintable()


def test_path(repo: Repository) -> None:
    repo.write(OWN, "enabled = true\n")
    lines = config(repo, "path").stdout.splitlines()
    assert lines[0].endswith("/.config/session-memory/settings.toml (absent)")
    assert lines[1].endswith("/repo/pyproject.toml (absent)")
    assert lines[2].endswith("/repo/.session-memory.toml")
    rows = config(repo, "path", "--json").json["files"]
    assert [row["exists"] for row in rows] == [False, False, True]


def test_path_without_a_home(repo: Repository) -> None:
    assert "neither XDG_CONFIG_HOME nor HOME tells" in config(repo, "path", HOME="").stdout


def test_outside_a_repository(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / OWN).write_text("enabled = false\n")
    ran = run_here("config", "get", "enabled", cwd=folder)
    assert (ran.code, ran.stdout) == (0, "true\n")
    assert len(run_here("config", "path", "--json", cwd=folder).json["files"]) == 1
    assert run_here("config", "check", cwd=folder).code == 0


def test_schema(repo: Repository) -> None:
    assert json.loads(config(repo, "schema").stdout) == schemas.load("settings")

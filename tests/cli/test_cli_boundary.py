"""The command itself: help, usage, faults, and the ways to start it."""

import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from command_line import environment, run
from session_memory import __version__
from session_memory.cli import errors, main, output
from support import ROOT, Repository


def test_version(tmp_path: Path) -> None:
    ran = run("--version", cwd=tmp_path)
    assert (ran.code, ran.stdout) == (0, f"session-memory, version {__version__}\n")


@pytest.mark.parametrize("name", ["-h", "--help"])
def test_help_lists_every_command(tmp_path: Path, name: str) -> None:
    ran = run(name, cwd=tmp_path)
    assert ran.code == 0
    for command in main.COMMANDS:
        assert f"\n  {command} " in ran.stdout


@pytest.mark.parametrize("arguments", [[], ["gate"]], ids=["command", "group"])
def test_without_a_command(tmp_path: Path, arguments: list[str]) -> None:
    ran = run(*arguments, cwd=tmp_path)
    assert (ran.code, ran.stdout) == (64, "")
    assert ran.stderr.startswith("Usage: session-memory")


BAD_CALLS = {
    "command": (["nope"], "session-memory: No such command 'nope'"),
    "option": (["--nope"], "session-memory: No such option"),
    "sub-command": (["gate", "nope"], "session-memory gate: No such command 'nope'"),
    "controls": (["\x1b[2J"], "\\x1b[2J"),
}


@pytest.mark.parametrize(("arguments", "words"), BAD_CALLS.values(), ids=BAD_CALLS)
def test_bad_call(tmp_path: Path, arguments: list[str], words: str) -> None:
    ran = run(*arguments, cwd=tmp_path)
    ran.assert_fault(64, words, "--help.")
    assert "\x1b" not in ran.stderr


FAULTS = {
    "refused": (errors.Refused("no\nway"), 2, "session-memory: no way\n"),
    "undelivered": (errors.Undelivered("full"), 3, "session-memory: full\n"),
    "file system": (OSError(28, "No space left", "/x"), 3, "session-memory: No space left: /x\n"),
    "file system without a word": (PermissionError(), 3, "session-memory: PermissionError\n"),
    "interrupted": (KeyboardInterrupt(), 130, "\n"),
    "aborted": (click.Abort(), 130, ""),
}


@pytest.mark.parametrize(("fault", "code", "text"), FAULTS.values(), ids=FAULTS)
def test_faults(fault: BaseException, code: int, text: str) -> None:
    group = main.LazyGroup("fault", invoke_without_command=True)

    @group.result_callback()
    def fail(_: object) -> None:
        raise fault

    ran = CliRunner().invoke(group, [])
    assert (ran.exit_code, ran.stdout, ran.stderr) == (code, "", text)


def test_bug_is_not_hidden() -> None:
    group = main.LazyGroup("fault", invoke_without_command=True)

    @group.result_callback()
    def fail(_: object) -> None:
        raise ZeroDivisionError

    assert isinstance(CliRunner().invoke(group, []).exception, ZeroDivisionError)


def test_exit_code_of_a_command() -> None:
    group = main.LazyGroup("code", invoke_without_command=True, result_callback=lambda _: 5)
    assert CliRunner().invoke(group, []).exit_code == errors.HALTED


PRINTABLE = {
    "plain": ("später → ok", "später → ok"),
    "control": ("a\x1b[2J\n\t", "a\\x1b[2J\\n\\t"),
    "bidirectional": ("a\u202eb", "a\\u202eb"),
    "surrogate": ("a\udcffb", "a\\udcffb"),
    "line separator": ("a\u2028b", "a\\u2028b"),
}


@pytest.mark.parametrize(("text", "shown"), PRINTABLE.values(), ids=PRINTABLE)
def test_printable(text: str, shown: str) -> None:
    assert output.printable(text) == shown


def python(code: str, home: Path) -> str:
    """What ``code`` prints in an interpreter that has only the standard library."""
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        env=environment(home),
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout + done.stderr


def test_commands_are_imported_lazily(tmp_path: Path) -> None:
    code = (
        "import sys, session_memory.cli.main as m; print([n for n in sys.modules if 'gates' in n])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    ("base", "further"),
    [("/usr", ""), ("/venv", " -m venv ~/.session-memory && ~/.session-memory/bin/python")],
    ids=["virtual environment", "system"],
)
def test_without_click(tmp_path: Path, base: str, further: str) -> None:
    code = (
        f"import sys; sys.argv = ['x', 'key']; sys.prefix = '/venv'; sys.base_prefix = '{base}';"
        " import session_memory.__main__ as m; print(m.main())"
    )
    begin = shlex.quote(sys.executable) + further
    install = shlex.join(["-m", "pip", "install", str(ROOT)])
    assert python(code, tmp_path) == (
        f"2\nsession-memory: click is not installed; for the command line: {begin} {install}\n"
    )


def test_without_click_or_a_clone(tmp_path: Path) -> None:
    code = "import session_memory.__main__ as m; m.__file__ = '/a/b/c/d.py'; print(m._way_out())"
    assert "install session-memory-hooks again" in python(code, tmp_path)


OLD = {
    "command line": (["session_memory", "key"], "session-memory: the command line needs", "3.10"),
    "demo": (["session_memory", "demo"], "session-memory demo: the demo needs", "3.9"),
    "demo by itself": (["session_memory.demo"], "session-memory demo: the demo needs", "3.9"),
}


@pytest.mark.parametrize(("arguments", "words", "needed"), OLD.values(), ids=OLD)
def test_python_that_is_too_old(
    tmp_path: Path, arguments: list[str], words: str, needed: str
) -> None:
    code = (
        "import runpy, sys; sys.version_info = (3, 8, 18, 'final', 0)\n"
        f"sys.argv[1:] = {arguments[1:]}\n"
        f"runpy.run_module({arguments[0]!r}, run_name='__main__', alter_sys=True)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"{words} Python {needed} or newer; this is Python 3.8.18, {sys.executable}\n"
    )


def test_help_tells_the_exit_codes(tmp_path: Path) -> None:
    told = run("--help", cwd=tmp_path).stdout.partition("Exit codes:\n")[2].split("\n")
    codes = [int(line.split()[0]) for line in told if line]
    strict = [errors.FINDINGS, errors.NOTHING_TO_CHECK, errors.INCOMPLETE]
    assert codes == [0, 1, *range(errors.REFUSED, errors.HALTED + 1), *strict, 64, 130]


@pytest.mark.parametrize("arguments", [[], ["gate"]], ids=["command", "group"])
def test_help_says_what_a_row_is(tmp_path: Path, arguments: list[str]) -> None:
    assert "of the session-memory contract" in run(*arguments, "--help", cwd=tmp_path).stdout


def test_example_of_the_help_works(repo: Repository) -> None:
    example = run("gate", "--help", cwd=repo.root).stdout.partition("Example:\n")[2]
    command = example.partition("\n\n")[0].replace("\\\n", " ")
    ran = run(*shlex.split(command)[1:], cwd=repo.root)
    assert (ran.code, len(repo.log("b-main"))) == (0, 1)


def test_demo_needs_no_click(tmp_path: Path) -> None:
    code = (
        "import sys, types, session_memory\n"
        "demo = session_memory.demo = types.ModuleType('session_memory.demo')\n"
        "demo.main = lambda: 7\n"
        "sys.modules[demo.__name__] = demo\n"
        "sys.argv = ['x', 'demo']\n"
        "import session_memory.__main__ as m\n"
        "print(m.main(), 'click' in sys.modules)"
    )
    assert python(code, tmp_path) == "7 False\n"


def test_wheel_holds_the_schemas(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    build = [sys.executable, "-m", "pip", "wheel", str(ROOT), "--no-deps", "--no-build-isolation"]
    subprocess.run([*build, "-q", "-w", str(tmp_path)], check=True, timeout=120)
    [wheel] = tmp_path.glob("*.whl")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path / 'site')!r})\n"
        "from session_memory import schemas\n"
        "print(schemas.__file__, schemas.load('question-event')['title'])"
    )
    unpack = [sys.executable, "-m", "zipfile", "-e", str(wheel), str(tmp_path / "site")]
    subprocess.run(unpack, check=True)
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, check=True)
    assert done.stdout.decode() == (
        f"{tmp_path / 'site' / 'session_memory' / 'schemas.py'} Question event\n"
    )

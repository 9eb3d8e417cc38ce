"""Body files and manifests: what is read, and what never is."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from session_memory.core.system import WINDOWS
from session_memory.markers import manifest
from session_memory.markers.body_file import BodyFileError, Scratch
from support import Repository
from writer_support import PLAN

ENTRY = {
    "family": "plan-issue",
    "number": 7,
    "targetSurface": "issue",
    "marker": PLAN,
    "bodyFile": ".tmp/b.md",
}


@pytest.fixture
def scratch(repo: Repository, monkeypatch: pytest.MonkeyPatch) -> Scratch:
    monkeypatch.chdir(repo.root)
    repo.write(".tmp/b.md", f"{PLAN}\n\nText.")
    return Scratch.of(Path.cwd())


def manifest_of(scratch: Scratch, value: object) -> Any:
    path = scratch.root / "m.json"
    path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
    return manifest.read(scratch, str(path))


def test_the_scratch_folder_is_at_the_root_of_the_work_tree(
    scratch: Scratch, repo: Repository, tmp_path: Path
) -> None:
    below = repo.root / "a" / "b"
    below.mkdir(parents=True)
    assert Scratch.of(below).root == repo.root / ".tmp"
    assert Scratch.of(tmp_path).root == tmp_path / ".tmp"


@pytest.mark.parametrize("path", [".tmp/b.md", "./.tmp/../.tmp/b.md", "README.md/../.tmp/b.md"])
def test_a_file_below_the_scratch_folder(path: str, scratch: Scratch) -> None:
    assert scratch.read(path) == f"{PLAN}\n\nText."
    assert scratch.read(str(Path.cwd() / path)) == f"{PLAN}\n\nText."


def test_a_mark_of_the_encoding_is_no_text(scratch: Scratch) -> None:
    (scratch.root / "bom.md").write_bytes(b"\xef\xbb\xbfText\r\n")
    assert scratch.read(".tmp/bom.md") == "Text\r\n"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("README.md", "outside the scratch root"),
        (".tmp/../README.md", "outside the scratch root"),
        (".tmp-not-really/b.md", "outside the scratch root"),
        (".tmp", "outside the scratch root"),
        ("/etc/passwd", "outside the scratch root"),
        ("", "no file is named"),
        (".tmp/\0", "no file is named"),
        (".tmp/missing.md", "does not exist"),
        (f".tmp/{'x' * 300}", "could not be read"),
        (".tmp/folder", "could not be read"),
        (".tmp/b.md/c", "could not be read"),
        (".tmp/latin.md", "could not be read as UTF-8"),
        (".tmp/large.md", "larger than"),
    ],
)
def test_what_is_not_read(path: str, reason: str, scratch: Scratch) -> None:
    (scratch.root / "folder").mkdir()
    (scratch.root / "latin.md").write_bytes(b"\xe9")
    (scratch.root / "large.md").write_bytes(b"x" * 262_145)
    with pytest.raises(BodyFileError, match=reason):
        scratch.read(path)


@pytest.mark.skipif(WINDOWS, reason="links take a privilege here")
@pytest.mark.parametrize("link", [".tmp", ".tmp/folder", ".tmp/folder/b.md"])
def test_no_link_is_followed(link: str, repo: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repo.root)
    elsewhere = repo.write("elsewhere/b.md", "secret").parent
    elsewhere.joinpath("folder").mkdir()
    (elsewhere / "folder" / "b.md").write_text("secret")
    path = repo.root / link
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(elsewhere / "b.md" if link.endswith(".md") else elsewhere)
    with pytest.raises(BodyFileError, match="symlink"):
        Scratch.of(repo.root).read(".tmp/folder/b.md")


@pytest.mark.skipif(WINDOWS, reason="links take a privilege here")
def test_a_link_above_the_scratch_folder_is_the_users_own(
    scratch: Scratch, repo: Repository
) -> None:
    alias = repo.root.parent / "alias"
    alias.symlink_to(repo.root)
    assert scratch.read(str(alias / ".tmp" / "b.md")) == f"{PLAN}\n\nText."


def test_a_second_name_of_another_file_is_not_read(scratch: Scratch, repo: Repository) -> None:
    os.link(repo.root / "README.md", scratch.root / "hard.md")
    with pytest.raises(BodyFileError, match="hard link"):
        scratch.read(".tmp/hard.md")


@pytest.mark.skipif(WINDOWS, reason="no FIFOs")
def test_a_pipe_does_not_block(scratch: Scratch) -> None:
    os.mkfifo(scratch.root / "pipe")
    with pytest.raises(BodyFileError, match="could not be read"):
        scratch.read(".tmp/pipe")


@pytest.mark.skipif(WINDOWS or os.geteuid() == 0, reason="nothing is unreadable here")
def test_a_file_without_permission(scratch: Scratch) -> None:
    (scratch.root / "b.md").chmod(0)
    with pytest.raises(BodyFileError, match="could not be read"):
        scratch.read(".tmp/b.md")


def test_a_manifest_names_its_candidates(scratch: Scratch) -> None:
    (first, second) = manifest_of(scratch, [ENTRY, {**ENTRY, "noPreserve": True}])
    assert (first.marker.literal, first.surface) == (PLAN, "issue")
    assert (first.preserve, second.preserve) == (True, False)


def test_a_single_entry_needs_no_array(scratch: Scratch) -> None:
    assert len(manifest_of(scratch, ENTRY)) == 1


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"family": " "}, "lacks the field family"),
        ({"marker": None}, "lacks the field marker"),
        ({"targetSurface": "Issue"}, "targetSurface is 'Issue'"),
        ({"number": True}, "number is True"),
        ({"number": "1e3"}, "number is 1e3"),
        ({"number": "\u0663"}, "number is"),
        ({"number": [7]}, "number is"),
        ({"number": -7}, "number is -7"),
        ({"bodyFile": "README.md"}, "outside the scratch root"),
        ({"noPreserve": "yes"}, "noPreserve is yes"),
        ({"family": "plan-isue"}, "unknown marker family"),
        ({"marker": "<!-- plan-issue-8 -->"}, "is not that of plan-issue 7"),
        ({"marker": "<!-- design-issue-7 -->"}, "is not that of plan-issue 7"),
        ({"family": "credit-input", "marker": "<!-- credit-input-7 -->"}, "needs a port"),
    ],
)
def test_an_entry_that_is_refused(
    changes: "dict[str, object]", reason: str, scratch: Scratch
) -> None:
    with pytest.raises(manifest.ManifestError, match=f"entry 2.*{reason}"):
        manifest_of(scratch, [ENTRY, {**ENTRY, **changes}])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "malformed manifest"),
        ("[" * 100_000, "malformed manifest"),
        ('"text"', "malformed manifest"),
        ("[]", "zero entries"),
        ("[7]", "entry 1 is not an object"),
        ('[{"number": 1e999}]', "lacks the field family"),
    ],
)
def test_a_manifest_that_is_refused(text: str, reason: str, scratch: Scratch) -> None:
    with pytest.raises(manifest.ManifestError, match=reason):
        manifest_of(scratch, text)


@given(st.integers(1, manifest.MAX_NUMBER))
def test_every_spelling_of_a_whole_number(number: int) -> None:
    for spelling in (number, float(number), f" {number} "):
        assert manifest.whole_number(spelling) == number


@given(st.one_of(st.floats(), st.text(), st.integers(max_value=0), st.booleans()))
def test_a_number_is_in_range_or_refused(value: object) -> None:
    try:
        number = manifest.whole_number(value)
    except ValueError:
        return
    assert 1 <= number <= manifest.MAX_NUMBER

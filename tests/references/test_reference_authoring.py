"""init, undo, and the files of the repository that commands may write."""

import json
import os
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from session_memory import schemas
from session_memory.references import authoring
from session_memory.references.files import Unwritable, remove_file, write_file, write_files
from session_memory.references.inventory import is_under, list_files
from session_memory.references.sidecar import parse_sidecar
from session_memory.references.state import read_manifest, read_state
from session_memory.references.tree import Tree
from session_memory.yaml_text import load
from support import Repository

MANIFEST = Draft202012Validator(schemas.load("references-init"))
STATE = Draft202012Validator(schemas.load("references-state"))


@pytest.fixture
def tree(repo: Repository) -> Tree:
    repo.write("Documents/guide.md", "# The *Guide* #\n")
    repo.write("Documents/api/guide.md", "no heading\n")
    repo.write("Documents/note.txt", "x")
    repo.write("Documents/INDEX.md", "x")
    return Tree(str(repo.root))


def _sidecars(repo: Repository) -> set[str]:
    return {path.relative_to(repo.root).as_posix() for path in repo.root.rglob("*.ref.yml")}


def test_init_makes_a_sidecar_for_every_document(tree: Tree, repo: Repository) -> None:
    outcome = authoring.init(tree)
    expected = {"Documents/guide.md.ref.yml", "Documents/api/guide.md.ref.yml"}
    assert set(outcome.changed) == _sidecars(repo) == expected
    assert set(read_manifest(tree)) == expected
    assert read_state(tree)["references_setup_complete"] is True


def test_generated_names_are_unique(tree: Tree, repo: Repository) -> None:
    authoring.init(tree)
    names = {
        parse_sidecar(path, (repo.root / path).read_text()).entry.name for path in _sidecars(repo)
    }
    assert names == {"guide", "Documents-guide"}


def test_the_first_heading_describes(tree: Tree, repo: Repository) -> None:
    authoring.init(tree)
    text = (repo.root / "Documents/guide.md.ref.yml").read_text()
    assert 'description: "The *Guide*"\n' in text


def test_init_never_overwrites(tree: Tree, repo: Repository) -> None:
    manual = "schema_version: 1\nname: mine\n"
    repo.write("Documents/guide.md.ref.yml", manual)
    outcome = authoring.init(tree)
    assert outcome.kept == ["Documents/guide.md.ref.yml"]
    assert (repo.root / "Documents/guide.md.ref.yml").read_text() == manual
    authoring.undo(tree)
    assert _sidecars(repo) == {"Documents/guide.md.ref.yml"}


def test_init_resumes(tree: Tree, repo: Repository) -> None:
    authoring.init(tree)
    (repo.root / "Documents/api/guide.md.ref.yml").unlink()
    before = (repo.root / "Documents/guide.md.ref.yml").read_bytes()
    assert authoring.init(tree).changed == ["Documents/api/guide.md.ref.yml"]
    assert (repo.root / "Documents/guide.md.ref.yml").read_bytes() == before
    assert len(authoring.undo(tree).changed) == 2


def test_a_run_that_was_cut_off_can_be_undone(
    tree: Tree, repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(authoring, "write_file", lambda *_: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="full"):
        authoring.init(tree)
    assert len(read_manifest(tree)) == 2
    assert authoring.undo(tree).changed == []


def test_undo_keeps_what_became_manual(tree: Tree, repo: Repository) -> None:
    authoring.init(tree)
    path = repo.root / "Documents/guide.md.ref.yml"
    path.write_text(path.read_text().replace("init-references", "manual"))
    outcome = authoring.undo(tree)
    assert outcome.changed == ["Documents/api/guide.md.ref.yml"]
    assert outcome.kept == ["Documents/guide.md.ref.yml"]
    assert read_manifest(tree) == []
    assert read_state(tree)["references_setup_complete"] is False


def test_undo_twice(tree: Tree) -> None:
    authoring.undo(tree)
    assert authoring.undo(tree).changed == []


def test_a_hostile_manifest_removes_nothing_else(
    tree: Tree, repo: Repository, tmp_path: Path
) -> None:
    authoring.init(tree)
    outside = tmp_path / "x.ref.yml"
    outside.write_bytes((repo.root / "Documents/guide.md.ref.yml").read_bytes())
    created = ["../x.ref.yml", str(outside), "README.md", 5, "Documents/.ref.yml/"]
    (repo.root / ".copilot-tracking/references-init.manifest").write_text(
        json.dumps({"created": created})
    )
    assert authoring.undo(tree).changed == []
    assert outside.exists()
    assert (repo.root / "README.md").exists()


def test_no_declared_roots_is_a_recorded_no_op(tree: Tree, repo: Repository) -> None:
    repo.write(".agent-orchestra.yml", "references:\n  declared_roots: []\n")
    assert authoring.init(tree).changed == []
    assert _sidecars(repo) == set()
    assert read_state(tree)["references_setup_complete"] is True


def test_hidden_documents_get_no_sidecar(tree: Tree, repo: Repository) -> None:
    repo.write("Documents/.trash/old.md", "x")
    repo.write("Documents/.draft.md", "x")
    assert not [path for path in authoring.init(tree).changed if "/." in path]


def test_what_is_remembered_is_valid(tree: Tree, repo: Repository) -> None:
    authoring.init(tree)
    authoring.dismiss_nudge(tree)
    folder = repo.root / ".copilot-tracking"
    MANIFEST.validate(json.loads((folder / "references-init.manifest").read_text()))
    STATE.validate(load((folder / "references-state.yml").read_text()))
    authoring.undo(tree)
    STATE.validate(load((folder / "references-state.yml").read_text()))


@pytest.mark.parametrize(
    "document",
    [
        *([], {}, {"created": "a.ref.yml"}, {"created": [5]}, {"created": ["a.md"]}),
        *({"created": [], "more": 1}, {"created": ["a.ref.yml", "a.ref.yml"]}),
        *({"created": [name]} for name in ("/a.ref.yml", "../a.ref.yml", "a/../b.ref.yml")),
        *({"created": [name]} for name in ("a//b.ref.yml", "a/./b.ref.yml", "a/.ref.yml")),
    ],
    ids=str,
)
def test_near_miss_is_no_manifest(document: object) -> None:
    assert not MANIFEST.is_valid(document)


@pytest.mark.parametrize("name", ["a.md.ref.yml", "a/.b/..c.ref.yml", "ü/x y.ref.yml"])
def test_any_sidecar_may_be_in_the_manifest(name: str) -> None:
    MANIFEST.validate({"created": [name]})


FLAGS = {"references_setup_complete": True, "references_nudge_dismissed": False}


@pytest.mark.parametrize(
    "document",
    [
        *([], {}, {"references_setup_complete": True}, {**FLAGS, "more": True}),
        {**FLAGS, "references_nudge_dismissed": "no"},
    ],
    ids=str,
)
def test_near_miss_is_no_state(document: object) -> None:
    assert not STATE.is_valid(document)


def test_dismissal_is_kept(tree: Tree) -> None:
    authoring.dismiss_nudge(tree)
    authoring.init(tree)
    assert read_state(tree)["references_nudge_dismissed"] is True


@pytest.mark.parametrize("text", ["{", "[]", "5", '{"created": 5}', '{"created": [5]}'])
def test_an_unusable_manifest_is_an_empty_one(tree: Tree, repo: Repository, text: str) -> None:
    repo.write(".copilot-tracking/references-init.manifest", text)
    assert read_manifest(tree) == []


@pytest.mark.parametrize("text", ["a: [", "[]", "references_setup_complete: 'true'\n", "a: b\n"])
def test_an_unusable_state_says_no(tree: Tree, repo: Repository, text: str) -> None:
    repo.write(".copilot-tracking/references-state.yml", text)
    assert not any(read_state(tree).values())


def test_undo_keeps_what_became_invalid(tree: Tree, repo: Repository) -> None:
    authoring.init(tree)
    repo.write("Documents/guide.md.ref.yml", "a: [")
    assert authoring.undo(tree).kept == ["Documents/guide.md.ref.yml"]


def test_tracking_stays_out_of_git(tree: Tree, repo: Repository) -> None:
    repo.commit("documents")
    authoring.dismiss_nudge(tree)
    assert repo.status() == ""


def test_tracking_behind_a_link_is_not_written(
    tree: Tree, repo: Repository, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (repo.root / ".copilot-tracking").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match=r"Not a directory|symbolic"):
        authoring.init(tree)
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert _sidecars(repo) == set()


def test_files_of_other_repositories_are_left_out(repo: Repository, tmp_path: Path) -> None:
    Repository.create(repo.root / "nested")
    repo.git("worktree", "add", "-q", str(repo.root / "trees" / "one"))
    repo.write("node_modules/a/README.md", "x")
    (repo.root / "linked").symlink_to(tmp_path)
    (repo.root / os.fsdecode(b"bad\xff.md")).write_text("x")
    assert list_files(str(repo.root)) == ["README.md"]


@pytest.mark.parametrize(
    ("path", "root", "expected"),
    [
        ("Documents/a/b.md", "Documents/**", True),
        ("Documents/a.md", "Documents", True),
        ("Documents/a.md", "Documents/", True),
        ("Documents2/a.md", "Documents", False),
        ("README.md", "README.md", True),
        ("a/b.md", "*.md", True),
        ("docs/a.md", "Documents/**", False),
        ("Documents/.draft.md", "Documents/**", False),
        ("Documents/.cache/a.md", "Documents", False),
        (".github/a.md", "**", False),
        (".github/a.md", ".github/**", True),
        (".github/.cache/a.md", ".github/**", False),
    ],
)
def test_declared_root(path: str, root: str, expected: bool) -> None:
    assert is_under(path, root) is expected


def test_write_creates_folders_and_says_whether_anything_changed(repo: Repository) -> None:
    tree = Tree(str(repo.root))
    assert write_file(tree, "a/b/c.txt", "x\n") is True
    assert write_file(tree, "a/b/c.txt", "x\n") is False
    assert write_file(tree, "a/b/c.txt", "y\n") is True
    assert sorted(os.listdir(repo.root / "a/b")) == ["c.txt"]
    assert (repo.root / "a/b/c.txt").stat().st_mode & 0o600 == 0o600


def test_a_link_is_replaced_not_followed(repo: Repository, tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("victim")
    (repo.root / "out").symlink_to(tmp_path / "victim")
    write_file(Tree(str(repo.root)), "out", "x")
    assert (tmp_path / "victim").read_text() == "victim"
    assert (repo.root / "out").read_text() == "x"


@pytest.mark.parametrize("name", ["linked/x", "../x", "/x", "a/..", ".git/x", ""])
def test_nothing_is_written_or_removed_outside(repo: Repository, tmp_path: Path, name: str) -> None:
    (repo.root / "linked").symlink_to(tmp_path)
    (tmp_path / "x").write_text("victim")
    for act in (lambda t: write_file(t, name, "y"), lambda t: remove_file(t, name)):
        with pytest.raises(Unwritable):
            act(Tree(str(repo.root)))
    assert (tmp_path / "x").read_text() == "victim"


def test_a_failed_write_leaves_nothing_behind(repo: Repository) -> None:
    (repo.root / "folder").mkdir()
    with pytest.raises(Unwritable, match="folder is a folder"):
        write_files(Tree(str(repo.root)), {"new": "x", "folder": "x"})
    assert sorted(os.listdir(repo.root)) == [".git", "README.md", "folder"]

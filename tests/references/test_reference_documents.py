"""Which files an index may hand to a model."""

import pytest

from reference_support import Gh, Run, add_references, entry
from session_memory.references.documents import Documents, hidden_names, read_documents
from session_memory.references.tree import Tree
from support import Repository

_NAMES = ["Documents/a.md", "notes.TXT", "x.rst", "docs/x.adoc", "docs/x.mdx", "docs/x.markdown"]


@pytest.mark.parametrize("name", _NAMES)
def test_a_document(repo: Repository, name: str) -> None:
    repo.write(name, "text")
    assert Documents(str(repo.root)).read(name, 4) == b"text"


@pytest.mark.parametrize(
    "name",
    [
        *(".env", "config/.env", ".env.md", "id_rsa", "key.pem", "settings.json", "x.md.bak"),
        *(".ssh/a.md", "vendor/sub/.git/config", "vendor/sub/.GIT/a.md", "docs/.hidden/a.md"),
    ],
)
def test_no_document(repo: Repository, name: str) -> None:
    repo.write(name, "secret")
    documents = Documents(str(repo.root))
    assert (documents.size(name), documents.read(name, 6)) == (None, None)


@pytest.mark.parametrize("target", ["../.env", "../vendor/sub/.git/config", "../key.pem"])
def test_a_link_is_what_it_leads_to(repo: Repository, target: str) -> None:
    repo.write("Documents/" + target, "secret")
    (repo.root / "Documents" / "a.md").symlink_to(target)
    assert Documents(str(repo.root)).size("Documents/a.md") is None


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("", False),
        ("references:\n  declared_roots: [docs]\n", False),
        ("references:\n  declared_roots: [docs, '.github/**']\n", True),
        ('references:\n  declared_roots:\n    - docs\n    - ".github/docs"\n', True),
        ("references:\n  declared_roots: .github\n", True),
        ("references:\n  declared_roots: [docs]\n  other: .github\n", False),
    ],
    ids=["none", "others", "flow", "block", "scalar", "another key"],
)
def test_a_hidden_folder_counts_when_a_root_names_it(
    repo: Repository, text: str, allowed: bool
) -> None:
    repo.write(".github/docs/a.md", "text")
    repo.write(".agent-orchestra.yml", text)
    documents = read_documents(Tree(str(repo.root)))
    assert (documents.size(".github/docs/a.md") is not None) is allowed
    assert documents.size(".git/config") is None


def test_no_root_opens_git_itself(repo: Repository) -> None:
    repo.write("sub/.git/a.md", "secret")
    assert Documents(str(repo.root), hidden_names(["sub/.git/**"])).size("sub/.git/a.md") is None


@pytest.mark.parametrize("name", ["a/" * 65 + "../" * 65 + "a.md", "./" * 600 + "a.md"])
def test_no_name_asks_the_disk_without_end(repo: Repository, name: str) -> None:
    repo.write("a.md", "text")
    assert Documents(str(repo.root)).size(name) is None


def test_the_hook_injects_no_secrets(repo: Repository, run: Run, gh: Gh, hook: Run) -> None:
    repo.write("vendor/sub/.git/config", "TOKEN-1")
    repo.write(".env", "TOKEN-2")
    rows = [
        entry(f"n{at}", name, labels=["bug"])
        for at, name in enumerate(["vendor/sub/.git/config", ".env", "Documents/a.md"])
    ]
    add_references(repo, *rows)
    ran = run("Work on issue #5")
    assert "Text of n2." in ran.context
    assert "TOKEN" not in ran.context
    assert "[stale-ref: n1" in ran.context

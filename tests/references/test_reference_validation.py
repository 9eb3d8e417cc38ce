"""validate: one finding a fault, and the generated files."""

import json

import pytest

from session_memory.references.citations import read_citations
from session_memory.references.index_writer import index_entries, write_index
from session_memory.references.inventory import list_files, read_sidecars
from session_memory.references.tree import Tree
from session_memory.references.validation import validate
from support import Repository

GOOD = "schema_version: 1\n"


def _index(repo: Repository) -> None:
    tree = Tree(str(repo.root))
    sidecars = read_sidecars(tree, list_files(tree.root))
    write_index(tree, index_entries(sidecars.usable))


def _codes(repo: Repository) -> list[tuple[str, str, str]]:
    return [(f.severity, f.code, f.path) for f in validate(Tree(str(repo.root)))]


def _document(repo: Repository, name: str, sidecar: str = GOOD, text: str = "text\n") -> None:
    repo.write(f"Documents/{name}.md", text)
    repo.write(f"Documents/{name}.md.ref.yml", sidecar)


def test_nothing_to_find(repo: Repository) -> None:
    _document(repo, "guide", text="see [ref:guide](guide.md)\n")
    _index(repo)
    assert _codes(repo) == []


def test_a_repository_without_references(repo: Repository) -> None:
    assert _codes(repo) == []


def test_uncovered_document(repo: Repository) -> None:
    repo.write("Documents/guide.md", "text")
    assert _codes(repo) == [("warning", "uncovered-document", "Documents/guide.md")]


def test_covered_from_elsewhere(repo: Repository) -> None:
    repo.write("Documents/guide.md", "text")
    repo.write("refs/guide.ref.yml", GOOD + "target_path: Documents/guide.md\n")
    _index(repo)
    assert _codes(repo) == [("warning", "orphan-sidecar", "refs/guide.ref.yml")]


def test_stale_target_and_orphan(repo: Repository) -> None:
    repo.write("Documents/gone.md.ref.yml", GOOD)
    _index(repo)
    assert _codes(repo) == [
        ("error", "orphan-sidecar", "Documents/gone.md.ref.yml"),
        ("error", "stale-target", "Documents/gone.md.ref.yml"),
    ]


@pytest.mark.parametrize("target", ["../x", "/etc/passwd", "Documents", ".git/config"])
def test_target_outside(repo: Repository, target: str) -> None:
    _document(repo, "guide", GOOD + f"target_path: {target}\n")
    _index(repo)
    assert ("error", "stale-target", "Documents/guide.md.ref.yml") in _codes(repo)


def test_duplicate_names(repo: Repository) -> None:
    _document(repo, "one", GOOD + "name: same\n")
    _document(repo, "two", GOOD + "name: same\n")
    _index(repo)
    assert [code for _, code, _ in _codes(repo)] == ["duplicate-name", "duplicate-name"]


def test_unknown_schema_version(repo: Repository) -> None:
    _document(repo, "guide", "name: a\nschema_version: 7\n")
    (finding,) = validate(Tree(str(repo.root)))
    assert (finding.severity, finding.code, finding.line) == ("error", "schema-version", 2)


def test_unknown_key(repo: Repository) -> None:
    _document(repo, "guide", GOOD + "load_when: x\n")
    _index(repo)
    assert _codes(repo) == [("warning", "unknown-key", "Documents/guide.md.ref.yml")]


@pytest.mark.parametrize(
    ("trigger", "warned"),
    [("globs: [a]", True), ("globs: [a], labels: [b]", False), ("keywords: [b]", False)],
)
def test_critical_that_only_globs_can_match(repo: Repository, trigger: str, warned: bool) -> None:
    _document(repo, "guide", GOOD + f"load-priority: critical\ntriggers:\n- {{{trigger}}}\n")
    _index(repo)
    assert ("critical-globs-only" in [code for _, code, _ in _codes(repo)]) is warned


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[ref:nobody](a.md)", "citation-unknown"),
        ("[ref:guide](other.md)", "citation-path"),
        ("[ref:guide](guide.md#part)", None),
        ("[ref:guide](../Documents/guide.md)", None),
        ("[ref:guide](Documents/guide.md)", None),
        ("[ref:guide](/Documents/guide.md)", None),
        ("`[ref:nobody](a.md)`", None),
        ("``a ` [ref:nobody](a.md)``", None),
        ("```\n[ref:nobody](a.md)\n```", None),
        ("~~~~\n```\n[ref:nobody](a.md)\n~~~\n~~~~\n[ref:nobody](a.md)", "citation-unknown"),
    ],
    ids=[
        *("unknown", "wrong-path", "fragment", "dots", "from-root", "absolute"),
        *("code-span", "long-span", "fence", "after-fence"),
    ],
)
def test_citation(repo: Repository, text: str, code: "str | None") -> None:
    _document(repo, "guide", text=text + "\n")
    _index(repo)
    assert _codes(repo) == ([("error", code, "Documents/guide.md")] if code else [])


def test_citation_has_a_line(repo: Repository) -> None:
    repo.write("a.md", "x\n\n[ref:a](b) and [ref:c](d)\n")
    found = list(read_citations(Tree(str(repo.root)), "a.md"))
    assert [(c.line, c.name, c.target) for c in found] == [(3, "a", "b"), (3, "c", "d")]


def test_projected_budgets(repo: Repository) -> None:
    critical = GOOD + "load-priority: critical\ntriggers:\n- labels: [a]\n"
    for name in ("one", "two"):
        _document(repo, name, critical, "x" * 60)
    _document(repo, "big", text="x" * 101)
    repo.write(
        ".agent-orchestra.yml",
        "references:\n  max_critical_loaded: 1\n  max_total_loaded_bytes: 100\n",
    )
    _index(repo)
    assert _codes(repo) == [
        ("error", "budget-document", "Documents/big.md.ref.yml"),
        ("warning", "budget-bytes", ".agent-orchestra.yml"),
        ("warning", "budget-critical", ".agent-orchestra.yml"),
    ]


def test_a_spelling_that_the_hook_reads_differently(repo: Repository) -> None:
    repo.write(".agent-orchestra.yml", "references: {max_critical_loaded: 3}\n")
    (finding,) = validate(Tree(str(repo.root)))
    assert finding.code == "budget-spelling"
    assert "max_critical_loaded is 3, but the hook reads 10" in finding.message


def test_invalid_configuration(repo: Repository) -> None:
    repo.write(".agent-orchestra.yml", "references: [")
    assert _codes(repo) == [("error", "configuration", ".agent-orchestra.yml")]


@pytest.mark.parametrize("path", [".references/index.json", "Documents/INDEX.md"])
def test_outdated_index(repo: Repository, path: str) -> None:
    _document(repo, "guide")
    _index(repo)
    repo.write(path, (repo.root / path).read_text().replace("guide", "other"))
    assert _codes(repo) == [("error", "index-outdated", path)]


def test_list_of_others(repo: Repository) -> None:
    _document(repo, "guide")
    _index(repo)
    repo.write("Documents/INDEX.md", "# By hand\n")
    assert _codes(repo) == [("error", "list-of-others", "Documents/INDEX.md")]


def test_target_that_is_gone_is_told_from_one_that_is_no_file(repo: Repository) -> None:
    repo.write("a.ref.yml", GOOD + "target_path: gone.md\n")
    repo.write("b.ref.yml", GOOD + "target_path: .references\n")
    _index(repo)
    found = {f.path: f.message for f in validate(Tree(str(repo.root))) if f.code == "stale-target"}
    assert found == {
        "a.ref.yml": "target gone.md is missing",
        "b.ref.yml": "target .references is not a plain file inside the repository",
    }


SETTINGS = {
    "good": ('bump_command = "x"\nreferences.match = "labels"\n', []),
    "misspelt key": ('bump_comand = "x"\n', [("warning", "unknown-key")]),
    "misspelt inner key": ('references.mach = "any"\n', [("warning", "unknown-key")]),
    "misspelt value": ('references.match = "lables"\n', [("error", "settings")]),
    "wrong type": ("bump_command = 5\n", [("error", "settings")]),
    "no toml": ("a =\n", [("error", "settings")]),
}


@pytest.mark.parametrize(("text", "expected"), SETTINGS.values(), ids=SETTINGS)
@pytest.mark.parametrize("name", [".session-memory.toml", "pyproject.toml"])
def test_settings(repo: Repository, text: str, expected: list[tuple[str, str]], name: str) -> None:
    header = "[tool.session-memory]\n" if name == "pyproject.toml" else ""
    repo.write(name, header + text)
    assert _codes(repo) == [(severity, code, name) for severity, code in expected]


def test_settings_finding_names_the_place(repo: Repository) -> None:
    repo.write(".session-memory.toml", 'references.match = "lables"\n')
    (finding,) = validate(Tree(str(repo.root)))
    assert finding.message == "references.match: 'lables' is not one of ['any', 'labels']"


def test_sidecar_that_is_not_text(repo: Repository) -> None:
    (repo.root / "Documents").mkdir()
    (repo.root / "Documents/a.md.ref.yml").write_bytes(b"name: a\n\xff\n")
    (repo.root / "Documents/b.md.ref.yml").symlink_to("/etc/passwd")
    (repo.root / "Documents/c.md.ref.yml").write_bytes(b"#" * (1 << 20) + b"\n")
    found = [(f.path[-11:], f.line, f.message) for f in validate(Tree(str(repo.root)))]
    assert found == [
        ("a.md.ref.yml"[-11:], 2, "not UTF-8"),
        ("b.md.ref.yml"[-11:], 1, "not a plain file inside the repository"),
        ("c.md.ref.yml"[-11:], 1, "longer than 1048576 bytes"),
    ]


def test_generated_files_are_sorted_lf_and_stable(repo: Repository) -> None:
    for name in ("zulu", "Alpha", "b(1) c"):
        _document(repo, name, GOOD + "description: a [b] <c>\n")
    _index(repo)
    index = (repo.root / ".references/index.json").read_bytes()
    listing = (repo.root / "Documents/INDEX.md").read_bytes()
    assert [row["name"] for row in json.loads(index)] == ["Alpha", "b(1) c", "zulu"]
    assert b"\r" not in index + listing
    assert b"- [b(1) c](b%281%29%20c.md): a \\[b\\] \\<c>\n" in listing
    _index(repo)
    assert (repo.root / ".references/index.json").read_bytes() == index


@pytest.mark.parametrize("target", [".env", "build/run.sh", ".hidden/a.md"])
def test_a_target_that_is_no_document(repo: Repository, target: str) -> None:
    repo.write(target, "x")
    _document(repo, "a", f"{GOOD}target_path: {target}\n")
    _index(repo)
    assert ("error", "target-kind", "Documents/a.md.ref.yml") in _codes(repo)


def test_a_hidden_target_below_a_declared_root(repo: Repository) -> None:
    repo.write(".agent-orchestra.yml", "references:\n  declared_roots: [.hidden]\n")
    repo.write(".hidden/a.md", "x")
    repo.write(".hidden/a.md.ref.yml", GOOD)
    _index(repo)
    assert _codes(repo) == []


def test_triggers_that_the_hook_passes_over(repo: Repository) -> None:
    labels = ", ".join(f"l{at}" for at in range(65))
    _document(repo, "a", f"{GOOD}triggers:\n  - labels: [{labels}]\n")
    _index(repo)
    assert _codes(repo) == [("warning", "trigger-limit", "Documents/a.md.ref.yml")]


def test_more_entries_than_an_index_holds(
    repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("session_memory.references.validation.MAX_ENTRIES", 1)
    _document(repo, "a")
    _document(repo, "b")
    _index(repo)
    assert _codes(repo) == [("error", "index-limit", ".references/index.json")]


def test_code_spans_close_with_a_run_of_their_own_length(repo: Repository) -> None:
    text = "`[ref:a](a)` ``[ref:b](b) ` [ref:c](c)`` [ref:d](d) ``` [ref:e](e) ` [ref:f](f)\n"
    repo.write("a.md", text)
    found = read_citations(Tree(str(repo.root)), "a.md")
    assert [citation.name for citation in found] == ["d", "e", "f"]

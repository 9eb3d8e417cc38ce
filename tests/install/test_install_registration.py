"""Our entries in a settings file: added, brought up to date, taken out, and nothing else."""

import copy
import json
import shutil
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from install_support import FOREIGN, LIBRARY, RUNNER, SHAPES, Settings, commands_in
from session_memory.core.deadline import BUDGET_S
from session_memory.core.guard import EVENT_NAMES
from session_memory.editors import jsonc
from session_memory.install import registration
from session_memory.install.commands import Runner
from session_memory.install.place import FLAT, GROUPED, Refused
from support import ROOT

HOOKS = LIBRARY.hooks
PLUGIN = {GROUPED: ROOT / "hooks" / "hooks.json", FLAT: ROOT / "hooks.json"}


def add(text: str, shape: str = GROUPED, runner: Runner = RUNNER) -> str:
    return registration.add(text, shape, HOOKS, registration.wanted(shape, runner, HOOKS))


def skeleton(value: Any) -> dict[str, list[tuple[str, float]]]:
    """Events, matchers and time limits, whatever the commands are."""
    found: dict[str, list[tuple[str, float]]] = {}
    for event, items in value["hooks"].items():
        for item in items:
            for handler in item.get("hooks", [item]):
                found.setdefault(event, []).append((item.get("matcher", ""), handler["timeout"]))
    return found


def tools(matcher: str) -> set[str]:
    return set(matcher.strip("^()$").split("|"))


@pytest.mark.parametrize("shape", SHAPES)
def test_registers_what_the_plugin_registers(shape: str) -> None:
    ours = skeleton(json.loads(add(registration.EMPTY[shape], shape)))
    plugin = skeleton(json.loads(PLUGIN[shape].read_text("utf-8")))
    assert list(ours) == list(plugin)
    for event, handlers in plugin.items():
        assert [(tools(m), limit) for m, limit in ours[event]] == [
            (tools(m), limit) for m, limit in handlers
        ]


def test_time_limits_exceed_the_deadlines() -> None:
    for entry, event in EVENT_NAMES.items():
        assert BUDGET_S[entry] < registration.TIMEOUT_S[event] <= 30


def test_new_file_of_its_own() -> None:
    text = add(registration.EMPTY[FLAT], FLAT)
    assert json.loads(text)["version"] == 1
    assert text.endswith("}\n")


# Settings that somebody may have, and the line of their first extension to strict JSON.
FILES = {
    "empty object": "{}",
    "own line end": "{}\n",
    "blank object": "{ }",
    "no line end": '{\n  "model": "x"\n}',
    "no hooks": '{\n  "model": "x",\n  "env": {"A": "1"}\n}\n',
    "hooks null": '{\n  "hooks": null,\n  "model": "x"\n}\n',
    "hooks empty": '{\n  "hooks": {}\n}\n',
    "event empty": '{\n  "hooks": {\n    "PostToolUse": []\n  }\n}\n',
    "event null": '{"hooks": {"PostToolUse": null}}',
    "hooks of others": json.dumps(
        {"hooks": {"PostToolUse": [FOREIGN], "Stop": [FOREIGN]}}, indent=2
    ),
    "hooks of others on one line": json.dumps({"hooks": {"PostToolUse": [FOREIGN]}, "z": 1}),
    "minified": '{"a":1,"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"x"}]}]}}',
    "comments": '// mine\n{\n  // a\n  "hooks": { // b\n    /* c */\n  } // d\n}\n// e\n',
    "trailing commas": '{\n  "a": [1, 2,],\n  "hooks": {\n    "Stop": [\n    ],\n  },\n}\n',
    "windows": '{\r\n    "a": 1,\r\n    "hooks": {\r\n    }\r\n}\r\n',
    "byte-order mark": '\ufeff{\n  "a": 1\n}\n',
    "tabs": '{\n\t"a": {\n\t\t"b": 1\n\t},\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}\n',
    "nested deeply": '{"a": ' + "[" * 60 + "]" * 60 + "}",
    "odd characters": '{\n  "π\u2028\u00a0": "\\ud800\U0001f600\u202e",\n  "": "\\u0000"\n}\n',
    "old line ends": '{\r  "a": 1 // x\r}\r',
    "odd layout": '{"a":1\n,"b"\n:\n[ ]\n  ,\n\n"hooks"\n:{ }  }',
    "numbers": '{"a": 1E400, "b": -0, "c": 0.10, "d": 123456789012345678901234567890}',
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("before", FILES.values(), ids=FILES)
def test_the_rest_stays(before: str, shape: str) -> None:
    old, new = jsonc.parse(before).root.plain(), jsonc.parse(add(before, shape)).root.plain()
    assert len([c for c in commands_in(new) if "--registered-by=" in c]) == (
        4 if shape == GROUPED else 3
    )
    assert {k: v for k, v in new.items() if k != "hooks"} == {
        k: v for k, v in old.items() if k != "hooks"
    }
    for event, items in (old.get("hooks") or {}).items():
        assert new["hooks"][event][: len(items or [])] == (items or [])


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("before", FILES.values(), ids=FILES)
def test_every_comment_stays(before: str, shape: str) -> None:
    after = add(before, shape)
    assert [after[at : at + 4] for at in jsonc.parse(after).comments] == [
        before[at : at + 4] for at in jsonc.parse(before).comments
    ]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("before", FILES.values(), ids=FILES)
def test_a_second_time_changes_nothing(before: str, shape: str) -> None:
    once = add(before, shape)
    assert add(once, shape) == once


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("before", FILES.values(), ids=FILES)
def test_install_and_uninstall_restore_the_bytes(before: str, shape: str, tmp_path: Path) -> None:
    at = Settings.at(tmp_path, shape)
    at.path.write_bytes(before.encode())
    at.install()
    assert at.path.read_bytes() != before.encode()
    at.uninstall()
    assert at.path.read_bytes() == before.encode()
    assert list(tmp_path.iterdir()) == [at.path]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("before", FILES.values(), ids=FILES)
def test_taking_out_by_hand_leaves_the_meaning(before: str, shape: str) -> None:
    """As after somebody else's change, when there is no going back to the bytes."""
    old = jsonc.parse(before).root.plain()
    new = jsonc.parse(registration.strip(add(before, shape), HOOKS)).root.plain()
    assert without_empty_hooks(new) == without_empty_hooks(old)


def without_empty_hooks(value: Any) -> Any:
    value = copy.deepcopy(value)
    hooks = {event: items for event, items in (value.pop("hooks", None) or {}).items() if items}
    return (value, hooks)


@pytest.mark.parametrize(
    "before",
    [
        FILES[name]
        for name in FILES
        if name not in ("hooks null", "hooks empty", "event empty", "event null")
        and "hooks" not in jsonc.parse(FILES[name]).root.keys
        and jsonc.parse(FILES[name]).root.items
    ],
)
def test_taking_out_by_hand_restores_usual_files(before: str) -> None:
    assert registration.strip(add(before), HOOKS) == before


# --- generated settings --------------------------------------------------------------------------

BLANKS = st.sampled_from(["", "", " ", "\n", "\n  ", "\r\n\t", " // c\n", "/* , } */"])
SCALARS = st.sampled_from(["1", "-0.5e3", "true", "null", '"x"', '"\\u00e9\\ud800"', '"é // }"'])


@st.composite
def spelled(draw: st.DrawFn, value: Any) -> str:
    """A value with blanks and comments wherever they may stand, and trailing commas."""

    def blank() -> str:
        return draw(BLANKS)

    if isinstance(value, str):
        return value
    if isinstance(value, list):
        parts, edges = [draw(spelled(item)) for item in value], "[]"
    else:
        parts = [
            json.dumps(key) + blank() + ":" + blank() + draw(spelled(item))
            for key, item in value.items()
        ]
        edges = "{}"
    inner = ",".join(blank() + part + blank() for part in parts)
    comma = draw(st.sampled_from(["", ","])) + blank() if parts else ""
    return edges[0] + blank() * (not parts) + inner + comma + edges[1]


HANDLERS = st.fixed_dictionaries({"type": st.just('"command"'), "command": SCALARS})
GROUPS = st.fixed_dictionaries({"hooks": st.lists(HANDLERS, max_size=2)}) | HANDLERS
EVENTS = st.dictionaries(
    st.sampled_from(["SessionStart", "PostToolUse", "Stop"]),
    st.lists(GROUPS, max_size=2) | st.just("null"),
    max_size=3,
)
MEMBERS = st.dictionaries(st.sampled_from(["a", "é", "version"]), SCALARS, max_size=2)
SETTINGS = st.tuples(MEMBERS, st.none() | EVENTS | st.just("null"), MEMBERS).map(
    lambda parts: {**parts[0], **({} if parts[1] is None else {"hooks": parts[1]}), **parts[2]}
)


@given(
    SETTINGS.flatmap(spelled),
    BLANKS,
    BLANKS,
    st.sampled_from(["", "\ufeff"]),
    st.sampled_from(SHAPES),
)
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_install_then_uninstall_is_the_identity(  # noqa: PLR0917
    tmp_path_factory: pytest.TempPathFactory, body: str, head: str, tail: str, mark: str, shape: str
) -> None:
    before = (mark + head + body + tail).encode()
    folder = tmp_path_factory.mktemp("settings")
    at = Settings.at(folder, shape)
    at.path.write_bytes(before)
    old = jsonc.parse(before.decode()).root.plain()
    at.install()
    after = jsonc.parse(at.path.read_text("utf-8"))
    assert len(registration.entries(after, HOOKS)) == (4 if shape == GROUPED else 3)
    stripped = jsonc.parse(registration.strip(after.text, HOOKS)).root.plain()
    assert without_empty_hooks(stripped) == without_empty_hooks(old)
    at.uninstall()
    assert at.path.read_bytes() == before
    assert list(folder.iterdir()) == [at.path]
    shutil.rmtree(folder)


# --- refusals ------------------------------------------------------------------------------------

REFUSED = {
    "not an object": ("[]", "line 1: not an object"),
    "hooks a list": ('{\n"hooks": []}', "line 2: 'hooks' is not an object"),
    "hooks a text": ('{"a": 1,\n\n"hooks": "x"}', "line 3: 'hooks' is not an object"),
    "event an object": (
        '{"hooks": {\n"SessionStart": {}}}',
        "line 2: 'SessionStart' is not an array",
    ),
    "another event a number": ('{"hooks": {"Stop": 1}}', "line 1: 'Stop' is not an array"),
    "hooks twice": ('{"hooks": {},\n"hooks": {}}', "line 2: 'hooks' is there twice"),
    "event twice": ('{"hooks": {"Stop": [],\n"Stop": []}}', "line 2: 'Stop' is there twice"),
    "malformed": ('{\n"a" 1}', "line 2: expected a colon"),
}


@pytest.mark.parametrize(("text", "words"), REFUSED.values(), ids=REFUSED)
def test_refused_with_file_and_line(text: str, words: str, tmp_path: Path) -> None:
    at = Settings.at(tmp_path)
    at.path.write_text(text, encoding="utf-8")
    for act in (at.install, at.uninstall):
        with pytest.raises(Refused) as refused:
            act()
        assert str(refused.value).startswith(f"{at.path}: {words}")
    assert at.path.read_text("utf-8") == text


# --- bringing up to date -------------------------------------------------------------------------


@pytest.mark.parametrize("shape", SHAPES)
def test_another_interpreter_is_written_in_place(shape: str) -> None:
    before = add(FILES["hooks of others"], shape, Runner("/old/python3"))
    assert add(before, shape) == before.replace("/old/python3", RUNNER.python)


@pytest.mark.parametrize(
    "left",
    [
        pytest.param('"timeout": 20', id="time-limit"),
        pytest.param('"type": "command"', id="type"),
        pytest.param("^AskUserQuestion$", id="matcher"),
    ],
)
def test_what_was_changed_is_put_right(left: str) -> None:
    before = add("{}")
    assert left in before
    changed = before.replace(left, left.replace("20", "1").replace("comm", "x").replace("Ask", "X"))
    after = add(changed)
    assert sorted(commands_in(json.loads(after))) == sorted(commands_in(json.loads(before)))
    assert skeleton(json.loads(after)) == skeleton(json.loads(before))


def test_a_second_entry_of_ours_goes() -> None:
    value = json.loads(add("{}"))
    value["hooks"]["SessionStart"] *= 2
    value["hooks"]["Stop"] = value["hooks"]["SessionStart"][:1]
    assert json.loads(add(json.dumps(value))) == json.loads(add("{}"))


def test_an_entry_point_registered_by_hand_is_ours() -> None:
    text = json.dumps(
        {"hooks": {"Stop": [{"hooks": [{"command": f"python3 '{HOOKS}/post_tool_use.py'"}]}]}}
    )
    assert json.loads(registration.strip(text, HOOKS)) == {}


@pytest.mark.parametrize(
    "command",
    ["python3 /elsewhere/hooks/post_tool_use.py", "session-memory-hooks", "", None, 1, ["x"]],
)
def test_what_only_looks_like_ours_stays(command: Any) -> None:
    text = json.dumps({"hooks": {"PostToolUse": [{"hooks": [{"command": command}]}, {}, 1]}})
    assert registration.strip(text, HOOKS) == text


def test_our_handler_in_the_group_of_another_leaves_the_group() -> None:
    value = json.loads(add("{}"))
    value["hooks"]["SessionStart"][0]["hooks"].insert(0, {"type": "command", "command": "mine"})
    assert json.loads(registration.strip(json.dumps(value, indent=1), HOOKS)) == {
        "hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "mine"}]}]}
    }


def test_a_comment_in_what_we_made_is_kept() -> None:
    text = add("{}").replace('"SessionStart": [', '"SessionStart": [ // my note')
    left = registration.strip(text, HOOKS)
    assert "// my note" in left
    assert jsonc.parse(left).root.plain() == {"hooks": {"SessionStart": []}}


def test_thousands_of_our_entries_go_in_no_time() -> None:
    one = json.loads(add("{}"))["hooks"]["SessionStart"][0]
    text = json.dumps({"hooks": {"Stop": [FOREIGN], "SessionStart": [one] * 3000}}, indent=2)
    start = time.monotonic()
    assert json.loads(registration.strip(text, HOOKS)) == {"hooks": {"Stop": [FOREIGN]}}
    assert len(json.loads(add(text))["hooks"]["SessionStart"]) == 1
    assert time.monotonic() - start < 20  # one after the other, it took hours


def test_settings_of_hundreds_of_kilobytes_come_back() -> None:
    text = json.dumps({"hooks": {"PostToolUse": [FOREIGN] * 3000}}, indent=2)
    assert registration.strip(add(text), HOOKS) == text

"""Other ways to write the hook that records a question: the same job, without its safeguards."""

import shutil
import subprocess
from pathlib import Path

from bench import cases
from bench.timing import Case

_STANDARD_LIBRARY = """\
import datetime, hashlib, json, pathlib, re, subprocess, sys
event = json.load(sys.stdin)
git = ["git", "-C", event["cwd"], "rev-parse", "--show-toplevel"]
root = pathlib.Path(subprocess.run(git, capture_output=True, text=True).stdout.strip())
key = "s-" + re.sub("[^A-Za-z0-9._-]+", "-", event["session_id"])
asked = event["tool_input"]["questions"]
record = {"session_key": key, "tool_name": event["tool_name"], "question_count": len(asked),
          "question_digest": hashlib.sha256(asked[0]["question"].encode()).hexdigest()[:16],
          "timestamp": datetime.datetime.now(datetime.timezone.utc).isoformat()}
folder = root / "memories" / "session"
folder.mkdir(parents=True, exist_ok=True)
with open(folder / f"peer-{key}.jsonl", "a") as log:
    log.write(json.dumps(record) + "\\n")
"""

_CCHOOKS = """\
import sys
sys.path.insert(0, {folder!r})
import hashlib, json, pathlib, time
from cchooks import create_context
context = create_context()
here = pathlib.Path(context.cwd)
root = next(path for path in (here, *here.parents) if (path / ".git").exists())
asked = context.tool_input["questions"]
record = {{"session_key": "s-" + context.session_id, "tool_name": context.tool_name,
          "question_digest": hashlib.sha256(asked[0]["question"].encode()).hexdigest()[:16],
          "question_count": len(asked), "timestamp": time.time()}}
folder = root / "memories" / "session"
folder.mkdir(parents=True, exist_ok=True)
with open(folder / "peer-cchooks.jsonl", "a") as log:
    log.write(json.dumps(record) + "\\n")
context.output.exit_success()
"""

_NODE = """\
const fs = require('fs'), path = require('path'), crypto = require('crypto');
const event = JSON.parse(fs.readFileSync(0, 'utf8'));
let root = event.cwd;
while (!fs.existsSync(path.join(root, '.git'))) root = path.dirname(root);
const asked = event.tool_input.questions;
const digest = crypto.createHash('sha256').update(asked[0].question).digest('hex').slice(0, 16);
const record = {session_key: 's-' + event.session_id, tool_name: event.tool_name,
  question_digest: digest, question_count: asked.length, timestamp: new Date().toISOString()};
const folder = path.join(root, 'memories', 'session');
fs.mkdirSync(folder, {recursive: true});
fs.appendFileSync(path.join(folder, 'peer-node.jsonl'), JSON.stringify(record) + '\\n');
"""


def all_installed(place: cases.Workplace) -> list[Case]:
    """The peers that this machine has."""
    found = [_case(place, "peer: standard library", "typical.py", _STANDARD_LIBRARY, place.python)]
    folder = _folder_of_cchooks(place.python)
    if folder:
        script = _CCHOOKS.format(folder=folder)
        found.append(_case(place, "peer: cchooks", "cchooks_hook.py", script, place.python))
    node = shutil.which("node")
    if node:
        found.append(_case(place, "peer: node", "hook.cjs", _NODE, node))
    return found


def _case(place: cases.Workplace, name: str, file: str, script: str, program: str) -> Case:
    path = place.folder / file
    path.write_text(script, "utf-8")
    options = ["-I", "-S"] if program == place.python else []
    payload = cases.encoded(cases.question(str(place.plain.root)))
    return Case(name, [program, *options, str(path)], payload, place.env, quiet=True)


def _folder_of_cchooks(python: str) -> str:
    """Where it is installed for ``python``, or ``""``; then it can do without ``site``."""
    done = subprocess.run(
        [python, "-c", "import cchooks; print(cchooks.__file__)"],
        capture_output=True,
        text=True,
        check=False,
    )
    return str(Path(done.stdout.strip()).parents[1]) if done.returncode == 0 else ""

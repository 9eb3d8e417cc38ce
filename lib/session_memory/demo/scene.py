"""The scratch folder: a repository, a home, and a ``gh`` that answers without a network."""

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from session_memory.demo import scene_files

# An issue number is the only argument of digits.
_GH = """\
#!/bin/sh
# Stands in for the GitHub command line: answers `gh issue view N` from the file issue-N.json.
number=none
for word; do
    case $word in '' | *[!0-9]*) ;; *) number=$word ;; esac
done
[ "$1 $2" = "issue view" ] && cat "${0%/*}/issue-$number.json" 2>/dev/null && exit
echo "no such issue here" >&2
exit 1
"""

# git keeps its hands off the user's configuration: no signing, no hooks, no templates.
_GIT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_TEMPLATE_DIR": "",
    "GIT_AUTHOR_NAME": "Demo",
    "GIT_AUTHOR_EMAIL": "demo@example.test",
    "GIT_COMMITTER_NAME": "Demo",
    "GIT_COMMITTER_EMAIL": "demo@example.test",
    # The same commits in every scene, so that what the demo prints can be quoted.
    "GIT_AUTHOR_DATE": "2026-01-05T09:00:00Z",
    "GIT_COMMITTER_DATE": "2026-01-05T09:00:00Z",
}
_KEPT = ("PATH", "SYSTEMROOT", "TEMP", "TMP", "PATHEXT", "COMSPEC")


@dataclass(frozen=True)
class Scene:
    """A finished scratch folder."""

    folder: Path

    @property
    def root(self) -> Path:
        """The repository."""
        return self.folder / "widgets"

    @classmethod
    def build(cls, folder: str) -> "Scene":
        """Make the scene in ``folder``. Raises :class:`subprocess.CalledProcessError`."""
        # Temporary folders may be links, and the hooks report real paths.
        scene = cls(Path(folder).resolve())
        for name in ("widgets", "home", "bin"):
            (scene.folder / name).mkdir()
        scene._install_gh()
        scene._commit()
        scene._leave_over()
        return scene

    def environment(self) -> "dict[str, str]":
        """What the hooks see: the stand-in comes first, and nothing of the caller's editor."""
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        path = os.pathsep.join([str(self.folder / "bin"), kept.get("PATH", "")])
        home = str(self.folder / "home")
        return {**kept, "PATH": path, "HOME": home, "USERPROFILE": home, "LANG": "C.UTF-8"}

    def git(self, *arguments: str) -> str:
        """What git prints in the repository. Raises :class:`subprocess.CalledProcessError`."""
        done = subprocess.run(
            ["git", "-C", str(self.root), *arguments],
            env={**self.environment(), **_GIT},
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=True,
        )
        return done.stdout

    def files(self) -> "set[str]":
        """The repository's files, git's own excepted, as paths with ``/``."""
        found = [path for path in self.root.rglob("*") if path.is_file()]
        names = {path.relative_to(self.root).as_posix() for path in found}
        return {name for name in names if not name.startswith(".git/")}

    def _install_gh(self) -> None:
        if not scene_files.HAS_STAND_IN:
            return
        program = self.folder / "bin" / "gh"
        _write(program, _GH)
        program.chmod(0o755)
        answer = json.dumps(scene_files.issue())
        _write(program.with_name(f"issue-{scene_files.ISSUE}.json"), answer)

    def _commit(self) -> None:
        self.git("init", "--quiet")
        self.git("symbolic-ref", "HEAD", "refs/heads/main")
        self.git("config", "core.autocrlf", "false")
        self.git("commit", "--quiet", "--allow-empty", "--message", "Begin")
        for name, text in scene_files.tracked().items():
            _write(self.root / name, text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", f"Release {scene_files.VERSION}")

    def _leave_over(self) -> None:
        """What a clone looks like after a branch was squashed, deleted there, and pruned here."""
        branch = scene_files.OLD_BRANCH
        self.git("remote", "add", "origin", "https://github.com/example/widgets.git")
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")
        self.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
        tip = self.git("commit-tree", "HEAD^{tree}", "-p", "HEAD^", "-m", "Write the header row")
        self.git("branch", "--no-track", branch, tip.strip())
        for name, remote in (("main", "main"), (branch, branch)):
            self.git("config", f"branch.{name}.remote", "origin")
            self.git("config", f"branch.{name}.merge", f"refs/heads/{remote}")
        for name, text in scene_files.left_over().items():
            _write(self.root / name, text)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())

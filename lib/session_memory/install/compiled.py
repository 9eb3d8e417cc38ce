"""Compiling what the hooks import, for the interpreter that will run them."""

import ast
import functools
import os
import subprocess
from pathlib import Path

from session_memory.core.guard import EVENT_NAMES
from session_memory.install.commands import Runner
from session_memory.library import PACKAGE, Library

_LIMIT_S = 120

# By the content of the source: a clone or a container layer changes times without a change.
_COMPILE = """
import importlib.util, py_compile, sys
CHECKED = (3).to_bytes(4, "little")
def is_fresh(path):
    try:
        with open(path, "rb") as source:
            digest = importlib.util.source_hash(source.read())
        with open(importlib.util.cache_from_source(path), "rb") as cached:
            return cached.read(16) == importlib.util.MAGIC_NUMBER + CHECKED + digest
    except OSError:
        return False
failed = 0
for path in sys.argv[1:]:
    try:
        mode = py_compile.PycInvalidationMode.CHECKED_HASH
        is_fresh(path) or py_compile.compile(path, doraise=True, invalidation_mode=mode)
    except (OSError, py_compile.PyCompileError):
        failed += 1
print(failed)
"""


@functools.cache
def fast_path(package: Path) -> tuple[str, ...]:
    """The modules that hooks may import, as paths below ``package``."""
    waiting = ["core.guard", *(f"events.{entry}" for entry in EVENT_NAMES)]
    found: dict[str, None] = {}
    while waiting:
        name = waiting.pop()
        for path in _files(package, name):
            if path not in found:
                found[path] = None
                waiting += _imports(package / path)
    return tuple(sorted(found))


def is_writable(library: Library) -> bool:
    """Whether compiled modules can lie next to their sources."""
    folders = {os.path.dirname(library.package / path) for path in fast_path(library.package)}
    return all(os.access(folder, os.W_OK) for folder in folders)


def compile_for(runner: Runner, library: Library) -> tuple[int, int]:
    """Compile for ``runner``; how many modules there are, and how many could not be compiled."""
    paths = fast_path(library.package)
    folder = f"{library.source_root}/{PACKAGE}"
    spelled = [f"{folder}/{path}" for path in paths]
    cache = ["-X", f"pycache_prefix={runner.pycache}"] if runner.pycache else []
    try:
        done = subprocess.run(
            [runner.python, "-I", "-S", "-X", "utf8", *cache, "-c", _COMPILE, *spelled],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_LIMIT_S,
            check=True,
        )
        return len(paths), int(done.stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return len(paths), len(paths)


def _files(package: Path, name: str) -> list[str]:
    """The files behind a dotted name, its parent packages first; none if it is no module."""
    parts = name.split(".")
    parents = ["/".join([*parts[:i], "__init__.py"]) for i in range(len(parts) + 1)]
    module = "/".join(parts) + ".py"
    return [path for path in (*parents, module) if (package / path).is_file()]


def _imports(path: Path) -> list[str]:
    """The dotted names below the package that a module may import, its checks for types aside."""
    found: list[str] = []
    for node in _run_time(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == PACKAGE:
            base = (node.module or "")[len(PACKAGE) + 1 :]
            found += [base, *(f"{base}.{alias.name}".lstrip(".") for alias in node.names)]
    return [name for name in found if name]


def _run_time(node: ast.AST) -> list[ast.AST]:
    """All the nodes below ``node`` except what only a type checker reads."""
    found: list[ast.AST] = []
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue
        found += [child, *_run_time(child)]
    return found

"""The repository that a checkout belongs to, chosen among its remotes as gh chooses."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace

from session_memory.core import git
from session_memory.github.errors import RepositoryUnknown
from session_memory.github.repository import Repository, parse_address, parse_name

_PREFERRED = ("upstream", "github", "origin")
# A mirror there is not what an issue's number is about.
_ELSEWHERE = ("gitlab.com", "bitbucket.org", "codeberg.org", "dev.azure.com", "git.sr.ht")


@dataclass(frozen=True)
class Remote:
    """A remote of a checkout whose address names a repository on a host."""

    name: str
    repository: Repository


def resolve(explicit: str, folder: str, environment: Mapping[str, str] | None = None) -> Repository:
    """The repository that an option, ``GH_REPO`` or the remotes of ``folder`` name, in this order.

    Raises :class:`RepositoryUnknown`, which says what was looked at.
    """
    environment = os.environ if environment is None else environment
    if explicit:
        return parse_name(explicit, "--repo", environment)
    if environment.get("GH_REPO"):
        return parse_name(environment["GH_REPO"], "GH_REPO", environment)
    return _from_checkout(folder, environment.get("GH_HOST", "").lower())


def remotes(folder: str) -> list[Remote]:
    """The remotes of a checkout that are on a host, in gh's order of preference."""
    found: dict[str, Remote] = {}
    for line in _lines(git.run(folder, "remote", "--verbose")):
        name, _, address = line.partition("\t")
        repository = parse_address(address.rpartition(" (")[0], f"git remote {name}")
        if repository is not None and repository.host not in _ELSEWHERE:
            found.setdefault(name, Remote(name, repository))
    return sorted(found.values(), key=_rank)


def _from_checkout(folder: str, host: str) -> Repository:
    found = [item for item in remotes(folder) if not host or item.repository.host == host]
    if not found:
        where = f"no git remote on {host}" if host else "no git remote of a GitHub repository"
        raise RepositoryUnknown("looking for the repository", where)
    default = _chosen_with_gh(folder, found)
    if default is not None:
        return default
    return _first(found)


def _first(found: list[Remote]) -> Repository:
    taken = found[0].repository
    others = [item.name for item in found if _place(item) != _place(found[0])]
    source = f"git remote {found[0].name}"
    if others:
        source += f", before {', '.join(others)}"
    return replace(taken, source=source, guessed=bool(others))


def _place(remote: Remote) -> str:
    return str(remote.repository).lower()


def _chosen_with_gh(folder: str, found: list[Remote]) -> Repository | None:
    """What ``gh repo set-default`` wrote: ``base``, or another repository on the remote's host."""
    pattern = r"^remote\..*\.gh-resolved$"
    settings = {
        key.removeprefix("remote.").removesuffix(".gh-resolved"): value
        for line in _lines(git.run(folder, "config", "--get-regexp", pattern))
        for key, _, value in [line.partition(" ")]
    }
    for remote in found:
        value = settings.get(remote.name, "")
        source = f"gh repo set-default, git remote {remote.name}"
        host, owner, name = remote.repository.host, remote.repository.owner, remote.repository.name
        if value == "base":
            return Repository(host, owner, name, source)
        if value:
            return parse_name(f"{host}/{value}" if value.count("/") == 1 else value, source)
    return None


def _rank(remote: Remote) -> tuple[int, str]:
    known = remote.name.lower() in _PREFERRED
    return (_PREFERRED.index(remote.name.lower()) if known else len(_PREFERRED), remote.name)


def _lines(output: bytes | None) -> list[str]:
    return (output or b"").decode("utf-8", "replace").splitlines()

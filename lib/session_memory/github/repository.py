"""Which repository is meant, and what told so."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from session_memory.github.errors import RepositoryUnknown

DEFAULT_HOST = "github.com"

_HOST = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*")
_PORT = re.compile(r"[0-9]{1,5}")
_OWNER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,38}")
_NAME = re.compile(r"(?!\.\.?\Z)[A-Za-z0-9._-]{1,100}")
_SCP = re.compile(r"(?:[^@:/\s]+@)?([^@:/\s]{2,}):(?!/)(.+)")
_SCHEMES = {"https", "http", "ssh", "git", "git+ssh", "git+https"}
# Names under which github.com also answers.
_ALIASES = {"www.github.com": DEFAULT_HOST, "ssh.github.com": DEFAULT_HOST}


@dataclass(frozen=True)
class Repository:
    """A repository on a host.

    ``source`` says in words where the choice came from; ``guessed`` that nobody made it, and that
    another remote names another repository.
    """

    host: str
    owner: str
    name: str
    source: str = ""
    guessed: bool = False

    @property
    def full_name(self) -> str:
        return f"{self.owner}/{self.name}"

    @property
    def path(self) -> str:
        """Where the repository is in the REST interface."""
        return f"repos/{self.owner}/{self.name}"

    def __str__(self) -> str:
        return self.full_name if self.host == DEFAULT_HOST else f"{self.host}/{self.full_name}"


def parse_name(text: str, source: str, environment: Mapping[str, str] | None = None) -> Repository:
    """``OWNER/NAME``, ``HOST/OWNER/NAME`` or an address; :class:`RepositoryUnknown` otherwise."""
    from_address = parse_address(text, source)
    if from_address is not None:
        return from_address
    parts = text.split("/")
    environment = os.environ if environment is None else environment
    host = environment.get("GH_HOST") or DEFAULT_HOST
    if len(parts) == 3:
        host, *parts = parts
    if len(parts) == 2:
        found = _checked(host, parts[0], parts[1], source)
        if found is not None:
            return found
    raise RepositoryUnknown(source, "not of the form OWNER/NAME or HOST/OWNER/NAME")


def parse_address(address: str, source: str) -> Repository | None:
    """The repository behind a remote's address; ``None`` for a path or anything malformed."""
    if "://" in address:
        return _from_url(address, source)
    match = _SCP.fullmatch(address)
    return _from_path(match[1], match[2], source) if match else None


def _from_url(address: str, source: str) -> Repository | None:
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return None
    if parts.scheme not in _SCHEMES:
        return None
    # The port of ssh is not that of the interface.
    web_port = f":{port}" if port and parts.scheme in ("http", "https") and port != 443 else ""
    return _from_path(host + web_port, parts.path, source)


def _from_path(host: str, path: str, source: str) -> Repository | None:
    parts = path.strip("/").split("/")
    if len(parts) != 2:
        return None
    return _checked(host, parts[0], parts[1].removesuffix(".git"), source)


def _checked(host: str, owner: str, name: str, source: str) -> Repository | None:
    host = _ALIASES.get(host.lower(), host.lower())
    domain, _, port = host.partition(":")
    valid = (
        len(domain) <= 253
        and _HOST.fullmatch(domain)
        and (not port or _PORT.fullmatch(port))
        and _OWNER.fullmatch(owner)
        and _NAME.fullmatch(name)
    )
    return Repository(host, owner, name, source) if valid else None

"""HTTP on a unix socket."""

import json
import shutil
import socketserver
import tempfile
import threading
import time
from collections.abc import Iterable
from dataclasses import replace
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from fake_github.faults import Fault
from fake_github.routes import Answer, Call, Refusal, answer
from fake_github.state import Seen, World

_NO_FAULT = Fault("", times=0)


class Server:
    """Serves a world until the ``with`` block ends. ``socket`` is short enough for any system."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._folder = Path(tempfile.mkdtemp(prefix="gh-"))
        self.socket = self._folder / "s"
        self._listener = _Listener(str(self.socket), world)
        self._thread = threading.Thread(
            target=self._listener.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    def __enter__(self) -> "Server":
        self._thread.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self._listener.shutdown()
        self._listener.server_close()
        shutil.rmtree(self._folder)


class _Listener(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, path: str, world: World) -> None:
        self.world = world
        super().__init__(path, _Handler)

    def handle_error(self, _request: object, _address: object) -> None:
        """A client that was killed at its time limit is part of the tests."""


class _Handler(BaseHTTPRequestHandler):
    server: _Listener
    protocol_version = "HTTP/1.1"
    # One send an answer: otherwise every call pays for a delayed acknowledgement.
    wbufsize = -1

    def address_string(self) -> str:
        return "local"

    def log_message(self, format: str, *_arguments: object) -> None:  # noqa: A002
        """The world keeps its own log."""

    def handle_any(self) -> None:
        world = self.server.world
        content = self._content()
        target = self.path.removeprefix("/api/v3")
        line = f"{self.command} {target}"
        with world.lock:
            fault = next(iter(world.applicable(line)), _NO_FAULT)
        if fault.first:
            fault.first()
        time.sleep(fault.delay_s)
        with world.lock:
            result = self._result(world, self._call(target, content, fault), fault)
            body = json.loads(content) if content else None
            status = 0 if fault.cut else result.status
            world.requests.append(Seen(self.command, self._host, target, body, status))
        if fault.cut:
            self.close_connection = True
            return
        self._reply(result, fault)

    do_GET = do_POST = do_PATCH = do_DELETE = handle_any  # noqa: N815

    def _content(self) -> bytes:
        # gh does not know the length of what comes through its standard input.
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        chunks = []
        while size := int(self.rfile.readline(), 16):
            chunks.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(chunks)

    @property
    def _host(self) -> str:
        return str(self.headers.get("Host", "")).removeprefix("api.")

    def _call(self, target: str, content: bytes, fault: Fault) -> Call:
        address = urlsplit(target)
        prefix = "/api/v3" if self.path.startswith("/api/v3/") else ""
        return Call(
            method=self.command,
            path=address.path,
            query=dict(parse_qsl(address.query)),
            body=json.loads(content) if content else None,
            login="",
            host=self._host,
            root=f"https://{self.headers.get('Host')}{prefix}",
            stale=fault.stale,
        )

    def _result(self, world: World, call: Call, fault: Fault) -> Answer:
        injected = Answer(fault.status, {"message": fault.message}, fault.headers)
        if (fault.status or fault.cut) and not fault.applied:
            return injected
        try:
            result = answer(world, replace(call, login=self._login(world)))
        except Refusal as refusal:
            result = refusal.answer
        return injected if fault.status else result

    def _login(self, world: World) -> str:
        token = str(self.headers.get("Authorization", "")).rpartition(" ")[2]
        if token not in world.tokens:
            raise Refusal(401, "Bad credentials")
        return world.tokens[token]

    def _reply(self, result: Answer, fault: Fault) -> None:
        content = b"" if result.status == 204 else _encoded(result.content)
        if fault.content is not None:
            content = fault.content
        self.send_response_only(result.status)
        for name, value in self._headers(result, len(content)):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def _headers(self, result: Answer, length: int) -> Iterable[tuple[str, str]]:
        standard = {
            "Date": formatdate(self.server.world.now(), usegmt=True),
            "Content-Type": "application/json; charset=utf-8",
            "X-RateLimit-Remaining": "4987",
            "X-RateLimit-Reset": str(int(self.server.world.now()) + 3600),
        }
        size = {} if result.status == 204 else {"Content-Length": str(length)}
        return {**standard, **size, **result.headers}.items()


def _encoded(content: Any) -> bytes:
    """GitHub sends UTF-8, and escapes half of a surrogate pair."""
    text = json.dumps(content, ensure_ascii=False)
    try:
        return text.encode()
    except UnicodeEncodeError:
        return json.dumps(content).encode()

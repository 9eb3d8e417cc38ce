"""A model server on the loopback interface, and the log of what it was asked."""

import json
import threading
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from e2e.servers.script import Place, Turn, answer, encoded, texts


@dataclass(frozen=True)
class Request:
    """What the model was sent: the whole conversation so far."""

    place: Place
    body: dict[str, Any]

    @property
    def text(self) -> str:
        """Everything that the model can read, except for the descriptions of its tools."""
        return "\n".join(texts([self.body.get("system"), self.body["messages"]]))

    def count(self, needle: str) -> int:
        return self.text.count(needle)


class ModelServer:
    """Answers from ``script`` while the context lasts."""

    def __init__(self, handler: "type[Handler]") -> None:
        self.script: dict[str, Sequence[Turn]] = {}
        self.requests: list[Request] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._server.model = self  # type: ignore[attr-defined]

    def __enter__(self) -> "ModelServer":
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def asked(self, prompt: str) -> list[Request]:
        """The requests that answer ``prompt``."""
        return [request for request in self.requests if request.place.prompt == prompt]


class Handler(BaseHTTPRequestHandler):
    """Speaks a provider's protocol, with a connection for each request."""

    protocol_version = "HTTP/1.1"

    @property
    def model(self) -> ModelServer:
        model: ModelServer = self.server.model  # type: ignore[attr-defined]
        return model

    @abstractmethod
    def reply(self, body: dict[str, Any]) -> object:
        """The answer to ``body``: a JSON value, or an iterator over the events of a stream."""

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        reply = self.reply(json.loads(raw or b"{}"))
        if isinstance(reply, Iterator):
            self._send("text/event-stream", b"".join(reply))
        else:
            self._send("application/json", encoded(reply))

    def do_GET(self) -> None:
        self._send("application/json", b"{}")

    def do_HEAD(self) -> None:
        self._send("application/json", b"")

    def next_turn(self, body: dict[str, Any], place: Place) -> Turn:
        """Log the request, and say what the script says."""
        self.model.requests.append(Request(place, body))
        return answer(self.model.script, place)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is given
        """The log of requests is :attr:`ModelServer.requests`."""

    def _send(self, kind: str, data: bytes) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.send_header("connection", "close")
        self.end_headers()
        self.wfile.write(data)
        self.close_connection = True

"""The chat completions of OpenAI, as far as Copilot CLI uses them."""

from collections.abc import Iterator
from typing import Any

from e2e.servers.loopback import Handler
from e2e.servers.script import DONE, Message, Turn, encoded, locate, texts

_USAGE = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}


class ChatCompletions(Handler):
    """``POST /v1/chat/completions``, streamed or not."""

    def reply(self, body: dict[str, Any]) -> object:
        if "messages" not in body:
            return {}
        turn: Turn = DONE
        if body.get("tools"):
            turn = self.next_turn(body, locate(self.model.script, _messages(body)))
        number = len(self.model.requests)
        common = {"id": f"chatcmpl-{number}", "created": 1, "model": body.get("model")}
        if body.get("stream"):
            return _stream(turn, number, common)
        choice = {"index": 0, "message": _message(turn, number), "finish_reason": _reason(turn)}
        return {**common, "object": "chat.completion", "choices": [choice], "usage": _USAGE}


def _messages(body: dict[str, Any]) -> list[Message]:
    return [
        Message(message["role"] == "assistant", "\n".join(texts(message.get("content"))))
        for message in body["messages"]
        if message["role"] in ("user", "assistant")
    ]


def _message(turn: Turn, number: int) -> dict[str, Any]:
    if isinstance(turn, str):
        return {"role": "assistant", "content": turn}
    calls = [
        {
            "index": index,
            "id": f"call_{number:04d}{index:02d}",
            "type": "function",
            "function": {"name": call.tool, "arguments": encoded(call.arguments).decode()},
        }
        for index, call in enumerate(turn)
    ]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def _reason(turn: Turn) -> str:
    return "stop" if isinstance(turn, str) else "tool_calls"


def _stream(turn: Turn, number: int, common: dict[str, Any]) -> Iterator[bytes]:
    for delta, reason in ((_message(turn, number), None), ({}, _reason(turn))):
        choices = [{"index": 0, "delta": delta, "finish_reason": reason}]
        yield _chunk({**common, "choices": choices})
    yield _chunk({**common, "choices": [], "usage": _USAGE})
    yield b"data: [DONE]\n\n"


def _chunk(members: dict[str, Any]) -> bytes:
    return b"data: %s\n\n" % encoded({**members, "object": "chat.completion.chunk"})

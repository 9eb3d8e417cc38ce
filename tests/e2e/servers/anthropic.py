"""The Messages API of Anthropic, as far as Claude Code uses it."""

from collections.abc import Iterator
from typing import Any

from e2e.servers.loopback import Handler
from e2e.servers.script import DONE, Message, Turn, encoded, locate, texts

_USAGE = {"input_tokens": 100, "output_tokens": 20}


class Messages(Handler):
    """``POST /v1/messages``, streamed or not."""

    def reply(self, body: dict[str, Any]) -> object:
        if self.path.partition("?")[0].endswith("/count_tokens"):
            return {"input_tokens": 100}
        if "messages" not in body:
            return {}
        turn: Turn = DONE
        # Requests without tools are the client's own: a title for the conversation, for example.
        if body.get("tools"):
            turn = self.next_turn(body, locate(self.model.script, _messages(body)))
        number = len(self.model.requests)
        message = _answer(turn, str(body.get("model")), number)
        return _stream(message) if body.get("stream") else message


def _messages(body: dict[str, Any]) -> list[Message]:
    return [
        Message(message["role"] == "assistant", "\n".join(_said(message["content"])))
        for message in body["messages"]
    ]


def _said(content: object) -> list[str]:
    """What was said to the model, without the results of its tools."""
    blocks = content if isinstance(content, list) else [content]
    return texts([b for b in blocks if not isinstance(b, dict) or b.get("type") == "text"])


def _answer(turn: Turn, model: str, number: int) -> dict[str, Any]:
    blocks: list[dict[str, Any]]
    if isinstance(turn, str):
        blocks = [{"type": "text", "text": turn}]
    else:
        blocks = [
            {
                "type": "tool_use",
                "id": f"toolu_{number:04d}{index:02d}",
                "name": call.tool,
                "input": call.arguments,
            }
            for index, call in enumerate(turn)
        ]
    return {
        "id": f"msg_{number:04d}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": blocks,
        "stop_reason": "end_turn" if isinstance(turn, str) else "tool_use",
        "stop_sequence": None,
        "usage": _USAGE,
    }


def _stream(message: dict[str, Any]) -> Iterator[bytes]:
    yield _event("message_start", message={**message, "content": [], "stop_reason": None})
    for index, block in enumerate(message["content"]):
        empty = {**block, "text": ""} if block["type"] == "text" else {**block, "input": {}}
        yield _event("content_block_start", index=index, content_block=empty)
        yield _event("content_block_delta", index=index, delta=_delta(block))
        yield _event("content_block_stop", index=index)
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield _event("message_delta", delta=end, usage={"output_tokens": 20})
    yield _event("message_stop")


def _delta(block: dict[str, Any]) -> dict[str, str]:
    if block["type"] == "text":
        return {"type": "text_delta", "text": block["text"]}
    return {"type": "input_json_delta", "partial_json": encoded(block["input"]).decode()}


def _event(kind: str, **members: object) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (kind.encode(), encoded({"type": kind, **members}))

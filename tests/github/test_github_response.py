"""What ``gh api --include`` prints."""

import pytest

from session_memory.github.response import Response, parse


def answer(**headers: str) -> Response:
    return Response(200, {name.replace("_", "-"): value for name, value in headers.items()}, b"")


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        pytest.param(
            b"HTTP/1.1 200 OK\nA: b\r\nLink: <x>; y: z\r\n\r\n[]",
            Response(200, {"a": "b", "link": "<x>; y: z"}, b"[]"),
            id="as gh prints it, with two kinds of line ends",
        ),
        pytest.param(
            b"HTTP/2.0 201 Created\r\nA: 1\r\n\r\n{}\r\n\r\n{}",
            Response(201, {"a": "1"}, b"{}\r\n\r\n{}"),
            id="blank lines in the content",
        ),
        pytest.param(b"HTTP/2.0 204 No Content\nA: b\n\n", Response(204, {"a": "b"}, b""), id="LF"),
        pytest.param(b"HTTP/1.1 502 Bad\r\nA: b", Response(502, {"a": "b"}, b""), id="cut off"),
        pytest.param(b"", None, id="nothing"),
        pytest.param(b'{"message": "x"}', None, id="content alone"),
        pytest.param(b"gh: HTTP 404\n\n", None, id="words alone"),
    ],
)
def test_parse(printed: bytes, expected: "Response | None") -> None:
    assert parse(printed) == expected


@pytest.mark.parametrize(
    ("link", "path"),
    [
        pytest.param("", "", id="no header"),
        pytest.param('<https://api.github.com/a/b?page=1>; rel="prev"', "", id="last page"),
        pytest.param(
            '<https://api.github.com/a?page=1>; rel="prev", '
            '<https://api.github.com/repositories/7/x?per_page=100&page=3>; rel="next", '
            '<https://api.github.com/a?page=9>; rel="last"',
            "repositories/7/x?per_page=100&page=3",
            id="one of several",
        ),
        pytest.param("<https://ghe.test/api/v3/r/1>; rel=next", "r/1", id="enterprise, unquoted"),
        pytest.param('<https://evil.test/a?b>; rel="next"', "a?b", id="the host is never taken"),
    ],
)
def test_next_path(link: str, path: str) -> None:
    assert answer(link=link).next_path == path


_DATE = "Mon, 30 Nov 2026 15:00:00 GMT"  # 1796050800


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        pytest.param({}, None, id="not said"),
        pytest.param({"retry_after": "17"}, 17.0, id="retry-after"),
        pytest.param({"retry_after": "soon"}, None, id="unreadable"),
        pytest.param(
            {
                "retry_after": "Mon, 30 Nov 2026 15:00:42 GMT",
                "date": "Mon, 30 Nov 2026 15:00:00 GMT",
            },
            42.0,
            id="a date",
        ),
        pytest.param({"retry_after": "Mon, 30 Nov 2026 15:00:42 GMT"}, None, id="a date alone"),
        pytest.param(
            {"x_ratelimit_remaining": "0", "x_ratelimit_reset": "1796050842", "date": _DATE},
            42.0,
            id="reset, by GitHub's own clock",
        ),
        pytest.param(
            {"x_ratelimit_remaining": "0", "x_ratelimit_reset": "1", "date": _DATE},
            1.0,
            id="reset in the past",
        ),
        pytest.param(
            {"x_ratelimit_remaining": "9", "x_ratelimit_reset": "1796050842", "date": _DATE},
            None,
            id="requests left",
        ),
        pytest.param(
            {"x_ratelimit_remaining": "0", "x_ratelimit_reset": "1796050842"}, None, id="no date"
        ),
    ],
)
def test_wait(headers: "dict[str, str]", seconds: "float | None") -> None:
    assert answer(**headers).wait_s == seconds


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(
            b'{"message": "A", "errors": [{"message": "b"}, "c", 3]}', "A; b; c", id="all"
        ),
        pytest.param(b'{"message": 3}', "", id="not text"),
        pytest.param(b"[]", "", id="not an object"),
        pytest.param(b"<html>", "", id="not JSON"),
    ],
)
def test_message(content: bytes, message: str) -> None:
    assert Response(422, {}, content).message == message


@pytest.mark.parametrize(
    "content", [b"<secret>", b"[" * 100_000, b"\xff"], ids=["no", "deep", "not UTF-8"]
)
def test_bad_json_is_never_quoted(content: bytes) -> None:
    with pytest.raises(ValueError, match=r"^(not JSON|JSON is nested too deeply)$"):
        Response(200, {}, content).value()

"""A local server that speaks Anthropic's Messages API over real sockets: streams, errors, limits and odd replies.

Belongs here: the protocol's side of the server, scripted. Does not belong here: what is asked or expected.
Written from the API's public reference: server-sent events, error envelopes, status codes 400, 401, 429, 529.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ERROR_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    429: "rate_limit_error",
    500: "api_error",
    529: "overloaded_error",
}
OVERLOADED = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}


@dataclass
class Reply:
    """One scripted reply.

    ``content`` are the blocks of the message; ``status`` other than 200 answers with an error envelope; ``cut_after``
    closes the socket after so many events; ``error_after`` sends an ``error`` event instead of the rest; ``delay`` is
    waited before each event; ``raw`` replaces the whole body.
    """

    content: list[dict[str, Any]] = field(default_factory=list)
    stop_reason: str = "end_turn"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    model: str | None = None
    cut_after: int | None = None
    error_after: int | None = None
    delay: float = 0.0
    wait: float = 0.0
    raw: bytes | None = None


def text(said: str, **options: Any) -> Reply:
    """A finished answer of one text block."""
    return Reply(content=[{"type": "text", "text": said}], **options)


@dataclass
class MessagesApi:
    """What the server has seen: parsed request bodies in order, and how many calls were open at once."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    open_now: int = 0
    most_open: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


def events(reply: Reply, request: dict[str, Any]) -> list[dict[str, Any]]:
    """The server-sent events of one message."""
    message = {
        "id": "msg_local",
        "type": "message",
        "role": "assistant",
        "model": reply.model or request["model"],
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 11, "output_tokens": 1, "cache_read_input_tokens": 3},
    }
    made: list[dict[str, Any]] = [{"type": "message_start", "message": message}]
    for index, block in enumerate(reply.content):
        made += _block_events(index, block)
    made.append(
        {
            "type": "message_delta",
            "delta": {"stop_reason": reply.stop_reason, "stop_sequence": None},
            "usage": {"output_tokens": 7},
        }
    )
    made.append({"type": "message_stop"})
    return made


def _block_events(index: int, block: dict[str, Any]) -> list[dict[str, Any]]:
    if block["type"] == "text":
        start: dict[str, Any] = {"type": "text", "text": ""}
        deltas: list[dict[str, Any]] = [{"type": "text_delta", "text": block["text"]}]
        if "citations" in block:
            start["citations"] = []
            deltas += [{"type": "citations_delta", "citation": c} for c in block["citations"]]
    else:
        start = {"type": "thinking", "thinking": "", "signature": ""}
        deltas = [{"type": "thinking_delta", "thinking": block["thinking"]}]
    return [
        {"type": "content_block_start", "index": index, "content_block": start},
        *({"type": "content_block_delta", "index": index, "delta": d} for d in deltas),
        {"type": "content_block_stop", "index": index},
    ]


@contextmanager
def messages_api(answer: Callable[[dict[str, Any], int], Reply]):
    """A running server; ``answer(request body, number of the call from 0)`` gives each reply."""
    state = MessagesApi("")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with state.lock:
                number = len(state.requests)
                state.requests.append(body)
                state.headers.append({k.lower(): v for k, v in self.headers.items()})
                state.open_now += 1
                state.most_open = max(state.most_open, state.open_now)
            try:
                self._reply(answer(body, number), body)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True
            finally:
                with state.lock:
                    state.open_now -= 1

        def _reply(self, reply: Reply, body: dict[str, Any]) -> None:
            time.sleep(reply.wait)
            if reply.status != 200:
                kind = ERROR_TYPES.get(reply.status, "api_error")
                envelope = {"type": "error", "error": {"type": kind, "message": f"scripted {reply.status}"}}
                return self._plain(reply.status, json.dumps(envelope).encode(), reply.headers)
            if reply.raw is not None:
                return self._plain(200, reply.raw, {"content-type": "text/event-stream", **reply.headers})
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("request-id", "req_local")
            self.send_header("connection", "close")
            self.end_headers()
            self.close_connection = True
            for sent, planned in enumerate(events(reply, body)):
                if reply.cut_after is not None and sent >= reply.cut_after:
                    return None
                broken = reply.error_after is not None and sent >= reply.error_after
                event = OVERLOADED if broken else planned
                time.sleep(reply.delay)
                self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
                self.wfile.flush()
                if event["type"] == "error":
                    return None
            return None

        def _plain(self, status: int, payload: bytes, headers: dict[str, str]) -> None:
            self.send_response(status)
            for name, value in {"content-type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(payload)))
            self.end_headers()
            self.wfile.write(payload)

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

    server = Server(("127.0.0.1", 0), Handler)
    state.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

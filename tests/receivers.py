"""Real receivers of alerts on the loopback: one that speaks HTTP, one that speaks SMTP; no fixtures here."""

import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from aiosmtpd.controller import Controller


class Receiver:
    """What came in over HTTP, and what is answered next (200 unless told otherwise)."""

    def __init__(self):
        self.messages, self.paths, self.status = [], [], 200
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                outer.paths.append(self.path)
                if outer.status == 200:
                    outer.messages.append(json.loads(body))
                self.send_response(outer.status)
                self.end_headers()

            def log_message(self, *_):
                """Stay silent."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    @property
    def url(self):
        return f"json://127.0.0.1:{self.server.server_port}/s3cr3t-token"

    @property
    def titles(self):
        return [m["title"] for m in self.messages]


class Mails:
    """What came in over SMTP."""

    def __init__(self):
        self.envelopes = []
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.controller = Controller(self, hostname="127.0.0.1", port=port)
        self.controller.start()
        self.url = f"mailto://127.0.0.1:{port}?from=gate@desk.test&to=ada@desk.test"

    async def handle_DATA(self, _server, _session, envelope):  # noqa: N802 - aiosmtpd's name
        self.envelopes.append(envelope)
        return "250 OK"

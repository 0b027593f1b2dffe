"""Where notifications arrive: a push service that decrypts them as a browser would, and a mail server."""

from __future__ import annotations

import base64
import json
import os
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from aiosmtpd.controller import Controller
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.conftest import LONG
from tests.server.real_server import free_port


def encode_base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode_base64url(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def wait_for(what: Callable[[], bool], seconds: float = LONG) -> None:
    until = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < until, "it did not arrive"
        time.sleep(0.01)


def verify_vapid_token(header: str, audience: str) -> str:
    """The public key of whoever signed a VAPID token (RFC 8292)."""
    scheme, _, rest = header.partition(" ")
    assert scheme == "vapid"
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    signed, _, signature = parts["t"].rpartition(".")
    raw = decode_base64url(signature)
    pair = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode_base64url(parts["k"]))
    key.verify(pair, signed.encode(), ec.ECDSA(hashes.SHA256()))
    claims = json.loads(decode_base64url(signed.partition(".")[2]))
    assert claims["aud"] == audience
    assert time.time() < claims["exp"] < time.time() + 86_400
    assert claims["sub"].startswith(("mailto:", "https:"))
    return parts["k"]


class Browser:
    """A subscription: its keys, and what arrived."""

    def __init__(self, service: PushService, name: str) -> None:
        self.key, self.auth = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)
        self.endpoint = f"{service.url}/push/{name}"
        self.got: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.signers: set[str] = set()
        self.answers: list[int] = []  # to the next messages; 201 afterwards
        self.attempts = 0

    @property
    def subscription(self) -> dict[str, str]:
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.endpoint, "p256dh": encode_base64url(point), "auth": encode_base64url(self.auth)}

    def receive(self, headers: dict[str, str], body: bytes, audience: str) -> int:
        self.attempts += 1
        if self.answers and (status := self.answers.pop(0)) >= 300:
            return status
        self.signers.add(verify_vapid_token(headers["Authorization"], audience))
        plain = http_ece.decrypt(body, private_key=self.key, auth_secret=self.auth, version="aes128gcm")
        self.headers.append(headers)
        self.got.append(json.loads(plain))
        return 201


class PushService:
    """A push service on this machine."""

    def __init__(self) -> None:
        self.browsers: dict[str, Browser] = {}
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                name = self.path.rpartition("/")[2]
                try:
                    status = service.browsers[name].receive(dict(self.headers), body, service.url)
                except Exception as error:
                    service.faults.append(error)
                    status = 400
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Nothing is printed."""

        self.faults: list[Exception] = []
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True)

    def browser(self, name: str) -> Browser:
        return self.browsers.setdefault(name, Browser(self, name))

    def __enter__(self) -> PushService:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
        assert self.faults == []


class MailServer:
    """A real SMTP server on this machine."""

    def __init__(self) -> None:
        self.boxes: dict[str, list[EmailMessage]] = defaultdict(list)
        self.port = free_port()
        self.controller = Controller(self, hostname="127.0.0.1", port=self.port)

    async def handle_DATA(self, server: object, session: object, envelope: Any) -> str:
        for address in envelope.rcpt_tos:
            self.boxes[address].append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 OK"

    def __enter__(self) -> MailServer:
        self.controller.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.controller.stop()

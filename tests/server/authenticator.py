"""An authenticator without a browser: makes passkeys, and answers challenges as it is told to, rightly or wrongly."""

from __future__ import annotations

import hashlib
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT, VERIFIED, ATTESTED = 1, 4, 64  # flags of the authenticator's data


def encode_base64url(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decode_base64url(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Authenticator:
    """One passkey."""

    origin: str
    site: str = "localhost"
    flags: int = PRESENT | VERIFIED
    counter: int = 0
    id: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    user: str = ""

    def client_data(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def data(self, flags: int) -> bytes:
        self.counter += 1
        return hashlib.sha256(self.site.encode()).digest() + bytes([flags]) + self.counter.to_bytes(4)

    def make(self, options: dict[str, Any]) -> dict[str, Any]:
        """What `navigator.credentials.create` gives."""
        self.user = options["user"]["id"]
        numbers = self.key.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32), -3: numbers.y.to_bytes(32)}
        made = bytes(16) + len(self.id).to_bytes(2) + self.id + cbor2.dumps(cose)
        attested = {"fmt": "none", "attStmt": {}, "authData": self.data(self.flags | ATTESTED) + made}
        response = {
            "clientDataJSON": encode_base64url(self.client_data("webauthn.create", options["challenge"])),
            "attestationObject": encode_base64url(cbor2.dumps(attested)),
        }
        return {
            "id": encode_base64url(self.id),
            "rawId": encode_base64url(self.id),
            "type": "public-key",
            "response": response,
        }

    def sign(self, options: dict[str, Any]) -> dict[str, Any]:
        """What `navigator.credentials.get` gives."""
        said, data = self.client_data("webauthn.get", options["challenge"]), self.data(self.flags)
        signature = self.key.sign(data + hashlib.sha256(said).digest(), ec.ECDSA(hashes.SHA256()))
        response = {
            "clientDataJSON": encode_base64url(said),
            "authenticatorData": encode_base64url(data),
            "signature": encode_base64url(signature),
            "userHandle": self.user,
        }
        return {
            "id": encode_base64url(self.id),
            "rawId": encode_base64url(self.id),
            "type": "public-key",
            "response": response,
        }

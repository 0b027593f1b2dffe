"""Web Push (RFC 8030, 8291, 8292): encrypted messages to browsers, through the push services that their makers run.

The key that identifies this server is made at the first start and stored, so that all processes share it. A browser
names its push service by itself, so its address is checked: only public hosts, by TLS, and no redirects.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
import ipaddress
import os
import socket
import time
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import msgspec

from landfall.optional_dependencies import MissingExtra, require_extra
from landfall.store.row_types import PushDevice
from landfall.store.store import Store
from landfall.tables.notifications.message_text import Message
from landfall.tables.notifications.sender import TargetGone
from landfall.tables.protocol.errors import Refused

if TYPE_CHECKING:
    import httpx
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

SECRET_NAME: Final = "vapid"  # in the store
TIMEOUT_S: Final = 10.0
TOKEN_TTL_S: Final = 12 * 3600  # a push service refuses tokens that are valid for more than a day
DEFAULT_TTL_S: Final = 24 * 3600  # that a push service keeps a message for a device that is away
MAX_TTL_S: Final = 7 * 24 * 3600
MAX_ENDPOINT_CHARS: Final = 1000
GONE: Final = (404, 410)
PUBLIC_KEY_BYTES: Final = 65  # an uncompressed point
AUTH_BYTES: Final = 16
TRANSLATED_NETWORKS: Final = tuple(
    map(
        ipaddress.ip_network,
        # IPv4-compatible, IPv4-mapped, IPv4-translated, NAT64 (two), 6to4, Teredo, the relays of 6to4
        ("::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32",
         "192.88.99.0/24"),
    )
)  # fmt: skip


def is_push_installed() -> bool:
    """Whether what encrypts and sends is installed."""
    try:
        require_extra("notify", "cryptography", "http_ece", "httpx", "py_vapid")
    except MissingExtra:
        return False
    return True


def decode_base64url(text: str) -> bytes:
    """URL-safe Base64 without padding."""
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (ValueError, binascii.Error):
        return b""


def encode_base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def device_id_of_endpoint(endpoint: str) -> str:
    """A browser's id: a hash of its endpoint, which it does not reveal."""
    return hashlib.blake2b(endpoint.encode(), digest_size=12).hexdigest()


def require_valid_subscription(endpoint: str, p256dh: str, auth: str, allow_private: bool) -> None:
    """Refused: a browser would not have given these."""
    parts = urlsplit(endpoint)
    try:
        port = parts.port
    except ValueError:
        port = -1
    is_plain = len(endpoint) <= MAX_ENDPOINT_CHARS and endpoint.isascii() and endpoint.isprintable()
    is_public = parts.scheme == "https" and port in (None, 443)
    fine = is_plain and parts.hostname and "@" not in parts.netloc and (is_public or allow_private)
    if not fine or len(decode_base64url(p256dh)) != PUBLIC_KEY_BYTES or len(decode_base64url(auth)) != AUTH_BYTES:
        raise Refused("push_endpoint")


def is_public_address(address: str) -> bool:
    """Whether an address is reachable by everybody: not this machine, not its network.

    No push service has an address that stands for another one: where a gateway leads from it is not known here.
    """
    found = ipaddress.ip_address(address.partition("%")[0])
    if any(found.version == net.version and found in net for net in TRANSLATED_NETWORKS):
        return False
    return found.is_global and not found.is_multicast


async def resolve_public_address(host: str, port: int, allow_private: bool) -> str:
    """An address of a host. Refused: one of its addresses is not public.

    The connection is made to this address, so that a second answer of the name server changes nothing.
    """
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(one[4][0]) for one in found]
    if not addresses or not (allow_private or all(map(is_public_address, addresses))):
        raise Refused("push_endpoint")
    return addresses[0]


class WebPush:
    """The channel to browsers."""

    def __init__(self, store: Store, contact: str, allow_private: bool = False) -> None:
        require_extra("notify", "cryptography", "http_ece", "httpx", "py_vapid")
        self.store = store
        self.contact = contact  # whom a push service may ask: an https or mailto URL
        self.allow_private = allow_private  # for tests: push services in this network, also without TLS
        self.key: EllipticCurvePrivateKey | None = None
        self.public_key = ""  # for browsers
        self.client: httpx.AsyncClient | None = None

    async def load_secret_key(self) -> None:
        """Read or make the server's key."""
        import httpx
        from cryptography.hazmat.primitives.asymmetric import ec
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        number = int(await self.store.database.get_or_create_secret(SECRET_NAME), 16)
        self.key = ec.derive_private_key(number >> 1, ec.SECP256R1())  # below the order of the curve
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.public_key = encode_base64url(point)
        self.client = httpx.AsyncClient(timeout=TIMEOUT_S, follow_redirects=False, trust_env=False)

    async def close_client(self) -> None:
        if self.client is not None:
            await self.client.aclose()

    async def send_push_message(self, device: PushDevice, message: Message, waiting: list[str], now: int) -> None:
        """Deliver a message to the device's push service; TargetGone: the user unsubscribed there."""
        async with asyncio.timeout(TIMEOUT_S):  # in all: a service that trickles its answer holds nobody up
            await self.post_message(device, message, waiting, now)

    async def post_message(self, device: PushDevice, message: Message, waiting: list[str], now: int) -> None:
        assert self.client is not None
        parts = urlsplit(device.endpoint)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        try:
            address = await resolve_public_address(parts.hostname or "", port, self.allow_private)
        except Refused:
            raise TargetGone from None
        ttl = DEFAULT_TTL_S if message.expires is None else (message.expires - now) // 1000
        headers = {
            **self.make_authorization_headers(f"{parts.scheme}://{parts.netloc}"),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "Host": parts.netloc,
            "TTL": str(max(0, min(ttl, MAX_TTL_S))),
            "Topic": hashlib.blake2b(message.tag.encode(), digest_size=16).hexdigest(),
            "Urgency": "normal",
        }
        host = f"[{address}]" if ":" in address else address
        url = parts._replace(netloc=f"{host}:{port}").geturl()
        request = self.client.build_request(
            "POST", url, headers=headers, content=self.encrypt_payload(device, make_push_payload(message, waiting)),
            extensions={"sni_hostname": parts.hostname or ""},
        )  # fmt: skip
        answer = await self.client.send(request, stream=True)
        await answer.aclose()  # its body is not read
        if answer.status_code in GONE:
            raise TargetGone
        answer.raise_for_status()

    def make_authorization_headers(self, audience: str) -> dict[str, str]:
        """Who sends it: a token signed with the server's key."""
        from py_vapid import Vapid02

        claims = {"sub": self.contact, "aud": audience, "exp": int(time.time()) + TOKEN_TTL_S}
        signed: dict[str, str] = Vapid02(private_key=self.key).sign(claims)
        return signed

    def encrypt_payload(self, device: PushDevice, payload: bytes) -> bytes:
        """Only the browser can read it."""
        import http_ece
        from cryptography.hazmat.primitives.asymmetric import ec

        sealed: bytes = http_ece.encrypt(
            payload, salt=os.urandom(16), private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=decode_base64url(device.p256dh), auth_secret=decode_base64url(device.auth), version="aes128gcm",
        )  # fmt: skip
        return sealed


def make_push_payload(message: Message, waiting: list[str]) -> bytes:
    """What the service worker gets (client/src/sw.ts); `waiting` are the tables at which it is the user's turn."""
    return msgspec.json.encode(
        {
            "kind": message.kind, "title": message.title, "body": message.body, "tag": message.tag,
            "path": message.path, "waiting": waiting,
        }
    )  # fmt: skip

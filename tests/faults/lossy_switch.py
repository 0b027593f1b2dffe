"""A switch between network namespaces that loses frames: `python lossy_switch.py serve PORT ...`.

It needs nothing but the standard library. A port is an interface. Orders come as lines of JSON on its standard input:
{"cut": [["one", "database"]], "loss": {"one database": 0.05}}. Each is answered with a line. `python lossy_switch.py
plain DEVICE` prepares an interface at the other end.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import random
import selectors
import socket
import struct
import sys

ETH_P_ALL = 3
PACKET_OUTGOING = 4
SIOCETHTOOL = 0x8946
OFFLOADS = (0x17, 0x1F, 0x24, 0x2C)  # checksums, segments: a switch of its own sees what a wire would carry
MAX_FRAME = 65_600


def disable_offloads(device: str) -> None:
    """Let the kernel send whole frames with their checksums on a device."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        for command in OFFLOADS:
            value = ctypes.create_string_buffer(struct.pack("II", command, 0))
            request = struct.pack("16sP8x", device.encode(), ctypes.addressof(value))
            fcntl.ioctl(control, SIOCETHTOOL, request)


class Switch:
    """It learns where addresses are, and forwards, unless told to lose."""

    def __init__(self, ports: list[str]) -> None:
        self.ports: dict[str, socket.socket] = {}
        for name in ports:
            port = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
            port.bind((name, 0))
            port.setblocking(False)
            self.ports[name] = port
        self.places: dict[bytes, str] = {}
        self.cut: set[frozenset[str]] = set()
        self.loss: dict[frozenset[str], float] = {}
        self.chance = random.Random(1)
        self.forwarded = 0
        self.lost = 0

    def apply_order(self, order: dict[str, object]) -> None:
        pairs = order.get("cut", [])
        losses = order.get("loss", {})
        assert isinstance(pairs, list)
        assert isinstance(losses, dict)
        self.cut = {frozenset(pair) for pair in pairs}
        self.loss = {frozenset(pair.split()): float(share) for pair, share in losses.items()}

    def forward(self, name: str) -> None:
        """All frames that wait at a port."""
        while True:
            try:
                frame, address = self.ports[name].recvfrom(MAX_FRAME)
            except (BlockingIOError, OSError):
                return
            if address[2] == PACKET_OUTGOING:
                continue
            self.places[frame[6:12]] = name
            known = self.places.get(frame[:6])
            for other in [known] if known else [port for port in self.ports if port != name]:
                pair = frozenset((name, other))
                if other == name or pair in self.cut or self.chance.random() < self.loss.get(pair, 0.0):
                    self.lost += 1
                    continue
                try:
                    self.ports[other].send(frame)
                    self.forwarded += 1
                except OSError:  # its queue is full: a switch drops, too
                    self.lost += 1

    def serve(self) -> None:
        """Until nobody gives orders any more."""
        waiting = selectors.DefaultSelector()
        for name, port in self.ports.items():
            waiting.register(port, selectors.EVENT_READ, name)
        waiting.register(0, selectors.EVENT_READ, "")
        orders = b""
        while True:
            for key, _ in waiting.select():
                if key.data:
                    self.forward(key.data)
                    continue
                read = os.read(0, 65_536)
                if not read:
                    return
                orders += read
                while b"\n" in orders:
                    line, _, orders = orders.partition(b"\n")
                    self.apply_order(json.loads(line))
                    print(json.dumps({"forwarded": self.forwarded, "lost": self.lost}), flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "plain":
        disable_offloads(sys.argv[2])
    else:
        Switch(sys.argv[2:]).serve()

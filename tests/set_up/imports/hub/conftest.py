"""A hub on the loopback interface, under the names that it has."""

import socket
from collections.abc import Iterator
from typing import Any

import pytest

from set_up.imports.hub import connection
from tests.set_up.imports.hub.fake_hub import FakeHub, serving_hub


@pytest.fixture
def hub(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeHub]:
    """A hub that the settings name, and names that lead to it. No test waits between tries."""
    look_up = socket.getaddrinfo

    def resolve(host: Any, port: Any, *rest: Any, **more: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        address = "10.0.0.5" if name == "inside.example" else "127.0.0.1"
        return look_up(address if name.endswith(".example") else host, port, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    monkeypatch.delenv("HF_TOKEN", raising=False)
    with serving_hub() as up:
        monkeypatch.setattr(
            connection.HubConnection, "_pause", lambda _self, seconds: up.waits.append(seconds)
        )
        settings.HF_ENDPOINT = up.root
        settings.HUB_PRIVATE = [("127.0.0.1", up.port)]
        yield up

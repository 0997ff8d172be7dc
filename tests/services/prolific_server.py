"""The stand-in for Prolific, served over HTTP in a thread."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response

from tests.services.prolific import TOKEN, FakeProlific, refused


class Address:
    """Where the stand-in of the test that runs now is served."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.now: FakeProlific

    def serve(self, prolific: FakeProlific) -> FakeProlific:
        """Answer as this one from now on, whose address is told to it."""
        prolific.url, self.now = self.url, prolific
        return prolific


def application(address: Address) -> FastAPI:
    """The service as an application."""
    app = FastAPI()

    def answered(method: str, path: str, reply: Callable[[FakeProlific], Response]) -> Response:
        prolific = address.now
        prolific.calls.append((method, path))
        fault = next((one for one in prolific.faults if one.path in path and one.times), None)
        if fault is not None:
            fault.times -= 1
            if not fault.after:
                return JSONResponse(fault.body, fault.status, fault.headers)
        given = reply(prolific)
        if fault is not None:
            return JSONResponse(fault.body, fault.status or 502, fault.headers)
        time.sleep(prolific.slow)
        return given

    @app.api_route("/api/v1/{path:path}", methods=["GET", "POST", "PATCH"])
    def answer(path: str, request: Request, body: dict[str, Any] | None = None) -> Response:
        if request.headers.get("authorization") != f"Token {TOKEN}":
            return refused(401, "Authentication credentials were not provided.")
        method, query = request.method, dict(request.query_params)
        return answered(method, path, lambda now: now.answer(method, path, query, body or {}))

    @app.get("/.well-known/study/jwks.json")
    def keys() -> Response:
        return answered("GET", "jwks.json", FakeProlific.key_set)

    return app


@contextmanager
def serving() -> Iterator[Address]:
    """Serve the stand-in that `Address.serve` names: in a thread, on a free port."""
    # Named TCP, asyncio sends small pieces at once; without the name an answer takes 40 ms longer.
    listener = socket.socket(proto=socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    address = Address(f"http://127.0.0.1:{listener.getsockname()[1]}")
    config = uvicorn.Config(application(address), log_level="critical", lifespan="off", ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    try:
        while not server.started:
            time.sleep(0.005)
        yield address
    finally:
        server.should_exit = True
        thread.join(timeout=10)
        listener.close()

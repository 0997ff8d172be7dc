"""A real OpenID Connect provider on this machine (`oidc-provider-mock`, by authlib), in a process
of its own, whose tokens a test may have changed before they are signed."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx2

from tests.services.ports import free_port

Claims = dict[str, Any]
TOKEN, SPOIL = "/oauth2/token", "/spoil"
SECONDS = 60
STYLES = re.compile(r"<link\b[^>]*>")


@dataclass
class Provider:
    """A provider that is up."""

    issuer: str

    def person(self, subject: str, **claims: Any) -> None:
        """Let the provider know somebody, or something else of them."""
        self._ask("PUT", f"/users/{subject}", claims)

    def sign_in(self, address: str, subject: str) -> str:
        """Sign somebody in there as a browser would; the address that it is sent back to."""
        reply = httpx2.post(address, data={"sub": subject}, follow_redirects=False)
        assert reply.status_code == 302, reply.text
        return str(reply.headers["Location"])

    def spoil(self, *left_out: str, other_key: bool = False, **claims: Any) -> None:
        """Change the claims of further tokens, leave some out, or sign them with a key that is not
        published. Without arguments it says what is true again."""
        told = {"set": claims, "left_out": left_out, "other_key": other_key}
        self._ask("POST", SPOIL, told)

    def _ask(self, method: str, path: str, body: Claims) -> None:
        reply = httpx2.request(method, f"{self.issuer}{path}", json=body)
        assert reply.status_code < 300, reply.text


@contextmanager
def provider() -> Iterator[Provider]:
    """Start one."""
    port = free_port()
    # It uses the older half of authlib, which warns.
    command = [sys.executable, "-W", "ignore", "-m", "tests.services.oidc", str(port)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, env={**os.environ})
    started = Provider(f"http://127.0.0.1:{port}")
    try:
        _await(started, process)
        yield started
    finally:
        process.terminate()
        process.wait(SECONDS)


def _await(started: Provider, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        assert process.poll() is None, "the provider did not start"
        try:
            httpx2.get(f"{started.issuer}/jwks")
        except httpx2.HTTPError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError("the provider did not start")


def serve(port: int) -> None:
    """Serve until the process is ended."""
    import flask
    import oidc_provider_mock
    from authlib import jose
    from werkzeug.serving import make_server

    app: flask.Flask = oidc_provider_mock.app(require_nonce=True)
    told: Claims = {}

    @app.post(SPOIL)
    def spoil() -> tuple[str, int]:
        told.clear()
        told.update(flask.request.get_json())
        return "", 204

    @app.after_request
    def spoilt(response: flask.Response) -> flask.Response:
        body = response.get_json() if flask.request.path == TOKEN and response.is_json else {}
        if "id_token" in body and any(told.values()):
            key = flask.g.oidc_provider_mock_storage.jwk
            claims = {**jose.jwt.decode(body["id_token"], key), **told["set"]}
            kept = {name: value for name, value in claims.items() if name not in told["left_out"]}
            kid = key.as_dict()["kid"]
            if told["other_key"]:
                key = jose.RSAKey.generate_key(is_private=True)
            signed = jose.jwt.encode({"alg": "RS256", "kid": kid}, kept, key)
            response.set_data(flask.json.dumps(body | {"id_token": signed.decode()}))
        if response.mimetype == "text/html":  # its looks are on another machine
            response.set_data(STYLES.sub("", response.get_data(as_text=True)))
        return response

    make_server("127.0.0.1", port, app, threaded=True).serve_forever()


if __name__ == "__main__":
    serve(int(sys.argv[1]))

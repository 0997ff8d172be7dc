"""Requests to one server: with the token, tried again where that helps, refusals as exceptions."""

import json
import time
import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import IO, Any
from urllib.parse import parse_qsl, urlsplit

import httpx2

from jurybox import __version__
from jurybox.client.problems import ClientError, Unreachable, refusal
from jurybox.client.retries import PASSING, Patience

API = "/api/v1/"
# Seconds for a server to take files and read them.
_READING = 600.0


class Connection:
    """A server and a token.

    url: where the program is, with or without `/api/v1/`. timeout: of each request, in seconds.
    """

    def __init__(self, url: str, token: str, *, timeout: float, patience: Patience) -> None:
        self.url, self.patience = _origin(url), patience
        if not token.isascii() or not token.isprintable() or " " in token:
            raise ClientError("The token has signs that no token has. Was it copied whole?")
        headers = {"Authorization": f"Bearer {token}", "User-Agent": f"jurybox/{__version__}"}
        # Redirects are not followed, so the token goes to no other host.
        self._http = httpx2.Client(
            base_url=self.url + API, headers=headers, timeout=timeout, follow_redirects=False
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.url!r})"

    def close(self) -> None:
        """Close the connections to the server."""
        self._http.close()

    def get(self, path: str, parameters: Mapping[str, Any] | None = None) -> httpx2.Response:
        """Read. path: below `/api/v1/`. parameters: None is left out, lists are joined by commas,
        moments need a time zone."""
        return self._send(self._http.build_request("GET", path, params=_in_text(parameters or {})))

    def write(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        tag: str | None = None,
        passing: Collection[int] = (),
    ) -> httpx2.Response:
        """Write, once however often it is sent: each write has an idempotency key of its own, which
        is the same at each attempt. tag: the ETag of what the change was made to. passing: further
        statuses after which it is tried again."""
        headers = {"Idempotency-Key": uuid.uuid4().hex}
        if tag is not None:
            headers["If-Match"] = tag
        content = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            content = as_json(body)
        request = self._http.build_request(method, path, headers=headers, content=content)
        return self._send(request, passing=passing)

    def upload(
        self, path: str, files: Sequence[tuple[str, tuple[str, IO[bytes]]]]
    ) -> httpx2.Response:
        """Send files, each with the field that it is of and its name. A server that reads them
        answers when it has done so."""
        request = self._http.build_request("POST", path, files=files, timeout=_READING)
        return self._send(request)

    def rows(self, path: str, parameters: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """All rows of a collection, fetched page by page as they are taken."""
        page: Mapping[str, Any] = parameters
        while True:
            answer = document(self.get(path, page))
            yield from answer["results"]
            if answer["next"] is None:
                return
            # Only the parameters: a server behind a proxy may not know its own address.
            page = dict(parse_qsl(urlsplit(answer["next"]).query, keep_blank_values=True))

    @contextmanager
    def download(self, path: str) -> Iterator[Iterator[bytes]]:
        """The bytes of a file, in pieces."""
        response = self._send(self._http.build_request("GET", path), stream=True)
        try:
            yield response.iter_bytes()
        except httpx2.TransportError as error:
            raise Unreachable(f"{self.url} broke off in the middle of a file: {error}") from error
        finally:
            response.close()

    def _send(
        self, request: httpx2.Request, *, passing: Collection[int] = (), stream: bool = False
    ) -> httpx2.Response:
        """The answer, where it is a success; else Refused, or Unreachable."""
        attempt = 0
        while True:
            try:
                response = self._http.send(request, stream=stream)
            except httpx2.TransportError as error:
                wait = self.patience.wait(attempt)
                if wait is None:
                    raise Unreachable(f"{self.url} does not answer: {_named(error)}") from error
            else:
                wait = None
                if response.status_code in (*PASSING, *passing):
                    wait = self.patience.wait(attempt, response.headers.get("Retry-After"))
                if wait is None:
                    return self._accepted(response)
                response.close()
            time.sleep(wait)
            attempt += 1

    def _accepted(self, response: httpx2.Response) -> httpx2.Response:
        if response.is_success:
            return response
        response.read()
        response.close()
        if response.is_redirect:
            target = response.headers["Location"]
            raise ClientError(f"{self.url} sends on to {target}. Give the client that address.")
        raise refusal(response.status_code, response.reason_phrase, _json_or_none(response))


def as_json(body: object) -> bytes:
    """A body as it is sent; ValueError where it holds NaN or infinity."""
    return json.dumps(body, ensure_ascii=False, allow_nan=False).encode()


def document(response: httpx2.Response) -> Any:
    """What an answer holds; ClientError where it is no JSON."""
    body = _json_or_none(response)
    if body is None:
        raise ClientError(f"{response.url} answers, but not as Jurybox does.")
    return body


def _json_or_none(response: httpx2.Response) -> Any:
    try:
        return response.json()
    except ValueError:
        return None


def _origin(url: str) -> str:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ClientError(f"{url!r} is no address such as http://localhost:8000.")
    if parts.username is not None:
        raise ClientError("The address names an account. Give the token by itself.")
    path = parts.path.rstrip("/").removesuffix(API.rstrip("/"))
    return f"{parts.scheme}://{parts.netloc}{path}"


def _in_text(parameters: Mapping[str, Any]) -> dict[str, str]:
    return {name: _text(value) for name, value in parameters.items() if value is not None}


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return str(value)


def _named(error: Exception) -> str:
    return f"{type(error).__name__} {error}".strip()

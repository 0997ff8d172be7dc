"""A server that answers as the Hugging Face Hub's public documentation says: the API of datasets,
`resolve` with its redirect to a storage of another host, and the service of conversions.

Written from the pages "List Parquet files" of the dataset viewer and from the headers and error
codes that the hub's own client reads (`X-Repo-Commit`, `X-Linked-Size`, `X-Linked-Etag`,
`X-Error-Code`, `X-Error-Message`, `X-Revision`).
"""

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

HOST, VIEWER, STORAGE = "hub.example", "datasets-server.hub.example", "storage.example"
CONVERTED = "refs/convert/parquet"
MAIN, OLDER, CONVERSION = "a" * 40, "b" * 40, "c" * 40
TOKEN = "hf_reads-it-all"
# Smaller files lie in the repository itself, as text does; larger ones in the storage.
LARGE = 500


@dataclass
class Repository:
    """A dataset. commits: commit to path to content. converted: configuration and split to the
    contents of its shards."""

    commits: dict[str, dict[str, bytes]]
    converted: dict[tuple[str, str], list[bytes]] = field(default_factory=dict)
    converted_of: str = MAIN
    partial: bool = False
    private: bool = False
    gated: bool = False

    @property
    def branches(self) -> Mapping[str, dict[str, bytes]]:
        shards = {
            f"{config}/{'partial-' if self.partial else ''}{split}/{n:04}.parquet": content
            for (config, split), contents in self.converted.items()
            for n, content in enumerate(contents)
        }
        own = {**self.commits, "main": self.commits[MAIN]}
        return {**own, CONVERTED: shards, CONVERSION: shards} if shards else own


@dataclass
class Fault:
    """What is answered once in place of a file or a page. cut: bytes of the body that are sent."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: int | None = None


@dataclass
class FakeHub:
    """The hub. faults: by a part of the path, in order. asked: (host, path, authorization).
    waits: the seconds that its client waited between tries, if nobody had hurried it."""

    repositories: dict[str, Repository] = field(default_factory=dict)
    faults: dict[str, list[Fault]] = field(default_factory=dict)
    asked: list[tuple[str, str, str]] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    port: int = 0
    storage: str = ""

    @property
    def root(self) -> str:
        return f"http://{HOST}:{self.port}"

    def answer(self, host: str, path: str, token: str) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body."""
        parts = urlsplit(path)
        if host == STORAGE:
            return 200, {}, self._stored[parts.path.rpartition("/")[2]]
        if host == VIEWER:
            return self._listing(parse_qs(parts.query)["dataset"][0], token)
        if parts.path.startswith("/api/datasets/"):
            name, _, revision = parts.path.removeprefix("/api/datasets/").partition("/revision/")
            return self._info(unquote(name), unquote(revision) or "main", token)
        name, _, rest = parts.path.removeprefix("/datasets/").partition("/resolve/")
        revision, _, file = rest.partition("/")
        return self._file(unquote(name), unquote(revision), unquote(file), token)

    @property
    def _stored(self) -> dict[str, bytes]:
        contents = (
            content
            for repository in self.repositories.values()
            for files in repository.branches.values()
            for content in files.values()
        )
        return {hashlib.sha256(content).hexdigest(): content for content in contents}

    def _refused(self, name: str, token: str, *, gate: bool) -> tuple[int, dict[str, str], bytes]:
        repository = self.repositories.get(name)
        if token and token != f"Bearer {TOKEN}":
            message = "Invalid credentials in Authorization header"
            return 401, {"X-Error-Message": message}, b"{}"
        if repository is None or (repository.private and not token):
            return (404 if token else 401), {"X-Error-Code": "RepoNotFound"}, b"{}"
        if gate and repository.gated and not token:
            return 401, {"X-Error-Code": "GatedRepo"}, b"{}"
        return 0, {}, b""

    def _info(self, name: str, revision: str, token: str) -> tuple[int, dict[str, str], bytes]:
        if (refusal := self._refused(name, token, gate=False))[0]:
            return refusal
        files = self.repositories[name].branches.get(revision)
        if files is None:
            return 404, {"X-Error-Code": "RevisionNotFound"}, b"{}"
        siblings = [{"rfilename": path, "size": len(files[path])} for path in files]
        sha = {"main": MAIN, CONVERTED: CONVERSION}.get(revision, revision)
        return 200, {}, json.dumps({"id": name, "sha": sha, "siblings": siblings}).encode()

    def _listing(self, name: str, token: str) -> tuple[int, dict[str, str], bytes]:
        if self._refused(name, token, gate=True)[0]:
            return (
                401,
                {"X-Error-Code": "ExternalUnauthenticatedError"},
                b'{"error": "unauthenticated"}',
            )
        repository = self.repositories[name]
        if not repository.converted:
            return 500, {"X-Error-Code": "ResponseNotReady"}, b'{"error": "not ready yet"}'
        files = [
            {
                "dataset": name,
                "config": config,
                "split": split,
                # The listing names the hub itself, also where a mirror is asked.
                "url": f"https://huggingface.co/datasets/{name}/resolve/refs%2Fconvert%2Fparquet/"
                f"{config}/{'partial-' if repository.partial else ''}{split}/{n:04}.parquet",
                "filename": f"{n:04}.parquet",
                "size": len(content),
            }
            for (config, split), contents in repository.converted.items()
            for n, content in enumerate(contents)
        ]
        body = {"parquet_files": files, "pending": [], "failed": [], "partial": repository.partial}
        return 200, {"X-Revision": repository.converted_of}, json.dumps(body).encode()

    def _file(
        self, name: str, revision: str, path: str, token: str
    ) -> tuple[int, dict[str, str], bytes]:
        if (refusal := self._refused(name, token, gate=True))[0]:
            return refusal
        content = self.repositories[name].branches.get(revision, {}).get(path)
        if content is None:
            return 404, {"X-Error-Code": "EntryNotFound"}, b""
        commit = {"main": MAIN, CONVERTED: CONVERSION}.get(revision, revision)
        if len(content) < LARGE:
            return 200, {"X-Repo-Commit": commit, "ETag": '"0123"'}, content
        digest = hashlib.sha256(content).hexdigest()
        storage = self.storage or f"http://{STORAGE}:{self.port}"
        headers = {
            "X-Repo-Commit": commit,
            "X-Linked-Size": str(len(content)),
            "X-Linked-Etag": f'"{digest}"',
            "Location": f"{storage}/repos/{digest}?Signature=for-a-while",
        }
        return 302, headers, b""


@contextmanager
def serving_hub() -> Iterator[FakeHub]:
    """A hub that is up."""
    hub = FakeHub()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            host = self.headers["Host"].partition(":")[0]
            token = self.headers.get("Authorization", "")
            hub.asked.append((host, self.path, token))
            faults = next((f for part, f in hub.faults.items() if part in self.path and f), None)
            fault = faults.pop(0) if faults else Fault()
            status, headers, body = hub.answer(host, self.path, token)
            if fault.status != 200:
                status, headers, body = fault.status, {}, b"{}"
            self.send_response(status)
            for name, value in {**headers, **fault.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body[: fault.cut])
            self.close_connection = fault.cut is not None

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hub.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

"""The part of the tests' endpoint that takes many requests in one file."""

import json
from collections import deque
from collections.abc import Callable, Mapping
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any

from tests.services.endpoint_conventions import as_bytes

Reply = Callable[[dict[str, Any]], dict[str, Any]]


class Batches:
    """Files and batches. A batch is done when it has been looked at `looks` times.

    `fate` of a batch: "completed", "expired" (half of its lines were answered), or "failed".
    `lose`: custom ids whose line never comes back. `rename`: ids that come back under another.
    `stopping`: what becomes of a batch that is told to stop: "cancelled" at once with none of its
    lines, "halfway" with half of them, or "refused", which goes on. `faults`: statuses for the next
    requests about files and batches. `errors`: what a batch that failed says.
    """

    def __init__(self, reply: Reply) -> None:
        self.reply = reply
        self.looks = 1
        self.fate = "completed"
        self.stopping = "cancelled"
        self.faults: deque[str] = deque()
        self.errors = "Enqueued token limit."
        self.lose: set[str] = set()
        self.rename: dict[str, str] = {}
        self.files: dict[str, bytes] = {}
        self.made: dict[str, dict[str, Any]] = {}
        self.looked: dict[str, int] = {}

    def answer(
        self, method: str, path: str, headers: Mapping[str, str], body: bytes
    ) -> bytes | None:
        """The body of the answer; None where there is no such page."""
        parts = path.removeprefix("/v1/").split("/")
        match (method, *parts):
            case ("POST", "files"):
                return self._upload(headers, body)
            case ("GET", "files", name, "content") if name in self.files:
                return self.files[name]
        found = self._batch(method, parts, body) if parts[0] == "batches" else None
        return None if found is None else json.dumps(found).encode()

    def _batch(self, method: str, parts: list[str], body: bytes) -> dict[str, Any] | None:
        match (method, *parts):
            case ("GET", "batches"):
                made = list(self.made.values())[::-1]
                return {"object": "list", "data": made, "has_more": False}
            case ("POST", "batches"):
                return self._make(json.loads(body))
            case ("GET", "batches", name) if name in self.made:
                return self._look(name)
            case ("POST", "batches", name, "cancel") if name in self.made:
                return self._stop(self.made[name])
        return None

    def _stop(self, batch: dict[str, Any]) -> dict[str, Any] | None:
        if self.stopping == "refused":
            return None
        if self.stopping == "halfway":
            self._work(batch, share=2)
        batch["status"] = "cancelled"
        return batch

    def _upload(self, headers: Mapping[str, str], body: bytes) -> bytes:
        head = f"Content-Type: {headers['content-type']}\r\n\r\n".encode()
        message = BytesParser(policy=HTTP).parsebytes(head + body)
        parts = {part.get_param("name", header="content-disposition"): part
                 for part in message.iter_parts()}  # fmt: skip
        content = parts["file"].get_payload(decode=True)
        assert isinstance(content, bytes)
        name = f"file-{len(self.files) + 1}"
        self.files[name] = content
        return json.dumps(
            {"id": name, "object": "file", "bytes": len(content), "created_at": 1,
             "filename": "requests.jsonl", "purpose": "batch", "status": "processed"}
        ).encode()  # fmt: skip

    def _make(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        name = f"batch_{len(self.made) + 1}"
        self.made[name] = {
            "id": name,
            "object": "batch",
            "endpoint": asked["endpoint"],
            "input_file_id": asked["input_file_id"],
            "completion_window": asked["completion_window"],
            "status": "in_progress",
            "metadata": asked.get("metadata"),
            "created_at": 1,
            "output_file_id": None,
            "error_file_id": None,
            "request_counts": {"total": 0, "completed": 0, "failed": 0},
        }
        return self.made[name]

    def _look(self, name: str) -> dict[str, Any]:
        batch = self.made[name]
        self.looked[name] = self.looked.get(name, 0) + 1
        if batch["status"] == "in_progress" and self.looked[name] >= self.looks:
            self._work(batch)
        return batch

    def _work(self, batch: dict[str, Any], share: int = 1) -> None:
        batch["status"] = self.fate
        if self.fate == "failed":
            batch["errors"] = {
                "object": "list",
                "data": [{"code": "token_limit_exceeded", "message": self.errors}],
            }
            return
        lines = self.files[batch["input_file_id"]].decode().splitlines()
        asked = [json.loads(line) for line in lines]
        asked = asked[: len(asked) // (2 if self.fate == "expired" else share)]
        done = [(one["custom_id"], self.reply(one["body"])) for one in asked]
        for kind, good in (("output_file_id", True), ("error_file_id", False)):
            kept = [
                {"id": f"r{n}", "custom_id": self.rename.get(key, key), "response": response,
                 "error": None}
                for n, (key, response) in enumerate(done)
                if (response["status_code"] == 200) is good and key not in self.lose
            ]  # fmt: skip
            if kept:
                batch[kind] = f"file-{len(self.files) + 1}"
                self.files[batch[kind]] = b"".join(as_bytes(line) + b"\n" for line in kept)

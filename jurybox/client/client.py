"""A server, and the studies on it."""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from jurybox.client.bulk import chunks
from jurybox.client.connection import Connection, document
from jurybox.client.problems import ClientError
from jurybox.client.readings import ReadFiles, import_read, send_files
from jurybox.client.records import read_study_file
from jurybox.client.retries import Patience
from jurybox.client.rows import Row
from jurybox.client.studies import MOST_RECORDS, Study
from jurybox.client.webhooks import secret_of_webhook

URL, TOKEN = "JURYBOX_URL", "JURYBOX_TOKEN"
LOCAL = "http://localhost:8000"


class Client:
    """A server of Jurybox, reached by a token.

    url: where it is, such as `https://jurybox.example.org`; without it the environment's
    JURYBOX_URL, or this machine. token: one that you made on the page *Tokens of the API*; without
    it the environment's JURYBOX_TOKEN. timeout: of each request, in seconds. attempts: how often a
    request is tried where the server is busy, restarts or cannot be reached. It may be used by
    several threads, and as a context manager, which closes its connections.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        timeout: float = 60.0,
        attempts: int = 6,
    ) -> None:
        token = (token or os.environ.get(TOKEN, "")).strip()
        if not token:
            raise ClientError(f"There is no token: give one, or set {TOKEN}.")
        url = url or os.environ.get(URL, "") or LOCAL
        patience = Patience(attempts=attempts)
        self._connection = Connection(url, token, timeout=timeout, patience=patience)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._connection.url!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections to the server."""
        self._connection.close()

    def studies(self, **filters: Any) -> Iterator[Row]:
        """The studies that the token opens. filters: as `/studies/` takes them, such as state."""
        return self._connection.rows("studies/", filters)

    def study(self, slug: str) -> Study:
        """A study that is there. The server is asked once something is done with it."""
        return Study(self._connection, slug)

    def set_webhook(self, url: str, events: Iterable[str]) -> str:
        """Post these events of all studies that the token's owner owns, also of later ones, to an
        address; the secret that signs them, which is shown now and never again (`is_genuine` checks
        by it)."""
        return secret_of_webhook(self._connection, "account/webhook/", url, events)

    def make_study(self, source: str | Path | Mapping[str, Any], **changes: Any) -> Study:
        """Make a study.

        source: a study file, as a Path, as its text in YAML, or as its keys (`example_study()`,
        docs/formats.md); `items` are records, or files in JSON Lines beside a file. changes: keys
        to put in the place of those of the file, such as slug="mine". More records than fit one
        request are added in parts, once the study is made.
        """
        keys = {**read_study_file(source), **changes}
        records = keys.pop("items", None) or []
        parts = chunks(records, most=MOST_RECORDS)
        first = next(parts, [])
        body = {**keys, "items": first} if first else keys
        made = document(self._connection.write("POST", "studies/", body))
        study = self.study(str(made["slug"]))
        if len(records) > len(first):
            study.add_items(records[len(first) :])
        return study

    def read_files(self, *files: str | Path) -> ReadFiles:
        """Send files of any form that hold answers, such as tables of ratings; how the server reads
        them. Nothing is imported yet. A ZIP file stands for a folder."""
        return send_files(self._connection, files)

    def import_files(
        self,
        read: ReadFiles,
        *,
        slug: str,
        title: str = "",
        decided: Mapping[str, str] | None = None,
        reading: Mapping[str, Any] | None = None,
        task_type: str = "",
        keep_names: bool = False,
        timeout: float = 3600.0,
    ) -> Study:
        """Make a study of files that were read, with their answers, once it is whole.

        decided: question to choice, by their keys. reading: one in place of the proposed one, such
        as that of an earlier delivery. task_type: what a draft asks about texts without answers.
        keep_names: people are called as in the files. Refused where a question is open, Stopped
        where the import has failed. timeout: in seconds; TimedOut after them, and the import goes
        on.
        """
        body: Row = {"slug": slug, "title": title or slug, "keep_names": keep_names}
        body |= {"decided": decided} if decided else {}
        body |= {"reading": reading} if reading else {}
        body |= {"task_type": task_type} if task_type else {}
        return self.study(import_read(self._connection, read, body, timeout=timeout))

    def get(self, path: str, **parameters: Any) -> Any:
        """Any reading operation of the API, for which there is no method here. path: below
        `/api/v1/`, such as `studies/mine/pay/`."""
        return document(self._connection.get(path, parameters))

    def post(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Any writing operation of the API, such as `studies/mine/runs/3/cancel/`."""
        return document(self._connection.write("POST", path, body))

    def put(self, path: str, body: Mapping[str, Any], *, tag: str | None = None) -> Any:
        """Any operation that sets something, such as `studies/mine/stop-rule/`. tag: the ETag of
        what was read, where it asks for one; `*` for whatever stands."""
        return document(self._connection.write("PUT", path, body, tag=tag))

"""Files of any form, as a server reads them."""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from jurybox.client.connection import Connection, document
from jurybox.client.problems import Refused, Stopped
from jurybox.client.rows import Row
from jurybox.client.waiting import wait_until

_GONE = 404


@dataclass(frozen=True)
class ReadFiles:
    """How a server reads files that were sent to it.

    sentence: the reading in words. reading: the same as a value, as `--reading` takes it. counts:
    what it finds in the first rows. questions: what the files leave open, each with its key, its
    text and its choices. remarks: what is to be known before the import.
    """

    id: int
    sentence: str
    reading: Row
    counts: Row
    questions: list[Row]
    remarks: list[Row]

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Self:
        """From the server's answer."""
        return cls(**{name: row[name] for name in cls.__dataclass_fields__})


def send_files(connection: Connection, files: tuple[str | Path, ...]) -> ReadFiles:
    """Send files, and learn how they are read."""
    with ExitStack() as opened:
        parts = [
            ("files", (Path(file).name, opened.enter_context(Path(file).open("rb"))))
            for file in files
        ]
        return ReadFiles.of(document(connection.upload("readings/", parts)))


def import_read(
    connection: Connection, read: ReadFiles, body: Mapping[str, Any], *, timeout: float
) -> str:
    """Make a study of files that were read, and wait until it is whole; its slug."""
    path = f"readings/{read.id}/"
    connection.write("POST", f"{path}study/", body)

    def look() -> Row | None:
        try:
            row: Row = document(connection.get(path))
        except Refused as refused:
            if refused.status != _GONE:
                raise
            return None  # The files are let go of once their study is whole.
        return row

    ended = wait_until(
        lambda row: row is None or row["state"] in ("failed", "cancelled"),
        look,
        timeout=timeout,
        name=f"The import of {body['slug']}",
    )
    if ended is not None:
        raise Stopped("Import", ended)
    return str(body["slug"])

"""What a program does with one study."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast
from urllib.parse import quote

from jurybox.client.bulk import Line, LineResult, Sent, send_all
from jurybox.client.connection import Connection, document
from jurybox.client.downloads import save
from jurybox.client.frames import report_frame
from jurybox.client.items import add_fitting, add_or_raise
from jurybox.client.problems import Stopped
from jurybox.client.rows import Collection, Export, Job, Row, Run
from jurybox.client.waiting import wait_until
from jurybox.client.webhooks import secret_of_webhook

if TYPE_CHECKING:
    import polars

MOST_RECORDS, MOST_ANSWERS = 10_000, 1_000
# Rows of a page of a collection: the most that a server gives at once.
PAGE = 1_000
CONFLICT = 409
Format = Literal["jsonl", "csv", "parquet", "xlsx", "bundle"]


@dataclass
class StudyFile:
    """The keys of a study's file, to be changed in place. tag: of the keys as they were read."""

    keys: Row
    tag: str


@dataclass(frozen=True)
class Edited:
    """What a new file changes. difference: of the file, line by line. applied: False where it was
    only looked at."""

    changed: list[str]
    difference: list[str]
    applied: bool


class Study:
    """One study on a server. Nothing of it is kept here: each method asks the server."""

    def __init__(self, connection: Connection, slug: str) -> None:
        self._connection, self.slug = connection, slug
        self._path = f"studies/{quote(slug, safe='')}/"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.slug!r})"

    def row(self) -> Row:
        """Its title, state, revision and so on."""
        return self._get("")

    def open(self) -> Row:
        """Let workers in. Refused names what is missing."""
        return self._post("open/")

    def close(self) -> Row:
        """Give out no more batches."""
        return self._post("close/")

    def pause(self) -> Row:
        """Let nobody begin for a while."""
        return self._post("pause/")

    def resume(self) -> Row:
        """Let people begin again."""
        return self._post("resume/")

    def invite(
        self, number: int = 1, *, personal: bool = False, max_uses: int | None = None
    ) -> list[Row]:
        """Make links into the study. personal: each for one person, who can return by it. max_uses:
        how many people may come by each."""
        body: Row = {"number": number, "personal": personal}
        body |= {} if max_uses is None else {"max_uses": max_uses}
        made: list[Row] = document(
            self._connection.write("POST", f"{self._path}invitations/", body)
        )
        return made

    def set_webhook(self, url: str, events: Iterable[str]) -> str:
        """Post these events of the study to an address; the secret that signs them, which is shown
        now and never again (`is_genuine` checks by it)."""
        return secret_of_webhook(self._connection, f"{self._path}webhook/", url, events)

    def define_judge(
        self,
        name: str,
        method: str,
        *,
        backend: str = "",
        model: str = "",
        family: str = "",
        parameters: Mapping[str, Any] | None = None,
    ) -> Row:
        """Define a judge, or the next version of one, and add it to the study."""
        fields = {"backend": backend, "model": model, "family": family}
        body = {"name": name, "method": method, **fields, "parameters": dict(parameters or {})}
        return self._post("judges/", body)

    def wait_for_job(self, job: Job, *, timeout: float = 3600.0) -> Job:
        """Background work, once it has ended: what a write answers that a worker carries out, such
        as applying an exclusion. Stopped where it has failed or was cancelled."""
        number = job["id"]
        ended = wait_until(
            lambda job: job["state"] not in ("queued", "running"),
            lambda: cast(Job, self._get(f"jobs/{number}/")),
            timeout=timeout,
            name=f"Job {number}",
        )
        if ended["state"] != "done":
            raise Stopped("Job", ended)
        return ended

    def rows(self, collection: Collection, **filters: Any) -> Iterator[Row]:
        """The rows of a collection, fetched page by page as they are taken. filters: as the API
        has them; fields=["key", "role"] leaves the other fields out."""
        path = f"{self._path}{collection}/"
        return self._connection.rows(path, {"limit": PAGE, **filters})

    def answers(self, **filters: Any) -> Iterator[Row]:
        """Answers of people and judges, also excluded and replaced ones, which are marked so.
        filters: such as rater="ann", kind="human" or unit="i1"."""
        return self.rows("answers", **filters)

    def add_items(self, records: Iterable[Line], *, strict: bool = True) -> Sent:
        """Add records: a source, its items and perhaps a unit each (docs/formats.md).

        After a failure in the middle the same records may be sent again in the same order: parts
        that are there already change nothing. strict: Refused is raised at the first record that
        does not fit; `stored` tells how many were added before. Otherwise such records alone are
        left out, and the result says why.
        """
        return send_all(
            records,
            partial(add_or_raise if strict else add_fitting, post=self._post_records),
            most=MOST_RECORDS,
        )

    def add_answers(self, answers: Iterable[Line]) -> Sent:
        """Add answers given elsewhere, lines of unit, rater, kind, answer and perhaps block, as
        `import_answers` takes them. Each is stored or refused by itself. The same answers may be
        sent again, after a failure in the middle too: what is there already is `present`."""
        return send_all(answers, self._post_answers, most=MOST_ANSWERS)

    def run_judge(
        self,
        judge: str,
        *,
        subset: str = "",
        blocks: Iterable[str] = (),
        replicates: int = 1,
        limit: int | None = None,
        seed: int | None = None,
        max_cost: str | float | None = None,
    ) -> Run:
        """Start a run of a judge.

        judge: its name, or name@version. subset: of units; empty for all. blocks: their keys; empty
        for all that it can answer. limit: of questions. max_cost: in USD; the run is paused there.
        """
        body: Row = {"judge": judge, "subset": subset, "replicates": replicates}
        chosen = {"limit": limit, "seed": seed, "max_cost": max_cost}
        body |= {name: value for name, value in chosen.items() if value is not None}
        if listed := list(blocks):
            body["blocks"] = listed
        return self.run(self._post("runs/", body)["id"])

    def run(self, number: int) -> Run:
        """A run as it is now. number: its id."""
        return cast(Run, self._get(f"runs/{number}/"))

    def wait_for_run(
        self,
        run: Run,
        *,
        timeout: float = 3600.0,
        progress: Callable[[Run], object] | None = None,
    ) -> Run:
        """The run, once it has ended; `partial` is the state of one of which some calls failed.

        timeout: in seconds; TimedOut after them, and the run goes on. progress: gets the run each
        time that it has changed. Stopped where it was paused or cancelled, or has failed.
        """
        number = run["id"]
        ended = wait_until(
            lambda run: run["state"] not in ("planning", "running"),
            lambda: self.run(number),
            timeout=timeout,
            name=f"Run {number}",
            progress=progress,
        )
        if ended["state"] not in ("complete", "partial"):
            raise Stopped("Run", ended)
        return ended

    def estimates(
        self, *, newest: bool = True, timeout: float = 600.0, **filters: str
    ) -> list[Row]:
        """The figures of the study, in rows as `report --json` prints them.

        filters: metric, facet, raters, aggregation, consensus and group (such as `system=Alder`,
        or empty for the whole study); without any, every figure. newest: wait until the answers
        that are there now are counted; otherwise the figures may be some answers old. timeout: in
        seconds; TimedOut after them.
        """
        counted = wait_until(
            lambda report: (
                report["computed_at"] is not None and not (newest and report["outdated"])
            ),
            lambda: self._get("estimates/", filters),
            timeout=timeout,
            name=f"The report of {self.slug}",
        )
        rows: list[Row] = counted["estimates"]
        return rows

    def report(self, *, newest: bool = True, timeout: float = 600.0) -> "polars.DataFrame":
        """The same as a table of polars: `group` as `key=name` pairs, empty for the whole study,
        and besides as columns `group.system`, `group.label`, …"""
        return report_frame(self.estimates(newest=newest, timeout=timeout))

    def export(
        self,
        format_name: Format,
        path: str | Path,
        *,
        timeout: float = 3600.0,
        progress: Callable[[Export], object] | None = None,
        **choice: str,
    ) -> Path:
        """Let a worker write an export, and save it as a zip archive; where it is then.

        path: of the file, or the folder for it. choice: what of the study, as the API has it:
        consensus, facet, subset, round, excluded. Stopped where it failed or was cancelled.
        """
        asked = self._post("exports/", {"format": format_name, **choice})
        done = wait_until(
            lambda export: export["state"] not in ("queued", "running"),
            lambda: cast(Export, self._get(f"exports/{asked['id']}/")),
            timeout=timeout,
            name=f"Export {asked['id']}",
            progress=progress,
        )
        if done["state"] != "done":
            raise Stopped("Export", done)
        target = Path(path)
        if target.is_dir():
            target /= f"{self.slug}-{format_name}.zip"
        with self._connection.download(f"{self._path}exports/{done['id']}/file/") as pieces:
            return save(pieces, target)

    def read_file(self) -> StudyFile:
        """The keys of the study's file as they stand."""
        response = self._connection.get(f"{self._path}file/")
        return StudyFile(document(response), response.headers.get("ETag", ""))

    def write_file(self, file: StudyFile, *, check: bool = False) -> Edited:
        """Change the study to what a file says that was read before; Overtaken where somebody has
        changed it since. check: only say what it would change."""
        path = f"{self._path}file/" + ("?check=true" if check else "")
        answer = document(self._connection.write("PUT", path, file.keys, tag=file.tag))
        return Edited(answer["changed"], answer["difference"], answer["applied"])

    def _get(self, path: str, parameters: Mapping[str, Any] | None = None) -> Row:
        row: Row = document(self._connection.get(self._path + path, parameters))
        return row

    def _post(self, path: str, body: Row | None = None) -> Row:
        row: Row = document(self._connection.write("POST", self._path + path, body))
        return row

    def _post_records(self, records: Iterable[Line]) -> None:
        # 409: another program added some at the same moment.
        self._connection.write(
            "POST", f"{self._path}items/", {"records": list(records)}, passing=[CONFLICT]
        )

    def _post_answers(self, answers: Iterable[Line]) -> list[LineResult]:
        outcome = self._post("answers/", {"answers": list(answers)})
        return [LineResult(**line) for line in outcome["results"]]

"""Ten thousand answers posted to the API in bulk by eight programs at once, with retries and
duplicates: stored once each.
"""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from bench.light_client import HOST, Unexpected, Visitor
from bench.measure import Row
from bench.serve.crowd import WENT_WRONG, percentile
from bench.serve.databases import DATABASES, Database
from bench.serve.jurybox import Jurybox
from bench.serve.material import answer, record
from bench.serve.servers import NotToBeHad

PROGRAMS, UNITS, RATERS, IN_ONE = 8, 500, 20, 100
SLUG, STUDY = "bulk", "bench.serve.bulk_study"
# Of the posts, so many come again under another key by another program, are sent twice under the
# same key, and lose their connection before they are answered, so that they are sent again.
DUPLICATES, REPEATED, BROKEN_OFF = 0.25, 0.2, 0.1
Lines = list[dict[str, Any]]


@dataclass
class Post:
    """Answers that are posted together. key: of the write, the same however often it is sent."""

    lines: Lines
    key: str
    times: int = 1
    broken_off: bool = False


@dataclass
class Sent:
    """What the programs did. took: seconds of each post that was answered."""

    took: list[float] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0


def answers() -> Lines:
    """One answer of each rater to each unit, the same in each run."""
    rng = Random(0)
    return [
        {
            "unit": record(number)["unit"]["key"],
            "rater": f"rater-{rater}",
            "kind": "human",
            "answer": {"sentences": [int(sentence) for sentence in answer(rng)]},
        }
        for number in range(UNITS)
        for rater in range(RATERS)
    ]


def posts(lines: Lines) -> list[Post]:
    """All answers in shuffled posts, with those that come again."""
    rng = Random(1)
    mixed = rng.sample(lines, len(lines))
    first = [Post(mixed[at : at + IN_ONE], f"post-{at}") for at in range(0, len(mixed), IN_ONE)]
    chosen = rng.sample(first, _share(first, DUPLICATES))
    again = [Post(post.lines, f"{post.key}-again") for post in chosen]
    for post in rng.sample(first, _share(first, REPEATED)):
        post.times = 2
    for post in rng.sample(first, _share(first, BROKEN_OFF)):
        post.broken_off = True
    return rng.sample([*first, *again], len(first) + len(again))


def _share(of: list[Post], share: float) -> int:
    return round(len(of) * share)


async def drive(port: int, tokens: list[str], todo: list[Post]) -> Sent:
    """Let each program take the next post until none is left."""
    sent, queue, began = Sent(), iter(todo), time.perf_counter()
    await asyncio.gather(*(_program(port, token, queue, sent) for token in tokens))
    sent.seconds = time.perf_counter() - began
    return sent


async def _program(port: int, token: str, queue: Iterator[Post], sent: Sent) -> None:
    visitor = Visitor(port)
    for post in queue:
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": post.key}
        if post.broken_off:
            await _break_off(visitor, post, headers)
        for _ in range(post.times):
            began = time.perf_counter()
            try:
                reply = await visitor.post_json(_path(), _body(post), expect=200, headers=headers)
            except WENT_WRONG as why:
                sent.errors[str(why) if isinstance(why, Unexpected) else type(why).__name__] += 1
                visitor.close()
                continue
            sent.took.append(time.perf_counter() - began)
            if "idempotency-replayed" in reply.headers:
                sent.counts["replayed"] += 1
                continue
            content = reply.json()
            sent.counts.update({name: content[name] for name in ("stored", "present", "refused")})
    visitor.close()


async def _break_off(visitor: Visitor, post: Post, headers: dict[str, str]) -> None:
    """Send the post and go away before it is answered."""
    body = json.dumps(_body(post)).encode()
    full_headers = {"Content-Type": "application/json", **headers}
    _reader, writer = await asyncio.open_connection(HOST, visitor.port)
    writer.write(visitor._request("POST", _path(), body, full_headers))
    await writer.drain()
    writer.close()


def _path() -> str:
    return f"/api/v1/studies/{SLUG}/answers/"


def _body(post: Post) -> dict[str, Any]:
    return {"answers": post.lines}


def run() -> Iterator[Row]:
    """On SQLite and on PostgreSQL."""
    for database in DATABASES:
        try:
            yield from _measured(database)
        except NotToBeHad as reason:
            yield _row(database, 0.0, str(reason), met=None)


def _measured(database: Database) -> Iterator[Row]:
    target, lines = Jurybox(database, "unused", 1, 1), answers()
    with TemporaryDirectory(prefix="jurybox-bench-") as folder, target.serve(Path(folder)):
        size = [SLUG, str(UNITS), str(PROGRAMS)]
        tokens = target.output_of(STUDY, "set-up", *size).split()
        sent = asyncio.run(drive(target.port, tokens, posts(lines)))
        journal = Path(folder) / "sent.json"
        journal.write_text(json.dumps(lines), encoding="utf-8")
        kept = json.loads(target.output_of(STUDY, "compare", SLUG, str(journal)))
    wrong = kept["lost"] + kept["twice"] + sum(sent.errors.values()) + sent.counts["refused"]
    took = sorted(sent.took)
    note = (
        f"{PROGRAMS} programs, {len(took)} posts of {IN_ONE}, of which {sent.counts['replayed']} "
        f"replayed; p50 {percentile(took, 0.5) * 1000:.0f} ms, p95 "
        f"{percentile(took, 0.95) * 1000:.0f} ms a post; stored {sent.counts['stored']:,}, present "
        f"{sent.counts['present']:,}; {kept['lost']} lost, {kept['twice']} twice, "
        f"errors {dict(sent.errors)}"
    )
    yield _row(database, len(lines) / sent.seconds, note, met=wrong == 0)
    yield Row(
        what=f"{database.name}: p95 of a post of {IN_ONE} answers",
        ours=percentile(took, 0.95) * 1000,
        unit="ms",
        bar="",
        met=None,
        note="",
    )


def _row(database: Database, rate: float, note: str, *, met: bool | None) -> Row:
    return Row(
        what=f"{database.name}: {UNITS * RATERS:,} answers in bulk, each stored once",
        ours=rate,
        unit="saves/s",
        bar="none lost or twice",
        met=met,
        note=note,
    )

"""Have texts written for a study: explanations of its sources, or variants of its items.

What a model says goes to a file at once, a line per text, and the finished texts come into the
study together, as an import of them would bring them. So a run that is killed loses nothing that
was paid for but the talks under way, and goes on where it stopped.
"""

import hashlib
import json
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from annotation.importing.errors import ImportFailure
from annotation.importing.files.streams import fingerprint
from annotation.importing.findings import Findings
from annotation.importing.material.places import open_imported_places
from annotation.importing.material.storage import MaterialWriter
from annotation.models import Study
from judges.generators.journal import Journal
from judges.generators.pieces import Piece
from judges.generators.text import Generating
from judges.methods.contract import Outcome, Tools, prompt_hash
from judges.runs.plan import Forecast
from judges.runs.provenance import code_version
from judges.runs.reply_cache import DatabaseCache
from tasktypes.registry import TASK_TYPES

_NAME = 12


class GenerationRefused(ValueError):
    """Texts that cannot be written for this study, and why."""


@dataclass(frozen=True)
class Generated:
    """What came of it. failures: reason to how many; spent of None: no call told."""

    texts: int
    failures: Mapping[str, int]
    spent: Decimal | None
    stopped: str
    file: Path


def forecast_texts(
    generator: Generating[Any], pieces: Sequence[Piece], *, max_cost: Decimal | None = None
) -> Forecast:
    """What writing the pieces will take; GenerationRefused where that is more than may be spent."""
    forecast = Forecast()
    for piece in pieces:
        forecast.add(generator.plan(piece.ask))
    if max_cost is not None and forecast.usd is not None and forecast.usd > max_cost:
        raise GenerationRefused(
            f"max cost: {forecast.calls} calls are expected to cost {forecast.usd:.2f} USD, "
            f"more than {max_cost:.2f}"
        )
    return forecast


def check_open(study: Study) -> None:
    """GenerationRefused where texts cannot come into the study."""
    if study.state == Study.State.OPEN:
        raise GenerationRefused("state: the study is open; workers would meet unread texts")
    if not study.blocks.exists():
        raise GenerationRefused("blocks: the study asks nothing yet (apply_study)")


def generate_texts(
    *,
    study: Study,
    generator: Generating[Any],
    pieces: Sequence[Piece],
    seed: int,
    max_cost: Decimal | None = None,
    tell: Callable[[int], object] = lambda done: None,
) -> Generated:
    """Write the pieces and take them into the study.

    A text that fails is counted with its reason and left out; the next run writes it. max_cost:
    no new text is begun once so much is spent.
    """
    check_open(study)
    forecast_texts(generator, pieces, max_cost=max_cost)
    journal = Journal(_file(study, generator, seed))
    # Failed replies are found again by their own run alone: this is one of its own.
    generator.tools = Tools(replies=DatabaseCache(-time.time_ns()))
    ready = journal.written()
    missing = [piece for piece in pieces if piece.key not in ready]
    tell(len(pieces) - len(missing))
    purse = _Purse(max_cost)
    failures: dict[str, int] = {}
    for piece, outcome in _outcomes(generator, purse.while_open(missing)):
        journal.add(piece, outcome)
        purse.pay(outcome)
        tell(1)
        if outcome.answer is None:
            reason = next(reply.error for reply in outcome.replies if reply.failure)
            failures[reason] = failures.get(reason, 0) + 1
    texts = _take_in(study, generator, pieces, journal, seed)
    return Generated(texts, failures, purse.spent, purse.reason, journal.file)


def _outcomes(
    generator: Generating[Any], pieces: Iterator[Piece]
) -> Iterator[tuple[Piece, Outcome]]:
    """Each piece with what came of it, in any order."""
    under_way: dict[str, Piece] = {}

    def asks() -> Iterator[Any]:
        for piece in pieces:
            under_way[piece.ask.unit] = piece
            yield piece.ask

    for outcome in generator.answers(asks()):
        yield under_way.pop(outcome.ask.unit), outcome


class _Purse:
    """What may be spent, and what is."""

    def __init__(self, most: Decimal | None) -> None:
        self.most, self.spent = most, None if most is None else Decimal(0)
        self.reason = ""

    def pay(self, outcome: Outcome) -> None:
        costs = [reply.cost for reply in outcome.replies if reply.cost is not None]
        if costs:
            self.spent = sum(costs, self.spent or Decimal(0))

    def while_open(self, pieces: Sequence[Piece]) -> Iterator[Piece]:
        """The pieces, until nothing is left to pay them with."""
        for piece in pieces:
            if self.most is not None and (self.spent or Decimal(0)) >= self.most:
                self.reason = f"The cap of {self.most:.2f} USD is reached."
                return
            yield piece


@transaction.atomic
def _take_in(
    study: Study, generator: Generating[Any], pieces: Sequence[Piece], journal: Journal, seed: int
) -> int:
    """The finished texts as items and units of the study; how many they are."""
    ready = journal.written()
    finished = [piece for piece in pieces if piece.key in ready]
    if not finished:
        return 0
    findings = Findings.of(study.imported)
    writer = MaterialWriter(study, findings)
    for piece in finished:
        where, written = ready[piece.key]
        try:
            entry = piece.entry(where, written)
        except ValueError as error:
            raise ImportFailure.of(where, error) from error
        writer.add(entry)
    writer.close()
    open_imported_places(study)
    generated = [*study.imported.get("generated", []), _record(generator, finished, journal, seed)]
    study.imported = {**study.imported, **findings.as_json(), "generated": generated}
    study.save(update_fields=["imported"])
    study.touch()
    return len(finished)


def _record(
    generator: Generating[Any], finished: Sequence[Piece], journal: Journal, seed: int
) -> dict[str, Any]:
    """All that is needed to write the texts again, and how long they have become."""
    prompt = generator.prompt_text(TASK_TYPES[0])
    lengths = journal.lengths()
    rows = [lengths[piece.key] for piece in finished]
    return {
        **_definition(generator, seed),
        "system": finished[0].system,
        "condition": finished[0].condition,
        "texts": len(finished),
        "prompt": {"hash": prompt_hash(prompt), "text": prompt},
        "code_version": code_version(),
        "file": {"name": journal.file.name, "sha256": fingerprint(journal.file)},
        "mean_lengths": {name: statistics.fmean(row[name] for row in rows) for name in rows[0]},
    }


def _definition(generator: Generating[Any], seed: int) -> dict[str, Any]:
    return {
        "generator": generator.name,
        "backend": generator.backend,
        "model": generator.model,
        "parameters": generator.parameters.model_dump(mode="json"),
        "seed": seed,
    }


def _file(study: Study, generator: Generating[Any], seed: int) -> Path:
    """A file for each study and definition: another model or prompt writes into another."""
    definition = _definition(generator, seed) | {"prompt": generator.prompt_text(TASK_TYPES[0])}
    digest = hashlib.sha256(json.dumps(definition, sort_keys=True).encode()).hexdigest()
    folder = Path(settings.DATA_DIR) / "generated" / study.slug
    return folder / f"{generator.name}-{digest[:_NAME]}.jsonl"

"""Generate texts for a study: explanations of its sources, or variants of its items.

Every reply is written to a file at once, and the finished texts are imported into the study
together. So a run that is killed loses only the conversations under way, and the next one continues
where it stopped.
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
from judges.generators.generator import TextGenerator
from judges.generators.journal import Journal
from judges.generators.planned_texts import PlannedText
from judges.methods.contract import AskOutcome, Tools, prompt_hash
from judges.runs.plan import Forecast
from judges.runs.provenance import code_version
from judges.runs.reply_cache import DatabaseCache
from tasktypes.registry import TASK_TYPES

# Characters of the digest in a file's name.
_DIGEST_LENGTH = 12


class GenerationRefused(ValueError):
    """The texts cannot be generated for this study; the message says why."""


@dataclass(frozen=True)
class Generated:
    """The result. failures: their number by reason. spent: None where no call reports a cost."""

    texts: int
    failures: Mapping[str, int]
    spent: Decimal | None
    stopped: str
    file: Path


def forecast_texts(
    generator: TextGenerator[Any],
    planned: Sequence[PlannedText],
    *,
    max_cost: Decimal | None = None,
) -> Forecast:
    """What the texts are expected to take; GenerationRefused where that is more than the cap."""
    forecast = Forecast()
    for text in planned:
        forecast.add(generator.plan(text.ask))
    if max_cost is not None and forecast.usd is not None and forecast.usd > max_cost:
        raise GenerationRefused(
            f"max cost: {forecast.calls} calls are expected to cost {forecast.usd:.2f} USD, "
            f"more than {max_cost:.2f}"
        )
    return forecast


def check_open(study: Study) -> None:
    """GenerationRefused where texts cannot be imported into the study."""
    if study.state == Study.State.OPEN:
        raise GenerationRefused(
            "state: the study is open, so workers would see texts that nobody has checked"
        )
    if not study.blocks.exists():
        raise GenerationRefused("blocks: the study has none yet (apply_study)")


def generate_texts(
    *,
    study: Study,
    generator: TextGenerator[Any],
    planned: Sequence[PlannedText],
    seed: int,
    max_cost: Decimal | None = None,
    on_progress: Callable[[int], object] = lambda done: None,
) -> Generated:
    """Generate the texts and import them into the study.

    A text that fails is counted with its reason; the next run tries it again. max_cost: no further
    text is begun once this much is spent.
    """
    check_open(study)
    forecast_texts(generator, planned, max_cost=max_cost)
    journal = Journal(_file(study, generator, seed))
    # The cache returns failed replies only to the run that paid for them. A negative id that no run
    # has makes every call of this function a run of its own.
    generator.tools = Tools(replies=DatabaseCache(-time.time_ns()))
    finished = journal.written()
    missing = [text for text in planned if text.key not in finished]
    on_progress(len(planned) - len(missing))
    budget = _Budget(max_cost)
    failures: dict[str, int] = {}
    for text, outcome in _outcomes(generator, budget.while_open(missing)):
        journal.add(text, outcome)
        budget.pay(outcome)
        on_progress(1)
        if outcome.answer is None:
            reason = next(reply.error for reply in outcome.replies if reply.failure)
            failures[reason] = failures.get(reason, 0) + 1
    texts = _import(study, generator, planned, journal, seed)
    return Generated(texts, failures, budget.spent, budget.reason, journal.file)


def _outcomes(
    generator: TextGenerator[Any], planned: Iterator[PlannedText]
) -> Iterator[tuple[PlannedText, AskOutcome]]:
    """Each text with its outcome, in any order."""
    under_way: dict[str, PlannedText] = {}

    def asks() -> Iterator[Any]:
        for text in planned:
            under_way[text.ask.unit] = text
            yield text.ask

    for outcome in generator.answers(asks()):
        yield under_way.pop(outcome.ask.unit), outcome


class _Budget:
    """What may be spent, and what has been."""

    def __init__(self, most: Decimal | None) -> None:
        self.most, self.spent = most, None if most is None else Decimal(0)
        self.reason = ""

    def pay(self, outcome: AskOutcome) -> None:
        costs = [reply.cost for reply in outcome.replies if reply.cost is not None]
        if costs:
            self.spent = sum(costs, self.spent or Decimal(0))

    def while_open(self, planned: Sequence[PlannedText]) -> Iterator[PlannedText]:
        """The texts, until the budget is spent."""
        for text in planned:
            if self.most is not None and (self.spent or Decimal(0)) >= self.most:
                self.reason = f"The cap of {self.most:.2f} USD is reached."
                return
            yield text


@transaction.atomic
def _import(
    study: Study,
    generator: TextGenerator[Any],
    planned: Sequence[PlannedText],
    journal: Journal,
    seed: int,
) -> int:
    """Import the finished texts as items and units of the study; returns how many."""
    generated = journal.written()
    finished = [text for text in planned if text.key in generated]
    if not finished:
        return 0
    findings = Findings.of(study.imported)
    writer = MaterialWriter(study, findings)
    for text in finished:
        where, content = generated[text.key]
        try:
            entry = text.entry(where, content)
        except ValueError as error:
            raise ImportFailure.of(where, error) from error
        writer.add(entry)
    writer.close()
    open_imported_places(study)
    records = [*study.imported.get("generated", []), _record(generator, finished, journal, seed)]
    study.imported = {**study.imported, **findings.as_json(), "generated": records}
    study.save(update_fields=["imported"])
    study.touch()
    return len(finished)


def _record(
    generator: TextGenerator[Any], finished: Sequence[PlannedText], journal: Journal, seed: int
) -> dict[str, Any]:
    """Everything that is needed to generate the texts again, and their mean lengths."""
    prompt = generator.prompt_text(TASK_TYPES[0])
    by_key = journal.lengths()
    lengths = [by_key[text.key] for text in finished]
    return {
        **_definition(generator, seed),
        "system": finished[0].system,
        "condition": finished[0].condition,
        "texts": len(finished),
        "prompt": {"hash": prompt_hash(prompt), "text": prompt},
        "code_version": code_version(),
        "file": {"name": journal.file.name, "sha256": fingerprint(journal.file)},
        "mean_lengths": {
            name: statistics.fmean(row[name] for row in lengths) for name in lengths[0]
        },
    }


def _definition(generator: TextGenerator[Any], seed: int) -> dict[str, Any]:
    return {
        "generator": generator.name,
        "backend": generator.backend,
        "model": generator.model,
        "parameters": generator.parameters.model_dump(mode="json"),
        "seed": seed,
    }


def _file(study: Study, generator: TextGenerator[Any], seed: int) -> Path:
    """The file for a study and a definition: another model or prompt has another file."""
    definition = _definition(generator, seed) | {"prompt": generator.prompt_text(TASK_TYPES[0])}
    digest = hashlib.sha256(json.dumps(definition, sort_keys=True).encode()).hexdigest()
    folder = Path(settings.DATA_DIR) / "generated" / study.slug
    return folder / f"{generator.name}-{digest[:_DIGEST_LENGTH]}.jsonl"

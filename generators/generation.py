"""Generate texts for a study: explanations of its sources, or variants of its items.

Every reply is written to a file at once, and the finished texts are imported into the study
together. So a run that is killed loses only the conversations under way, and the next one continues
where it stopped.
"""

import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.db import transaction

from annotation.models import Study, User
from files.errors import ImportFailure
from files.findings import Findings
from files.readers.streams import fingerprint
from generators.conversations import (
    GenerationRefused,
    Held,
    Made,
    always,
    definition,
    forecast,
    hold_conversations,
)
from generators.generator import GeneratedText, TextGenerator
from generators.journal import Journal, journal_file
from generators.payment import Payer
from generators.planned_texts import PlannedText
from imports.material.places import open_imported_places
from imports.material.storage import MaterialWriter
from judges.methods.asks import prompt_hash
from judges.runs.provenance import code_version
from tasktypes.registry import TASK_TYPES


def check_open(study: Study) -> None:
    """GenerationRefused where texts cannot be imported into the study."""
    if study.state == Study.State.OPEN:
        raise GenerationRefused("state: the study is open, so workers would see unchecked texts")
    if not study.blocks.exists():
        raise GenerationRefused("blocks: the study has none yet (apply_study)")


def generate_texts(
    *,
    study: Study,
    generator: TextGenerator[Any],
    planned: Sequence[PlannedText],
    seed: int,
    by: User | None = None,
    max_cost: Decimal | None = None,
    on_progress: Callable[[int], object] = lambda done: None,
    goes_on: Callable[[Held], bool] = always,
) -> Made:
    """Generate the texts and import them into the study.

    A text that fails is counted with its reason; the next run tries it again. by: whose account
    pays. max_cost: no further text is begun once this much is spent. goes_on: as for
    `hold_conversations`; what is written by then is imported.
    """
    check_open(study)
    payer = Payer(study, by)
    cap = payer.cap(generator, max_cost)
    forecast(generator, planned, max_cost=cap)
    journal = Journal(_file(study, generator, seed), GeneratedText)
    held = hold_conversations(
        generator=generator,
        planned=planned,
        journal=journal,
        payer=payer,
        max_cost=cap,
        on_progress=on_progress,
        goes_on=goes_on,
    )
    texts = _import(study, generator, planned, journal, seed)
    return Made(texts, held.failures, held.spent, held.stopped, journal.file, held.examples)


@transaction.atomic
def _import(
    study: Study,
    generator: TextGenerator[Any],
    planned: Sequence[PlannedText],
    journal: Journal[GeneratedText],
    seed: int,
) -> int:
    """Import the finished texts as items and units of the study; returns how many."""
    generated = journal.written(planned)
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
    generator: TextGenerator[Any],
    finished: Sequence[PlannedText],
    journal: Journal[GeneratedText],
    seed: int,
) -> dict[str, Any]:
    """Everything that is needed to generate the texts again, and their mean lengths."""
    prompt = generator.prompt_text(TASK_TYPES[0])
    lines = journal.lines(finished)
    lengths = [lines[text.key]["lengths"] for text in finished]
    return {
        **definition(generator, seed),
        "system": finished[0].system,
        "condition": finished[0].condition,
        "texts": len(finished),
        **_statements(finished),
        "prompt": {"hash": prompt_hash(prompt), "text": prompt},
        "code_version": code_version(),
        "file": {"name": journal.file.name, "sha256": fingerprint(journal.file)},
        "mean_lengths": {
            name: statistics.fmean(row[name] for row in lengths) for name in lengths[0]
        },
    }


def _statements(finished: Sequence[PlannedText]) -> dict[str, Any]:
    """Of variants: how many are about a statement by whose ranking."""
    by = Counter(text.ranked.by for text in finished if text.ranked is not None)
    return {"statements": dict(by)} if by else {}


def _file(study: Study, generator: TextGenerator[Any], seed: int) -> Path:
    """The file for a study and a definition: another model or prompt has another file."""
    prompt = generator.prompt_text(TASK_TYPES[0])
    return journal_file(study.slug, generator.name, definition(generator, seed), prompt)

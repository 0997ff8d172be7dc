"""A bundle: all data behind the estimates, in plain files, so that they can be recomputed.

`estimates.data.bundles.layout` names the files and their fields; `estimates.data.bundles.reader`
reads all of them again.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from django.db.models import OuterRef, Prefetch, QuerySet, Subquery

from annotation.models import (
    Annotation,
    AssignmentUnit,
    Item,
    Question,
    Rater,
    Rating,
    Source,
    Study,
    Unit,
    UnitItem,
)
from annotation.rounds.planned import standing_of
from estimates.data.bundles import layout as files
from estimates.data.bundles.layout import (
    ITEM_FIELDS,
    METADATA,
    RATER_FIELDS,
    SOURCE_FIELDS,
    TURNS,
    VERSION,
)
from estimates.data.database import DatabaseRecords, rater_records
from estimates.data.options import EDITION, Options
from estimates.report.cache import report_of
from imports.study_file.doors import Door
from imports.study_file.fields import round_record
from imports.study_file.study_fields import same_fields, shown_at
from workbench.cards.prices import call_records
from workbench.looks import published_raters, split_record

CHUNK = 2000


def study_lines(study: Study) -> Iterator[str]:
    """The study as one JSON object: what was asked, and with what options figures are made."""
    published = study.imported.get("published")
    record = {
        "bundle": VERSION,
        **same_fields(study, shown_at(Door.BUNDLE)),
        "revision": Study.objects.values_list("revision", flat=True).get(pk=study.pk),
        "state": study.state,
        "standing": standing_of(study),
        "stops": study.stops,
        "blocks": [
            {"key": block.key, "task_type": block.task_type_slug, "options": block.options}
            for block in study.blocks.all()
        ],
        "rounds": [round_record(round_) for round_ in study.rounds.all()],
        "subsets": list(study.subsets.order_by("pk").values_list("name", flat=True)),
        "report": {"edition": EDITION, "options": asdict(Options().settled(study.epsilon))},
        **({"published": published} if published else {}),
        **({"demonstration": True} if study.demonstration else {}),
        **({"halves": study.halves} if study.halves else {}),
        **split_record(study),
    }
    yield json.dumps(record, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def source_lines(study: Study) -> Iterator[str]:
    """Every source with its texts."""
    for source in Source.objects.filter(study=study).order_by("pk").iterator(CHUNK):
        turns = {TURNS: source.turns} if source.turns else {}
        fields = {name: getattr(source, name) for name in SOURCE_FIELDS}
        sealed = {files.SEALED: True} if source.sealed else {}
        yield _line(fields | turns | sealed | _metadata(source))


def item_lines(study: Study) -> Iterator[str]:
    """Every item with its text and what groups it."""
    items = Item.objects.filter(study=study).select_related("source", "perturbed_from")
    for item in items.order_by("pk").iterator(CHUNK):
        made_from = item.perturbed_from.key if item.perturbed_from else None
        yield _line(
            {name: getattr(item, name) for name in ITEM_FIELDS}
            | {"source": item.source.key, "sentences": item.sentences, "perturbed_from": made_from}
            | _metadata(item)
        )


def unit_lines(study: Study) -> Iterator[str]:
    """Every unit with its questions as they were asked, and their right answers."""
    questions = Question.objects.select_related("block").order_by("pk")
    # Joined, not prefetched: Django would ask for a thousand items in more terms than SQLite reads.
    shows = UnitItem.objects.select_related("item").order_by("position")
    units = (
        Unit.objects.filter(study=study)
        .order_by("pk")
        .select_related("source", "round")
        .prefetch_related(
            Prefetch("unit_items", queryset=shows),
            Prefetch("questions", queryset=questions),
            "subsets",
        )
    )
    for unit in units.iterator(CHUNK):
        yield _line(
            {
                "key": unit.key,
                "source": unit.source.key,
                "items": [shown.item.key for shown in unit.unit_items.all()],
                "role": unit.role,
                "subsets": sorted(subset.name for subset in unit.subsets.all()),
                "round": unit.round.name if unit.round else None,
                "focus": unit.focus,
                "check": unit.check_state,
                "questions": {
                    question.block.key: {
                        "payload": question.payload,
                        "reference": question.reference,
                    }
                    for question in unit.questions.all()
                },
                **_metadata(unit),
            }
        )


def rater_lines(study: Study) -> Iterator[str]:
    """All raters with answers: people by pseudonym, judges by name and version."""
    unanswered = _unanswered(study)
    numbered = {rater.pk for rater in rater_records(study) if rater.numbered}
    for rater in Rater.objects.filter(study=study).order_by("pk").iterator(CHUNK):
        record = {name: getattr(rater, name) for name in RATER_FIELDS}
        missing = unanswered.get(rater.pk)
        record |= {files.UNANSWERED: missing} if missing else {}
        yield _line(record | ({files.NUMBERED: True} if rater.pk in numbered else {}))


def _unanswered(study: Study) -> dict[int, list[tuple[str, str]]]:
    """Rater id -> keys of unit and block of the questions without an answer."""
    records = list(DatabaseRecords(study).unanswered())
    keys = dict(study.units.values_list("pk", "key")) if records else {}
    by_rater: dict[int, list[tuple[str, str]]] = {}
    for record in records:
        by_rater.setdefault(record.rater, []).append((keys[record.unit], record.block))
    return by_rater


def answer_lines(study: Study) -> Iterator[str]:
    """Every answer that was neither replaced nor withdrawn, counted or not."""
    leased = AssignmentUnit.objects.filter(
        assignment=OuterRef("assignment"), unit=OuterRef("question__unit")
    )
    answers = _answers(study).annotate(inclusion=Subquery(leased.values("inclusion")[:1]))
    for number, answer in enumerate(answers.iterator(CHUNK)):
        question, rater = answer.question, answer.rater
        yield _line(
            {
                "answer": number,
                "unit": question.unit.key,
                "block": question.block.key,
                "rater": rater.name,
                "version": rater.version,
                "replicate": answer.replicate,
                "round": answer.round.name if answer.round else None,
                "content": answer.answer,
                "surplus": answer.surplus,
                "excluded": answer.excluded_reason,
                "active_seconds": answer.active_seconds,
                **({"paradata": answer.paradata} if answer.paradata else {}),
                "inclusion": answer.inclusion,
                "answered_at": answer.created_at.isoformat(timespec="seconds"),
                **_metadata(answer),
            }
        )


def rating_lines(study: Study) -> Iterator[str]:
    """The same answers taken apart, by the numbers that `answers.jsonl` gives them."""
    numbers = {pk: at for at, pk in enumerate(_answers(study).values_list("pk", flat=True))}
    ratings = Rating.objects.filter(annotation__in=_answers(study)).order_by("annotation_id", "pk")
    for rating in ratings.iterator(CHUNK):
        yield _line(
            {
                "answer": numbers[rating.annotation_id],
                "facet": rating.facet,
                "element": rating.element,
                "value": value_of(rating),
            }
        )


def value_of(rating: Rating) -> float | str | list[Any]:
    """A number, a label, or a set as a list: [] is the answer "none"."""
    if rating.number is not None:
        return rating.number
    return rating.label if rating.label is not None else list(rating.members or ())


def estimate_lines(study: Study) -> Iterator[str]:
    """Every estimate with the default options, one per line."""
    for row in report_of(study).rows:
        yield _line(row.as_json())


def call_lines(study: Study) -> Iterator[str]:
    """Every call of judges, without its reply."""
    yield from map(_line, call_records(study))


def _answers(study: Study) -> QuerySet[Annotation]:
    return (
        Annotation.objects.filter(study=study, superseded_at=None, withdrawn_at=None)
        .unsealed(but=published_raters(study))
        .select_related("question__unit", "question__block", "rater", "round")
        .defer("question__payload", "question__reference")
        .order_by("pk")
    )


def _metadata(row: Source | Item | Unit | Annotation) -> dict[str, Any]:
    return {METADATA: row.metadata} if row.metadata else {}


def _line(record: dict[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"


FILES = {
    files.STUDY: study_lines,
    files.SOURCES: source_lines,
    files.ITEMS: item_lines,
    files.UNITS: unit_lines,
    files.RATERS: rater_lines,
    files.ANSWERS: answer_lines,
    files.RATINGS: rating_lines,
    files.ESTIMATES: estimate_lines,
}

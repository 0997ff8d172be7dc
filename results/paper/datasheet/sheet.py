"""The datasheet of a study: what it knows, under what its editors wrote."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from django.db import transaction

from annotation.models import Study, User
from annotation.models.changes import log_change
from estimates.report.cache import Report
from results.models import Datasheet
from results.paper.datasheet.answers import SheetAnswer
from results.paper.datasheet.criteria import answers_of_criterion, asked_facets
from results.paper.datasheet.experiment import answers_of_experiment
from results.paper.datasheet.questions import CRITERION, SECTIONS, VERSION, Question, Section

Origin = Literal["study", "editors", "open"]


class Outdated(Exception):
    """Somebody else changed the sheet since it was read."""


@dataclass(frozen=True)
class SheetEntry:
    """A question with its answer. known: what the study says of itself. key: where what editors
    write is kept, the question's number, behind the facet where it is about one."""

    key: str
    question: Question
    known: SheetAnswer
    written: SheetAnswer | None

    @property
    def answer(self) -> SheetAnswer:
        """What editors wrote, else what the study knows."""
        return self.known if self.written is None else self.written

    @property
    def origin(self) -> Origin:
        """Whose answer it is."""
        if self.written is not None:
            return "editors"
        return "study" if self.known else "open"


@dataclass(frozen=True)
class SheetPart:
    """A section of the sheet, or that of one facet. key: its name in addresses."""

    key: str
    section: Section
    facet: str
    title: str
    entries: tuple[SheetEntry, ...]


@dataclass(frozen=True)
class Sheet:
    """All parts. edition: how often editors have changed it."""

    study: Study
    revision: int
    edition: int
    parts: tuple[SheetPart, ...]

    @cached_property
    def entries(self) -> list[SheetEntry]:
        """Those of all parts."""
        return [entry for part in self.parts for entry in part.entries]

    @property
    def n_open(self) -> int:
        """How many questions nobody has answered."""
        return sum(entry.origin == "open" for entry in self.entries)

    def as_json(self) -> dict[str, Any]:
        """The sheet as a file."""
        return {
            "datasheet": VERSION,
            "source": "Shimorina and Belz (2022)",
            "study": self.study.slug,
            "title": self.study.title,
            **({"caution": self.study.caution} if self.study.caution else {}),
            "revision": self.revision,
            "sections": [_part_as_json(part) for part in self.parts],
        }


def sheet_of(report: Report) -> Sheet:
    """The sheet as the study and its editors fill it in now."""
    row = Datasheet.objects.filter(study=report.study).first()
    written = {} if row is None else row.answers
    parts = tuple(_parts(report, written))
    return Sheet(report.study, report.revision, row.edition if row else 0, parts)


def _parts(report: Report, written: Mapping[str, Any]) -> Iterator[SheetPart]:
    experiment = answers_of_experiment(report)
    for section in SECTIONS:
        if section.per_criterion:
            yield from _criteria(report, written)
        else:
            entries = _entries(section, "", experiment, written)
            yield SheetPart(section.key, section, "", section.title, entries)


def _criteria(report: Report, written: Mapping[str, Any]) -> Iterator[SheetPart]:
    for asked in asked_facets(report.study):
        name = asked.facet.name
        entries = _entries(CRITERION, name, answers_of_criterion(report, asked), written)
        title = f"{CRITERION.title}: {asked.facet.title}"
        yield SheetPart(f"{CRITERION.key}-{name}", CRITERION, name, title, entries)


def _entries(
    section: Section, facet: str, known: Mapping[str, SheetAnswer], written: Mapping[str, Any]
) -> tuple[SheetEntry, ...]:
    entries = []
    for question in section.questions:
        key = f"{facet}/{question.number}" if facet else question.number
        stored = SheetAnswer.of(written[key]) if key in written else None
        entries.append(SheetEntry(key, question, known.get(question.number, SheetAnswer()), stored))
    return tuple(entries)


def _part_as_json(part: SheetPart) -> dict[str, Any]:
    named = {"facet": part.facet} if part.facet else {}
    return {
        "title": part.title,
        **named,
        "answers": [
            {
                "number": entry.question.number,
                "question": entry.question.text,
                **entry.answer.as_json(),
                "answered_by": entry.origin,
            }
            for entry in part.entries
        ],
    }


@transaction.atomic
def write_answers(
    *, study: Study, part: SheetPart, answers: Mapping[str, SheetAnswer], edition: int, by: User
) -> None:
    """Keep what editors wrote in a part. An answer that is the study's own is not kept, so that it
    goes on following the study. Outdated where the sheet is not of that edition any more."""
    row, _created = Datasheet.objects.get_or_create(study=study)
    stored = dict(row.answers)
    for entry in part.entries:
        answer = answers.get(entry.key, entry.answer)
        stored.pop(entry.key, None)
        if answer != entry.known:
            stored[entry.key] = answer.as_json()
    # Conditional, so that of two editors at the same moment one is told.
    current = Datasheet.objects.filter(pk=row.pk, edition=edition)
    if not current.update(answers=stored, edition=edition + 1, changed_by=by):
        raise Outdated
    log_change(study=study, by=by, action="datasheet.edited", subject=part.key)

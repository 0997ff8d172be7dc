"""A study read from a bundle into a database in memory, to compute its figures once more."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db import DatabaseError
from django.db.models import Model

from annotation.models import (
    Annotation,
    Block,
    Item,
    Question,
    Rater,
    Rating,
    Round,
    Source,
    Study,
    Subset,
    Unit,
    UnitItem,
)
from results.data.bundle import Bundle, BundleError, opened_bundle
from results.data.scratch import database_in_memory
from results.exporting.bundle import RATER_FIELDS, VERSION
from results.exporting.records import ITEM_FIELDS, SOURCE_FIELDS
from tasktypes.registry import task_type

BATCH = 500
M = TypeVar("M", bound=Model)
Record = Mapping[str, Any]


@contextmanager
def restored_study(path: Path) -> Iterator[Study]:
    """The study of a bundle. Within the block, this thread's queries go to a database in memory
    that holds nothing else; afterwards it is gone, and the standing one is as it was.

    BundleError where the file is no bundle, or a part of it is not what was exported.
    """
    with opened_bundle(path) as bundle, database_in_memory():
        yield _Restoring(bundle).study()


@dataclass
class _Restoring:
    """Writes rows in the order of the files, so that ids ascend as they did."""

    bundle: Bundle
    ids: dict[str, dict[Any, int]] = field(default_factory=dict)
    blocks: dict[str, Block] = field(default_factory=dict)

    def study(self) -> Study:
        record = self.bundle.whole("study.json")
        if (edition := record.get("bundle")) != VERSION:
            raise self.bundle.wrong(f"bundle: edition {edition}; this program reads {VERSION}")
        try:
            return self._restored(record)
        except KeyError as error:
            raise self.bundle.wrong(f"it lacks or misnames {error.args[0]}") from error
        except BundleError:
            raise
        except (TypeError, ValueError, IndexError, ValidationError, DatabaseError) as error:
            reason = str(error).partition("\n")[0]
            raise self.bundle.wrong(f"{type(error).__name__}: {reason}") from error

    def _restored(self, record: Record) -> Study:
        names = ("slug", "title", "revision", "seed", "setting", "overlap")
        texts = ("instructions", "verdicts", "conclusions")
        published = {"published": record["published"]} if "published" in record else {}
        fields = {name: record[name] for name in (*names, *texts)}
        fields["epsilon"] = record["report"]["options"]["epsilon"]
        study = Study.objects.create(**fields, imported=published)
        self._frame(study, record)
        self._material(study)
        self._units(study)
        self._answers(study)
        return study

    def _frame(self, study: Study, record: Record) -> None:
        blocks = (
            Block(
                study=study,
                position=at,
                key=one["key"],
                task_type_slug=task_type(one["task_type"]).slug,
                options=one["options"],
            )
            for at, one in enumerate(record["blocks"])
        )
        rounds = (
            Round(
                study=study,
                position=at,
                name=one["name"],
                counts=one["counts"],
                shows_answers=one["shows_answers"],
            )
            for at, one in enumerate(record["rounds"])
        )
        subsets = (Subset(study=study, name=name) for name in record["subsets"])
        self.blocks = {row.key: row for row in _written(Block, blocks)}
        self.ids["round"] = {row.name: row.pk for row in _written(Round, rounds)} | {None: 0}
        self.ids["subset"] = {row.name: row.pk for row in _written(Subset, subsets)}

    def _material(self, study: Study) -> None:
        sources = (
            Source(study=study, **{name: one[name] for name in SOURCE_FIELDS})
            for one in self.bundle.lines("sources.jsonl")
        )
        self.ids["source"] = {row.key: row.pk for row in _written(Source, sources)}
        made_from: dict[str, str] = {}
        self.ids["item"] = {
            row.key: row.pk for row in _written(Item, self._items(study, made_from))
        }
        for key, original in made_from.items():
            changed = Item.objects.filter(pk=self.ids["item"][key])
            changed.update(perturbed_from=self.ids["item"][original])

    def _items(self, study: Study, made_from: dict[str, str]) -> Iterator[Item]:
        for one in self.bundle.lines("items.jsonl"):
            if one["perturbed_from"] is not None:
                made_from[one["key"]] = one["perturbed_from"]
            yield Item(
                study=study,
                source_id=self.ids["source"][one["source"]],
                sentences=one["sentences"],
                **{name: one[name] for name in ITEM_FIELDS},
            )

    def _units(self, study: Study) -> None:
        self.ids["unit"], self.ids["question"] = {}, {}
        for chunk in _chunks(self.bundle.lines("units.jsonl")):
            units = Unit.objects.bulk_create([self._unit(study, one) for one in chunk])
            self.ids["unit"] |= {unit.key: unit.pk for unit in units}
            both = list(zip(units, chunk, strict=True))
            UnitItem.objects.bulk_create(
                UnitItem(unit=unit, item_id=self.ids["item"][key], position=at)
                for unit, one in both
                for at, key in enumerate(one["items"])
            )
            link = Unit.subsets.through
            link.objects.bulk_create(
                link(unit_id=unit.pk, subset_id=self.ids["subset"][name])
                for unit, one in both
                for name in one["subsets"]
            )
            asked = Question.objects.bulk_create(
                self._question(unit, self.blocks[key], question)
                for unit, one in both
                for key, question in one["questions"].items()
            )
            self.ids["question"] |= {(row.unit_id, row.block_id): row.pk for row in asked}

    def _question(self, unit: Unit, block: Block, asked: Record) -> Question:
        block.task_type.Payload.model_validate(asked["payload"])
        return Question(study=unit.study, unit=unit, block=block, **asked)

    def _unit(self, study: Study, one: Record) -> Unit:
        return Unit(
            study=study,
            source_id=self.ids["source"][one["source"]],
            key=one["key"],
            role=Unit.Role(one["role"]),
            round_id=self.ids["round"][one["round"]] or None,
            focus=one["focus"],
            check_state=Unit.Check(one["check"]),
        )

    def _answers(self, study: Study) -> None:
        raters = (
            Rater(
                study=study,
                **{name: one[name] for name in RATER_FIELDS}
                | {"kind": Rater.Kind(one["kind"]), "origin": Rater.Origin(one["origin"])},
            )
            for one in self.bundle.lines("raters.jsonl")
        )
        self.ids["rater"] = {(row.name, row.version): row.pk for row in _written(Rater, raters)}
        answers = (self._answer(study, one) for one in self.bundle.lines("answers.jsonl"))
        given = [row.pk for row in _written(Annotation, answers)]
        ratings = (
            Rating(
                study=study,
                annotation_id=_at(given, one["answer"]),
                facet=one["facet"],
                element=one["element"],
                **_held(one["value"]),
            )
            for one in self.bundle.lines("ratings.jsonl")
        )
        for _ in _written(Rating, ratings):
            pass

    def _answer(self, study: Study, one: Record) -> Annotation:
        block = self.blocks[one["block"]]
        asked = self.ids["unit"][one["unit"]], block.pk
        block.task_type.Answer.model_validate(one["content"])
        return Annotation(
            study=study,
            question_id=self.ids["question"][asked],
            rater_id=self.ids["rater"][one["rater"], one["version"]],
            replicate=one["replicate"],
            answer=one["content"],
            round_id=self.ids["round"][one["round"]] or None,
            surplus=one["surplus"],
            excluded_reason=one["excluded"],
            active_seconds=one["active_seconds"],
        )


def _at(given: Sequence[int], number: Any) -> int:
    """The answer of that number; IndexError where there is none."""
    if not isinstance(number, int) or number < 0:
        raise IndexError(f"answer: {number!r} is no number of an answer")
    return given[number]


def _held(value: float | str | list[Any]) -> dict[str, Any]:
    """The field that holds a value of this kind."""
    if isinstance(value, str):
        return {"label": value}
    return {"members": value} if isinstance(value, list) else {"number": float(value)}


def _written(model: type[M], rows: Iterator[M]) -> Iterator[M]:
    """The rows once they are in the database, a batch at a time."""
    for batch in _chunks(rows):
        yield from model._default_manager.bulk_create(batch)


T = TypeVar("T")


def _chunks(rows: Iterator[T]) -> Iterator[list[T]]:
    while batch := list(islice(rows, BATCH)):
        yield batch

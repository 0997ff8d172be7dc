"""Controls made of units that have been decided: the gold answer becomes the right one."""

from collections.abc import Mapping
from datetime import datetime
from itertools import chain, count
from typing import Any

from django.db import transaction
from django.db.models import Manager

from annotation.models import (
    Annotation,
    AssignmentUnit,
    FixedBatchPlace,
    GoldAnswer,
    Item,
    Place,
    Question,
    Rater,
    Round,
    Unit,
    UnitItem,
    User,
    log_change,
)
from set_up.controls.proposals import check_control

GOLD = "gold"


class CannotPromote(Exception):
    """Why the unit cannot become a control, in words for the page."""


def why_not(unit: Unit) -> str:
    """Why no control can be made of the unit at present; empty where one can.

    People who answered a unit never meet its source again, so they cannot be tested by it. What
    would do harm is a unit that people are still asked about: it would be normal for some and a
    control for others while it counts.
    """
    return _why_not_this(unit) or _why_not_its_source(unit) or _why_not_yet(unit)


def _why_not_this(unit: Unit) -> str:
    if unit.role != Unit.Role.NORMAL:
        return "It is not a normal unit."
    decided = GoldAnswer.objects.filter(question__unit=unit).current().exists()
    return "" if decided else "It has no gold answer yet."


def _why_not_its_source(unit: Unit) -> str:
    others = Unit.objects.filter(source=unit.source).exclude(role=Unit.Role.NORMAL)
    others = others.exclude(check_state=Unit.Check.REJECTED)
    if others.filter(role__in=Unit.CONTROLS).exists():
        return "Its source has a control already."
    return "Its source is used for an example or for training." if others.exists() else ""


def _why_not_yet(unit: Unit) -> str:
    if not _has_been_met(unit):
        return ""
    places = Place.objects.filter(source=unit.source, role=Unit.Role.NORMAL, round__counts=True)
    if places.filter(room__gt=0).exists():
        return "People are still being asked about its source: wait until it has its answers."
    if places.filter(held__gt=0).exists():
        return "Somebody has its source in an open batch: wait until that is submitted."
    return ""


def _has_been_met(unit: Unit) -> bool:
    """Whether a person was given a unit of the source here, or it waits in a fixed batch."""
    met = AssignmentUnit.objects.filter(source=unit.source).exists()
    return met or FixedBatchPlace.objects.filter(place__source=unit.source).exists()


@transaction.atomic
def promote_to_control(
    *, unit: Unit, kind: Unit.Role, round_: Round, by: User, now: datetime
) -> Unit:
    """Make a control of a decided unit; CannotPromote, with the reason, where that does harm.

    The control is a copy with items of its own: answers to the unit itself, and figures of its
    items, stay in the results. Where nobody has met the source, its normal units are given out no
    more.
    """
    Place.objects.filter(source=unit.source).lock()
    reason = why_not(unit)
    if reason:
        raise CannotPromote(reason)
    if not _has_been_met(unit):
        Place.objects.filter(source=unit.source, role=Unit.Role.NORMAL).delete()
    gold = {
        row.question_id: row for row in GoldAnswer.objects.filter(question__unit=unit).current()
    }
    control = _copy(unit, kind, round_, gold)
    log_change(
        study=unit.study,
        by=by,
        action="control.promoted",
        subject=unit.key,
        detail={"control": control.key, "kind": str(kind), "round": round_.name},
    )
    check_control(unit=control, valid=True, by=by, now=now)
    return control


def _copy(unit: Unit, kind: Unit.Role, round_: Round, gold: Mapping[int, GoldAnswer]) -> Unit:
    control = Unit.objects.create(
        study=unit.study,
        source=unit.source,
        key=_free_key(unit.study.units, unit.key, longest=300),
        role=kind,
        focus=unit.focus,
        metadata=unit.metadata,
        reasons="\n".join(filter(None, (row.reason for row in gold.values()))),
        check_state=Unit.Check.PROPOSED,
        proposal={"round": round_.name, "pool": GOLD, "made_from": unit.key},
    )
    for shown in unit.unit_items.select_related("item"):
        UnitItem.objects.create(unit=control, item=_copied(shown.item), position=shown.position)
    control.subsets.set(unit.subsets.all())
    Question.objects.bulk_create(
        Question(
            study_id=unit.study_id,
            unit=control,
            block=question.block,
            payload=question.payload,
            reference=gold[question.pk].answer if question.pk in gold else None,
        )
        for question in unit.questions.select_related("block")
    )
    return control


def _free_key(there: Manager[Any], key: str, *, longest: int) -> str:
    """The key of a copy: a number behind it where there is one already, since that was rejected."""
    endings = chain([f"/{GOLD}"], (f"/{GOLD}-{n}" for n in count(2)))
    keys = (f"{key[: longest - len(ending)]}{ending}" for ending in endings)
    return next(free for free in keys if not there.filter(key=free).exists())


def _copied(item: Item) -> Item:
    """An item of its own: what controls are about enters no figure of items."""
    grouped = ("system", "system_family", "evidence_source", "condition")
    fields = ("study_id", "source_id", *grouped, "metadata")
    return Item.objects.create(
        key=_free_key(item.study.items, item.key, longest=200),
        sentences=item.sentences,
        **{name: getattr(item, name) for name in fields},
    )


def answers_of_people(unit: Unit) -> int:
    """How many answers of people to the unit stand in the results."""
    answers = Annotation.objects.filter(question__unit=unit, rater__kind=Rater.Kind.HUMAN)
    return answers.counted().count()

"""Controls made from normal units: proposing, checking and retiring them.

A control gets its place in a round only once a person has validated it. From the proposal on, the
other units of its source are given to nobody: those who had met one would know the answer.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import (
    Annotation,
    Assignment,
    AssignmentUnit,
    FixedBatchPlace,
    LedgerRow,
    Place,
    Question,
    Rater,
    Round,
    Source,
    Study,
    Unit,
    UnitItem,
    User,
    log_change,
)
from annotation.rounds.places import open_places, shuffle_of
from annotation.work.ledger import pay_missed_bonuses
from tasktypes.plans import ControlPlan, ControlPool
from tasktypes.schemas import Schema
from tasktypes.texts.material import Item

Plan = ControlPlan[Any, Any]


class TooFew(Exception):
    """There are fewer eligible units than controls wanted; nothing was proposed."""

    def __init__(self, *, kind: str, wanted: int, possible: int) -> None:
        self.kind, self.wanted, self.possible = kind, wanted, possible
        super().__init__(f"{wanted} {kind} controls wanted, {possible} can be made")


class JustMet(Exception):
    """One of the units was given out while they were chosen; nothing was proposed."""


class NotProposed(Exception):
    """The control has been checked already, or was never generated."""


class NotInUse(Exception):
    """The control is not in use: it was never validated, or is retired already."""


class NoRound(Exception):
    """The round that the control was proposed for does not exist any more."""


@dataclass(frozen=True)
class Candidate:
    """A normal unit with its questions, and the controls that can be made of one, by kind."""

    unit: Unit
    questions: Sequence[Question]
    question: Question
    plans: Mapping[str, Plan]


# --- Proposing ----------------------------------------------------------------------------------


@transaction.atomic
def propose_controls(
    *,
    study: Study,
    round_: Round,
    positive: int,
    negative: int,
    seed: int,
    pool: ControlPool = "one_passage",
    by: User | None = None,
) -> list[Unit]:
    """Propose controls made of normal units, one per source, drawn by seed.

    All of them or, with TooFew, none. Sources that a person has met or answered about, or that
    have units of another role, are skipped.
    """
    chosen = _choose(study, seed, pool, {"negative": negative, "positive": positive})
    _reserve_sources(study, [candidate.unit.source_id for candidate, _ in chosen])
    origin = {"round": round_.name, "pool": pool, "seed": seed}
    detail = {**origin, "positive": positive, "negative": negative}
    log_change(study=study, by=by, action="controls.proposed", detail=detail)
    return [_propose(candidate, plan, origin) for candidate, plan in chosen]


def _choose(
    study: Study, seed: int, pool: ControlPool, wanted: Mapping[str, int]
) -> list[tuple[Candidate, Plan]]:
    """As many as wanted of each kind; a candidate for both kinds is used for the first one."""
    chosen: list[tuple[Candidate, Plan]] = []
    missing = dict(wanted)
    candidates = _candidates(study, seed, pool)
    while any(missing.values()):
        candidate = next(candidates, None)
        if candidate is None:
            kind = next(kind for kind, n in missing.items() if n)
            raise TooFew(kind=kind, wanted=wanted[kind], possible=wanted[kind] - missing[kind])
        for kind, still_wanted in missing.items():
            if still_wanted and kind in candidate.plans:
                missing[kind] -= 1
                chosen.append((candidate, candidate.plans[kind]))
                break
    return chosen


def _candidates(study: Study, seed: int, pool: ControlPool) -> Iterator[Candidate]:
    """One per free source, in an order that depends only on the seed and the keys."""
    # Sorted here, since databases sort texts in different orders.
    sources = [pk for _, pk in sorted(_free_sources(study).values_list("key", "pk"))]
    rng = Random(seed)  # noqa: S311 (an order, not a secret)
    rng.shuffle(sources)
    for source in sources:
        candidates = [
            candidate
            for unit in _questions_by_unit(source)
            if (candidate := _candidate(unit, pool))
        ]
        if candidates:
            yield rng.choice(candidates)


def _free_sources(study: Study) -> QuerySet[Source]:
    """Sources that have normal units only, none of which a person has met or answered."""
    units = Unit.objects.filter(source=OuterRef("pk"))
    answers = Annotation.objects.filter(
        question__unit__source=OuterRef("pk"), rater__kind=Rater.Kind.HUMAN
    )
    return (
        Source.objects.filter(Exists(units), study=study)
        .exclude(Exists(units.exclude(role=Unit.Role.NORMAL)))
        .exclude(Exists(AssignmentUnit.objects.filter(source=OuterRef("pk"))))
        .exclude(Exists(FixedBatchPlace.objects.filter(place__source=OuterRef("pk"))))
        .exclude(Exists(answers))
    )


def _questions_by_unit(source: int) -> Iterable[list[Question]]:
    questions = Question.objects.filter(unit__source=source).select_related(
        "block", "unit__source", "unit__study"
    )
    by_unit: dict[int, list[Question]] = {}
    for question in sorted(questions, key=lambda q: (q.unit.key, q.block.position)):
        by_unit.setdefault(question.unit_id, []).append(question)
    return by_unit.values()


def _candidate(questions: Sequence[Question], pool: ControlPool) -> Candidate | None:
    """The unit, if a control can be made from one of its questions."""
    for question in questions:
        unit, reference = question.unit, question.typed_reference
        if reference is None:
            continue
        controls = question.block.task_type.controls(
            question.typed_payload, reference, unit.focus, pool=pool
        )
        plans = {str(plan.kind): plan for plan in controls}
        if plans:
            return Candidate(unit, questions, question, plans)
    return None


def _reserve_sources(study: Study, sources: Sequence[int]) -> None:
    """Take the sources out of the normal pool. The lock makes batches composed meanwhile wait."""
    places = Place.objects.filter(round__study=study, source__in=sources)
    places.lock()
    if AssignmentUnit.objects.filter(source__in=sources).exists():
        raise JustMet
    places.delete()


def _propose(candidate: Candidate, plan: Plan, origin: Mapping[str, Any]) -> Unit:
    original = candidate.unit
    unit = Unit.objects.create(
        study=original.study,
        source=original.source,
        key=f"{original.key[:280]}/{plan.kind}",
        role=plan.kind,
        focus=dict(plan.focus),
        check_state=Unit.Check.PROPOSED,
        proposal={**origin, "made_from": original.key},
    )
    items = list(original.unit_items.select_related("item"))
    UnitItem.objects.bulk_create(
        UnitItem(unit=unit, item=unit_item.item, position=unit_item.position) for unit_item in items
    )
    unit.subsets.set(original.subsets.all())
    Question.objects.bulk_create(
        _question(unit, candidate, old, plan, [unit_item.item.material for unit_item in items])
        for old in candidate.questions
    )
    return unit


def _question(
    unit: Unit, candidate: Candidate, original: Question, plan: Plan, items: Sequence[Item]
) -> Question:
    """The question that the plan is about, and beside it those of the unit's other blocks."""
    payload, reference = original.payload, original.reference
    if original.pk == candidate.question.pk:
        payload, reference = _json(plan.payload), _json(plan.reference)
    elif plan.focus != candidate.unit.focus:
        task_type, options = original.block.task_type, original.block.typed_options
        about = (unit.source.material, items, plan.focus, options)
        payload, reference = _json(task_type.payload(*about)), _json(task_type.reference(*about))
    return Question(
        study_id=unit.study_id,
        unit=unit,
        block=original.block,
        payload=payload,
        reference=reference,
    )


def _json(value: Schema | None) -> Any:
    return None if value is None else value.model_dump(mode="json")


# --- Checking -----------------------------------------------------------------------------------


@transaction.atomic
def check_control(*, unit: Unit, valid: bool, by: User, now: datetime) -> None:
    """Record a person's decision about a proposed control; the first decision counts.

    A valid control gets its place; the source of a rejected one returns to the normal pool.
    """
    to = Unit.Check.VALIDATED if valid else Unit.Check.REJECTED
    proposed = Unit.objects.filter(pk=unit.pk, check_state=Unit.Check.PROPOSED)
    if not proposed.update(check_state=to, checked_by=by, checked_at=now):
        raise NotProposed
    unit.check_state, unit.checked_by, unit.checked_at = to, by, now
    if valid:
        _give_place(unit)
    else:
        open_places(unit.study, source=unit.source)
    log_change(study=unit.study, by=by, action=f"control.{to.value}", subject=unit.key)
    # Last: it locks the study's row until the commit.
    unit.study.touch()


@transaction.atomic
def retire_control(*, unit: Unit, by: User, now: datetime) -> list[LedgerRow]:
    """Retire a control that turned out to be wrong; the bonuses that are owed now.

    It is given out no more, and earlier answers to it no longer count for accuracy. Workers who
    have it in an open batch still answer it. Its source stays out of the normal pool, since people
    know it. Bonuses are owed for batches that reach their mark without it.
    """
    batches = Assignment.objects.filter(pk__in=unit.assignment_units.values("assignment"))
    # Serialises with submissions of these batches. Lock order: batches before places.
    list(batches.order_by("pk").select_for_update(no_key=True).values_list("pk"))
    places = Place.objects.filter(unit=unit)
    places.lock()
    used = Unit.objects.filter(pk=unit.pk, role__in=Unit.CONTROLS).exclude(
        check_state__in=Unit.UNUSED
    )
    if not used.update(check_state=Unit.Check.RETIRED, checked_by=by, checked_at=now):
        raise NotInUse
    unit.check_state, unit.checked_by, unit.checked_at = Unit.Check.RETIRED, by, now
    FixedBatchPlace.objects.filter(place__unit=unit).delete()
    places.update(wanted=0)
    owed = pay_missed_bonuses(assignments=batches)
    detail = {"bonuses": len(owed)}
    log_change(study=unit.study, by=by, action="control.retired", subject=unit.key, detail=detail)
    unit.study.touch()
    return owed


def _give_place(unit: Unit) -> None:
    round_ = unit.study.rounds.filter(name=unit.proposal.get("round")).first()
    if round_ is None:
        raise NoRound
    Place.objects.create(
        round=round_,
        unit=unit,
        source_id=unit.source_id,
        role=unit.role,
        wanted=None,
        shuffle=shuffle_of(unit.study, round_, unit.key),
    )

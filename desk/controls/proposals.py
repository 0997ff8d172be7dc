"""Make control questions out of normal ones, and let a person check them before use.

A control gets its place in its round only once somebody has validated it. From the proposal on,
the other units of its source are given to nobody: who had met one would know the answer.
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
)
from annotation.rounds.places import open_places, shuffle_of
from annotation.work.ledger import pay_missed_bonuses
from tasktypes.contract import ControlPlan, ControlPool, Schema
from tasktypes.material import Item

Plan = ControlPlan[Any, Any]


class TooFew(Exception):
    """There are not as many eligible units as controls are wanted; nothing was proposed."""

    def __init__(self, *, kind: str, wanted: int, found: int) -> None:
        self.kind, self.wanted, self.found = kind, wanted, found
        super().__init__(f"{wanted} {kind} controls wanted, {found} can be made")


class JustMet(Exception):
    """Somebody was given one of the units while they were chosen; nothing was proposed."""


class NotProposed(Exception):
    """The control has been checked already, or was never generated."""


class NotInUse(Exception):
    """The control is given to nobody: it was never validated, or is retired already."""


class NoRound(Exception):
    """The round that the control was proposed for is not there any more."""


@dataclass(frozen=True)
class Candidate:
    """A normal unit with its questions, and the controls that can be made of one, by kind."""

    unit: Unit
    questions: Sequence[Question]
    asked: Question
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
) -> list[Unit]:
    """Propose controls made of normal units, one per source, drawn by seed.

    All that is wanted or, with TooFew, nothing. Sources that a person has met or answered
    about, or that have units of another role, are passed over.
    """
    chosen = _choose(study, seed, pool, {"negative": negative, "positive": positive})
    _clear(study, [candidate.unit.source_id for candidate, _ in chosen])
    origin = {"round": round_.name, "pool": pool, "seed": seed}
    return [_propose(candidate, plan, origin) for candidate, plan in chosen]


def _choose(
    study: Study, seed: int, pool: ControlPool, wanted: Mapping[str, int]
) -> list[tuple[Candidate, Plan]]:
    """As many as wanted of each kind; what is fit for the first kind is taken for it first."""
    chosen: list[tuple[Candidate, Plan]] = []
    left = dict(wanted)
    candidates = _candidates(study, seed, pool)
    while any(left.values()):
        candidate = next(candidates, None)
        if candidate is None:
            kind = next(kind for kind, n in left.items() if n)
            raise TooFew(kind=kind, wanted=wanted[kind], found=wanted[kind] - left[kind])
        for kind, still_wanted in left.items():
            if still_wanted and kind in candidate.plans:
                left[kind] -= 1
                chosen.append((candidate, candidate.plans[kind]))
                break
    return chosen


def _candidates(study: Study, seed: int, pool: ControlPool) -> Iterator[Candidate]:
    """One per free source, in an order that depends on nothing but the seed and the keys."""
    sources = list(_free_sources(study).order_by("key").values_list("pk", flat=True))
    rng = Random(seed)  # noqa: S311 (an order, not a secret)
    rng.shuffle(sources)
    for source in sources:
        found = [one for unit in _questions_by_unit(source) if (one := _candidate(unit, pool))]
        if found:
            yield rng.choice(found)


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
    for question in questions.order_by("unit__key", "block__position"):
        by_unit.setdefault(question.unit_id, []).append(question)
    return by_unit.values()


def _candidate(questions: Sequence[Question], pool: ControlPool) -> Candidate | None:
    """The unit, where one of its questions lends itself to a control."""
    for asked in questions:
        unit, reference = asked.unit, asked.typed_reference
        if reference is None:
            continue
        made = asked.block.task_type.controls(asked.typed_payload, reference, unit.focus, pool=pool)
        plans = {str(plan.kind): plan for plan in made}
        if plans:
            return Candidate(unit, questions, asked, plans)
    return None


def _clear(study: Study, sources: Sequence[int]) -> None:
    """Take the sources out of the normal pool; a batch that comes at the same moment waits."""
    places = Place.objects.filter(round__study=study, source__in=sources)
    places.lock()
    if AssignmentUnit.objects.filter(source__in=sources).exists():
        raise JustMet
    places.delete()


def _propose(candidate: Candidate, plan: Plan, origin: Mapping[str, Any]) -> Unit:
    made_from = candidate.unit
    unit = Unit.objects.create(
        study=made_from.study,
        source=made_from.source,
        key=f"{made_from.key[:280]}/{plan.kind}",
        role=plan.kind,
        focus=dict(plan.focus),
        check_state=Unit.Check.PROPOSED,
        proposal={**origin, "made_from": made_from.key},
    )
    items = list(made_from.unit_items.select_related("item"))
    UnitItem.objects.bulk_create(
        UnitItem(unit=unit, item=shown.item, position=shown.position) for shown in items
    )
    unit.subsets.set(made_from.subsets.all())
    Question.objects.bulk_create(
        _question(unit, candidate, old, plan, [shown.item.material for shown in items])
        for old in candidate.questions
    )
    return unit


def _question(
    unit: Unit, candidate: Candidate, old: Question, plan: Plan, items: Sequence[Item]
) -> Question:
    """The question that the plan is about, and beside it those of the unit's other blocks."""
    payload, reference = old.payload, old.reference
    if old.pk == candidate.asked.pk:
        payload, reference = _json(plan.payload), _json(plan.reference)
    elif plan.focus != candidate.unit.focus:
        task_type, options = old.block.task_type, old.block.typed_options
        about = (unit.source.material, items, plan.focus, options)
        payload, reference = _json(task_type.payload(*about)), _json(task_type.reference(*about))
    return Question(
        study_id=unit.study_id, unit=unit, block=old.block, payload=payload, reference=reference
    )


def _json(value: Schema | None) -> Any:
    return None if value is None else value.model_dump(mode="json")


# --- Checking -----------------------------------------------------------------------------------


@transaction.atomic
def check_control(*, unit: Unit, valid: bool, by: User, now: datetime) -> None:
    """A person's decision about a proposed control: once, by whoever comes first.

    A valid one gets its place; the source of a rejected one returns to the normal pool.
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
    # Last: it locks the study's row. What a control is made of enters no figure of items.
    unit.study.touch()


@transaction.atomic
def retire_control(*, unit: Unit, by: User, now: datetime) -> list[LedgerRow]:
    """Take back a control that turned out to be wrong, from a file or generated.

    It is given to nobody any more, and nobody is measured by it, whenever they answered; who
    has it in an open batch answers it all the same. Its source stays apart: people know it.
    The bonuses that are owed now: of batches that reach their mark without it.
    """
    batches = Assignment.objects.filter(pk__in=unit.assignment_units.values("assignment"))
    # Whoever submits one of them waits, or is waited for; batches come before places.
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

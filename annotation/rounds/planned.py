"""How the answers of a study stand to the number that was planned before the first came in.

Whoever looks while answers come in, and could stop at any of them, needs intervals that hold at all
looks. The planned end is one look, set beforehand, whatever the answers are.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from django.db.models import Count, F, OuterRef, Q, Subquery, Sum

from annotation.models import (
    Annotation,
    AssignmentUnit,
    Change,
    Place,
    Rater,
    Study,
    Unit,
)
from annotation.rounds.collection import Standing

OPENED = "study.opened"


class _Answers(NamedTuple):
    """Counted answers, those that unretired units still lack, and those that retired ones lack."""

    counted: int = 0
    lacking: int = 0
    given_up: int = 0

    @property
    def reached(self) -> int:
        """Planned answers that are in, or not wanted any more."""
        return self.counted + self.given_up


def plan_of(study: Study) -> int:
    """How many answers the study's places are for now, in the rounds that count."""
    return sum(_answers([study.pk]).get(study.pk, _Answers()))


def standing_of(study: Study) -> Standing:
    """How the study stands now."""
    return standings_of([study])[study.pk]


def standings_of(studies: Iterable[Study]) -> Mapping[int | None, Standing]:
    """How each of these stands now, by key, in three queries, and one more where planned answers
    are missing. A study that is in no database, as of a bundle, stands as it stood when it was
    exported, or as its state says."""
    studies = list(studies)
    of_bundles = [study for study in studies if study.stood]
    states = {study.pk: study.state for study in studies}
    kept = [key for key in states if key is not None]
    answers, plans = _answers(kept), _plans(kept)
    missing = {key: plan - answers.get(key, _Answers()).reached for key, plan in plans.items()}
    for key, n in _imported([key for key, n in missing.items() if n > 0]).items():
        own = answers.get(key, _Answers())
        answers[key] = own._replace(counted=own.counted + n)
        missing[key] -= n
    missing = {key: n for key, n in missing.items() if states[key] != Study.State.OPEN}
    # What was excluded after the end had been in.
    excluded = _excluded([key for key, n in missing.items() if n > 0])
    closed_early = {key for key, n in missing.items() if n > excluded.get(key, 0)}
    standings: dict[int | None, Standing] = {
        key: Standing.STOPPED
        if key in closed_early
        else _standing(state, answers.get(key, _Answers()), plans.get(key))
        for key, state in states.items()
    }
    for study in of_bundles:
        standings[None] = Standing(study.stood)
    return standings


def _standing(state: str, answers: _Answers, plan: int | None) -> Standing:
    """Of a study that was not closed early."""
    if plan is None:  # never opened, or before plans were noted
        is_complete = answers.counted > 0 and answers.lacking == 0
        collects = state == Study.State.OPEN and not is_complete
    else:
        collects = state == Study.State.OPEN and answers.reached < plan
    if collects:
        return Standing.COLLECTING
    return Standing.BEYOND if plan is not None and answers.reached > plan else Standing.PLANNED


def _answers(keys: Iterable[int]) -> dict[int, _Answers]:
    places = _placed(Place.objects, "").filter(round__study__in=keys).order_by()
    lack = F("wanted") - F("counted")
    rows = places.values_list("round__study").annotate(
        n=Sum("counted"),
        lacking=Sum(lack, filter=Q(retired=False), default=0),
        given_up=Sum(lack, filter=Q(retired=True), default=0),
    )
    return {key: _Answers(*counts) for key, *counts in rows}


def _placed(rows: Any, place: str) -> Any:
    """Those of normal units in rounds that count."""
    return rows.filter(**{f"{place}round__counts": True, f"{place}role": Unit.Role.NORMAL})


def _excluded(keys: Collection[int]) -> dict[int, int]:
    if not keys:
        return {}
    units = _placed(AssignmentUnit.objects, "place__").filter(
        place__round__study__in=keys, outcome=AssignmentUnit.Outcome.EXCLUDED
    )
    return dict(units.order_by().values_list("place__round__study").annotate(n=Count("pk")))


def _imported(keys: Collection[int]) -> dict[int, int]:
    """Answers of people to normal units that were imported after the study had opened, each counted
    once however many blocks it has."""
    if not keys:
        return {}
    opened = Change.objects.filter(study=OuterRef("study"), action=OPENED).order_by("pk")
    answers = Annotation.objects.filter(
        study__in=keys,
        rater__kind=Rater.Kind.HUMAN,
        rater__origin=Rater.Origin.IMPORTED,
        replicate=0,
        question__block__position=0,
        created_at__gte=Subquery(opened.values("at")[:1]),
    )
    return dict(answers.counted().order_by().values_list("study").annotate(n=Count("pk")))


def _plans(keys: Iterable[int]) -> dict[int, int]:
    """What was planned when each was opened for the first time."""
    rows = Change.objects.filter(study__in=keys, action=OPENED).order_by("-pk")
    details = dict(rows.values_list("study", "detail"))
    return {key: detail["planned"] for key, detail in details.items() if "planned" in detail}

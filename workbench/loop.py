"""What the page of a judge's loop shows: versions against people, differences, and flips."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from annotation.models import Annotation, Question, Rater, Rating, Study
from judges.models import Call
from workbench.figures import Figure, Measured, measured
from workbench.models import Look

CONFIDENCE = 0.95
# Units that are listed, and values of an answer.
SHOWN, MOST_VALUES = 20, 4
# Smaller changes of a unit's closeness are rounding.
LEAST_CHANGE = 1e-9


@dataclass(frozen=True)
class Said:
    """An answer to a unit in words, with what its rater wrote beside it. by_judge: of the judge,
    not of a person."""

    by_judge: bool
    text: str
    reasons: Sequence[str]
    imported: bool


@dataclass(frozen=True)
class UnitBeside:
    """A unit in which a version and people differ, or two versions do. close: to people, from 0 to
    1; before: that of the earlier version."""

    pk: int
    key: str
    close: float
    before: float | None = None
    said: Sequence[Said] = ()

    @property
    def apart(self) -> float:
        """The distance to people."""
        return 1 - self.close


@dataclass(frozen=True)
class Version:
    """A version with its figures on development, and its look where it has one."""

    rater: Rater
    figures: Sequence[Figure]
    by_unit: Mapping[int, float]
    look: Look | None

    @property
    def is_measured(self) -> bool:
        """Whether it has answered something that people have."""
        return bool(self.by_unit)


@dataclass(frozen=True)
class Flips:
    """What changed from one version to another. better, worse: the first `SHOWN` units that are
    nearer to people now, and farther; n_…: of all that both answered."""

    first: Version
    second: Version
    n_both: int
    n_better: int
    n_worse: int
    better: Sequence[UnitBeside] = field(default=())
    worse: Sequence[UnitBeside] = field(default=())


def versions_of(study: Study, name: str, looks: Sequence[Look]) -> list[Version] | None:
    """The versions of a judge, oldest first; None where the study is still being counted."""
    raters = list(study.raters.filter(kind=Rater.Kind.JUDGE, name=name).order_by("version"))
    found = measured(study, raters, sealed=False, confidence=CONFIDENCE)
    if found is None:
        return None
    by_rater = {look.rater_id: look for look in looks}
    return [_version(each, by_rater.get(each.rater.pk)) for each in found]


def _version(found: Measured, look: Look | None) -> Version:
    return Version(found.rater, found.figures, found.by_unit, look)


def differences(study: Study, version: Version, *, reasons: bool) -> list[UnitBeside]:
    """The units in which the version and people differ most. reasons: with what people wrote."""
    apart = [(close, pk) for pk, close in version.by_unit.items() if close < 1 - LEAST_CHANGE]
    worst = {pk: close for close, pk in islice(sorted(apart), SHOWN)}
    keys = _keys(study, worst)
    said = _said(study, worst, version.rater, reasons=reasons)
    return [UnitBeside(pk, keys[pk], close, said=said[pk]) for pk, close in worst.items()]


def flips(study: Study, first: Version, second: Version) -> Flips:
    """Which units are nearer to people by the second version than by the first, and which are
    farther."""
    both = first.by_unit.keys() & second.by_unit.keys()
    changes = sorted((second.by_unit[pk] - first.by_unit[pk], pk) for pk in both)
    worse = [pk for change, pk in changes if change < -LEAST_CHANGE]
    better = [pk for change, pk in reversed(changes) if change > LEAST_CHANGE]
    keys = _keys(study, [*worse[:SHOWN], *better[:SHOWN]])

    def listed(units: Sequence[int]) -> list[UnitBeside]:
        return [
            UnitBeside(pk, keys[pk], second.by_unit[pk], before=first.by_unit[pk])
            for pk in units[:SHOWN]
        ]

    return Flips(
        first=first,
        second=second,
        n_both=len(both),
        n_better=len(better),
        n_worse=len(worse),
        better=listed(better),
        worse=listed(worse),
    )


def _keys(study: Study, units: Collection[int]) -> dict[int, str]:
    return dict(study.units.filter(pk__in=list(units)).values_list("pk", "key"))


def _said(
    study: Study, units: Collection[int], judge: Rater, *, reasons: bool
) -> dict[int, list[Said]]:
    """The answers of people and of the judge to each unit, people first."""
    answers = Annotation.objects.filter(study=study, question__unit__in=list(units)).counted()
    answers = answers.filter(replicate=0)
    shown = answers.filter(rater__kind=Rater.Kind.HUMAN) | answers.filter(rater=judge)
    rows = shown.select_related("question__block", "rater").order_by("rater__kind", "pk")
    texts = _texts_of_calls(judge, units)
    values: dict[int, list[Rating]] = {}
    for rating in Rating.objects.filter(annotation__in=shown.order_by()).order_by("pk"):
        values.setdefault(rating.annotation_id, []).append(rating)
    said: dict[int, list[Said]] = {pk: [] for pk in units}
    for row in rows:
        by_judge = row.rater_id == judge.pk
        imported = row.rater.origin == Rater.Origin.IMPORTED
        may = by_judge or reasons or imported
        beside = [*(row.reasons or ()), *texts.get(row.pk, ())] if may else []
        text = _in_words(row.question, values.get(row.pk, []))
        said[row.question.unit_id].append(Said(by_judge, text, beside, imported))
    return said


def _texts_of_calls(judge: Rater, units: Collection[int]) -> dict[int, list[str]]:
    calls = Call.objects.filter(
        annotation__rater=judge, question__unit__in=list(units), detail__has_key="reason"
    )
    texts: dict[int, list[str]] = {}
    for call in calls.order_by("pk"):
        if call.annotation_id is not None:
            texts.setdefault(call.annotation_id, []).extend(call.texts)
    return texts


def _in_words(question: Question, ratings: Sequence[Rating]) -> str:
    """The values of an answer, each after the part that it is about."""
    kind, payload = question.block.task_type, question.typed_payload
    titles = {facet.name: str(facet.title) for facet in question.block.facets}
    words = []
    for rating in ratings[:MOST_VALUES]:
        text = kind.value_text(payload, rating.facet, rating.value) or _plain(rating.value)
        part = rating.element and kind.element_text(payload, rating.facet, rating.element)
        about = part or rating.element or (titles[rating.facet] if len(titles) > 1 else "")
        words.append(f"{about}: {text}" if about else text)
    more = len(ratings) - len(words)
    return "; ".join(words) + (f"; … (+{more})" if more else "")


def _plain(value: Any) -> str:
    if isinstance(value, frozenset):
        return ", ".join(sorted(map(str, value))) or "none"
    return f"{value:g}" if isinstance(value, float) else str(value)

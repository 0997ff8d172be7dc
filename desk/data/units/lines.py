"""The rows of one page of the table of units: a constant number of queries for fifty units."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Count, Prefetch
from django.db.models.functions import Left
from django.utils.functional import Promise
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from annotation.models import (
    AdjudicationCase,
    Annotation,
    GoldAnswer,
    Place,
    Rater,
    Study,
    Unit,
    UnitItem,
)
from annotation.work.problems import problems_in
from desk.data.units.filters import judge_names
from results.models import UnitDistance
from results.units.beside import Beside, judges_beside

# Characters that a row shows of a text, and of how many outputs.
BEGINNING, OUTPUTS = 160, 3


@dataclass(frozen=True)
class StateBadge:
    """A state of a unit as a badge. kind: which badge."""

    title: str | Promise
    kind: str = ""


@dataclass(frozen=True)
class UnitLine:
    """A unit as a row. about: the beginning of the text that is judged, or of several, in the order
    that they are shown in. answers: of people, as they are now. wanted: None where any number may
    come. apart: from 0 to 1, None where fewer than two people can be compared."""

    unit: Unit
    about: Sequence[str]
    systems: Sequence[str]
    subsets: Sequence[str]
    places: Sequence[Place]
    answers: int
    apart: float | None
    beside: Sequence[Beside]
    problems: int
    states: Sequence[StateBadge]

    @property
    def wanted(self) -> int | None:
        """How many answers its places want together."""
        several = [place.wanted for place in self.places if place.wanted is not None]
        return sum(several) if several else None

    @property
    def held(self) -> int:
        """How many answers people are at work on."""
        return sum(place.held for place in self.places)

    @property
    def rounds(self) -> list[str]:
        """The rounds that it is in."""
        return [place.round.name for place in self.places]

    @property
    def priority(self) -> str:
        """Its highest priority, where that is not the usual one."""
        highest = max(self.places, key=lambda place: place.priority, default=None)
        usual = highest is None or highest.priority == Place.Priority.USUAL
        return "" if usual or highest is None else highest.get_priority_display()


def lines_of(study: Study, keys: Sequence[int]) -> list[UnitLine]:
    """The rows of these units, in this order."""
    units = {unit.pk: unit for unit in _units(study, keys)}
    answers = _answers(study, keys)
    apart = dict(
        UnitDistance.objects.filter(unit__in=keys, rater=None).values_list("unit", "distance")
    )
    beside = judges_beside(study, keys, judge_names(study))
    reported = problems_in(study).filter(unit__in=keys).order_by().values("unit")
    problems = dict(reported.annotate(n=Count("pk")).values_list("unit", "n"))
    waiting, gold = _decided(study, keys)
    return [
        UnitLine(
            unit=unit,
            about=_about(unit),
            systems=list(
                dict.fromkeys(of.item.system or of.item.key for of in unit.unit_items.all())
            ),
            subsets=[subset.name for subset in unit.subsets.all()],
            places=list(unit.places.all()),
            answers=answers.get(unit.pk, 0),
            apart=apart.get(unit.pk),
            beside=beside[unit.pk],
            problems=problems.get(unit.pk, 0),
            states=states_of(unit, waiting=unit.pk in waiting, gold=unit.pk in gold),
        )
        for unit in (units[key] for key in keys if key in units)
    ]


def _units(study: Study, keys: Collection[int]) -> list[Unit]:
    beginning = {"beginning": Left("source__document", BEGINNING)}
    items = UnitItem.objects.select_related("item").only(
        "unit", "position", "item__key", "item__system", "item__sentences"
    )
    return list(
        study.units.filter(pk__in=keys)
        .annotate(**beginning)
        .select_related("source")
        .only(
            *("study", "key", "role", "check_state", "retired_at"),
            *("source__key", "source__claim", "source__query"),
        )
        .prefetch_related(
            Prefetch("unit_items", items),
            Prefetch("places", Place.objects.select_related("round").order_by("round__position")),
            "subsets",
        )
    )


def _about(unit: Unit) -> list[str]:
    """What is judged: its outputs; what these are about, where their texts are not known."""
    texts = [text for of in unit.unit_items.all() if (text := of.item.text)]
    if not texts:
        beginning: str = unit.beginning  # type: ignore[attr-defined]  # annotated
        return [unit.source.claim or unit.source.query or beginning]
    shown = [Truncator(text).chars(BEGINNING) for text in texts[:OUTPUTS]]
    return [*shown, "…"] if len(texts) > OUTPUTS else shown


def _answers(study: Study, keys: Collection[int]) -> dict[int, int]:
    """People whose answers to a unit stand."""
    answers = Annotation.objects.filter(question__unit__in=keys, rater__kind=Rater.Kind.HUMAN)
    by_unit = answers.standing().order_by().values("question__unit")
    people = by_unit.annotate(n=Count("rater", distinct=True))
    return dict(people.values_list("question__unit", "n"))


def _decided(study: Study, keys: Collection[int]) -> tuple[set[int], set[int]]:
    """Units with a question in adjudication, and with a gold answer."""
    about = {"study": study, "question__unit__in": keys}
    waiting = AdjudicationCase.objects.filter(**about).open()
    gold = GoldAnswer.objects.filter(**about).current()
    return tuple(set(of.values_list("question__unit", flat=True)) for of in (waiting, gold))  # type: ignore[return-value]


def states_of(unit: Unit, *, waiting: bool, gold: bool) -> list[StateBadge]:
    """The states of a unit whose places are loaded."""
    places, states = list(unit.places.all()), []
    if unit.retired_at is not None or unit.check_state == Unit.Check.RETIRED:
        states.append(StateBadge(_("disabled"), "warn"))
    elif any(place.wanted and place.wanted > place.counted for place in places):
        states.append(StateBadge(_("open")))
    elif any(place.wanted for place in places):
        states.append(StateBadge(_("complete"), "good"))
    elif not places:
        states.append(StateBadge(_("in no round")))
    if waiting:
        states.append(StateBadge(_("in adjudication"), "accent"))
    if gold:
        states.append(StateBadge(_("gold"), "good"))
    return states

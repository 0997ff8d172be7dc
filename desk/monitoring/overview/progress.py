"""The progress of a study: per round, and per group of units."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import Case, Count, F, Q, QuerySet, Sum, When

from annotation.models import Place, Round, Study, Unit

# Of a retired unit no more answers are wanted than there are, so it is complete.
WANTED = Case(When(retired=True, then=F("counted") + F("held")), default=F("wanted"))
COMPLETE = Q(retired=True) | Q(counted__gte=F("wanted"))
# Whether units are retired, answers wanted of each, counted of each, units like that, answers being
# given to them together.
_Row = tuple[bool, int | None, int, int, int]


@dataclass(frozen=True)
class Answered:
    """Answers wanted and counted, and units that have all of theirs."""

    units: int = 0
    complete: int = 0
    wanted: int = 0
    counted: int = 0
    held: int = 0

    @property
    def percent(self) -> int:
        """0 to 100, rounded down; 0 where none is wanted."""
        return 100 * self.counted // self.wanted if self.wanted else 0

    @property
    def missing(self) -> int:
        """Answers still to come, with those being given now."""
        return max(0, self.wanted - self.counted)


@dataclass(frozen=True)
class RoundProgress(Answered):
    """How far a round is. by_answers: number of counted answers -> units that have so many."""

    round: Round = field(kw_only=True)
    by_answers: dict[int, int] = field(default_factory=dict, kw_only=True)


@dataclass(frozen=True)
class GroupProgress(Answered):
    """How far the units of a subset, or of a system, are in the rounds that count."""

    name: str = field(kw_only=True)


def progress_by_round(study: Study) -> list[RoundProgress]:
    """Each round in order. One query over the study's places, which returns few rows, and one for
    the rounds."""
    places = Place.objects.filter(round__study=study, role=Unit.Role.NORMAL)
    rows = places.order_by().values_list("round", "retired", "wanted", "counted")
    by_round: dict[int, list[_Row]] = {}
    for key, *counts in rows.annotate(n=Count("pk"), all_held=Sum("held")):
        by_round.setdefault(key, []).append((*counts,))
    return [_progress(round_, by_round.get(round_.pk, [])) for round_ in study.rounds.all()]


def _progress(round_: Round, rows: Iterable[_Row]) -> RoundProgress:
    units = complete = all_wanted = all_counted = all_held = 0
    by_answers: dict[int, int] = {}
    for retired, wanted, counted, n, held in rows:
        units += n
        complete += n if retired or counted >= (wanted or 0) else 0
        all_wanted += counted * n + held if retired else (wanted or 0) * n
        all_counted += counted * n
        all_held += held
        by_answers[counted] = by_answers.get(counted, 0) + n
    return RoundProgress(
        units=units,
        complete=complete,
        wanted=all_wanted,
        counted=all_counted,
        held=all_held,
        round=round_,
        by_answers=dict(sorted(by_answers.items())),
    )


def all_counting(rounds: Iterable[RoundProgress]) -> Answered:
    """The rounds that count together."""
    counting = [progress for progress in rounds if progress.round.counts]
    return Answered(
        units=sum(progress.units for progress in counting),
        complete=sum(progress.complete for progress in counting),
        wanted=sum(progress.wanted for progress in counting),
        counted=sum(progress.counted for progress in counting),
        held=sum(progress.held for progress in counting),
    )


def progress_by_subset(study: Study) -> list[GroupProgress]:
    """Each subset of units that are in a round that counts; a unit may be in several."""
    return _by(_counting(study).filter(unit__subsets__isnull=False), "unit__subsets__name")


def progress_by_system(study: Study) -> list[GroupProgress]:
    """Each system whose outputs are in a round that counts; a unit may show several."""
    return _by(_counting(study).exclude(unit__items__system=""), "unit__items__system")


def _counting(study: Study) -> QuerySet[Place]:
    return Place.objects.filter(
        round__study=study, round__counts=True, role=Unit.Role.NORMAL, wanted__gt=0
    )


def _by(places: QuerySet[Place], key: str) -> list[GroupProgress]:
    """The least complete first."""
    rows = (
        places.order_by()
        .values_list(key)
        .annotate(
            units=Count("pk"),
            complete=Count("pk", filter=COMPLETE),
            all_wanted=Sum(WANTED),
            all_counted=Sum("counted"),
            all_held=Sum("held"),
        )
    )
    groups = [GroupProgress(*counts, name=str(name)) for name, *counts in rows if name]
    return sorted(groups, key=lambda group: (group.percent, group.name))

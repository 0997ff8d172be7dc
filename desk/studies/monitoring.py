"""The progress of a study, in a few queries."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Count, F, Q, Sum, When

from annotation.models import Place, Round, Study, Unit

ODD_PLACES = 20


@dataclass(frozen=True)
class RoundProgress:
    """Answers wanted and counted in a round, and units that have all of theirs.
    Of a retired unit no more are wanted than there are."""

    round: Round
    units: int
    complete: int
    wanted: int
    counted: int
    held: int

    @property
    def percent(self) -> int:
        return 100 * self.counted // self.wanted if self.wanted else 0


def progress_by_round(study: Study) -> list[RoundProgress]:
    """One query over the study's places, whatever the number of rounds."""
    rows = (
        Place.objects.filter(round__study=study, role=Unit.Role.NORMAL)
        .values("round")
        .annotate(
            units=Count("pk"),
            complete=Count("pk", filter=Q(retired=True) | Q(counted__gte=F("wanted"))),
            all_wanted=Sum(
                Case(When(retired=True, then=F("counted") + F("held")), default=F("wanted"))
            ),
            all_counted=Sum("counted"),
            all_held=Sum("held"),
        )
    )
    by_round: dict[int, Mapping[str, Any]] = {row["round"]: row for row in rows}
    return [_progress(round_, by_round.get(round_.pk, {})) for round_ in study.rounds.all()]


def _progress(round_: Round, row: Mapping[str, Any]) -> RoundProgress:
    return RoundProgress(
        round_,
        units=row.get("units", 0),
        complete=row.get("complete", 0),
        wanted=row.get("all_wanted", 0),
        counted=row.get("all_counted", 0),
        held=row.get("all_held", 0),
    )


def counts_in_words(study: Study) -> list[tuple[str, int]]:
    """The counts of what the study's files contained."""
    return [(_words(name), count) for name, count in study.imported.get("counts", {}).items()]


def oddities_in_words(study: Study) -> list[tuple[str, list[str]]]:
    """What was odd in the study's files, and the first places of each."""
    return [
        (_words(name), places[:ODD_PLACES])
        for name, places in study.imported.get("odd", {}).items()
    ]


def _words(name: str) -> str:
    return name.replace("_", " ")

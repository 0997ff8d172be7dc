"""What pages counted while workers answered: evidence beside the answers, never their content."""

from collections.abc import Collection
from dataclasses import dataclass, fields
from statistics import median

from django.db.models import Avg, Count, IntegerField, Q
from django.db.models.fields.json import KeyTransform
from django.db.models.functions import Cast

from annotation.models import Annotation, Study
from annotation.work.paradata import COUNTS


@dataclass(frozen=True)
class Conduct:
    """The counts of a worker's answers: of how many they were recorded, in how many something was
    pasted and the page was left, and the means per answer of the others."""

    answers: int
    recorded: int
    pasted: int
    left: int
    keystrokes: float
    edits: float
    bursts: float

    @property
    def pasted_share(self) -> float:
        return self.pasted / self.recorded

    @property
    def left_share(self) -> float:
        return self.left / self.recorded


@dataclass(frozen=True)
class Usual:
    """Medians over the other workers of the study with recorded answers."""

    workers: int
    pasted_share: float
    left_share: float
    keystrokes: float
    edits: float
    bursts: float


def conduct(study: Study) -> dict[int, Conduct]:
    """Participation -> counts, of those with an answer that has some. One query."""
    pastes, blurs, *others = (
        Cast(KeyTransform(name, "paradata"), IntegerField()) for name in COUNTS
    )
    answers = Annotation.objects.filter(
        study=study, superseded_at=None, withdrawn_at=None, rater__participation__isnull=False
    )
    rows = (
        answers.annotate(pastes=pastes, blurs=blurs)
        .values("rater__participation")
        .order_by()
        .annotate(
            answers=Count("pk"),
            recorded=Count("paradata"),
            pasted=Count("pk", filter=Q(pastes__gt=0)),
            left=Count("pk", filter=Q(blurs__gt=0)),
            **{f"mean_{name}": Avg(of) for name, of in zip(COUNTS[2:], others, strict=True)},
        )
        .filter(recorded__gt=0)
        .values_list(
            *("rater__participation", "answers", "recorded", "pasted", "left"),
            *(f"mean_{name}" for name in COUNTS[2:]),
        )
    )
    return {participation: Conduct(*counts) for participation, *counts in rows}


def usual(conducts: Collection[Conduct]) -> Usual | None:
    """The medians of these workers; None without any."""
    if not conducts:
        return None
    names = [field.name for field in fields(Usual)[1:]]
    return Usual(len(conducts), *(median(getattr(each, n) for each in conducts) for n in names))

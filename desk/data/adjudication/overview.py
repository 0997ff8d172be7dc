"""How far deciding has come, and the gold answers there are."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q, QuerySet

from annotation.models import AdjudicationCase, GoldAnswer, Study, User

State, Why = AdjudicationCase.State, AdjudicationCase.Why


@dataclass(frozen=True)
class QueueProgress:
    """Numbers of cases. free: those that this adjudicator may take now. held: (name, cases) of the
    others at work."""

    waiting: int
    free: int
    mine: int
    decided: int
    set_aside: int
    by_reason: Sequence[tuple[str, int]]
    held: Sequence[tuple[str, int]]

    @property
    def share(self) -> int:
        """Percent of all cases that are decided or set aside."""
        done = self.decided + self.set_aside
        return round(100 * done / (done + self.waiting)) if done + self.waiting else 0


TITLES = {Why.ASKED: "asked for", Why.AUDIT: "of an audit sample", Why.DISAGREEMENT: "contested"}


def standing_of(study: Study, by: User, now: datetime) -> QueueProgress:
    """How far the study's queue has come. Three queries."""
    cases = AdjudicationCase.objects.filter(study=study)
    open_, reason = Q(state=State.OPEN), {str(why): Q(why=why, state=State.OPEN) for why in Why}
    free = Q(holder=None) | Q(held_until__lte=now) | Q(holder=by)
    numbers = cases.aggregate(
        waiting=Count("pk", filter=open_),
        free=Count("pk", filter=open_ & free),
        mine=Count("pk", filter=open_ & Q(holder=by, held_until__gt=now)),
        decided=Count("pk", filter=Q(state=State.DECIDED)),
        set_aside=Count("pk", filter=Q(state=State.SET_ASIDE)),
        **{f"why_{name}": Count("pk", filter=wanted) for name, wanted in reason.items()},
    )
    by_reason = [(TITLES[why], numbers.pop(f"why_{why}")) for why in TITLES]
    others = cases.open().filter(held_until__gt=now).exclude(holder=by)
    held = others.order_by().values_list("holder__username").annotate(n=Count("pk"))
    return QueueProgress(
        **numbers, by_reason=[each for each in by_reason if each[1]], held=list(held)
    )


def gold_lines(study: Study) -> QuerySet[GoldAnswer]:
    """The current gold answers, the newest first."""
    rows = GoldAnswer.objects.filter(study=study).current()
    return rows.select_related("question__unit", "question__block", "by").order_by("-pk")

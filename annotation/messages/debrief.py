"""The debriefing: what fact-checkers found about the claims that a worker read."""

from dataclasses import dataclass, field

from annotation.models import Assignment, Participation, Round, Source, Study
from annotation.rounds.standing import submitted_by_round
from annotation.rounds.team.progress import table_progress

# An open batch may still be answered, so the debriefing leaves its claims out.
CLOSED = (Assignment.State.SUBMITTED, Assignment.State.RETURNED)


@dataclass(frozen=True)
class DebriefedVerdict:
    """A verdict, its definition if the study gives one, and the claims with this verdict."""

    verdict: str
    definition: str
    claims: list[str] = field(default_factory=list)


def findings(participation: Participation) -> list[DebriefedVerdict]:
    """The claims of the worker's closed batches that this visit may see, by verdict; verdicts that
    the study defines come first, in its order."""
    definitions: dict[str, str] = participation.study.verdicts
    by_verdict = {label: DebriefedVerdict(label, text) for label, text in definitions.items()}
    met = Source.objects.filter(
        units__assignment_units__assignment__in=participation.shown_batches.filter(state__in=CLOSED)
    )
    claims = met.exclude(claim="").exclude(verdict="").order_by("verdict", "claim")
    for verdict, claim in claims.values_list("verdict", "claim").distinct():
        by_verdict.setdefault(verdict, DebriefedVerdict(verdict, "")).claims.append(claim)
    return [finding for finding in by_verdict.values() if finding.claims]


def is_over(participation: Participation, round_: Round | None) -> bool:
    """Whether a worker in this round gets no more batches, even if places become free."""
    if participation.has_ended or participation.study.state != Study.State.OPEN:
        return True
    if round_ is None:
        return True
    # Before the first batch, and in a round that leads on, there is more to come.
    if participation.round_id is None or round_.following is not None:
        return False
    if (table := table_progress(participation, round_)) is not None:
        return table.is_complete
    return submitted_by_round(participation).get(round_.pk, 0) >= round_.batch_limit

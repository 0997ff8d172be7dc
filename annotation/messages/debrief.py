"""Tell workers in the end what fact-checkers found about the claims that they read."""

from dataclasses import dataclass, field

from annotation.models import Assignment, Participation, Round, Source, Study

# An open batch may still be answered: nothing is told about its claims.
CLOSED = (Assignment.State.SUBMITTED, Assignment.State.RETURNED)


@dataclass(frozen=True)
class Finding:
    """A verdict, what it means where the study says so, and the claims that have it."""

    verdict: str
    definition: str
    claims: list[str] = field(default_factory=list)


def findings(participation: Participation) -> list[Finding]:
    """Every claim of the worker's closed batches by its verdict, those that the study defines
    first and in its order."""
    definitions: dict[str, str] = participation.study.verdicts
    found = {label: Finding(label, text) for label, text in definitions.items()}
    met = Source.objects.filter(
        units__assignment_units__assignment__participation=participation,
        units__assignment_units__assignment__state__in=CLOSED,
    )
    claims = met.exclude(claim="").exclude(verdict="").order_by("verdict", "claim")
    for verdict, claim in claims.values_list("verdict", "claim").distinct():
        found.setdefault(verdict, Finding(verdict, "")).claims.append(claim)
    return [finding for finding in found.values() if finding.claims]


def is_over(participation: Participation, round_: Round | None) -> bool:
    """Whether the worker, who is in that round, gets no more batches, whatever becomes free."""
    if participation.has_ended or participation.study.state != Study.State.OPEN:
        return True
    if round_ is None:
        return True
    # Before the first batch, and in a round that leads on, there is more to come.
    if participation.round_id is None or round_.following is not None:
        return False
    done = participation.assignments.filter(round=round_, state=Assignment.State.SUBMITTED)
    return done.count() >= round_.batch_limit

"""Random samples of questions, by which the error of the consensus is estimated without bias."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from django.db import transaction

from agreement import Estimate
from annotation.models import (
    AdjudicationCase,
    AuditedQuestion,
    AuditSample,
    Block,
    GoldAnswer,
    Question,
    Study,
    User,
    log_change,
)
from desk.data.adjudication.queue import add_cases
from estimates.data.database import load_table
from estimates.data.facts.gold import load_gold
from estimates.data.options import Options
from results.adjudication.consensus_errors import (
    FacetErrors,
    audited,
    consensus_errors,
    frame_of,
)
from results.adjudication.sampled import audited_table
from tasktypes.facets import Facet

# Drawn in each stratum at least, where it has so many: fewer say nothing about it.
LEAST = 5
# Stratum -> its questions (by id), in the order of their units' keys.
Members = Mapping[str, Sequence[int]]


def members_of(study: Study, block: Block) -> Members:
    """The questions of a block that people have answered; reads all answers."""
    return _by_stratum(study, frame_of(load_table(study), block))


def draw_audit(
    *, study: Study, block: Block, members: Members, size: int, seed: int, by: User
) -> AuditSample:
    """Draw questions of a block that people have answered, and put them into the queue.

    Questions whose answers agree and those whose answers differ are drawn apart, in proportion to
    their numbers but `LEAST` of each where there are so many; within each every question is
    equally likely, whether it has gold already or not. The same seed draws the same questions.
    members: what `members_of` gave, not empty.
    """
    drawn = _draw(members, _sizes({name: len(of) for name, of in members.items()}, size), seed)
    return _keep(study, block, seed, members=members, drawn=drawn, by=by)


@transaction.atomic
def _keep(
    study: Study,
    block: Block,
    seed: int,
    *,
    members: Members,
    drawn: Mapping[str, Sequence[int]],
    by: User,
) -> AuditSample:
    audit = AuditSample.objects.create(
        study=study,
        block=block,
        seed=seed,
        strata={
            name: {"population": len(members[name]), "drawn": len(drawn[name])} for name in members
        },
        by=by,
    )
    AuditedQuestion.objects.bulk_create(
        AuditedQuestion(
            audit=audit,
            question_id=question,
            stratum=name,
            inclusion=len(drawn[name]) / len(members[name]),
        )
        for name in members
        for question in drawn[name]
    )
    _queue(study, [question for of in drawn.values() for question in of], by)
    detail = {"block": block.key, "seed": seed, "strata": audit.strata}
    log_change(study=study, by=by, action="adjudication.audit_drawn", detail=detail)
    return audit


def _by_stratum(study: Study, frame: Mapping[int, str]) -> Members:
    """The questions of each stratum, in the order of their units' keys, which no database knows
    better: a seed means the same everywhere."""
    keys = dict(Question.objects.filter(study=study, pk__in=frame).values_list("pk", "unit__key"))
    members: dict[str, list[int]] = {}
    for question in sorted(frame, key=lambda pk: keys[pk]):
        members.setdefault(frame[question], []).append(question)
    return dict(sorted(members.items()))


def _sizes(population: Mapping[str, int], size: int) -> dict[str, int]:
    """How many to draw in each stratum."""
    total = sum(population.values())
    return {
        name: min(number, max(round(size * number / total), LEAST))
        for name, number in population.items()
    }


def _draw(members: Members, sizes: Mapping[str, int], seed: int) -> dict[str, list[int]]:
    rng = Random(seed)  # noqa: S311 (a sample, not a secret)
    return {name: rng.sample(list(of), sizes[name]) for name, of in members.items()}


def _queue(study: Study, questions: Sequence[int], by: User) -> None:
    gold = GoldAnswer.objects.filter(study=study).current()
    decided = set(gold.values_list("question", flat=True))
    undecided = [question for question in questions if question not in decided]
    add_cases(study=study, questions=undecided, why=AdjudicationCase.Why.AUDIT, by=by)


@dataclass(frozen=True)
class AuditLine:
    """The error of the consensus in one facet, as far as a sample is decided."""

    audit: AuditSample
    facet: Facet
    rule: str
    estimate: Estimate
    decided: int
    drawn: int

    @property
    def population(self) -> int:
        return sum(stratum["population"] for stratum in self.audit.strata.values())

    @property
    def is_share(self) -> bool:
        """Whether it is a share of questions; else a distance in the unit of the facet."""
        return self.facet.kind != "number"

    @property
    def text(self) -> str:
        """The figure: a share in percent, or a distance; empty where there is none."""
        value = self.estimate.value
        return "" if value is None else self._in_words(value)

    @property
    def interval(self) -> str:
        """Its interval likewise."""
        low, high = self.estimate.low, self.estimate.high
        if low is None or high is None:
            return ""
        return f"{self._in_words(low)} to {self._in_words(high)}"

    def _in_words(self, value: float) -> str:
        return f"{100 * value:.1f} %" if self.is_share else f"{value:.3g}"


def audit_lines(study: Study) -> list[AuditLine]:
    """The newest audit of each block, with a line for each facet."""
    audits = {
        audit.block_id: audit for audit in study.audits.select_related("block").order_by("pk")
    }
    if not audits:
        return []
    table = audited_table(study, [audit.pk for audit in audits.values()])
    gold = load_gold(study, table.material.names_of)
    strata = _strata(audits.values())
    return [
        _line(audit, errors, strata[audit.pk])
        for audit in audits.values()
        for errors in consensus_errors(table, gold, audit.block.facets, Options())
    ]


def _strata(audits: Iterable[AuditSample]) -> dict[int, dict[int, str]]:
    """Audit -> question -> stratum."""
    of_audit: dict[int, dict[int, str]] = {audit.pk: {} for audit in audits}
    rows = AuditedQuestion.objects.filter(audit__in=of_audit)
    for audit, question, stratum in rows.values_list("audit", "question", "stratum"):
        of_audit[audit][question] = stratum
    return of_audit


def _line(audit: AuditSample, errors: FacetErrors, strata: Mapping[int, str]) -> AuditLine:
    population = {name: numbers["population"] for name, numbers in audit.strata.items()}
    return AuditLine(
        audit=audit,
        facet=errors.facet,
        rule=errors.rule,
        estimate=audited(errors, strata, population),
        decided=sum(question in errors.errors for question in strata),
        drawn=len(strata),
    )

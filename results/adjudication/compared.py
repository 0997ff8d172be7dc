"""Figures beside gold: how far everybody agrees with it, and what it changes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from annotation.models import GoldAnswer, Rater, Study
from annotation.rounds.collection import Standing
from annotation.rounds.planned import standing_of
from estimates.data.database import block_records, load_table
from estimates.data.facts.gold import load_gold, questions_of
from estimates.data.facts.references import References
from estimates.data.groups import SYSTEM
from estimates.data.options import Options
from estimates.data.parties import Pair, Parties, Party, divide
from estimates.data.records import BlockRecord
from estimates.data.rows import Row
from estimates.data.study_data import of_ratings
from estimates.data.table import Table
from estimates.engine.estimation import estimate_some
from estimates.metrics import agreement, averages, correlations, kappas
from estimates.report.shown import shown_rows
from estimates.statistics import samples
from estimates.statistics.statistic import WHOLE, Statistics
from results.adjudication.consensus_errors import FacetErrors, consensus_errors
from results.adjudication.tables import GOLD, about, beside_gold, overridden

NAME = "gold"
_AGREEMENT = replace(agreement.AGREEMENT, by=WHOLE)
_KAPPAS = replace(kappas.KAPPAS, by=WHOLE)
_SCORES = replace(averages.AVERAGES, by=WHOLE, applies=lambda facet: facet.kind == "set")
WITH_GOLD = (
    Statistics(samples.pairs_as_raters, (_AGREEMENT, _KAPPAS)),
    Statistics(samples.pairs, (correlations.CORRELATION,)),
)
AGAINST_GOLD = (Statistics(samples.groups, (_SCORES,)), Statistics(samples.singles, (_SCORES,)))
HEADLINES = (
    Statistics(samples.groups, (replace(averages.AVERAGES, by={SYSTEM}),)),
    Statistics(samples.pairs_as_raters, (_AGREEMENT, _KAPPAS)),
)


@dataclass(frozen=True)
class Change:
    """A headline figure with the consensus of people, and with gold where there is gold."""

    before: Row
    after: Row | None


@dataclass(frozen=True)
class BesideGold:
    """All figures of the page about gold. agreement: of the consensus, every judge and every person
    with gold, on the questions that have gold. errors: of the consensus, per facet."""

    n_gold: int
    agreement: Sequence[Row]
    changes: Sequence[Change]
    errors: Sequence[FacetErrors]

    def as_json(self) -> dict[str, Any]:
        """All figures as plain JSON, facets by name."""
        return {
            "n_gold": self.n_gold,
            "agreement": [row.as_json() for row in self.agreement],
            "changes": [
                [change.before.as_json(), None if change.after is None else change.after.as_json()]
                for change in self.changes
            ],
            "errors": [
                [of_facet.facet.name, of_facet.rule, [*of_facet.errors.items()]]
                for of_facet in self.errors
            ],
        }

    @classmethod
    def from_json(cls, study: Study, stored: Mapping[str, Any]) -> Self:
        """What `as_json` wrote; without errors in facets that the study has no more."""
        facets = {facet.name: facet for block in study.blocks.all() for facet in block.facets}
        return cls(
            n_gold=stored["n_gold"],
            agreement=[Row.from_json(row) for row in stored["agreement"]],
            changes=[
                Change(Row.from_json(before), None if after is None else Row.from_json(after))
                for before, after in stored["changes"]
            ],
            errors=[
                FacetErrors(facets[name], rule, dict(errors))
                for name, rule, errors in stored["errors"]
                if name in facets
            ],
        )


NO_GOLD = BesideGold(n_gold=0, agreement=[], changes=[], errors=[])


def beside_gold_of(study: Study) -> BesideGold:
    """The study's figures beside gold, computed now from the counted answers. Without gold nothing
    is read."""
    if not GoldAnswer.objects.filter(study=study).current().exists():
        return NO_GOLD
    options = Options().settled(study.epsilon)
    table, blocks = load_table(study), block_records(study)
    facets = [facet for block in blocks for facet in block.facets]
    gold, standing = load_gold(study, table.material.names_of), standing_of(study)
    return BesideGold(
        n_gold=len(questions_of(gold)),
        agreement=shown_rows(_agreement(table, gold, blocks, options), standing),
        changes=_changes(table, gold, blocks, options, standing),
        errors=[
            of_facet
            for of_facet in consensus_errors(table, gold, facets, options)
            if of_facet.errors
        ],
    )


def _agreement(
    table: Table, gold: References, blocks: Sequence[BlockRecord], options: Options
) -> list[Row]:
    # Without references: gold itself is what sets are compared with, as they are.
    joined = replace(beside_gold(table, gold), references=References({}))
    rows = estimate_some(
        of_ratings(joined, blocks), _with_gold(_active(joined)), options, WITH_GOLD
    )
    scored = replace(about(table, questions_of(gold)), references=gold)
    scores = estimate_some(of_ratings(scored, blocks), _active(scored), options, AGAINST_GOLD)
    return [*rows, *scores]


def _active(table: Table) -> Parties:
    raters = set(table.rater.tolist())
    return divide([rater for rater in table.raters if rater.pk in raters])


def _with_gold(parties: Parties) -> Parties:
    """Everybody paired with gold, and with nobody else."""
    gold = Party(NAME, frozenset([GOLD]), Rater.Kind.HUMAN)
    each = (*parties.crowds[:1], *parties.judges, *parties.singles)
    return replace(parties, pairs=tuple(Pair(party, gold) for party in each))


def _changes(
    table: Table,
    gold: References,
    blocks: Sequence[BlockRecord],
    options: Options,
    standing: Standing,
) -> list[Change]:
    """People's means and scores, as a whole and by system, and judges beside the consensus."""
    parties = _active(table)
    people = parties.crowds[:1]
    pairs = tuple(pair for pair in parties.pairs if pair.first in people)
    chosen = replace(parties, crowds=people, judges=(), pairs=pairs)
    with_gold = overridden(table, gold, people[0].raters)
    before, after = (
        shown_rows(estimate_some(of_ratings(each, blocks), chosen, options, HEADLINES), standing)
        for each in (table, with_gold)
    )
    by_key = {row.key: row for row in after}
    return [
        Change(row, by_key.get(row.key))
        for row in before
        if row.estimate.value is not None and gold.get(row.facet)
    ]

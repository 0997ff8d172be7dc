"""A file of labels checked: what it supports, its figures and the verdicts."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from estimates.data.options import EPSILON, Options
from estimates.data.parties import HUMANS
from estimates.data.rows import Row
from estimates.data.study_data import gather
from estimates.engine.estimation import estimate
from estimates.report.cautions import cautions
from imports.formats.scales import Level
from results.label_table.columns import Columns
from results.label_table.doctor import Finding, examine
from results.label_table.labels import LabelTable, read_labels
from results.label_table.records import TableRecords
from results.label_table.scales import Scale, scale_of
from results.summary.card import Card
from results.summary.facts import FacetRows
from results.summary.judge_card import judge_card, sentence
from results.summary.judges import LOOKS, in_order, judges_of, standing
from results.summary.people_card import people_card
from results.summary.system_card import system_card
from results.summary.words import END, GLUE, ISOLATE
from tasktypes.facets import Facet


@dataclass(frozen=True)
class Verdict:
    """What may be said. about: people, judges, or systems; name: of the one judge. tone: good,
    bad, warn or open, where open settles nothing."""

    about: str
    name: str
    verdict: str
    tone: str
    badge: str
    sentence: str
    limits: Sequence[str] = ()
    steps: Sequence[str] = ()


@dataclass(frozen=True)
class Check:
    """All that is said of a file of labels. rows: the estimates, as `report` has them."""

    table: LabelTable
    scale: Scale
    facet: Facet
    findings: Sequence[Finding]
    verdicts: Sequence[Verdict]
    cautions: Sequence[str]
    rows: Sequence[Row]
    judges: Sequence[str]

    def rows_of(self, raters: str, metric: str) -> Sequence[Row]:
        """The rows of a metric over the whole table: the one, or one per label."""
        own = [r for r in self.rows if r.raters == raters and r.metric == metric]
        whole = [row for row in own if not row.group and row.facet == self.facet.name]
        whole = whole or [row for row in own if row.group.keys() == {"score_facet"}]
        return whole[:1] or [row for row in own if row.group.keys() == {"label"}]


def check_file(
    path: Path,
    *,
    columns: Columns | None = None,
    level: Level | None = None,
    options: Options | None = None,
    epsilon: float | None = None,
) -> Check:
    """Check a table of labels of people and judges, without a database.

    columns: those that are stated; the others are told by names and contents. level: nominal,
    ordinal or interval, where it is stated. epsilon: how much less often than a person a judge
    may be the nearer one. ImportFailure, in one sentence, for a file that cannot be used.
    """
    options = options or Options()
    table = read_labels(path, columns or Columns())
    scale = scale_of(table, level)
    allowed = EPSILON if epsilon is None else epsilon
    data = gather(TableRecords(table, scale, allowed))
    estimates = estimate(data, options)
    (facet,) = data.blocks[0].facets
    rows = FacetRows(facet, estimates.rows, estimates.versions)
    return Check(
        table=table,
        scale=scale,
        facet=facet,
        findings=examine(table, scale),
        verdicts=_verdicts(rows, allowed),
        cautions=[plain(line) for line in cautions(estimates.rows)],
        rows=estimates.rows,
        judges=sorted(estimates.versions),
    )


def _verdicts(rows: FacetRows, epsilon: float) -> list[Verdict]:
    """Of people, of each judge, the best first, and of systems where there are several."""
    people, best, systems = people_card(rows), judge_card(rows, epsilon), system_card(rows)
    judges = in_order(judges_of(rows), epsilon) if rows.people else []
    verdicts = [_of_card(people)]
    for at, judge in enumerate(judges):
        verdict = standing(judge, epsilon)
        tone, badge = LOOKS[verdict]
        text = plain(sentence(judge, verdict, epsilon))
        limits, steps = (best.limits, best.steps) if not at else ((), ())
        verdicts.append(
            Verdict(
                *("judge", judge.name, str(verdict), str(tone), badge, text),
                limits=[plain(limit) for limit in limits],
                steps=[_ended(step.text) for step in steps],
            )
        )
    if any(row.group.keys() == {"system"} for row in rows.rows):
        verdicts.append(_of_card(systems))
    return verdicts


def _of_card(card: Card) -> Verdict:
    return Verdict(
        *(card.key, "", card.verdict, str(card.tone), card.badge, plain(card.sentence)),
        limits=[plain(limit) for limit in card.limits],
        steps=[_ended(step.text) for step in card.steps],
    )


def _ended(text: str) -> str:
    """A step as a sentence; pages add a number to some."""
    return f"{plain(text).rstrip('.')}."


def plain(text: str) -> str:
    """A sentence of the results' first screen for a terminal."""
    return text.replace(ISOLATE, "").replace(END, "").replace(GLUE, " ")


def pair_with_people(judge: str) -> str:
    """A judge beside people, as rows name them."""
    return f"{HUMANS}~{judge}"

"""Files of labels checked: what they support, their figures and the verdicts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from estimates.data.groups import SYSTEM
from estimates.data.options import EPSILON, Options
from estimates.data.parties import HUMANS
from estimates.data.rows import Row
from estimates.data.study_data import gather
from estimates.engine.estimation import estimate
from label_table.doctor import TableFinding, examine
from label_table.files import ReadFiles
from label_table.labels import LabelTable, read_labels
from label_table.one_person import answer_beside_one
from label_table.provenance import Maker, makers_stated, told_makers
from label_table.records import TableRecords
from label_table.scales import Scale, scale_of
from label_table.verdict_words import take_words_of_people
from results.reading.answer import CardAnswer
from results.reading.cautions import cautions
from results.reading.judge_sentences import answers_about_judges
from results.reading.judges import judges_of
from results.reading.people_sentences import answer_about_people
from results.reading.rows import FacetRows, RowIndex
from results.reading.system_sentences import answer_about_systems
from results.reading.wording import plain
from tasktypes.facets import Facet


@dataclass(frozen=True)
class TableVerdict:
    """What may be said. about: people, judges, or systems; name: of the one judge. tone: good,
    bad, warn or open, where open settles nothing."""

    about: str
    name: str
    verdict: str
    tone: str
    badge: str
    sentence: str
    caveats: Sequence[str] = ()
    steps: Sequence[str] = ()


@dataclass(frozen=True)
class Check:
    """All that is said of the labels on one criterion. rows: estimates, as `report` has them.
    makers: rater -> who made its labels."""

    table: LabelTable
    scale: Scale
    facet: Facet
    findings: Sequence[TableFinding]
    verdicts: Sequence[TableVerdict]
    cautions: Sequence[str]
    rows: Sequence[Row]
    judges: Sequence[str]
    makers: Mapping[str, Maker]

    def rows_of(self, raters: str, metric: str) -> Sequence[Row]:
        """The rows of a metric over the whole table: the one, or one per label."""
        own = RowIndex(self.rows).where(metric, raters)
        whole = [row for row in own if not row.group and row.facet == self.facet.name]
        whole = whole or [row for row in own if row.group.keys() == {"score_facet"}]
        return whole[:1] or [row for row in own if row.group.keys() == {"label"}]


def check_files(
    read: ReadFiles,
    *,
    criterion: str = "",
    options: Options | None = None,
    epsilon: float | None = None,
) -> Sequence[Check]:
    """Check files of labels of people and judges, without a database: each criterion by itself.

    criterion: the only one to check. epsilon: how much less often than a person a judge may be
    the nearer one. ImportFailure, in one sentence, for files that cannot be used.
    """
    allowed = EPSILON if epsilon is None else epsilon
    return [
        _checked(table, options or Options(), allowed) for table in read_labels(read, criterion)
    ]


def _checked(table: LabelTable, options: Options, allowed: float) -> Check:
    makers = told_makers(table, makers_stated(table.read.made_by))
    take_words_of_people(table)
    scale = scale_of(table, table.level)
    data = gather(TableRecords(table, scale, allowed))
    estimates = estimate(data, options)
    (facet,) = data.blocks[0].facets
    rows = FacetRows(facet, estimates.rows, estimates.versions)
    return Check(
        table=table,
        scale=scale,
        facet=facet,
        findings=examine(table, scale, makers),
        makers=makers,
        verdicts=_verdicts(rows, allowed),
        cautions=[plain(line) for line in cautions(estimates.rows)],
        rows=estimates.rows,
        judges=sorted(estimates.versions),
    )


def _verdicts(rows: FacetRows, epsilon: float) -> list[TableVerdict]:
    """Of people, of each judge in the order of the cards, and of several systems."""
    verdicts = [_verdict("people", "", answer_about_people(rows))]
    if rows.answered:
        answers = answers_about_judges(rows, epsilon)
        pairs = zip(judges_of(rows), answers, strict=False)  # without judges one answer says so
        verdicts += [
            _verdict("judge", judge.name, answer_beside_one(judge) or answer)
            for judge, answer in pairs
        ]
    if rows.where(by=[SYSTEM]):
        verdicts.append(_verdict("systems", "", answer_about_systems(rows)))
    return verdicts


def _verdict(about: str, name: str, answer: CardAnswer) -> TableVerdict:
    """The answer for a terminal, its steps as sentences; pages add a number to some."""
    tone, badge = answer.badge
    return TableVerdict(
        *(about, name, str(answer.verdict), str(tone), badge, plain(answer.sentence)),
        caveats=[plain(caveat) for caveat in answer.caveats],
        steps=[f"{plain(step.text).rstrip('.')}." for step in answer.steps],
    )


def pair_with_people(judge: str) -> str:
    """A judge beside people, as rows name them."""
    return f"{HUMANS}~{judge}"

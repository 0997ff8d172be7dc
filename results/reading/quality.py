"""The quality of people's answers: controls answered right, and the time that they took.

What is bad is said wherever results are; the rest is told in the paragraph on methods.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from annotation.models import Study
from estimates.catalogue.agreement import CONTROL_ACCURACY, MEDIAN_SECONDS
from estimates.data.groups import CRITERION
from estimates.data.parties import HUMANS, SIMULATED
from estimates.report.cache import Report
from imports.study_file.alert_parts import AlertsPart
from results.reading.rows import RowIndex
from results.reading.wording import counted, named, percent


class Threshold(NamedTuple):
    """From which value on something is bad, over so many answers at least, and why."""

    value: float
    least: int
    reason: str


UNNAMED_PEOPLE = (
    "The files do not say who gave which answer: raters are numbered anew for each unit. There are "
    "no figures of single people, of two people, or of people like them."
)

# Those of alerts, so that a page and an alert never contradict each other; a study file sets its
# own. docs/results.md has them as a table.
CONTROLS = Threshold(
    AlertsPart().control_accuracy or 0,
    10,
    "People who answer four controls in five right are below it by chance 1 time in 30 with 10 "
    "answers, and hardly ever with more.",
)
SPEED = Threshold(
    AlertsPart().fast_share or 0,
    1,
    "Whoever skims reads about twice as fast as usual; at four times that speed, texts are not "
    "read.",
)


@dataclass(frozen=True)
class Controls:
    """Answers to control questions, and how many were right; criterion -> the same of it alone, by
    its title. who: as a sentence has them."""

    who: str
    answers: int
    right: int
    by_criterion: Mapping[str, int] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        """`People answered 0 of 18 control questions right (Fluency 2, Coherence 14).`"""
        least = sorted(self.by_criterion.items(), key=lambda pair: pair[1])
        parts = f" ({', '.join(f'{title} {right}' for title, right in least)})" if least else ""
        questions = counted(self.answers, "control question")
        return f"{self.who} answered {self.right} of {questions} right{parts}."


@dataclass(frozen=True)
class Speed:
    """How many people there are whose times are known, and how many took less than `share` of the
    expected time."""

    people: int
    fast: int
    share: float

    @property
    def sentence(self) -> str:
        """`6 of 6 people took less than 25 % of the expected time.`"""
        people = counted(self.people, "person", "people")
        return f"{self.fast} of {people} took less than {percent(self.share)} of the expected time."


def controls_of(report: Report) -> list[Controls]:
    """Of people together, then of each judge, as far as they met any. Those of all blocks are added
    up."""
    rows, found = RowIndex(report.rows), []
    several = bool(rows.where(CONTROL_ACCURACY, by=[CRITERION]))
    titles = _titles(report.study) if several else {}
    for name in (HUMANS, *sorted(report.versions)):
        whole = _counts(rows, name, {})
        parts = {
            titles.get(criterion, criterion): right
            for criterion in _criteria(rows, name)
            for right, _n in [_counts(rows, name, {CRITERION: criterion})]
        }
        if whole[1]:
            who = "People" if name == HUMANS else named(name)
            found.append(Controls(who, whole[1], whole[0], parts))
    return found


def _titles(study: Study) -> dict[str, str]:
    """Of its facets; none of a study that is in no database, as of a bundle."""
    if not study.pk:
        return {}
    return {facet.name: facet.title for block in study.blocks.all() for facet in block.facets}


def _criteria(rows: RowIndex, name: str) -> list[str]:
    found = rows.where(CONTROL_ACCURACY, name, by=[CRITERION])
    return list(dict.fromkeys(row.group[CRITERION] for row in found))


def _counts(rows: RowIndex, name: str, group: Mapping[str, str]) -> tuple[int, int]:
    """How many answers were right, and how many there are."""
    own = [row.estimate for row in rows.where(CONTROL_ACCURACY, name, group=group)]
    sizes = [of.n_ratings or 0 for of in own if of.value is not None]
    right = [round(float(of) * (of.n_ratings or 0)) for of in own if of.value is not None]
    return sum(right), sum(sizes)


def speed_of(report: Report) -> Speed | None:
    """Of the people whom a report has one by one, by the median of the time that a unit took them;
    None where no time was expected."""
    study, seconds = report.study, _seconds(report)
    if len(seconds) < SPEED.least or not study.pk:  # a bundle has no rounds
        return None
    rounds = [of for of in study.rounds.all() if of.counts and of.expected_minutes]
    if not rounds:
        return None
    share = AlertsPart.model_validate(study.alert_rules).fast_share or SPEED.value
    expected = min(60 * (of.expected_minutes or 0) / of.n_units_per_batch for of in rounds)
    return Speed(len(seconds), sum(took < share * expected for took in seconds), share)


def _seconds(report: Report) -> Sequence[float]:
    """Of every person who answered as many blocks as anybody, the medians of these added up."""
    index = RowIndex(report.rows, report.versions)
    by_rater: dict[str, list[float]] = {}
    for row in index.where(MEDIAN_SECONDS, group={}):
        single = row.raters not in (HUMANS, SIMULATED) and not index.is_judge(row.raters)
        if single and row.estimate.value is not None:
            by_rater.setdefault(row.raters, []).append(float(row.estimate))
    blocks = max(map(len, by_rater.values()), default=0)
    return [sum(each) for each in by_rater.values() if len(each) == blocks]


def concerns(report: Report) -> list[str]:
    """What is bad, in a sentence each; nothing of what is well."""
    return [*_unnamed(report), *_missed(report), *_hurried(report)]


def _unnamed(report: Report) -> Iterator[str]:
    if RowIndex(report.rows).people is None:
        yield UNNAMED_PEOPLE


def _missed(report: Report) -> Iterator[str]:
    least = AlertsPart.model_validate(report.study.alert_rules).control_accuracy or CONTROLS.value
    for controls in controls_of(report):
        if controls.answers >= CONTROLS.least and controls.right < least * controls.answers:
            yield f"{controls.sentence} Check the controls before you rely on the answers."


def _hurried(report: Report) -> Iterator[str]:
    speed = speed_of(report)
    if speed is not None and speed.fast:
        yield f"{speed.sentence} Look at their answers before you rely on them."


def is_hurried(report: Report) -> bool:
    """Whether at least half of the people took too little time for a time to mean anything."""
    speed = speed_of(report)
    return speed is not None and 2 * speed.fast >= speed.people

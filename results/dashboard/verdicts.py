"""What the alternative annotator test says of each judge, with the harm that the judge would do.

Whether a judge passes the test depends on one threshold, and one that lets every failure pass may
do so where failures are rare: so what it says stands beside what the judge lets pass, how common
failures are, how many people were compared, and which judges it does not tell apart.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from agreement import Estimate
from estimates.catalogue import (
    AGREEMENT_GAP,
    ALT_ADVANTAGE_DIFFERENCE,
    ALT_GAP,
    ALT_WINNING_RATE,
    CONFUSION,
    RATE_BIAS,
    TRUE_NEGATIVE_RATE,
    TRUE_POSITIVE_RATE,
)
from estimates.data.groups import LABEL
from estimates.data.rows import POOLED, Row
from estimates.scorecard.differences import OTHER_JUDGE
from estimates.scorecard.labels import POSITIVE
from estimates.scorecard.rates import PEOPLE
from results.dashboard.panels import Page
from results.tables.titles import interval_text, number_text, party_title
from tasktypes.pages.choices import Text

# From this winning rate on the test is passed (Calderon, Reichart and Dror 2025).
PASSED = 0.5
# Of fewer units a rate says little.
LEAST_UNITS = 10
# Judges named in one sentence.
MOST_NAMED = 3


def verdicts(page: Page, rows: Sequence[Row]) -> list[str]:
    """A few sentences per judge, then what ε is."""
    tested = [row for row in rows if row.metric == ALT_WINNING_RATE]
    if not tested:
        return []
    facts = Facts.of(page, tested[0].facet)
    sentences = [
        " ".join(_about(facts, row, page.study.epsilon)) for row in tested if not row.group
    ]
    return [*sentences, epsilon_text(page.study.epsilon)]


@dataclass(frozen=True)
class Facts:
    """The rows of a facet over single units, by metric and raters: those of the whole, and those
    by label and by other judge. words: how its two answers are spoken of."""

    whole: Mapping[tuple[str, str], Estimate]
    by_label: Mapping[tuple[str, str], Sequence[Row]]
    by_judge: Sequence[Row]
    words: "Words"

    @classmethod
    def of(cls, page: Page, facet: str) -> "Facts":
        """Of the whole study."""
        rows = [row for row in page.all_rows(facet) if row.aggregation == POOLED]
        by_label: dict[tuple[str, str], list[Row]] = {}
        for row in rows:
            if row.group.keys() == {LABEL}:
                by_label.setdefault((row.metric, row.raters), []).append(row)
        kinds = {each.name: each.kind for each in page.all_facets}
        labels = {row.group[PEOPLE] for row in rows if row.metric == CONFUSION and row.group}
        return cls(
            whole={(row.metric, row.raters): row.estimate for row in rows if not row.group},
            by_label=by_label,
            by_judge=[row for row in rows if row.metric == ALT_ADVANTAGE_DIFFERENCE],
            words=_words_for(kinds.get(facet, ""), labels),
        )


@dataclass(frozen=True)
class Words:
    """How two answers are spoken of: what people answer, and both ways to answer otherwise."""

    share: Text
    passed: Text
    refused: Text


OF_YES = Words(
    _lazy("People say yes to %(share)s (%(yes)s yes, %(no)s no)"),
    _lazy("It passes %(passed)s of what people fail (true negative rate %(tnr)s)."),
    _lazy("It fails %(refused)s of what people pass (true positive rate %(tpr)s)."),
)
OF_SETS = Words(
    _lazy("People choose %(share)s of the parts (%(yes)s, leaving out %(no)s)"),
    _lazy("It chooses %(passed)s of the parts that people leave out (true negative rate %(tnr)s)."),
    _lazy("It leaves out %(refused)s of the parts they choose (true positive rate %(tpr)s)."),
)
OF_LABELS = Words(
    _lazy("People give the first label to %(share)s (%(yes)s, the other to %(no)s)"),
    _lazy("It gives the first label to %(passed)s of what people give the other (%(tnr)s)."),
    _lazy("It gives the other to %(refused)s of what people give the first label (%(tpr)s)."),
)


def _words_for(kind: str, labels: Collection[str]) -> Words:
    if kind == "set":
        return OF_SETS
    return OF_YES if any(name.casefold() in POSITIVE for name in labels) else OF_LABELS


def _about(facts: Facts, row: Row, epsilon: float) -> Iterator[str]:
    gap, people = (facts.whole.get((name, row.raters)) for name in (ALT_GAP, AGREEMENT_GAP))
    yield verdict(row, gap, epsilon, of_people=people.n_raters if people else None)
    yield from harm(facts, row.raters)
    yield from overlap(facts, row.raters)


def verdict(row: Row, gap: Estimate | None, epsilon: float, *, of_people: int | None = None) -> str:
    """What the winning rate means, and where it is low, whether the units suffice to say so.
    of_people: how many there are, of whom some may have too few units to be compared."""
    crowd, _tilde, judge = row.raters.partition("~")
    about = {"judge": judge, "crowd": party_title(crowd).lower(), "epsilon": f"{epsilon:g}"}
    if row.estimate.value is None:
        about["reason"] = row.estimate.undefined or ""
        return _("%(judge)s and %(crowd)s: the test is inconclusive (%(reason)s).") % about
    about["rate"], about["lead"] = _percent(row.estimate.value), _lead(gap)
    about["people"] = _compared(row.estimate.n_raters, of_people)
    if row.estimate.value >= PASSED:
        words = _(
            "%(judge)s is as near to the %(crowd)s as one of them, given ε = %(epsilon)s: it beats "
            "%(rate)s of the %(people)s."
        )
    elif gap is not None and gap.low is not None and gap.low > epsilon:
        words = _(
            "%(judge)s is farther from the %(crowd)s than they are from each other: it beats "
            "%(rate)s of the %(people)s, and their lead over it%(lead)s is above ε = %(epsilon)s."
        )
    else:
        words = _(
            "Not shown that %(judge)s is as near to the %(crowd)s as one of them (too few units to "
            "tell): it beats %(rate)s of the %(people)s, at least half are needed, and their lead "
            "over it%(lead)s may be below ε = %(epsilon)s."
        )
    return words % about


def _compared(compared: int | None, of_people: int | None) -> str:
    about = {"compared": compared, "all": of_people}
    if of_people is not None and compared is not None and of_people > compared:
        return _("%(compared)s people compared (of %(all)s, the others with too few units)") % about
    return _("%(compared)s people compared") % about


def harm(facts: Facts, raters: str) -> Iterator[str]:
    """What the judge lets pass and refuses, and how common failures are; of more labels the one
    that it misses most; of numbers how far it is off."""
    right = facts.whole.get((TRUE_POSITIVE_RATE, raters))
    failed = facts.whole.get((TRUE_NEGATIVE_RATE, raters))
    if right is not None and failed is not None:
        yield from _of_yes_and_no(facts, right, failed)
    elif worst := _worst(facts.by_label.get((TRUE_POSITIVE_RATE, raters), ())):
        about = {"label": worst.group[LABEL], "rate": _with_bounds(worst.estimate)}
        about["missed"] = _percent(1 - float(worst.estimate))
        yield _("It misses %(missed)s of what people call “%(label)s” (%(rate)s).") % about
    bias = facts.whole.get((RATE_BIAS, raters))
    if right is None and bias is not None and bias.value is not None:
        yield _("It lies %(bias)s from people’s mean.") % {"bias": _with_bounds(bias)}


def _of_yes_and_no(facts: Facts, right: Estimate, failed: Estimate) -> Iterator[str]:
    n_yes, n_no = right.n_units or 0, failed.n_units or 0
    about = {"share": _percent(n_yes / (n_yes + n_no)), "no": n_no, "yes": n_yes}
    if failed.value is not None:
        about |= {"tnr": _with_bounds(failed), "passed": _percent(1 - failed.value)}
        yield str(facts.words.passed) % about
    if right.value is not None:
        about |= {"tpr": _with_bounds(right), "refused": _percent(1 - right.value)}
        yield str(facts.words.refused) % about
    few = min(n_yes, n_no) < LEAST_UNITS
    limit = _("; that is too few of the rarer to tell what it does to them.") if few else "."
    yield str(facts.words.share) % about + limit


def _worst(rows: Sequence[Row]) -> Row | None:
    """The label with the lowest rate, of those with enough units."""
    enough = [row for row in rows if (row.estimate.n_units or 0) >= LEAST_UNITS]
    return min(enough, key=lambda row: float(row.estimate), default=None)


def overlap(facts: Facts, raters: str) -> Iterator[str]:
    """Judges whose advantage over people is not told apart from this one's."""
    judge = raters.rpartition("~")[2]
    crowd = raters.removesuffix(judge)
    named = []
    for row in facts.by_judge:
        first, other = row.raters.removeprefix(crowd), row.group[OTHER_JUDGE]
        estimate = row.estimate
        if estimate.low is None or estimate.high is None or not row.raters.startswith(crowd):
            continue
        if judge in (first, other) and estimate.low <= 0 <= estimate.high:
            named.append(other if judge == first else first)
    if named:
        names = ", ".join(named[:MOST_NAMED])
        more = len(named) - MOST_NAMED
        names += _(" and %(more)s more") % {"more": more} if more > 0 else ""
        yield _(
            "Its advantage over people overlaps that of %(names)s: the test does not tell them "
            "apart."
        ) % {"names": names}


def epsilon_text(epsilon: float) -> str:
    """What ε is, and which one suits whom."""
    return _(
        "ε is how much less often than a person the judge may be the nearer one, since it costs "
        "less: 0.1 where it takes the place of crowdworkers, 0.15 of skilled annotators, 0.2 of "
        "experts (Calderon, Reichart and Dror 2025). Here it is %(epsilon)s; the study file’s "
        "“epsilon” sets it, and “report --epsilon” tries another."
    ) % {"epsilon": f"{epsilon:g}"}


def _percent(share: float) -> str:
    return f"{share:.0%}".replace("%", " %")


def _with_bounds(estimate: Estimate) -> str:
    """The number with its interval and n."""
    value, n = number_text(float(estimate)), estimate.n_units
    parts = (value, interval_text(estimate), "" if n is None else f"n = {n}")
    return ", ".join(filter(None, parts))


def _lead(gap: Estimate | None) -> str:
    """The lead of people with its interval, in brackets."""
    if gap is None or gap.value is None:
        return ""
    interval = interval_text(gap)
    return f" ({number_text(gap.value)}{', ' if interval else ''}{interval})"

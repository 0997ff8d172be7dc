"""The description of a metric, apart from how it is computed."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from tasktypes.measures import Better
from tasktypes.pages.choices import Text

# average: a mean of items, whose standard deviation is shown as well. p: a p value.
Kind = Literal["figure", "average", "p"]


class Table(StrEnum):
    """A table of the results page. The value begins the table's key in addresses."""

    # Can the humans be trusted?
    AMONG = "among"  # agreement of raters of one kind
    QUALITY = "quality"  # of each person, and of each judge
    COPIES = "copies"  # two people who never differ
    VARIANCE = "variance"  # of ratings, by what it is due to
    DECISION = "decision"  # how many raters a unit needs
    SEVERITY = "severity"
    CONTROLS = "controls"
    # Can the judges replace them?
    BETWEEN = "between"  # agreement of two parties
    CORRELATION = "correlation"
    SCORES = "scores"  # people and judges side by side
    LIMITS = "limits"  # of agreement, in the unit of the scale
    REPLACING = "replacing"
    AGAIN = "again"  # a judge with itself
    DRIFT = "drift"  # a judge with itself at an earlier time
    EVALUATORS = "evaluators"  # every judge beside people, in a few figures; of reports alone
    SCORECARD = "scorecard"  # of every judge, what it lets pass and how far it is off
    SCORECARD_OVERALL = "scorecard_overall"  # over all labels at once
    SCORECARD_PAIRS = "scorecard_pairs"  # two judges side by side
    SCORECARD_CALIBRATION = "scorecard_calibration"  # of its probabilities
    SCORECARD_SLICES = "scorecard_slices"  # where a judge does better or worse
    META_EVALUATION = "meta_evaluation"  # pairs of systems and of texts
    META_EVALUATION_PAIRS = "meta_evaluation_pairs"  # the same of two judges; of reports alone
    BIASES = "biases"
    FAMILIES = "families"  # the same by family of the system
    SAVINGS = "savings"
    UNANSWERED = "unanswered"
    # What did the study find?
    TOGETHER = "together"  # over all systems
    SYSTEMS = "systems"  # by system, in a table of its own
    MEASURES = "measures"  # over all systems, then by system, in a table with others
    DETECTION = "detection"  # of faults made on purpose, by condition; of reports alone
    OMNIBUS = "friedman"
    HEADS = "head_to_head"  # of systems: comparisons of two with each other
    PAIRS = "mean_difference"  # of systems
    EFFECTS = "effect_sizes"  # of the same pairs
    UNPAIRED = "unpaired"  # two systems without a source of both
    PLACES = "places"  # of systems, and their significance clusters
    POWERED = "difference_ppi"  # the same, prediction-powered
    CALIBRATED = "calibrated"
    ORDERS = "orders"  # in words below it
    EVIDENCE = "evidence"


BY_SYSTEM = (Table.TOGETHER, Table.SYSTEMS)


@dataclass(frozen=True)
class Metric:
    """One metric of a report.

    of: for which facets and raters there are figures of it. description: in a line, for the
    documentation. tables: where the page shows it. better: which way is; empty where neither is.
    note: what to know when reading it, below its tables. beside: metrics that stand beside it in
    its table by system. headline: it may stand for all of its facet, as in figures. live: it is
    read while answers come in, so it has an interval that holds at every look. help: its
    range and when not to use it, behind the question mark of its columns. of_label: its title
    with the `%(label)s` that it is about. everything: it says nothing that its neighbours do not,
    and stands on the page of everything alone (see docs/metrics.md).
    """

    name: str
    title: Text
    of: str
    description: str
    tables: tuple[Table, ...] = ()
    better: Better = ""
    kind: Kind = "figure"
    note: Text = ""
    beside: tuple[str, ...] = ()
    headline: bool = False
    live: bool = False
    help: Text = ""
    of_label: Text = ""
    everything: bool = False

"""The metrics of a report: name, title on the pages, meaning, and which way is better."""

from collections.abc import Iterable, Iterator, Mapping

from docs.generate.markdown import code, folded
from docs.generate.markdown import table as as_table
from estimates.catalogue import METRICS, every_metric
from estimates.catalogue.agreement import AGREEMENT
from estimates.catalogue.drift import DRIFT
from estimates.catalogue.judges import JUDGES
from estimates.catalogue.meta_evaluation import META_EVALUATION
from estimates.catalogue.metric import Metric
from estimates.catalogue.reliability import RELIABILITY
from estimates.catalogue.scorecard import SCORECARD

SAME = "″"
FAMILIES: Mapping[str, Iterable[Metric]] = {
    "Agreement": AGREEMENT,
    "Reliability and equivalence": RELIABILITY,
    "Judges": JUDGES,
    "Scorecards of judges": SCORECARD,
    "Meta-evaluation of judges": META_EVALUATION,
    "Drift of judges": DRIFT,
}


def table() -> str:
    """A folded table for each family of metrics. Ranges and cautions stand on the pages."""
    family = {metric.name: title for title, metrics in FAMILIES.items() for metric in metrics}
    titles = [*FAMILIES, "Scores, systems and tests", "Measures of a task type"]
    found: dict[str, list[Metric]] = {title: [] for title in titles}
    for metric in every_metric():
        other = titles[-2] if metric.name in METRICS else titles[-1]
        found[family.get(metric.name, other)].append(metric)
    return "\n\n".join(folded(f"{title} ({len(of)})", _rows_of(of)) for title, of in found.items())


def _rows_of(metrics: Iterable[Metric]) -> str:
    return as_table(["metric", "on the pages", "for", "meaning", "better"], _rows(metrics))


def _rows(metrics: Iterable[Metric]) -> Iterator[list[str]]:
    above = ""
    for metric in metrics:
        of = SAME if metric.of == above else metric.of
        yield [code(metric.name), str(metric.title), of, metric.description, metric.better]
        above = metric.of

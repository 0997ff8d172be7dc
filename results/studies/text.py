"""A comparison of two studies as JSON, and as plain text for a terminal."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from agreement import Estimate
from results.metrics.catalogue import CV_STAR
from results.studies.comparison import Comparison, Reproduction, caution_of
from results.studies.conclusions import Conclusion
from results.tables.text import aligned, value_text

FIGURES_ALONE = "by published figures alone"


def as_json(reproduction: Reproduction) -> dict[str, Any]:
    """Plain JSON: figures of both studies side by side, the study asked about as `value`."""
    return {
        "study": reproduction.study,
        "against": reproduction.against,
        "comparisons": [_comparison(comparison) for comparison in reproduction.comparisons],
        "alphas": [
            {
                "metric": pair.metric,
                "facet": pair.facet,
                "value": pair.here and pair.here.value,
                "against": pair.there and pair.there.value,
            }
            for pair in reproduction.alphas
        ],
        "conclusions": [_conclusion(conclusion) for conclusion in reproduction.conclusions],
    }


def _comparison(comparison: Comparison) -> dict[str, Any]:
    return {
        "metric": comparison.metric,
        "facet": comparison.facet,
        "raters": comparison.raters,
        "systems": [
            {
                "system": pair.system,
                "value": pair.here.value,
                "low": pair.here.low,
                "high": pair.here.high,
                "against": pair.there.value,
                "against_low": pair.there.low,
                "against_high": pair.there.high,
                CV_STAR: pair.cv_star.value,
                "undefined": pair.cv_star.undefined,
            }
            for pair in comparison.systems
        ],
        **{name: asdict(estimate) for name, estimate in comparison.correlations.items()},
    }


def _conclusion(conclusion: Conclusion) -> dict[str, Any]:
    return {
        "text": conclusion.text,
        "statements": [asdict(statement) for statement in conclusion.statements],
        "holds": conclusion.here.holds,
        "holds_against": conclusion.there.holds,
        "outcome": conclusion.here.outcome,
        "outcome_against": conclusion.there.outcome,
        "verdict": conclusion.verdict,
        "by_figures_alone": conclusion.by_figures_alone,
    }


def as_text(reproduction: Reproduction) -> str:
    """Tables of figures side by side, then the conclusions with their verdicts."""
    lines = [f"{reproduction.study} against {reproduction.against}"]
    if not reproduction.comparisons:
        lines += ["", "no metric by system in common"]
    for comparison in reproduction.comparisons:
        lines += ["", *_table(reproduction, comparison)]
    if reproduction.alphas:
        lines += ["", *_alphas(reproduction)]
    if reproduction.conclusions:
        lines += ["", *_conclusions(reproduction)]
    return "\n".join(lines)


def _table(reproduction: Reproduction, comparison: Comparison) -> Iterator[str]:
    yield " ".join(filter(None, [comparison.metric, comparison.facet, comparison.raters]))
    rows = [
        (pair.system, value_text(pair.here), value_text(pair.there), _percent(pair.cv_star))
        for pair in comparison.systems
    ]
    yield from aligned([("system", reproduction.study, reproduction.against, "CV*"), *rows])
    for name, estimate in comparison.correlations.items():
        yield f"{name}: {value_text(estimate)}"
    if caution := caution_of(comparison):
        yield caution


def _percent(estimate: Estimate) -> str:
    return f"{estimate.value:.2f}" if estimate.value is not None else f"– {estimate.undefined}"


def _alphas(reproduction: Reproduction) -> Iterator[str]:
    rows = [
        (
            pair.metric,
            pair.facet,
            value_text(pair.here) if pair.here else "",
            value_text(pair.there) if pair.there else "",
        )
        for pair in reproduction.alphas
    ]
    yield from aligned([("agreement", "facet", reproduction.study, reproduction.against), *rows])


def _conclusions(reproduction: Reproduction) -> Iterator[str]:
    rows = [
        (each.text, each.here.outcome, each.there.outcome, _verdict(each))
        for each in reproduction.conclusions
    ]
    yield from aligned([("conclusion", reproduction.study, reproduction.against, "verdict"), *rows])


def _verdict(conclusion: Conclusion) -> str:
    verdict = conclusion.verdict
    return f"{verdict}, {FIGURES_ALONE}" if conclusion.by_figures_alone else verdict

"""A comparison of two studies as JSON, and as plain text for a terminal."""

from dataclasses import asdict
from typing import Any

from estimates.catalogue.scores import CV_STAR
from results.studies.comparison import Comparison, Reproduction
from results.studies.conclusions import Conclusion
from results.studies.tables import grids_of
from results.tables.text import grid_text


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
    """The tables of the page, each with what it says in words."""
    lines = [f"{reproduction.study} against {reproduction.against}"]
    if not reproduction.comparisons:
        lines += ["", "no metric by system in common"]
    for table in grids_of(reproduction):
        lines += ["", grid_text(table.grid), *table.words]
    return "\n".join(lines)

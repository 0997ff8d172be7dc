"""A comparison of two studies as JSON, and as plain text for a terminal."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from agreement import Estimate
from results.metrics.catalogue import CV_STAR
from results.report.text import aligned, value_text
from results.studies.comparison import Comparison, Reproduction
from results.studies.conclusions import Conclusion

HOLDS = {True: "yes", False: "no", None: "no figures"}


def as_json(found: Reproduction) -> dict[str, Any]:
    """Plain JSON: figures of both studies side by side, the study asked about as `value`."""
    return {
        "study": found.study,
        "against": found.against,
        "comparisons": [_comparison(one) for one in found.comparisons],
        "alphas": [
            {
                "metric": one.metric,
                "facet": one.facet,
                "value": one.here and one.here.value,
                "against": one.there and one.there.value,
            }
            for one in found.alphas
        ],
        "conclusions": [_conclusion(one) for one in found.conclusions],
    }


def _comparison(one: Comparison) -> dict[str, Any]:
    return {
        "metric": one.metric,
        "facet": one.facet,
        "raters": one.raters,
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
            for pair in one.systems
        ],
        **{name: asdict(estimate) for name, estimate in one.correlations.items()},
    }


def _conclusion(one: Conclusion) -> dict[str, Any]:
    return {
        "text": one.text,
        "statements": [asdict(statement) for statement in one.statements],
        "holds": one.here,
        "holds_against": one.there,
        "verdict": one.verdict,
    }


def as_text(found: Reproduction) -> str:
    """Tables of figures side by side, then the conclusions with their verdicts."""
    lines = [f"{found.study} against {found.against}"]
    if not found.comparisons:
        lines += ["", "no metric by system in common"]
    for one in found.comparisons:
        lines += ["", *_table(found, one)]
    if found.alphas:
        lines += ["", *_alphas(found)]
    if found.conclusions:
        lines += ["", *_conclusions(found)]
    return "\n".join(lines)


def _table(found: Reproduction, one: Comparison) -> Iterator[str]:
    yield " ".join(filter(None, [one.metric, one.facet, one.raters]))
    rows = [
        (pair.system, value_text(pair.here), value_text(pair.there), _percent(pair.cv_star))
        for pair in one.systems
    ]
    yield from aligned([("system", found.study, found.against, "CV*"), *rows])
    for name, estimate in one.correlations.items():
        yield f"{name}: {value_text(estimate)}"


def _percent(estimate: Estimate) -> str:
    return f"{estimate.value:.2f}" if estimate.value is not None else f"– {estimate.undefined}"


def _alphas(found: Reproduction) -> Iterator[str]:
    rows = [
        (
            one.metric,
            one.facet,
            value_text(one.here) if one.here else "",
            value_text(one.there) if one.there else "",
        )
        for one in found.alphas
    ]
    yield from aligned([("agreement", "facet", found.study, found.against), *rows])


def _conclusions(found: Reproduction) -> Iterator[str]:
    rows = [(one.text, HOLDS[one.here], HOLDS[one.there], one.verdict) for one in found.conclusions]
    yield from aligned([("conclusion", found.study, found.against, "verdict"), *rows])

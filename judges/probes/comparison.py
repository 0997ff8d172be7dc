"""An asking compared with the baseline of its probe set."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.db.models.fields.json import KT

from agreement import Estimate, confidence_at_look, contrast, excess_change, paired_shares
from annotation.models import Block, Study
from imports.study_file.alert_parts import AlertsPart
from judges.models import JudgeRun
from judges.probes.drift import ACCURACY, CHANGE, LEAST_UNITS, MEAN, Drift, Measure
from judges.probes.pairs import Pairs, ProbedQuestion, by_block, pairs_of
from tasktypes.facets import Facet, Value


def drift_of(run: JudgeRun, baseline: JudgeRun, *, look: int) -> Drift:
    """A run of a probe set compared with its baseline."""
    pairs = pairs_of(run, baseline)
    threshold = threshold_of(run.study) or 0.0
    measures, confidence = _measured(pairs, look)
    drift = Drift(
        look=look,
        units=pairs.n_units,
        questions=len(pairs.asked),
        unanswered=pairs.unanswered,
        retired=pairs.retired,
        sealed=pairs.sealed,
        threshold=threshold,
        confidence=confidence,
        measures=measures,
        found=None,
        models=_models(run, baseline),
    )
    if pairs.n_units < LEAST_UNITS:
        return drift
    return replace(drift, found=bool(drift.apart))


def threshold_of(study: Study) -> float | None:
    """The excess share of changed answers that is tolerated; None where the alert is off."""
    return AlertsPart.model_validate(study.alert_rules).drift


@dataclass(frozen=True)
class _Compared:
    """What one measure compares, before its confidence is known."""

    name: str
    facet: Facet
    pairs: Sequence[ProbedQuestion]
    title: str


def _measured(pairs: Pairs, look: int) -> tuple[tuple[Measure, ...], float]:
    """Every measure, and the confidence of their intervals."""
    compared = [each for block, asked in by_block(pairs.asked) for each in _compared(block, asked)]
    confidence = confidence_at_look(look, measures=max(1, len(compared)))
    functions = {CHANGE: _change, MEAN: _mean, ACCURACY: _accuracy}
    return tuple(functions[each.name](each, confidence) for each in compared), confidence


def _compared(block: Block, asked: Sequence[ProbedQuestion]) -> Iterator[_Compared]:
    """The comparisons of a block: by facet, and of the answers as a whole where some are right."""
    for facet in block.facets:
        if any(part[0] == facet.name for pair in asked for part in pair.parts):
            yield _Compared(CHANGE, facet, asked, facet.title)
            if facet.ordered or (facet.kind == "number" and not facet.ranks):
                yield _Compared(MEAN, facet, asked, facet.title)
    judged = [pair for pair in asked if pair.is_right is not None]
    if judged:
        yield _Compared(ACCURACY, block.facets[0], judged, block.key)


def _change(compared: _Compared, confidence: float) -> Measure:
    changed, noise, units = [], [], []
    for pair in compared.pairs:
        for part in pair.parts:
            if part[0] == compared.facet.name:
                first = pair.first.get(part)
                changed.append(pair.newest.get(part) != first)
                noise.append(pair.again.get(part) != first)
                units.append(pair.question.unit_id)
    estimate = excess_change(changed, noise, clusters=units, confidence=confidence)
    return _measure(
        compared,
        estimate,
        newest=sum(changed) / len(changed),
        noise=sum(noise) / len(noise),
    )


def _mean(compared: _Compared, confidence: float) -> Measure:
    before, now, units = [], [], []
    for pair in compared.pairs:
        for part in pair.parts:
            first = _number(pair.first.get(part), compared.facet)
            newest = _number(pair.newest.get(part), compared.facet)
            if part[0] == compared.facet.name and first is not None and newest is not None:
                before.append(first)
                now.append(newest)
                units.append(pair.question.unit_id)
    differences = [new - old for new, old in zip(now, before, strict=True)]
    estimate = contrast(differences, clusters=units, confidence=confidence).estimate
    if not before:
        return _measure(compared, estimate)
    means = {"first": sum(before) / len(before), "newest": sum(now) / len(now)}
    return _measure(compared, estimate, **means)


def _accuracy(compared: _Compared, confidence: float) -> Measure:
    right = [pair.is_right for pair in compared.pairs if pair.is_right is not None]
    first, newest = ([each[at] for each in right] for at in (0, 1))
    shares = paired_shares(first, newest, confidence=confidence)
    return _measure(
        compared,
        shares.difference,
        first=shares.first.value,
        newest=shares.newest.value,
        p_value=shares.p_value.value,
    )


def _measure(compared: _Compared, estimate: Estimate, **figures: float | None) -> Measure:
    facet, title = compared.facet.name, str(compared.title)
    return Measure(name=compared.name, facet=facet, title=title, estimate=estimate, **figures)


def _number(value: Value | None, facet: Facet) -> float | None:
    """A value as a number; a label of an ordered scale by its place, the last of them as 0."""
    if isinstance(value, str):
        labels = facet.labels
        return float(len(labels) - 1 - labels.index(value)) if value in labels else None
    return float(value) if isinstance(value, float | int) else None


def _models(run: JudgeRun, baseline: JudgeRun) -> tuple[str, str] | None:
    """The names and fingerprints that the backend gave at both askings, where they differ."""
    before, now = (_reported(asking) for asking in (baseline, run))
    return (before, now) if before and now and before != now else None


def _reported(run: JudgeRun) -> str:
    told = run.calls.annotate(
        reported=KT("detail__model"), build=KT("detail__system_fingerprint")
    ).order_by()
    rows = told.values_list("reported", "build").distinct()
    return ", ".join(sorted({" ".join(filter(None, row)) for row in rows} - {""}))

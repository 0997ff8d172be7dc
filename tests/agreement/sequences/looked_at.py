"""Simulated studies that are looked at 29 times while their answers come in."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from agreement import (
    Bootstrap,
    Estimate,
    alpha,
    cohen_kappa,
    mean_by,
    raw_agreement,
    system_differences,
)
from agreement.bootstrap.intervals import Method
from agreement.values.coding import FloatArray, IntArray
from tests.agreement.characteristics import Findings, Kind

LOOKS = 29
# Resamples of the fixed-sample intervals beside the live ones.
RESAMPLES = 100


@dataclass(frozen=True)
class Answers:
    """Parallel arrays, in the order in which the answers came. own: what the raters who were drawn
    would say of very many sources."""

    source: IntArray
    unit: IntArray
    rater: IntArray
    value: FloatArray
    own: float = 0.0


Draw = Callable[[np.random.Generator], Answers]
Compute = Callable[[Answers, Bootstrap], Estimate]


@dataclass(frozen=True)
class Design:
    """A kind of study, with the statistic's value in a very large one."""

    draw: Draw
    compute: Compute
    planned: int
    truth: float
    raters: int = 1
    method: Method = "percentile"


@dataclass(frozen=True)
class Coverage:
    """Shares of the studies whose intervals exclude the truth at some look: fixed-sample and live
    ones, and live ones at a look before the planned end or fixed-sample ones at it; the width of
    both after the last look, and how many looks have a live one."""

    fixed: float
    live: float
    reported: float
    fixed_width: float
    live_width: float
    given: float


def part(answers: Answers, number: int) -> Answers:
    """The first answers."""
    source, unit, rater = (
        column[:number] for column in (answers.source, answers.unit, answers.rater)
    )
    return Answers(source, unit, rater, answers.value[:number], answers.own)


def coverage(design: Design, studies: int, seed: int, *, resamples: int = RESAMPLES) -> Coverage:
    """How often a study excludes the truth at any look."""
    rng = np.random.default_rng(seed)
    bootstrap = watched(design, resamples=resamples)
    missed, widths, given = np.zeros((studies, 3), dtype=bool), [], 0
    for study in range(studies):
        looks = estimates(design, design.draw(rng), bootstrap)
        fixed = [_misses(look.low, look.high, design.truth) for look in looks]
        live = [_misses(*_live(look), design.truth) for look in looks]
        missed[study] = [any(fixed), any(live), any([*live[:-1], fixed[-1]])]
        given += sum(look.live_low is not None for look in looks)
        widths.append((_width(looks[-1].low, looks[-1].high), _width(*_live(looks[-1]))))
    fixed_share, live_share, reported = missed.mean(axis=0).tolist()
    fixed_width, live_width = np.nanmean(np.array(widths), axis=0).tolist()
    return Coverage(
        fixed_share, live_share, reported, fixed_width, live_width, given / studies / LOOKS
    )


def estimates(design: Design, answers: Answers, bootstrap: Bootstrap) -> list[Estimate]:
    """The estimate at every look; the last one is at the planned end."""
    looks = np.linspace(len(answers.value) / LOOKS, len(answers.value), LOOKS).astype(int)
    return [design.compute(part(answers, look), bootstrap) for look in looks.tolist()]


def watched(design: Design, *, resamples: int = RESAMPLES) -> Bootstrap:
    """How a study of that design is counted."""
    return Bootstrap(
        resamples=resamples,
        live=design.planned,
        live_raters=design.raters,
        method=design.method,
        resample="sources_and_raters" if design.raters > 1 else "sources",
    )


def followed(design: Design) -> Callable[[np.random.Generator], Findings]:
    """What the intervals of one study hold: of raters like these, and of these raters (the truth of
    a study with several raters is 0), at all looks before the planned end, and with that."""

    def study(rng: np.random.Generator) -> Findings:
        answers = design.draw(rng)
        *looks, end = estimates(design, answers, watched(design))
        at_looks = _all_hold([_live(look) for look in looks], design.truth)
        at_end = _holds((end.low, end.high), design.truth)
        found: dict[tuple[str, Kind], bool | None] = {
            ("interval at all looks", Kind.COVERAGE): at_looks,
            ("interval at the planned end", Kind.COVERAGE): at_end,
            ("both together, wherever one stops", Kind.COVERAGE): _both(at_looks, at_end),
        }
        if design.raters > 1:
            live = [(look.live_these_low, look.live_these_high) for look in looks]
            these = _all_hold(live, answers.own)
            at_end = _holds((end.these_low, end.these_high), answers.own)
            found["interval for these raters, both together", Kind.COVERAGE] = _both(these, at_end)
        return found

    return study


Bounds = tuple[float | None, float | None]


def _holds(bounds: Bounds, truth: float) -> bool | None:
    return None if bounds[0] is None else not _misses(*bounds, truth)


def _all_hold(each: list[Bounds], truth: float) -> bool | None:
    held = [one for bounds in each if (one := _holds(bounds, truth)) is not None]
    return all(held) if held else None


def _both(one: bool | None, other: bool | None) -> bool | None:
    known = [held for held in (one, other) if held is not None]
    return all(known) if known else None


def _live(estimate: Estimate) -> tuple[float | None, float | None]:
    return estimate.live_low, estimate.live_high


def _misses(low: float | None, high: float | None, truth: float) -> bool:
    return low is not None and high is not None and not low <= truth <= high


def _width(low: float | None, high: float | None) -> float:
    return float("nan") if low is None or high is None else high - low


# --- Answers ------------------------------------------------------------------------------------


def shares(sources: int, size: int, share: float, alike: float) -> Draw:
    """Yes (1) and no (0) of one rater to every unit. alike: the correlation within a source."""

    def draw(rng: np.random.Generator) -> Answers:
        source = np.repeat(np.arange(sources), size)
        spread = (1 - alike) / alike if alike else 0.0
        chance = (
            rng.beta(share * spread, (1 - share) * spread, sources)
            if alike
            else np.full(sources, share)
        )
        value = (rng.random(sources * size) < chance[source]).astype(np.float64)
        unit = np.arange(sources * size)
        return Answers(source, unit, np.zeros_like(unit), value)

    return draw


def numbers(sources: int, size: int, of: Callable[[FloatArray], FloatArray]) -> Draw:
    """One number for every unit, made from normal ones of which half is the source's."""

    def draw(rng: np.random.Generator) -> Answers:
        source = np.repeat(np.arange(sources), size)
        noise = rng.normal(size=sources * size)
        value = of((rng.normal(size=sources)[source] + noise) / np.sqrt(2))
        unit = np.arange(sources * size)
        return Answers(source, unit, np.zeros_like(unit), value)

    return draw


def labels(sources: int, size: int, raters: int, chances: tuple[float, ...], right: float) -> Draw:
    """Labels of several raters, who come in turn to each unit, a few units being open at a time.

    right: how often a rater gives the unit's label; else any by `chances`. Half of the sources have
    units of one label throughout.
    """

    def draw(rng: np.random.Generator) -> Answers:
        units = sources * size
        source = np.repeat(np.arange(sources), size)
        own = rng.choice(len(chances), units, p=chances)
        common = (rng.random(sources) < 0.5)[source]
        true = np.where(common, own[source * size], own)
        unit = np.tile(np.arange(units), raters)
        rater = np.repeat(np.arange(raters), units)
        guess = rng.choice(len(chances), units * raters, p=chances)
        value = np.where(rng.random(units * raters) < right, true[unit], guess)
        came = np.argsort(unit + rng.uniform(0, 12, units * raters), kind="stable")
        return Answers(source[unit][came], unit[came], rater[came], value[came].astype(np.float64))

    return draw


def rated(
    sources: int,
    raters: int,
    severity: float,
    *,
    taste: float = 0.0,
    systems: int = 1,
    in_turn: bool = False,
) -> Draw:
    """Numbers of raters who differ in severity, and in how much they like each of equal systems
    (standard deviations; those of a source, of its outputs and of a rating are 1, 1 and 1). Every
    rater answers everything, one rater after the other, or (in turn) source by source. `unit` is
    the system."""

    def draw(rng: np.random.Generator) -> Answers:
        shape = (raters, sources, systems)
        likes = rng.normal(0, taste, (raters, 1, systems))
        severe = rng.normal(0, severity, (raters, 1, 1))
        own = severe.mean() if systems == 1 else (likes[..., 0] - likes[..., 1]).mean()
        value = (
            rng.normal(size=shape)
            + severe
            + likes
            + rng.normal(size=(1, sources, 1))
            + (rng.normal(size=(1, sources, systems)) if systems > 1 else 0.0)
        )
        rater, source, system = (at.ravel() for at in np.indices(shape))
        came = np.argsort(source, kind="stable") if in_turn else np.arange(value.size)
        return Answers(source[came], system[came], rater[came], value.ravel()[came], float(own))

    return draw


# --- Statistics ---------------------------------------------------------------------------------


def mean_share(answers: Answers, bootstrap: Bootstrap) -> Estimate:
    return mean_by(answers.value, clusters=answers.source, ends=(0, 1), bootstrap=bootstrap)


def mean(answers: Answers, bootstrap: Bootstrap) -> Estimate:
    return mean_by(answers.value, clusters=answers.source, bootstrap=bootstrap)


def mean_of_raters(answers: Answers, bootstrap: Bootstrap) -> Estimate:
    source, rater = answers.source, answers.rater
    return mean_by(answers.value, source, clusters=source, raters=rater, bootstrap=bootstrap)


def difference(answers: Answers, bootstrap: Bootstrap) -> Estimate:
    about = (answers.source, answers.rater, answers.unit, answers.value)
    (compared,) = system_differences(*about, bootstrap=bootstrap).values()
    return compared.difference


def alpha_of(distance: str) -> Compute:
    def compute(answers: Answers, bootstrap: Bootstrap) -> Estimate:
        about = (answers.unit, answers.rater, answers.value)
        return alpha(*about, distance=distance, clusters=answers.source, bootstrap=bootstrap)

    return compute


def same_answer(answers: Answers, bootstrap: Bootstrap) -> Estimate:
    about = (answers.unit, answers.rater, answers.value)
    return raw_agreement(*about, clusters=answers.source, bootstrap=bootstrap)


def kappa(answers: Answers, bootstrap: Bootstrap) -> Estimate:
    about = (answers.unit, answers.rater, answers.value)
    return cohen_kappa(*about, clusters=answers.source, bootstrap=bootstrap)

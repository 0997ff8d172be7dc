"""How often ranges from marks that were drawn by a judge's verdicts hold the truth in the file: the
table of docs/statistics.md."""

from collections.abc import Mapping

import numpy as np
import pytest

from agreement import Estimate, audited_error, verified_rates
from marking.samples import share_out

# Texts; share that people call good; what the judge passes of the good, and fails of the others.
FILES = [
    *((300, 0.5, 0.9, 0.6), (1000, 0.5, 0.9, 0.6), (1000, 0.8, 0.9, 0.6)),
    *((1000, 0.9, 0.95, 0.5), (1000, 0.3, 0.8, 0.8), (5000, 0.15, 0.7, 0.95)),
]
MARKS = (30, 60, 120)


def marked(
    file: tuple[int, float, float, float], marks: int, rng: np.random.Generator
) -> dict[str, tuple[Estimate, float]]:
    """Ranges of a sample with the truth of its file."""
    texts, good, passed, failed = file
    people = rng.random(texts) < good
    judge = np.where(people, rng.random(texts) < passed, rng.random(texts) >= failed)
    sizes: Mapping[str, int] = {"no": int((~judge).sum()), "yes": int(judge.sum())}
    numbers = share_out(sizes, marks, {})
    drawn = np.concatenate(
        [
            rng.permutation(np.flatnonzero(judge == (name == "yes")))[:n]
            for name, n in numbers.items()
        ]
    )
    strata = ["yes" if each else "no" for each in judge[drawn]]
    errors = (people != judge)[drawn].astype(float).tolist()
    rates = verified_rates(people[drawn].astype(float).tolist(), strata, sizes, yes={"yes"})
    return {
        "agreement": (audited_error(errors, strata, sizes), float((people != judge).mean())),
        "recall": (rates.recall, float((people & judge).sum() / people.sum())),
        "specificity": (rates.specificity, float((~people & ~judge).sum() / (~people).sum())),
        "precision": (rates.precision, float((people & judge).sum() / judge.sum())),
        "prevalence": (rates.prevalence, float(people.mean())),
    }


def coverage(
    file: tuple[int, float, float, float], marks: int, n: int
) -> Mapping[str, list[float]]:
    """By figure: the percentage of ranges that hold the truth, of ranges withheld, and the mean
    half width in points."""
    rng = np.random.default_rng(marks)
    held: dict[str, list[tuple[bool, float]]] = {}
    withheld: dict[str, int] = {}
    for _ in range(n):
        for name, (estimate, truth) in marked(file, marks, rng).items():
            if estimate.low is None or estimate.high is None:
                withheld[name] = withheld.get(name, 0) + 1
                continue
            holds = estimate.low - 1e-9 <= truth <= estimate.high + 1e-9
            held.setdefault(name, []).append((holds, (estimate.high - estimate.low) / 2))
    return {
        name: [*(100 * np.mean(rows, axis=0)), 100 * withheld.get(name, 0) / n]
        for name, rows in held.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("marks", MARKS)
def test_ranges_hold_the_truth_of_the_file(marks: int) -> None:
    tables = [coverage(file, marks, 1_500) for file in FILES]
    for name in tables[0]:
        of = [table[name] for table in tables]
        assert min(holds for holds, _, _ in of) >= 93, name
        assert max(withheld for _, _, withheld in of) <= 20, name


def test_they_do_so_in_a_few_files() -> None:
    for name, (holds, _width, withheld) in coverage(FILES[2], 60, 150).items():
        assert holds >= 90, name
        assert withheld <= 20, name

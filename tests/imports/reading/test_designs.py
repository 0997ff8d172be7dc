"""Random designs in the shapes in which people keep them: they come back, or a question or a
refusal does, but never another design."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.imports.reading.designs.law import ASKED, REFUSED, RIGHT, WRONG, Outcome
from tests.imports.reading.designs.shapes import SHAPES
from tests.imports.reading.designs.trials import Trial, trials, tried

QUICK, MANY = range(125), range(1_000, 3_000)
MOST_ASKED = 0.05


def outcomes_of(seeds: range, folder: Path) -> dict[Trial, Outcome]:
    found = {}
    for trial in trials(seeds):
        place = folder / str(trial.seed) / "evaluation"
        place.mkdir(parents=True)
        found[trial] = tried(trial, place)
    return found


def table_of(outcomes: dict[Trial, Outcome]) -> str:
    """How often what came of each shape."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for trial, outcome in outcomes.items():
        counts[trial.shape][outcome.kind] += 1
    kinds = (RIGHT, ASKED, REFUSED, WRONG)
    lines = [f"{'':26}" + "".join(f"{kind:>9}" for kind in kinds)]
    lines += [f"{s:26}" + "".join(f"{counts[s][k]:9}" for k in kinds) for s in SHAPES if counts[s]]
    return "\n".join(lines)


def wrong_of(outcomes: dict[Trial, Outcome]) -> list[str]:
    return [f"{trial}: {o.told}" for trial, o in outcomes.items() if o.kind == WRONG]


def asked_of(outcomes: dict[Trial, Outcome]) -> Iterable[Trial]:
    return (trial for trial, outcome in outcomes.items() if outcome.kind == ASKED)


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> dict[Trial, Outcome]:
    return outcomes_of(QUICK, tmp_path_factory.mktemp("designs"))


def test_no_design_becomes_another_one(few: dict[Trial, Outcome]) -> None:
    assert not wrong_of(few), table_of(few)


def test_clean_tables_of_all_shapes_are_read_as_a_rule(few: dict[Trial, Outcome]) -> None:
    clean = [o.kind for trial, o in few.items() if trial.is_clean]
    assert clean.count(ASKED) <= MOST_ASKED * len(clean), table_of(few)
    assert clean.count(RIGHT) >= 0.9 * len(clean), table_of(few)


def test_no_input_asks_more_than_two_questions(few: dict[Trial, Outcome]) -> None:
    assert max(outcome.questions for outcome in few.values()) <= 2


@pytest.mark.slow
def test_no_design_of_two_thousand_becomes_another_one(tmp_path: Path) -> None:
    outcomes = outcomes_of(MANY, tmp_path)
    assert not wrong_of(outcomes), table_of(outcomes)
    clean = [trial for trial in outcomes if trial.is_clean]
    asked = [trial for trial in asked_of(outcomes) if trial.is_clean]
    assert len(asked) <= MOST_ASKED * len(clean), table_of(outcomes)

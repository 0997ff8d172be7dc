"""Random designs in the shapes in which people keep them: they come back, or a question or a
refusal does, but never another design."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.files.reading.designs.law import ASKED, REFUSED, RIGHT, WRONG, Outcome
from tests.files.reading.designs.shapes import SHAPES
from tests.files.reading.designs.trials import Trial, trials, tried

# One of each shape with customary names, and one with odd names.
QUICK, MANY = (*range(25), *range(75, 100)), range(1_000, 3_000)
# Of clean tables, beside those that a person would have to ask about: those that are asked about
# or refused; of all, those that become another design.
MOST_ASKED, MOST_WRONG = 0.05, 0.02


def outcomes_of(seeds: Sequence[int], folder: Path) -> dict[Trial, Outcome]:
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


def kinds_of(outcomes: dict[Trial, Outcome]) -> Counter[str]:
    return Counter(outcome.kind for outcome in outcomes.values())


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> dict[Trial, Outcome]:
    return outcomes_of(QUICK, tmp_path_factory.mktemp("designs"))


def clean_of(outcomes: dict[Trial, Outcome]) -> Counter[str]:
    """What came of tables that leave nothing open."""
    return kinds_of({t: o for t, o in outcomes.items() if t.is_clean and not o.is_open})


def test_no_design_becomes_another_one(few: dict[Trial, Outcome]) -> None:
    wrong = {trial.seed: outcome.told for trial, outcome in few.items() if outcome.kind == WRONG}
    assert not wrong, table_of(few)


def test_clean_tables_of_all_shapes_are_read_as_a_rule(few: dict[Trial, Outcome]) -> None:
    kinds = clean_of(few)
    assert kinds[RIGHT] >= (1 - MOST_ASKED) * kinds.total(), table_of(few)


def test_what_is_open_is_asked_and_the_first_choice_is_right(few: dict[Trial, Outcome]) -> None:
    open_ = [outcome for outcome in few.values() if outcome.is_open]
    assert open_
    assert all(outcome.kind == ASKED and outcome.is_first for outcome in open_), table_of(few)


def test_no_input_asks_more_than_two_questions(few: dict[Trial, Outcome]) -> None:
    assert max(outcome.questions for outcome in few.values()) <= 2


@pytest.mark.slow
def test_of_two_thousand_designs_few_are_asked_about_and_fewer_come_out_wrong(
    tmp_path: Path,
) -> None:
    outcomes = outcomes_of(MANY, tmp_path)
    clean, every = clean_of(outcomes), kinds_of(outcomes)
    assert clean[ASKED] + clean[REFUSED] <= MOST_ASKED * clean.total(), table_of(outcomes)
    assert every[WRONG] <= MOST_WRONG * every.total(), table_of(outcomes)

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
# Seeds of designs that become another one as yet; none may be added.
STILL_WRONG = frozenset({99})
# Of clean tables, as measured; none should be wrong.
MOST_ASKED, MOST_WRONG = 0.15, 0.15


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


def test_no_more_designs_than_before_become_another_one(few: dict[Trial, Outcome]) -> None:
    wrong = {trial.seed: outcome.told for trial, outcome in few.items() if outcome.kind == WRONG}
    assert {*wrong} <= STILL_WRONG, (wrong, table_of(few))


def test_clean_tables_of_all_shapes_are_read_as_a_rule(few: dict[Trial, Outcome]) -> None:
    kinds = kinds_of({trial: outcome for trial, outcome in few.items() if trial.is_clean})
    assert kinds[RIGHT] >= 0.88 * kinds.total(), table_of(few)


def test_no_input_asks_more_than_two_questions(few: dict[Trial, Outcome]) -> None:
    assert max(outcome.questions for outcome in few.values()) <= 2


@pytest.mark.slow
def test_of_two_thousand_designs_few_are_asked_about_and_fewer_come_out_wrong(
    tmp_path: Path,
) -> None:
    outcomes = outcomes_of(MANY, tmp_path)
    clean = kinds_of({trial: outcome for trial, outcome in outcomes.items() if trial.is_clean})
    assert clean[ASKED] <= MOST_ASKED * clean.total(), table_of(outcomes)
    assert clean[WRONG] <= MOST_WRONG * clean.total(), table_of(outcomes)

"""Does a judge beat the judges that do not read? Said beside its verdict, or not at all."""

from dataclasses import replace

import numpy as np
import pytest

from agreement import Estimate
from estimates.catalogue.scorecard import (
    AGREEMENT_WITH_PEOPLE,
    JUDGE_DIFFERENCE,
    JUDGE_DIFFERENCE_P,
)
from results.reading.judge_sentences import answer_about, answers_about_judges, beside_baselines
from results.reading.judge_verdicts import JudgeVerdict, badge_of
from results.reading.judges import Judge, judges_of
from tests.results.reading.made import about, plain, row, rows_of

EPSILON = 0.1
AGREE = about(0.8, 0.7, 0.9)
NEAR = replace(
    about(0.01, -0.05, 0.07, n_raters=3),
    these_low=-0.05,
    these_high=0.07,
    these_method="jackknife over 100 clusters",
    others_low=-0.06,
    others_high=0.08,
    others_method="jackknife over 100 clusters and 3 raters",
)
GOOD = Judge("gpt", difference=NEAR, rate=Estimate(value=1.0), people=AGREE)
WINS, OPEN, LOSES = about(0.1, 0.05, 0.15), about(0.02, -0.03, 0.07), about(-0.1, -0.15, -0.05)


def said(p: float | None = None, **above: Estimate) -> str:
    names = {f"baseline:{name}": of for name, of in above.items()}
    below = {} if p is None else dict.fromkeys(names, Estimate(value=p))
    return plain(beside_baselines(replace(GOOD, above=names, below=below)))


@pytest.mark.parametrize(
    ("above", "p", "words"),
    [
        (WINS, 0.001, "gpt beats baseline:length (difference in agreement 0.10"),
        (OPEN, 0.3, "gpt is not shown to beat a baseline that does not read, baseline:length"),
        (LOSES, 0.001, "gpt does worse than a baseline that does not read, baseline:length"),
        # Its own interval lies below 0; corrected for all baselines the difference may be chance.
        (LOSES, 0.08, "gpt is not shown to beat a baseline that does not read, baseline:length"),
        (LOSES, None, "gpt is not shown to beat a baseline that does not read, baseline:length"),
        (
            Estimate(value=0.1),
            None,
            "Whether gpt beats every baseline is not known: baseline:length",
        ),
    ],
)
def test_the_interval_and_the_corrected_p_of_the_difference_decide(
    above: Estimate, p: float | None, words: str
) -> None:
    assert said(p, length=above).startswith(words)


def test_it_beats_baselines_only_where_it_beats_every_one() -> None:
    """Of two the nearer by its mean is beaten, the other one is not."""
    near, unsure = about(0.08, 0.05, 0.11), about(0.1, -0.01, 0.21)
    assert said(length=near, overlap=unsure).startswith("gpt is not shown to beat")
    assert "baseline:overlap" in said(length=near, overlap=unsure)
    clearly = "gpt beats both baselines, least clearly baseline:length"
    assert said(length=near, overlap=about(0.3, 0.2, 0.4)).startswith(clearly)
    assert "all 3 baselines" in said(length=near, overlap=WINS, random=WINS)


def test_beating_one_of_five_equal_baselines_by_chance_is_no_victory() -> None:
    """Law: 2,000 studies in which the judge is as good as the best of five baselines. It is said to
    beat them in no more of them than one interval errs on that side, 2.5 %."""
    rng = np.random.default_rng(11)
    z, beaten = 1.96, 0
    for differences in rng.standard_normal((2000, 5)):
        above = {
            f"baseline:{at}": about(float(d), float(d) - z, float(d) + z)
            for at, d in enumerate(differences)
        }
        beaten += replace(GOOD, above=above).beats_baselines
    assert beaten / 2000 <= 0.025


def test_nothing_is_said_where_there_is_no_baseline() -> None:
    assert said() == ""
    assert "baseline" not in answer_about(GOOD, EPSILON).sentence


def test_the_sentence_stands_after_the_verdict() -> None:
    judge = replace(GOOD, above={"baseline:length": WINS})
    sentence = plain(answer_about(judge, EPSILON).sentence)
    assert sentence.startswith("gpt is as near to these 3 people")
    assert sentence.endswith("(difference in agreement 0.10, 0.05 to 0.15, n = 100).")


def test_a_good_badge_needs_a_judge_that_beats_the_baselines() -> None:
    assert badge_of(GOOD, JudgeVerdict.AS_NEAR, EPSILON).text == "As near"
    behind = replace(GOOD, above={"baseline:length": OPEN})
    assert badge_of(behind, JudgeVerdict.AS_NEAR, EPSILON).text == "With care"


def test_a_baseline_is_compared_with_and_never_stands_in_itself() -> None:
    rows = rows_of(
        row(AGREEMENT_WITH_PEOPLE, about(0.7, 0.6, 0.8), "humans~gpt"),
        row(AGREEMENT_WITH_PEOPLE, about(0.9, 0.8, 0.95), "humans~baseline:length"),
        row(JUDGE_DIFFERENCE, LOSES, "humans~gpt", other_judge="baseline:length"),
        row(JUDGE_DIFFERENCE_P, Estimate(value=0.01), "humans~gpt", other_judge="baseline:length"),
        row(JUDGE_DIFFERENCE, WINS, "humans~gpt", other_judge="gpt4"),
        judges=("gpt", "baseline:length"),
    )
    (judge,) = judges_of(rows)
    assert judge.floor == judge.beaten_by == ("baseline:length", LOSES)
    assert len(answers_about_judges(rows, EPSILON)) == 1

"""Does a judge beat the judges that do not read? Said beside its verdict, or not at all."""

from dataclasses import replace

import pytest

from agreement import Estimate
from estimates.catalogue import AGREEMENT_WITH_PEOPLE, JUDGE_DIFFERENCE
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
GOOD = Judge("gpt", difference=NEAR, more="more often", rate=Estimate(value=1.0), people=AGREE)
WINS, OPEN, LOSES = about(0.1, 0.05, 0.15), about(0.02, -0.03, 0.07), about(-0.1, -0.15, -0.05)


def said(**above: Estimate) -> str:
    judge = replace(GOOD, above={f"baseline:{name}": of for name, of in above.items()})
    return plain(beside_baselines(judge))


@pytest.mark.parametrize(
    ("above", "words"),
    [
        (WINS, "gpt beats the best baseline, baseline:length (difference in agreement 0.10"),
        (OPEN, "gpt is not shown to beat a baseline that does not read, baseline:length"),
        (LOSES, "gpt does worse than a baseline that does not read, baseline:length"),
        (Estimate(value=0.1), "Whether gpt beats the best baseline is not known: baseline:length"),
    ],
)
def test_the_interval_of_the_difference_decides(above: Estimate, words: str) -> None:
    assert said(length=above).startswith(words)


def test_the_best_baseline_is_the_one_that_comes_nearest() -> None:
    assert "baseline:overlap" in said(length=WINS, overlap=OPEN)


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
        row(JUDGE_DIFFERENCE, WINS, "humans~gpt", other_judge="gpt4"),
        judges=("gpt", "baseline:length"),
    )
    (judge,) = judges_of(rows)
    assert judge.floor == ("baseline:length", LOSES)
    assert len(answers_about_judges(rows, EPSILON)) == 1

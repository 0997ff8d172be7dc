"""Can a judge stand in? Rule by rule, and the words of each."""

from dataclasses import replace

import pytest

from agreement import Estimate
from results.reading.judge_sentences import (
    _steps,
    answers_about_judges,
    harm,
    sentence,
)
from results.reading.judges import (
    DetectionRate,
    Judge,
    JudgeVerdict,
    judges_of,
    overlapping,
    verdict_on,
)
from results.summary.cards import judge_card
from tests.results.reading.made import about, plain, row, rows_of

EPSILON = 0.1
WON, LOST = Estimate(value=1.0), Estimate(value=0.4)
AGREE, WEAK = about(0.8, 0.7, 0.9), about(0.5, 0.4, 0.6)
NEAR, FAR, UNCLEAR = about(0.01, -0.05, 0.07), about(0.3, 0.2, 0.4), about(0.1, 0.02, 0.18)
EVEN = (DetectionRate("yes", about(0.85, 0.8, 0.9)), DetectionRate("no", about(0.82, 0.7, 0.9)))
LENIENT = (
    DetectionRate("yes", about(0.93, 0.87, 0.96)),
    DetectionRate("no", about(0.64, 0.51, 0.75, n=61)),
)
UNBIASED, BIASED = about(0.01, -0.02, 0.04), about(0.08, 0.03, 0.13)
GOOD = Judge("gpt", gap=NEAR, rate=WON, short=NEAR, hits=EVEN, bias=UNBIASED, people=AGREE)


@pytest.mark.parametrize(
    ("judge", "expected"),
    [
        (GOOD, JudgeVerdict.STANDS_IN),
        # One threshold alone never decides: each of the others may take the verdict away.
        (replace(GOOD, people=WEAK), JudgeVerdict.AMONG_FEW),
        (replace(GOOD, people=None), JudgeVerdict.AMONG_FEW),
        (replace(GOOD, hits=LENIENT), JudgeVerdict.ONE_SIDED),
        (replace(GOOD, bias=BIASED), JudgeVerdict.ONE_SIDED),
        (replace(GOOD, rate=LOST), JudgeVerdict.NOT_SHOWN),
        (replace(GOOD, rate=Estimate.missing("too few people")), JudgeVerdict.NOT_SHOWN),
        (replace(GOOD, gap=UNCLEAR), JudgeVerdict.NOT_SHOWN),
        (replace(GOOD, short=UNCLEAR), JudgeVerdict.NOT_SHOWN),
        (replace(GOOD, gap=Estimate(value=0.0, n_units=5)), JudgeVerdict.NOT_SHOWN),
        (replace(GOOD, gap=FAR), JudgeVerdict.BELOW),
        (replace(GOOD, short=FAR), JudgeVerdict.BELOW),
        (Judge("gpt", gap=Estimate.missing("nobody has 30 units")), JudgeVerdict.CANNOT_SAY),
        (Judge("gpt"), JudgeVerdict.CANNOT_SAY),
        (Judge("rouge", follows=about(0.3, 0.2, 0.4), follows_by="spearman"), JudgeVerdict.FOLLOWS),
        (
            Judge("rouge", follows=about(0.1, -0.1, 0.3), follows_by="spearman"),
            JudgeVerdict.AGAINST,
        ),
        (
            Judge("rouge", follows=Estimate(value=1.0), follows_by="spearman"),
            JudgeVerdict.CANNOT_SAY,
        ),
        # On people's own scale a correlation says nothing of standing in.
        (
            Judge("gpt", follows=about(0.9, 0.8, 0.95), follows_by="spearman", alpha=AGREE),
            JudgeVerdict.CANNOT_SAY,
        ),
        (
            Judge("gpt", follows=about(0.6, 0.5, 0.7), follows_by="kendall_tau_b", alpha=AGREE),
            JudgeVerdict.FOLLOWS,
        ),
    ],
)
def test_lead_test_errors_and_people_decide_together(judge: Judge, expected: JudgeVerdict) -> None:
    assert verdict_on(judge, EPSILON) is expected


def test_a_judge_that_always_says_yes_errs_to_one_side() -> None:
    always = (
        DetectionRate("yes", about(1.0, 0.97, 1.0)),
        DetectionRate("no", about(0.0, 0.0, 0.06, n=61)),
    )
    judge = replace(GOOD, hits=always)
    assert verdict_on(judge, EPSILON) is JudgeVerdict.ONE_SIDED
    assert plain(harm(judge)).startswith("passes 100 % of what people fail")


def test_the_harm_is_said_beside_the_verdict() -> None:
    judge = replace(GOOD, name="lenient", hits=LENIENT)
    assert plain(sentence(judge, verdict_on(judge, EPSILON), EPSILON)) == (
        "lenient agrees with people as well as they agree with each other (difference 0.01, −0.05 "
        "to 0.07, n = 100, these raters), but it passes 36 % of what people fail (finds 0.64, 0.51 "
        "to 0.75, n = 61)."
    )


def test_too_few_units_is_not_may_not() -> None:
    judge = replace(GOOD, gap=UNCLEAR)
    text = plain(sentence(judge, verdict_on(judge, EPSILON), EPSILON))
    assert text == (
        "gpt agrees with people less than they agree with each other (difference 0.10, 0.02 to "
        "0.18, n = 100, these raters); whether by more than the allowed ε = 0.1 is not settled, "
        "and it passes 18 % of what people fail (finds 0.82, 0.70 to 0.90, n = 100)."
    )
    wide = replace(judge, gap=about(0.05, -0.05, 0.15), short=None)
    text = plain(sentence(wide, verdict_on(wide, EPSILON), EPSILON))
    assert text.startswith("It is not settled whether gpt can stand in: too few units (difference")
    assert "may not" not in text
    (plan, _read) = _steps(
        replace(GOOD, gap=about(0.05, -0.05, 0.15)), JudgeVerdict.NOT_SHOWN, EPSILON
    )
    assert plan.text == "Plan about 400 units, enough if the difference stays the same."


def test_where_people_are_too_few_more_units_are_not_called_for() -> None:
    for rate, reason in (
        (Estimate.missing("fewer than three people"), "fewer than three people"),
        (LOST, "the test passes for 40 % of people only"),
    ):
        judge = replace(GOOD, rate=rate)
        text = plain(sentence(judge, verdict_on(judge, EPSILON), EPSILON))
        assert text.startswith(f"It is not settled whether gpt can stand in: {reason} (diff")
        assert "three people" in _steps(judge, JudgeVerdict.NOT_SHOWN, EPSILON)[0].text


@pytest.mark.parametrize(
    ("judge", "words"),
    [
        (
            Judge("m", hits=[DetectionRate("off topic", about(0.2, 0.1, 0.3, n=40))]),
            "misses 80 % of what",
        ),
        (Judge("m", hits=[DetectionRate("no", about(0.2, 0.1, 0.3, n=9))]), ""),
        (
            Judge("m", hits=[DetectionRate("no", about(0.9, 0.8, 1.0), of_parts=True)]),
            "chooses 10 % of what",
        ),
        (
            Judge("m", hits=[DetectionRate("yes", about(0.7, 0.6, 0.8), of_parts=True)]),
            "misses 30 % of what",
        ),
        (Judge("m", bias=about(-0.2, -0.3, -0.1)), "rates lower than people by 0.20 (0.10 to"),
        (Judge("m", bias=about(8.0, 5.0, 11.0)), "rates higher than people by 8.00 (5.00 to"),
        (Judge("m", bias=UNBIASED), ""),
    ],
)
def test_harm_is_named_by_kind_of_answer(judge: Judge, words: str) -> None:
    assert plain(harm(judge)).startswith(words)
    assert bool(harm(judge)) == bool(words)


def test_judges_come_by_verdict_then_by_advantage() -> None:
    figures = {
        "far": (FAR, about(0.9, 0.8, 1.0)),
        "worse": (NEAR, about(0.7, 0.6, 0.8)),
        "better": (NEAR, about(0.8, 0.7, 0.9)),
    }
    rows = [row("raw_agreement", Estimate(value=0.8, n_raters=3))]
    for name, (gap, advantage) in figures.items():
        rows += [
            row("alt_gap", gap, f"humans~{name}"),
            row("alt_winning_rate", WON, f"humans~{name}"),
            row("alt_advantage_probability", advantage, f"humans~{name}"),
        ]
    found = judges_of(rows_of(*rows, judges=tuple(figures)), EPSILON)
    assert [judge.name for judge in found] == ["better", "worse", "far"]


def test_advantages_overlap_where_their_intervals_do() -> None:
    first, near, far = (
        Judge(name, advantage=about(at, at - 0.03, at + 0.03))
        for name, at in (("a", 0.9), ("b", 0.85), ("c", 0.5))
    )
    assert overlapping(first, [near, far, Judge("d")]) == [near]


def test_a_difference_on_the_same_units_goes_before_overlapping_intervals() -> None:
    first, other = (Judge(name, advantage=about(0.8, 0.7, 0.9)) for name in "ab")
    apart, together = about(0.1, 0.02, 0.18), about(-0.1, -0.3, 0.1)
    assert overlapping(replace(first, against={"b": apart}), [other]) == []
    assert overlapping(replace(first, against={"b": together}), [other]) == [other]
    other = replace(other, against={"a": apart})
    assert overlapping(first, [other]) == []


def test_no_judge_and_no_people_are_said_apart() -> None:
    nobody = Estimate.missing("no human answers", n_raters=0)
    (answer,) = answers_about_judges(rows_of(row("raw_agreement", nobody)), EPSILON)
    assert answer.sentence == "No judge has answered this question."
    alone = rows_of(row("share", about(0.5, 0.4, 0.6), "gpt"), judges=("gpt",))
    (answer,) = answers_about_judges(alone, EPSILON)
    assert plain(answer.sentence).startswith("Only judges answered (gpt).")
    assert judge_card(alone, EPSILON).drawn.figure is None


def test_units_without_an_answer_are_counted_against_the_figures() -> None:
    rows = rows_of(
        row("raw_agreement", Estimate(value=0.8, n_raters=3)),
        row("alt_gap", NEAR, "humans~gpt"),
        row("alt_winning_rate", WON, "humans~gpt"),
        row("no_answer_share", about(1 / 3, 0.3, 0.4), "gpt"),
        judges=("gpt",),
    )
    caveats = [plain(caveat) for caveat in judge_card(rows, EPSILON).caveats]
    assert "gpt has no answer to 33 % of its units; its figures leave these out." in caveats
    assert "What its errors do is not known for this kind of answer." in caveats

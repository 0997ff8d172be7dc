"""Can a judge stand in? Rule by rule, and the words of each."""

from dataclasses import replace

import pytest

from agreement import Estimate
from results.reading.answer import Tone
from results.reading.harm import harm
from results.reading.judge_sentences import answer_about, answers_about_judges, what_follows
from results.reading.judge_steps import steps_after
from results.reading.judge_verdicts import JudgeVerdict, badge_of, outcome_of, verdict_on
from results.reading.judges import DetectionRate, Judge, judges_of, overlapping
from results.reading.rows import FacetRows
from results.summary.cards import judge_card
from tests.results.reading.made import SCALE, about, plain, row, rows_of

EPSILON = 0.1
WON, LOST = Estimate(value=1.0), Estimate(value=0.4)
AGREE, WEAK = about(0.8, 0.7, 0.9), about(0.5, 0.4, 0.6)
EVEN = (DetectionRate("yes", about(0.85, 0.8, 0.9)), DetectionRate("no", about(0.82, 0.7, 0.9)))
LENIENT = (
    DetectionRate("yes", about(0.93, 0.87, 0.96)),
    DetectionRate("no", about(0.64, 0.51, 0.75, n=61)),
)
UNBIASED, BIASED = about(0.01, -0.02, 0.04), about(0.08, 0.03, 0.13)


def apart(
    value: float,
    low: float,
    high: float,
    others: tuple[float, float] | None = None,
    *,
    people: int = 3,
) -> Estimate:
    """How much more people agree with each other, for these people and for others like them."""
    estimate = about(value, low, high, n_raters=people)
    if others is None:
        return estimate
    return replace(
        estimate,
        these_low=low,
        these_high=high,
        these_method="jackknife over 100 clusters",
        others_low=others[0],
        others_high=others[1],
        others_method="jackknife over 100 clusters and 3 raters",
    )


NEAR = apart(0.01, -0.05, 0.07, (-0.06, 0.08))
FAR = apart(0.3, 0.2, 0.4, (0.15, 0.45))
GOOD = Judge("gpt", difference=NEAR, rate=WON, hits=EVEN, bias=UNBIASED, people=AGREE)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (-0.2, -0.01, JudgeVerdict.NEARER),
        (-0.2, 0.0, JudgeVerdict.AS_NEAR),
        (-0.2, 0.09, JudgeVerdict.AS_NEAR),
        (0.0, 0.09, JudgeVerdict.AS_NEAR),
        (0.01, 0.09, JudgeVerdict.WITHIN),
        (0.01, 0.1, JudgeVerdict.FARTHER),
        (0.1, 0.2, JudgeVerdict.FARTHER),
        (0.11, 0.2, JudgeVerdict.BELOW),
        (0.0, 0.1, JudgeVerdict.OPEN),
        (-0.01, 0.1, JudgeVerdict.OPEN),
        (-0.5, 0.5, JudgeVerdict.OPEN),
    ],
)
def test_an_interval_has_one_of_six_outcomes(
    low: float, high: float, expected: JudgeVerdict
) -> None:
    assert outcome_of(about((low + high) / 2, low, high), EPSILON) is expected


def test_without_an_interval_it_is_open() -> None:
    assert outcome_of(Estimate(value=0.0), EPSILON) is JudgeVerdict.OPEN


def test_where_nothing_is_allowed_no_judge_is_shown_to_be_as_near() -> None:
    assert outcome_of(about(0.0, -0.1, 0.1), 0) is JudgeVerdict.OPEN
    assert outcome_of(about(0.1, 0.05, 0.15), 0) is JudgeVerdict.BELOW
    assert outcome_of(about(-0.1, -0.15, -0.05), 0) is JudgeVerdict.NEARER
    judge = replace(GOOD, difference=apart(0.0, -0.1, 0.1))
    (step, _read) = steps_after(judge, JudgeVerdict.OPEN, 0)
    assert step.text.startswith("With ε = 0 no number of units can show")


@pytest.mark.parametrize(
    ("difference", "words"),
    [
        (
            apart(-0.05, -0.08, -0.02),
            (
                "gpt is nearer to these 3 people than they are to each other: their agreement is "
                "lower with each other than with it, by 0.05 (−0.08 to −0.02, n = 100)"
            ),
        ),
        (
            apart(0.01, -0.05, 0.07),
            (
                "gpt is as near to these 3 people as they are to each other: their agreement is "
                "higher with each other than with it, by 0.01 (−0.05 to 0.07, n = 100)"
            ),
        ),
        (
            apart(0.06, 0.03, 0.08),
            (
                "gpt is farther from these 3 people than they are from each other, but not by more "
                "than the allowed ε = 0.1: their agreement is higher with each other than with it, "
                "by 0.06 (0.03 to 0.08, n = 100)"
            ),
        ),
        (
            apart(0.12, 0.08, 0.16),
            (
                "gpt is farther from these 3 people than they are from each other; whether by more "
                "than the allowed ε = 0.1 is open: their agreement is higher with each other than "
                "with it, by 0.12 (0.08 to 0.16, n = 100)"
            ),
        ),
        (
            apart(0.3, 0.2, 0.4),
            (
                "gpt is farther from these 3 people than they are from each other, by more than "
                "the allowed ε = 0.1: their agreement is higher with each other than with it, "
                "by 0.30 (0.20 to 0.40, n = 100)"
            ),
        ),
        (
            apart(0.0, -0.12, 0.12),
            (
                "Whether gpt is as near to these 3 people as they are to each other, or farther "
                "than the allowed ε = 0.1, is open: their agreement is no higher with each other "
                "than with it (−0.12 to 0.12, n = 100)"
            ),
        ),
    ],
)
def test_each_outcome_has_its_words(difference: Estimate, words: str) -> None:
    said = answer_about(replace(GOOD, difference=difference), EPSILON)
    assert plain(said.sentence).startswith(words)


def test_of_numbers_the_words_are_those_of_labels() -> None:
    rows = rows_of(
        row("raw_agreement", Estimate(value=0.8, n_raters=3), facet=SCALE),
        row("agreement_gap", apart(0.3, 0.2, 0.4), "humans~gpt", facet=SCALE),
        facet=SCALE,
        judges=("gpt",),
    )
    (answer,) = answers_about_judges(rows, EPSILON)
    assert "their agreement is higher with each other than with it, by 0.30" in answer.sentence


@pytest.mark.parametrize(
    ("judge", "tone", "badge"),
    [
        (GOOD, Tone.GOOD, "As near"),
        # One threshold alone never decides: each of the others takes the good badge away.
        (replace(GOOD, people=WEAK), Tone.CARE, "With care"),
        (replace(GOOD, people=None), Tone.CARE, "With care"),
        (replace(GOOD, hits=LENIENT), Tone.CARE, "With care"),
        (replace(GOOD, bias=BIASED), Tone.CARE, "With care"),
        (replace(GOOD, rate=LOST), Tone.GOOD, "As near"),  # another question: who is nearer
        # Others like them may be farther.
        (
            replace(GOOD, difference=apart(0.01, -0.05, 0.07, (-0.2, 0.2))),
            Tone.CARE,
            "These people: as near",
        ),
        (
            replace(GOOD, difference=apart(0.01, -0.05, 0.07, people=2)),
            Tone.CARE,
            "These people: as near",
        ),
        (replace(GOOD, difference=apart(0.3, 0.2, 0.4, people=1)), Tone.BAD, "These people: too"),
        (replace(GOOD, difference=FAR), Tone.BAD, "Too far"),
        (replace(GOOD, unanswered=about(0.5, 0.4, 0.6)), Tone.BAD, "Failed often"),
        (Judge("gpt", difference=Estimate.missing("nobody")), Tone.OPEN, "No verdict"),
    ],
)
def test_a_badge_speaks_of_people_in_general_only_where_it_can(
    judge: Judge, tone: Tone, badge: str
) -> None:
    found = badge_of(judge, verdict_on(judge, EPSILON), EPSILON)
    assert found.tone is tone
    assert found.text.startswith(badge)


@pytest.mark.parametrize(
    ("judge", "end"),
    [
        (GOOD, "The same holds for people like them (−0.06 to 0.08)."),
        (
            replace(GOOD, difference=apart(0.01, -0.05, 0.07, (-0.2, 0.2))),
            "Three people are too few to say so of others (−0.20 to 0.20).",
        ),
        (
            replace(GOOD, difference=apart(0.01, -0.05, 0.07, (-0.2, 0.2), people=12)),
            "These people differ too much to say so of others like them (−0.20 to 0.20).",
        ),
        (
            replace(GOOD, difference=apart(0.01, -0.05, 0.07, people=2)),
            "Two people cannot speak for others.",
        ),
    ],
)
def test_the_second_sentence_says_how_far_the_first_carries(judge: Judge, end: str) -> None:
    assert plain(answer_about(judge, EPSILON).sentence).endswith(f". {end}")


@pytest.mark.parametrize(
    ("judge", "expected"),
    [
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
def test_a_judge_that_cannot_be_compared_is_told_by_its_correlation(
    judge: Judge, expected: JudgeVerdict
) -> None:
    assert verdict_on(judge, EPSILON) is expected


def test_a_judge_that_always_says_yes_errs_to_one_side() -> None:
    always = (
        DetectionRate("yes", about(1.0, 0.97, 1.0)),
        DetectionRate("no", about(0.0, 0.0, 0.06, n=61)),
    )
    judge = replace(GOOD, hits=always)
    assert badge_of(judge, JudgeVerdict.AS_NEAR, EPSILON).text == "With care"
    assert plain(harm(judge)).startswith("passes 100 % of what people fail")
    said = plain(answer_about(judge, EPSILON).sentence)
    assert ", but it passes 100 % of what people fail (finds 0, 0 to 0.06, n = 61)." in said


def test_one_unit_says_that_it_is_too_little() -> None:
    one = Estimate(
        value=1.0, n_units=1, n_raters=3, interval_method="jackknife; none: too few sources"
    )
    judge = replace(GOOD, difference=one, hits=())
    said = plain(answer_about(judge, EPSILON).sentence)
    assert said.endswith("higher with each other than with it, by 1.00 (too few sources, n = 1).")
    (step, _read) = steps_after(judge, JudgeVerdict.OPEN, EPSILON)
    assert step.text == "Plan more units: they show whether it is farther than ε = 0.1 allows."


@pytest.mark.parametrize(
    ("difference", "step"),
    [
        # n (h / d)^2: 100 (0.1 / 0.05)^2 = 400 and 100 (0.08 / 0.04)^2 = 400.
        (apart(0.05, -0.05, 0.15), "that it is not more than ε = 0.1."),
        (apart(0.14, 0.06, 0.22), "that it is more than ε = 0.1."),
    ],
)
def test_the_step_says_what_more_units_would_show(difference: Estimate, step: str) -> None:
    judge = replace(GOOD, difference=difference)
    (plan, _read) = steps_after(judge, verdict_on(judge, EPSILON), EPSILON)
    begin = "Plan about 400 units: if the difference stays the same, they show "
    assert plan.text == begin + step


def test_another_allowance_has_other_words_and_changes_nothing_else() -> None:
    judge = replace(GOOD, difference=apart(0.12, 0.08, 0.14))
    assert "is open" in plain(what_follows(judge, 0.1))
    assert "but not by more than the allowed ε = 0.15" in plain(what_follows(judge, 0.15))
    assert "by more than the allowed ε = 0.05" in plain(what_follows(judge, 0.05))
    assert what_follows(Judge("rouge", follows=WEAK, follows_by="spearman"), 0.15) == ""


def test_people_that_agree_weakly_are_told_below_and_no_other_test() -> None:
    rows = compared(gpt=(NEAR, about(0.7, 0.6, 0.8), None), rate=LOST)
    caveats = [plain(caveat) for caveat in judge_card(rows, EPSILON).answer.caveats]
    assert not any("alternative annotator test" in caveat for caveat in caveats)
    assert "Whether people agree well is not settled." in caveats


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


def compared(
    rate: Estimate = WON, **figures: tuple[Estimate, Estimate, Estimate | None]
) -> FacetRows:
    """Rows of judges: the difference, their agreement with people, and units without an answer."""
    rows = [row("raw_agreement", Estimate(value=0.8, n_raters=3))]
    for name, (difference, alone, unanswered) in figures.items():
        rows += [
            row("agreement_gap", difference, f"humans~{name}"),
            row("agreement_with_people", alone, f"humans~{name}"),
            row("alt_winning_rate", rate, f"humans~{name}"),
        ]
        if unanswered is not None:
            rows.append(row("no_answer_share", unanswered, name))
    return rows_of(*rows, judges=tuple(figures))


def test_judges_come_by_completeness_then_by_closeness() -> None:
    """The one of which most could be said, had it answered, comes last: it answered least."""
    rows = compared(
        failing=(apart(0.0, -0.05, 0.05), about(0.9, 0.8, 1.0), about(0.52, 0.4, 0.6)),
        far=(FAR, about(0.5, 0.4, 0.6), None),
        near=(NEAR, about(0.8, 0.7, 0.9), None),
        few=(replace(NEAR, n_units=40), about(0.85, 0.7, 0.9), None),
        unclear=(apart(0.05, -0.1, 0.2), about(0.7, 0.5, 0.9), None),
    )
    names = [judge.name for judge in judges_of(rows)]
    assert names == ["near", "unclear", "far", "failing", "few"]


def test_a_judge_that_failed_on_many_units_is_said_to_have_failed() -> None:
    rows = compared(promix=(apart(0.16, 0.08, 0.24), about(0.5, 0.4, 0.6), about(0.52, 0.4, 0.6)))
    (answer,) = answers_about_judges(rows, EPSILON)
    assert plain(answer.sentence).startswith(
        "promix failed on 52 % of its units; on the others it is farther from these 3 people"
    )
    assert answer.badge == (Tone.BAD, "Failed often")
    assert answer.steps[0].text == "See why calls failed, and ask them again."


def test_advantages_overlap_where_their_intervals_do() -> None:
    first, near, far = (
        Judge(name, advantage=about(at, at - 0.03, at + 0.03))
        for name, at in (("a", 0.9), ("b", 0.85), ("c", 0.5))
    )
    assert overlapping(first, [near, far, Judge("d")]) == [near]


def test_a_difference_on_the_same_units_goes_before_overlapping_intervals() -> None:
    first, other = (Judge(name, advantage=about(0.8, 0.7, 0.9)) for name in "ab")
    differ, together = about(0.1, 0.02, 0.18), about(-0.1, -0.3, 0.1)
    assert overlapping(replace(first, against={"b": differ}), [other]) == []
    assert overlapping(replace(first, against={"b": together}), [other]) == [other]
    other = replace(other, against={"a": differ})
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
    rows = compared(gpt=(NEAR, about(0.8, 0.7, 0.9), about(0.1, 0.05, 0.15)))
    caveats = [plain(caveat) for caveat in judge_card(rows, EPSILON).caveats]
    assert "gpt has no answer to 10 % of its units; its figures leave these out." in caveats
    assert "Which way it errs is not known for this kind of answer." in caveats

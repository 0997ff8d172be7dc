"""Figures against counts by hand and against an independent computation over the whole file."""

from collections.abc import Sequence

import numpy as np
import pytest
from scipy import stats

from marking.figures import figures_of, outlook
from marking.marks import Mark, MarkedText, Marks
from marking.sentences import progress, verdict_lines

STRATA = {"fail": 40, "pass": 160}


def text(number: int, verdict: str, *labels: str) -> MarkedText:
    marks = [Mark(f"worker-{at}", label) for at, label in enumerate(labels, start=1)]
    return MarkedText(f"u{number}", verdict, 0.1, marks, {"gpt": verdict}, number)


def marks_of_texts(texts: Sequence[MarkedText], strata: dict[str, int] | None = None) -> Marks:
    people = sorted({mark.person for each in texts for mark in each.marks})
    return Marks("gpt", ("pass", "fail"), strata or STRATA, texts, len(texts), people)


def some(n: int) -> Marks:
    """n texts of each verdict; people disagree with every fifth."""
    texts = [text(at, "fail", "pass" if at % 5 == 0 else "fail") for at in range(n)]
    texts += [text(n + at, "pass", "fail" if at % 5 == 0 else "pass") for at in range(n)]
    return marks_of_texts(texts)


def test_texts_count_by_how_likely_they_were_drawn() -> None:
    texts = [text(n, "fail", "fail") for n in range(10)]
    texts += [text(10 + n, "pass", "fail" if n < 2 else "pass") for n in range(8)]
    figures = figures_of(marks_of_texts(texts))
    # 40 of 200 with 10/10 right, 160 of 200 with 6/8: 0.2 + 0.8 * 0.75
    assert figures.agreement.value == pytest.approx(0.8)
    # People fail 40 + 160 / 4 = 80, of which the judge fails 40.
    assert figures.rates["fail"].recall.value == pytest.approx(0.5)
    assert figures.rates["fail"].precision.value == 1
    assert figures.beside["gpt"] == figures.agreement


def test_the_range_of_the_agreement_is_an_independent_one() -> None:
    marks = some(20)
    found, z = figures_of(marks).agreement, stats.norm.ppf(0.975)
    apart = {label: np.mean([t.share(label) < 1 for t in marks.texts if t.verdict == label])
             for label in STRATA}  # fmt: skip
    down = up = 0.0
    for label, size in STRATA.items():
        n = 20 / (1 - 20 / size)
        low, high = np.sort(
            np.roots([1 + z**2 / n, -2 * apart[label] - z**2 / n, apart[label] ** 2]).real
        )
        down += (size / 200 * (apart[label] - low)) ** 2
        up += (size / 200 * (high - apart[label])) ** 2
    assert found.value == pytest.approx(1 - 0.2)
    assert (found.low, found.high) == pytest.approx((0.8 - up**0.5, 0.8 + down**0.5))


def test_people_among_themselves_are_the_ceiling() -> None:
    texts = [text(n, "fail", "fail", "fail") for n in range(6)]
    texts += [text(6 + n, "pass", "pass", "fail" if n < 3 else "pass") for n in range(6)]
    texts += [text(12 + n, "pass", "pass") for n in range(3)]
    ceiling = figures_of(marks_of_texts(texts)).ceiling
    assert ceiling.value == pytest.approx(0.2 * 1 + 0.8 * 0.5)
    assert ceiling.n_units == 12


def test_of_three_people_all_pairs_count() -> None:
    texts = [text(n, label, label, label, "fail") for n, label in enumerate(["fail", "pass"] * 8)]
    # fail, fail, fail: all three pairs; pass, pass, fail: one of three.
    assert figures_of(marks_of_texts(texts)).ceiling.value == pytest.approx(0.2 + 0.8 / 3)


def test_who_cannot_say_is_left_out() -> None:
    texts = [text(n, "fail", "fail", "cannot say") for n in range(10)]
    texts += [text(10 + n, "pass", "cannot say" if n else "pass") for n in range(10)]
    figures = figures_of(marks_of_texts(texts))
    assert (figures.marks, figures.texts, figures.undecided) == (30, 11, 19)
    assert figures.agreement.value == 1
    assert figures.ceiling.undefined == "no text has been marked by two people yet"


def test_before_fifteen_marks_nothing_is_said() -> None:
    marks = some(7)
    assert progress(marks, figures_of(marks), None) == (
        "14 marks; a first range comes after 1 more."
    )
    assert "too few marks" in verdict_lines(marks, figures_of(marks))[-1]


def test_the_outlook_comes_true_where_answers_stay_as_they_are() -> None:
    marks = some(10)
    ahead = outlook(marks)
    assert ahead is not None
    assert ahead.half_width == 0.12
    # 20 texts are marked. Where the same share goes on, the range is then about so narrow.
    later = figures_of(some(10 + ahead.texts // 2)).agreement
    assert later.low is not None
    assert later.high is not None
    assert (later.high - later.low) / 2 == pytest.approx(ahead.half_width, abs=0.02)
    assert f"About {ahead.texts} more texts give ± 12 points (--more {ahead.texts})" in progress(
        marks, figures_of(marks), ahead
    )


def test_a_judge_that_says_one_thing_only_is_told_so() -> None:
    texts = [text(n, "pass", "pass" if n % 4 else "fail") for n in range(20)]
    marks = marks_of_texts(texts, {"pass": 100})
    said = verdict_lines(marks, figures_of(marks))
    assert "It says “pass” of every text, so that it tells no text from another." in said


def test_a_file_of_three_rows_says_nothing_of_others() -> None:
    texts = [text(n, "pass", *["pass"] * 5) for n in range(3)]
    marks = marks_of_texts(texts, {"pass": 3})
    assert verdict_lines(marks, figures_of(marks))[-1] == (
        "The file has 3 texts: that is too few to say how the judge does on others."
    )

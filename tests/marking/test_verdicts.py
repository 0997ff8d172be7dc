import pytest

from files.errors import ImportFailure, OpenQuestion
from imports.answer_lines import AnswerLine
from marking.verdicts import Verdicts, verdicts_of


def lines(
    *values: object, rater: str = "gpt", block: str = "q", kind: str = "judge"
) -> list[AnswerLine]:
    return [
        AnswerLine("file", f"u{n}", rater, kind, {"scores": {block: value}}, block)
        for n, value in enumerate(values)
    ]


def verdicts(*values: object, threshold: float | None = None) -> Verdicts:
    return verdicts_of(lines(*values), where="file", threshold=threshold)


def test_words_are_labels_and_what_says_that_something_is_wrong_comes_last() -> None:
    found = verdicts("fail", "pass", "pass")
    assert found.labels == ["pass", "fail"]
    assert found.of == {"u0": "fail", "u1": "pass", "u2": "pass"}


def test_ones_and_zeros_are_pass_and_fail() -> None:
    found = verdicts(1.0, 0.0)
    assert (found.labels, found.of) == (("pass", "fail"), {"u0": "pass", "u1": "fail"})


def test_other_numbers_wait_for_a_threshold() -> None:
    with pytest.raises(OpenQuestion, match=r"gpt \(q\) gives numbers from 0.2 to 4"):
        verdicts(0.2, 4.0)
    assert verdicts(0.2, 4.0, 3.0, threshold=3).of == {"u0": "fail", "u1": "pass", "u2": "pass"}


def test_a_judge_that_says_one_thing_only_leaves_people_something_to_choose() -> None:
    assert verdicts("Yes", "Yes").labels == ["Yes", "No"]
    assert verdicts("fail").labels == ["pass", "fail"]
    assert verdicts("blue").labels == ["blue", "not blue"]
    assert verdicts(1.0).labels == ("pass", "fail")


def test_of_two_judges_somebody_says_which() -> None:
    two = [*lines("pass"), *lines("fail", rater="llama")]
    with pytest.raises(OpenQuestion, match=r"--judge: which judge .* gpt \(q\), 1 verdicts; llama"):
        verdicts_of(two, where="file")
    assert verdicts_of(two, where="file", judge="llama").of == {"u0": "fail"}
    with pytest.raises(ImportFailure, match="no judge 'claude'"):
        verdicts_of(two, where="file", judge="claude")
    several = [*lines("pass"), *lines("fail", block="tone")]
    with pytest.raises(OpenQuestion, match="--criterion"):
        verdicts_of(several, where="file")


def test_a_file_without_a_judge_or_with_no_verdicts_is_refused_in_a_sentence() -> None:
    with pytest.raises(ImportFailure, match="no column or rater is a judge's"):
        verdicts_of(lines("pass", kind="human"), where="file")
    with pytest.raises(ImportFailure, match="9 different things, more than 8"):
        verdicts(*(f"word {n}" for n in range(9)))

"""Verdicts in other words than people's are held against people's, where it is clear which is
which; a sentence says so."""

import json
from pathlib import Path

import pytest

from label_table.check import Check
from label_table.page import as_html
from tests.label_table.tables import checked, findings, refused, value

PEOPLE = ["pass", "fail", "pass", "pass", "fail", "pass"] * 4
JUDGED = [True, False, True, False, True, True] * 4


def table(
    folder: Path, verdicts: list[object], people: list[str] = PEOPLE, name: str = "gpt"
) -> Path:
    path = folder / "rows.json"
    rows = [
        {"id": f"q{n}", "human": person, name: verdict}
        for n, (person, verdict) in enumerate(zip(people, verdicts, strict=True))
    ]
    path.write_text(json.dumps(rows))
    return path


def check(path: Path, name: str = "gpt") -> Check:
    decided = {"design": "as-read"}
    return checked(path, humans=("human",), judges=(name,), decided=decided)


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        (["pass" if each else "fail" for each in JUDGED], ""),
        ([str(each) for each in JUDGED], "gpt: True is taken for pass, False for fail."),
        ([str(int(each)) for each in JUDGED], "gpt: 1 is taken for pass, 0 for fail."),
        (
            [json.dumps({"reason": f"no. {n}", "Verdict": "pass" if each else "fail"})
             for n, each in enumerate(JUDGED)],
            "gpt: the verdict is read from JSON.",
        ),
        (
            [f"```json\n{json.dumps({'passed': each})}\n```" for each in JUDGED],
            "gpt: the verdict is read from JSON.",
        ),
    ],
)  # fmt: skip
def test_verdicts_in_other_words_have_the_figures_of_people_s_words(
    tmp_path: Path, verdicts: list[object], said: str
) -> None:
    made = check(table(tmp_path, verdicts))
    rates = [value(made, "humans~gpt", name) for name in ("true_positive_rate", "raw_agreement")]
    assert rates == [12 / 16, 16 / 24]
    assert not said or said in findings(made)
    assert as_html([(made, ())]).count("<details>") == 8


def test_where_a_name_says_failure_or_a_word_is_unknown_nothing_is_guessed(tmp_path: Path) -> None:
    flags = [str(each) for each in JUDGED]
    path = table(tmp_path, [*flags], name="gpt_hallucinated")
    assert "no label in common with people" in refused_of(path, "gpt_hallucinated")
    path = table(tmp_path, ["maybe" if each else "true" for each in JUDGED])
    assert "no label in common with people: it says maybe, true" in refused_of(path, "gpt")
    path = table(tmp_path, ["yes" if each else "no" for each in JUDGED])
    assert "no label in common with people: it says no, yes" in refused_of(path, "gpt")
    path = table(tmp_path, [f"{{{each}" for each in JUDGED])
    assert "no label in common with people: it says {False" in refused_of(path, "gpt")


def refused_of(path: Path, name: str) -> str:
    decided = {"design": "as-read"}
    return refused(path, humans=("human",), judges=(name,), decided=decided)

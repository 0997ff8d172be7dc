import json
from pathlib import Path

import polars
import pytest
from openpyxl import Workbook

from tests.label_table.tables import (
    checked,
    findings,
    kinds,
    lacking,
    refused,
    value,
    wide,
    write_table,
)

ROWS = [("u1", "yes", "yes", "no"), ("u2", "no", "no", "no"), ("u3", "yes", "no", "yes")]
HEAD = ("id", "human_1", "human_2", "judge")


def test_every_form_of_file_gives_the_same_figures(tmp_path: Path) -> None:
    lines = [dict(zip(HEAD, row, strict=True)) for row in ROWS]
    text = tmp_path / "a.tsv"
    text.write_text("\n".join("\t".join(row) for row in (HEAD, *ROWS)))
    jsonl = tmp_path / "a.jsonl"
    jsonl.write_text("\n".join(map(json.dumps, lines)))
    parquet = tmp_path / "a.parquet"
    polars.DataFrame(lines).write_parquet(parquet)
    book = Workbook()
    for row in (HEAD, *ROWS):
        book.active.append(row)  # type: ignore[union-attr]
    book.save(tmp_path / "a.xlsx")
    alphas = [
        value(checked(path), "humans", "krippendorff_alpha_nominal")
        for path in (text, jsonl, parquet, tmp_path / "a.xlsx")
    ]
    # By hand: D_o = 2 of 6 ordered pairs, D_e = 18 of 30, so 1 - (1/3)/(3/5) = 4/9.
    assert alphas == [pytest.approx(4 / 9)] * 4


def test_a_column_says_who_is_a_judge(tmp_path: Path) -> None:
    lines = ("a ada person y", "a gpt human n", "a x LLM y", "b ada person n", "b x LLM n")
    check = checked(write_table(tmp_path, "item rater kind label", *lines))
    assert kinds(check) == {"ada": "human", "gpt": "human", "x": "judge"}
    path = write_table(tmp_path, "item rater kind label", *lines, "b gpt alien y")
    assert any(
        "'alien' is none of human, judge, simulated" in line for line in lacking(checked(path))
    )
    path = write_table(tmp_path, "item rater kind label", *lines, "b gpt judge y")
    assert refused(path) == "labels.csv:7: kind: 'gpt' is human, not judge"


def test_answers_that_a_rater_gives_again_are_refused_unless_it_is_said_which_count(
    tmp_path: Path,
) -> None:
    path = write_table(tmp_path, "id rater label", "a ada y", "b ada y", "a bo y", "a ada n")
    assert refused(path) == (
        "labels.csv: repeated: 1 answer is given by a rater who has answered the same before; "
        "name the columns that tell answers apart (--unit, --system, --rater), or say which "
        "counts: --repeated first, last, none, or all"
    )
    assert [label.value for label in checked(path, repeated="last").table.labels] == ["y", "y", "n"]


def test_a_judge_with_gaps_is_computed_without_them_and_said_to_have_them(tmp_path: Path) -> None:
    path = wide(tmp_path, human_1="yynn", human_2="yynn", gpt="y.n.")
    check = checked(path)
    assert "gpt has no label on 2 of 4 units (50 %): its figures leave these out." in lacking(check)
    assert value(check, "humans~gpt", "true_positive_rate") == 1
    (row,) = check.rows_of("gpt", "no_answer_share")
    assert row.estimate.value == 0.5


def test_a_rater_without_any_label_is_refused(tmp_path: Path) -> None:
    path = wide(tmp_path, human_1="yn", human_2="yn", gpt="..")
    assert refused(path, judges=("gpt",)) == "labels.csv: gpt: a rater without a single label"


def test_a_name_that_reports_need_is_refused(tmp_path: Path) -> None:
    path = write_table(tmp_path, "item rater label", "a humans y", "a bo y")
    assert "'humans' has a meaning of its own in reports" in refused(path)


def test_more_labels_than_memory_holds_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = wide(tmp_path, human_1="yn" * 3, gpt="yn" * 3)
    monkeypatch.setattr("label_table.labels.MOST_LABELS", 12)
    assert checked(path)
    monkeypatch.setattr("label_table.labels.MOST_LABELS", 11)
    assert "more than 1,000,000: check a part of the rows" in refused(path)


def test_a_file_without_rows_or_none_at_all_is_refused(tmp_path: Path) -> None:
    assert (
        refused(write_table(tmp_path, "id human_1 human_2")) == "labels.csv: rows: there are none"
    )
    assert refused(tmp_path / "no.csv") == "no.csv: file: No such file or directory"


def test_the_doctor_counts_people_overlap_and_what_is_too_little(tmp_path: Path) -> None:
    check = checked(wide(tmp_path, human_1="yynn", human_2="yy..", gpt="yynn"))
    assert "Each unit has labels of 1 to 2 people, 1.50 on average." in findings(check)
    assert "gpt labelled 4 units that people did." in findings(check)
    assert lacking(check) == [
        "Only 2 units have two people's labels or more; 20 are the least for a verdict on people.",
        "Fewer than 3 people: a judge cannot be tested against single people.",
    ]
    alone = checked(wide(tmp_path, human_1="ynyn", gpt="yynn"))
    assert lacking(alone)[0] == (
        "No unit has two people's labels: whether people agree cannot be said."
    )

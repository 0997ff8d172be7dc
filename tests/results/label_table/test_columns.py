from pathlib import Path

import pytest

from results.label_table.names import Role, rater_role
from tests.results.label_table.tables import checked, findings, kinds, refused, wide, write_table


def test_a_long_table_is_told_by_customary_names(tmp_path: Path) -> None:
    path = write_table(
        tmp_path, "Item Annotator Rating", "a ada yes", "a bo yes", "a gpt-4o no", "b ada no"
    )
    check = checked(path)
    assert kinds(check) == {"ada": "human", "bo": "human", "gpt-4o": "judge"}
    assert findings(check)[0] == (
        "Read as one label per row: unit Item; rater Annotator; label Rating."
    )
    assert "Taken for judges by their names: gpt-4o (--human)." in findings(check)


def test_the_unit_of_a_long_table_is_told_by_what_its_column_holds(tmp_path: Path) -> None:
    lines = ("d1 s1 ada y", "d1 s1 bo y", "d1 s2 ada n", "d1 s2 bo n")
    check = checked(write_table(tmp_path, "doc sentence rater label", *lines))
    assert check.table.columns.unit == "sentence"


def test_a_wide_table_is_told_by_names_and_by_equal_labels(tmp_path: Path) -> None:
    check = checked(wide(tmp_path, ada="yyn", bo="ynn", claude="yyy", genre="fgf"))
    assert check.table.columns.humans == ("ada", "bo")
    assert check.table.columns.judges == ("claude",)
    assert "Columns not used: genre." in findings(check)


def test_columns_that_are_stated_go_before_names(tmp_path: Path) -> None:
    path = wide(tmp_path, human_1="yyn", human_2="ynn", gpt="yyy", claude="nnn")
    check = checked(path, humans=("human_1", "claude"), judges=("gpt",))
    assert check.table.columns.humans == ("human_1", "claude")
    assert check.table.columns.judges == ("gpt",)
    only = checked(path, judges=("gpt",))
    assert only.table.columns.judges == ("gpt",)
    assert only.table.columns.humans == ("human_1", "human_2")


def test_a_column_of_models_names_the_systems(tmp_path: Path) -> None:
    lines = ("u1 llama y n", "u1 qwen n n", "u2 llama y y", "u2 qwen y n")
    check = checked(write_table(tmp_path, "id model human_1 human_2", *lines))
    assert check.table.columns.system == "model"
    assert check.table.units["u1/qwen"].system == "qwen"


def test_rows_are_units_where_no_column_is(tmp_path: Path) -> None:
    path = write_table(tmp_path, "human_1 human_2", "y n", "y y")
    assert "No column of units: every row is taken for one (--unit)." in findings(checked(path))


def test_what_cannot_be_told_says_what_was_tried_and_how_to_name_it(tmp_path: Path) -> None:
    path = write_table(tmp_path, "what who", "a ada", "b bo")
    assert refused(path) == (
        "labels.csv:1: columns: no two columns of labels can be told among what, who; tried names "
        "such as unit, item, id; rater, annotator with label, rating; human_1, gpt-4o, and columns "
        "with equal labels. Name them: --unit ID --human A B --judge C, or --unit ID --rater WHO "
        "--label WHAT"
    )


def test_a_column_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    path = wide(tmp_path, human_1="yn", human_2="yy")
    assert refused(path, judges=("gpt",)) == (
        "labels.csv:1: --judge: no column 'gpt' (the file has: id, human_1, human_2)"
    )
    assert refused(path, unit="key").startswith("labels.csv:1: --unit: no column 'key'")
    long = write_table(tmp_path, "item rater label", "a ada y", "a bo n")
    assert refused(long, judges=("gpt",)) == (
        "labels.csv: --judge: no rater 'gpt' (there are: ada, bo)"
    )


@pytest.mark.parametrize("name", ["gpt-4o", "Claude 3.5", "judge", "llm_score", "o3-mini", "model"])
def test_models_are_known_by_their_names(name: str) -> None:
    assert rater_role(name) is Role.JUDGE


@pytest.mark.parametrize("name", ["ada", "human_1", "annotator", "remodel", "aida", "expert 2"])
def test_people_are_not_taken_for_models(name: str) -> None:
    assert rater_role(name) is not Role.JUDGE

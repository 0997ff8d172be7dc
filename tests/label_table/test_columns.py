from pathlib import Path

import pytest

from tests.label_table.tables import (
    checked,
    checks,
    findings,
    kinds,
    lacking,
    refused,
    wide,
    write_table,
)


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


def test_a_wide_table_is_told_by_names(tmp_path: Path) -> None:
    check = checked(wide(tmp_path, human_1="yyn", ann2="ynn", claude="yyy", genre="fgf"))
    assert check.table.columns.humans == ("human_1", "ann2")
    assert check.table.columns.judges == ("claude",)
    assert "Columns not used: genre." in findings(check)


@pytest.mark.parametrize("name", ["verdict", "prediction", "pred", "auto", "grader", "eval_score"])
def test_what_a_machine_gives_is_no_person_s(name: str, tmp_path: Path) -> None:
    columns = checked(wide(tmp_path, human="yyn", **{name: "ynn"})).table.columns
    assert (columns.humans, columns.judges) == (("human",), (name,))


def test_equal_labels_make_nobody_a_person_and_nobody_is_left_out_unasked(tmp_path: Path) -> None:
    path = wide(tmp_path, label="yyn", verdict="ynn")
    assert refused(path) == (
        "labels.csv: question: Whose answers are in the columns `label`? --decide columns=rater "
        "(one person's each); --decide columns=criterion (no one person's)"
    )
    assert refused(path, judges=("verdict",)) == refused(path)
    said = checked(path, humans=("label",))
    assert kinds(said) == {"label": "human", "verdict": "judge"}
    path = wide(tmp_path, human_1="yyn", human_2="yyn", ours="ynn", gpt="nnn")
    assert "Whose answers are in the columns `ours`?" in refused(path)
    decided = checked(path, decided={"columns": "rater"})
    assert kinds(decided) == dict.fromkeys(("human_1", "human_2", "ours"), "human") | {
        "gpt": "judge"
    }
    decided = checked(path, decided={"columns": "criterion"})
    assert "Columns not used: ours." in findings(decided)


def test_what_is_computed_of_people_is_no_further_person(tmp_path: Path) -> None:
    path = wide(tmp_path, ann1="yynn", ann2="ynnn", majority="yynn", gold="yynn", gpt="ynny")
    check = checked(path)
    assert kinds(check) == {"ann1": "human", "ann2": "human", "gpt": "judge"}
    assert "Columns not used: majority, gold." in findings(check)
    assert kinds(checked(path, humans=("gold",))) == {"gold": "human", "gpt": "judge"}


def test_what_is_stated_of_one_kind_is_all_of_it(tmp_path: Path) -> None:
    path = wide(tmp_path, human_1="yyn", human_2="ynn", bo="nyn", gpt="yyn", claude="yny")
    check = checked(path, humans=("human_1", "bo"), judges=("claude",))
    assert kinds(check) == {"human_1": "human", "bo": "human", "claude": "judge"}
    assert kinds(checked(path, humans=("bo",))) == {
        "bo": "human",
        "gpt": "judge",
        "claude": "judge",
    }


def test_a_name_of_both_kinds_is_asked_about(tmp_path: Path) -> None:
    path = wide(tmp_path, human_1="yyn", human_judge="ynn")
    assert "Whose answers are in the columns `human_judge`?" in refused(path)
    stated = checked(path, judges=("human_judge",))
    assert kinds(stated) == {"human_1": "human", "human_judge": "judge"}


def test_columns_of_several_criteria_are_not_several_people(tmp_path: Path) -> None:
    two = wide(tmp_path, human_fluency="1245", human_accuracy="2345")
    assert "it is unclear who else gave labels" in refused(two)
    columns = {"human_style": "1221", "human_tone": "2112", "gpt_style": "2121", "gpt_tone": "2212"}
    style, tone = checks(wide(tmp_path, **columns))
    assert [style.table.criterion, tone.table.criterion] == ["style", "tone"]
    assert kinds(style) == kinds(tone) == {"human": "human", "gpt": "judge"}
    judged = wide(tmp_path, human_fluency="1245", gpt_fluency="1345", gpt_accuracy="1345")
    said = checked(judged, humans=("human_fluency",), judges=("gpt_accuracy",))
    assert kinds(said) == {"human_fluency": "human", "gpt_accuracy": "judge"}


def test_a_column_named_like_raters_may_hold_labels(tmp_path: Path) -> None:
    path = wide(tmp_path, annotator="yyn", llm_judge="ynn")
    assert kinds(checked(path)) == {"annotator": "human", "llm_judge": "judge"}
    path = wide(tmp_path, human_label="yyn", grader="ynn")
    assert kinds(checked(path)) == {"human_label": "human", "grader": "judge"}
    assert "columns `label`?" in refused(wide(tmp_path, label="yyn", grader="ynn"))


def test_a_column_named_like_raters_may_be_beside_the_point(tmp_path: Path) -> None:
    lines = ("a ann y n", "b bo y y", "c ann n n")
    path = write_table(tmp_path, "id annotator human_label gpt", *lines)
    assert kinds(checked(path)) == {"human_label": "human", "gpt": "judge"}
    path = write_table(tmp_path, "id user label human_1 gpt", f"a {'x' * 41} z y n", "b hi v n n")
    assert kinds(checked(path)) == {"human_1": "human", "gpt": "judge"}


def test_a_column_of_sources_with_gaps_is_none_unless_it_is_stated(tmp_path: Path) -> None:
    path = write_table(tmp_path, "id document human_1 human_2", "a d y y", "b . n n", "c d y n")
    assert not checked(path).table.columns.source
    stated = checked(path, source="document")
    assert stated.table.columns.source == "document"
    assert [line for line in lacking(stated) if "labels.csv:3: document: empty" in line]


def test_raters_in_a_column_of_judges_are_asked_about(tmp_path: Path) -> None:
    path = write_table(tmp_path, "item judge label", "a bo y", "a gpt n", "b bo y", "b gpt y")
    assert refused(path) == (
        "labels.csv: question: Who are the raters `bo`? --decide raters=people (people); "
        "--decide raters=judges (judges)"
    )
    assert kinds(checked(path, humans=("bo",))) == {"bo": "human", "gpt": "judge"}


def test_raters_that_nobody_names_are_left_out(tmp_path: Path) -> None:
    lines = ("a ada y", "a bo y", "a gpt n", "a llama n", "b ada n", "b bo y", "b gpt n")
    path = write_table(tmp_path, "item rater label", *lines)
    check = checked(path, humans=("ada", "bo"), judges=("gpt",))
    assert kinds(check) == {"ada": "human", "bo": "human", "gpt": "judge"}
    assert "Left out, named neither as people nor as judges: llama." in findings(check)
    check = checked(path, judges=("llama",))
    assert kinds(check) == {"ada": "human", "bo": "human", "llama": "judge"}
    assert "Taken for judges by their names" not in " ".join(findings(check))


def test_a_rater_named_as_both_is_asked_about(tmp_path: Path) -> None:
    path = write_table(
        tmp_path, "item rater label", "a ada y", "a llm_expert y", "a gpt n", "b ada n"
    )
    assert "Who are the raters `llm_expert`?" in refused(path)
    stated = checked(path, judges=("llm_expert", "gpt"), humans=("ada",))
    assert kinds(stated) == {"ada": "human", "llm_expert": "judge", "gpt": "judge"}


@pytest.mark.parametrize(
    ("head", "unit"),
    [
        ("doc system human_1 human_2", "doc"),
        ("case_id system human_1 human_2", "case_id"),
        ("docid system human_1 human_2", "docid"),
    ],
)
def test_a_column_of_ids_is_the_unit_where_every_row_is_one(
    head: str, unit: str, tmp_path: Path
) -> None:
    path = write_table(tmp_path, head, "1 x y y", "1 z n y", "2 x y n", "2 z n n")
    columns = checked(path).table.columns
    assert (columns.unit, columns.source, columns.system) == (unit, "", "system")
    twice = write_table(tmp_path, head, "1 x y y", "1 x n y", "2 x y n", "2 z n n")
    assert "given by a rater who has answered the same before" in refused(twice)


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


def test_what_cannot_be_told_says_how_to_name_it(tmp_path: Path) -> None:
    path = write_table(tmp_path, "what who", "apple ada", "pear bo", "plum cy")
    assert refused(path) == (
        "labels.csv:1: columns: no column seems to hold texts or answers (the table has: what, "
        "who): say what they hold by --column NAME=text or --column NAME=answer"
    )


def test_a_column_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    path = wide(tmp_path, human_1="yn", human_2="yy")
    assert refused(path, judges=("gpt",)) == (
        "labels.csv: --judge: no column or rater 'gpt' (there are: human_1, human_2)"
    )
    assert refused(path, unit="key") == (
        "labels.csv:1: key: no such column (the files have: id, human_1, human_2)"
    )
    long = write_table(tmp_path, "item rater label", "a ada y", "a bo n", "b ada n", "b bo n")
    assert refused(long, judges=("gpt",)) == (
        "labels.csv: --judge: no column or rater 'gpt' (there are: ada, bo)"
    )

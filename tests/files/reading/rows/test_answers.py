"""Whose an answer is, to which criterion, and about what: whatever the shape of the table."""

import pytest

from files.errors import ImportFailure
from tests.files.reading.rows.readings import Files, given, listed

LONG = """
tables:
- files: ["*"]
  columns:
  - {column: doc, holds: source}
  - {column: by, holds: system}
  - {column: who, holds: rater}
  - {column: aspect, holds: criterion}
  - {column: score, holds: answer}
answers:
- {criterion: fluency, low: 1, high: 5}
- {criterion: style, low: 1, high: 5}
"""
ROWS = """
doc,by,who,aspect,score
d1,oak,ann,fluency,4
d1,oak,ann,style,2
d1,elm,bo,fluency,5
"""


def test_a_long_table_tells_all_in_cells(files: Files) -> None:
    assert given(files.read(LONG, {"t.csv": ROWS})) == [
        ("d1/oak", "ann", "fluency", 4),
        ("d1/oak", "ann", "style", 2),
        ("d1/elm", "bo", "fluency", 5),
    ]


def test_columns_by_rater_and_criterion_tell_both_in_their_names(files: Files) -> None:
    wide = """
tables:
- files: ["*"]
  columns:
  - {column: doc, holds: source}
  - {column: a_flu, holds: answer, at: {rater: a, criterion: fluency}}
  - {column: b_flu, holds: answer, at: {rater: b, criterion: fluency}, kind: judge}
answers:
- {criterion: fluency}
"""
    tables = files.read(wide, {"t.csv": "doc,a_flu,b_flu\nd,1,2\ne,,3"})
    assert given(tables) == [
        ("d", "a", "fluency", 1),
        ("d", "b", "fluency", 2),
        ("e", "b", "fluency", 3),
    ]
    assert tables.counts().judges == 1


def test_columns_by_system_hold_answers_about_outputs(files: Files) -> None:
    wide = """
tables:
- files: ["*"]
  columns:
  - {column: doc, holds: source}
  - {column: who, holds: rater}
  - {column: oak text, holds: text, at: {system: oak}}
  - {column: elm text, holds: text, at: {system: elm}}
  - {column: oak, holds: answer, at: {system: oak}}
  - {column: elm, holds: answer, at: {system: elm}}
answers:
- {criterion: ""}
"""
    tables = files.read(
        wide, {"t.csv": "doc,who,oak text,elm text,oak,elm\nd,a,An oak.,An elm.,3,4"}
    )
    assert given(tables) == [("d/oak", "a", "", 3), ("d/elm", "a", "", 4)]
    texts = {unit.key: unit.outputs[0].text for unit in tables.units()}
    assert texts == {"d/oak": "An oak.", "d/elm": "An elm."}


def test_items_as_columns_get_their_texts_from_a_file_that_names_them(files: Files) -> None:
    survey = """
tables:
- files: [survey.csv]
  columns:
  - {column: who, holds: rater}
  - {column: q7, holds: answer, at: {output: q7}}
  - {column: q8, holds: answer, at: {output: q8}}
- files: [texts.csv]
  columns:
  - {column: id, holds: output}
  - {column: doc, holds: source}
  - {column: by, holds: system}
  - {column: text, holds: text}
answers:
- {criterion: ""}
"""
    tables = files.read(
        survey,
        {
            "survey.csv": "who,q7,q8\nann,1,2\nbo,3,",
            "texts.csv": "id,doc,by,text\nq7,d,oak,An oak.\nq8,d,elm,An elm.\nq9,d,yew,A yew.",
        },
    )
    assert given(tables) == [("q7", "ann", "", 1), ("q8", "ann", "", 2), ("q7", "bo", "", 3)]
    units = {unit.key: unit for unit in tables.units()}
    assert (units["q8"].source, units["q8"].outputs[0].system) == ("d", "elm")
    assert units["q8"].outputs[0].text == "An elm."
    assert "q9" not in units


NAMED = """
tables:
- files: ["*.csv"]
  columns:
  - {column: doc, holds: source}
  - {column: score, holds: answer}
  names:
  - {of: file, says: rater, pattern: "sheet of (.+)[.]csv"}
answers:
- {criterion: ""}
"""


def test_the_names_of_files_tell_who_answered(files: Files) -> None:
    tables = files.read(
        NAMED, {"sheet of ann.csv": "doc,score\nd,1", "sheet of bo.csv": "doc,score\nd,2"}
    )
    assert given(tables) == [("d", "ann", "", 1), ("d", "bo", "", 2)]


def test_a_file_whose_name_tells_nothing_is_refused(files: Files) -> None:
    with pytest.raises(ImportFailure, match="the name of the file says no rater"):
        files.read(NAMED, {"copy.csv": "doc,score\nd,1"})


NAMELESS = """
tables:
- files: ["*"]
  columns:
  - {column: doc, holds: source}
  - {column: flu, holds: answer, at: {criterion: fluency}}
  - {column: sty, holds: answer, at: {criterion: style}}
  numbered_raters: true
answers:
- {criterion: fluency}
- {criterion: style}
"""


def test_rows_without_a_rater_are_numbered_alike_for_all_their_answers(files: Files) -> None:
    tables = files.read(NAMELESS, {"t.csv": "doc,flu,sty\nd,1,\nd,2,4\ne,3,5"})
    expected = [
        ("d", "rater-1", "fluency", 1),
        ("d", "rater-2", "fluency", 2),
        ("d", "rater-2", "style", 4),
        ("e", "rater-1", "fluency", 3),
        ("e", "rater-1", "style", 5),
    ]
    assert given(tables) == expected
    assert given(tables) == expected, "numbers are the same whenever the files are read"


def test_two_rows_are_of_two_people_though_each_answers_what_the_other_leaves_open(
    files: Files,
) -> None:
    tables = files.read(NAMELESS, {"t.csv": "doc,flu,sty\nd,1,\nd,,4"})
    assert given(tables) == [("d", "rater-1", "fluency", 1), ("d", "rater-2", "style", 4)]


def test_an_answer_of_nobody_is_listed(files: Files) -> None:
    rows = "doc,by,who,aspect,score\nd,oak,ann,fluency,4\nd,oak,,fluency,4\nd,oak,bo,fluency,4"
    tables = files.read(LONG, {"t.csv": rows})
    assert listed(tables) == ["t.csv:3: who: empty: who gave the answer?"]


def test_a_file_in_which_most_answers_are_nobodys_is_refused(files: Files) -> None:
    rows = "doc,by,who,aspect,score\nd,oak,,fluency,4\nd,elm,,fluency,4\nd,oak,bo,fluency,4"
    with pytest.raises(ImportFailure, match="2 of 3 records cannot be used"):
        listed(files.read(LONG, {"t.csv": rows}))


def test_a_criterion_that_the_reading_does_not_have_is_listed(files: Files) -> None:
    tables = files.read(LONG, {"t.csv": ROWS.replace("style", "tone")})
    (line,) = listed(tables)
    assert "no criterion 'tone' in the reading (it has: fluency, style)" in line


def test_half_of_a_table_that_is_no_data_is_left_out_before_it_is_read(files: Files) -> None:
    reading = LONG.replace("  columns:", "  left_out: {who: [test]}\n  columns:", 1)
    tables = files.read(reading, {"t.csv": ROWS + "d1,oak,test,fluency,99\nd1,elm,test,tone,99"})
    assert len(given(tables)) == 3
    assert not tables.skipped.listed


@pytest.mark.parametrize(
    ("which", "values"),
    [("first", [1, 3]), ("last", [2, 3]), ("none", [3]), ("all", [1, 2, 3])],
)
def test_answers_given_again_count_as_the_reading_says(
    files: Files, which: str, values: list[int]
) -> None:
    rows = "doc,by,who,aspect,score\nd,oak,ann,style,1\nd,oak,ann,style,2\nd,elm,ann,style,3"
    tables = files.read(f"{LONG}repeated: {which}\n", {"t.csv": rows})
    assert [value for *_, value in given(tables)] == values
    assert tables.findings.counts["answers_repeated"] == 1


@pytest.mark.parametrize("which", ["first", "last", "none", "all"])
def test_answers_in_a_copy_are_no_repeats(files: Files, which: str) -> None:
    rows = "doc,by,who,aspect,score\n" + "\n".join(
        f"d{n},oak,ann,style,{n % 5 + 1}" for n in range(8)
    )
    tables = files.read(f"{LONG}repeated: {which}\n", {"a.csv": rows, "b.csv": rows})
    assert len(given(tables)) == 8
    assert tables.findings.counts == {"answers_in_two_files": 8}


def test_another_answer_in_a_second_file_makes_repeats_of_all(files: Files) -> None:
    rows = "doc,by,who,aspect,score\n" + "\n".join(
        f"d{n},oak,ann,style,{n % 5 + 1}" for n in range(8)
    )
    other = rows.replace("d7,oak,ann,style,3", "d7,oak,ann,style,1")
    tables = files.read(f"{LONG}repeated: all\n", {"a.csv": rows, "b.csv": other})
    assert len(given(tables)) == 16
    assert tables.findings.counts == {"answers_repeated": 8}


def test_several_columns_make_one_key_and_a_long_text_makes_none(files: Files) -> None:
    reading = """
tables:
- files: ["*"]
  columns:
  - {column: doc, holds: source}
  - {column: part, holds: source}
  - {column: who, holds: rater}
  - {column: score, holds: answer}
answers:
- {criterion: ""}
"""
    long_text = "word " * 60
    tables = files.read(
        reading, {"t.csv": f"doc,part,who,score\nd,1,a,1\n{long_text},2,a,2\nd,1,b,3"}
    )
    assert [unit for unit, *_ in given(tables)] == ["d/1", "1", "d/1"]


def test_texts_are_the_key_where_no_column_is(files: Files) -> None:
    reading = """
tables:
- files: ["*"]
  columns:
  - {column: question, holds: query}
  - {column: reply, holds: text}
  - {column: who, holds: rater}
  - {column: score, holds: answer}
answers:
- {criterion: ""}
"""
    rows = "question,reply,who,score\nWhy?,So.,a,1\nWhy?,No.,a,2\nWho?,Me.,a,3\nWhy?,So. ,b,4"
    tables = files.read(reading, {"t.csv": rows})
    assert [unit for unit, *_ in given(tables)] == ["1/1", "1/2", "2/1", "1/1"]


def test_one_output_of_two_sources_is_refused_in_words(files: Files) -> None:
    reading = """
tables:
- files: ["*"]
  columns:
  - {column: doc, holds: source}
  - {column: id, holds: output}
  - {column: score, holds: answer}
answers:
- {criterion: ""}
"""
    tables = files.read(reading, {"t.csv": "doc,id,score\nd,1,1\nd,2,1\ne,1,1"})
    assert "'1' is an output of 'e' and of another source" in listed(tables)[0]


def test_spellings_of_a_system_are_joined(files: Files) -> None:
    reading = f"{LONG}systems: {{Oak: oak}}\n"
    rows = "doc,by,who,aspect,score\nd,oak,ann,style,1\nd,Oak,bo,style,2"
    assert {unit for unit, *_ in given(files.read(reading, {"t.csv": rows}))} == {"d/oak"}


def test_raters_and_their_answers_belong_together_by_their_place_in_the_row(files: Files) -> None:
    reading = """
tables:
- files: ["*"]
  columns:
  - {column: doc, holds: source}
  - {column: by.1, holds: rater, at: {position: 1}}
  - {column: score.1, holds: answer, at: {position: 1}}
  - {column: by.2, holds: rater, at: {position: 2}}
  - {column: score.2, holds: answer, at: {position: 2}}
answers:
- {criterion: ""}
"""
    tables = files.read(reading, {"t.csv": "doc,by.1,score.1,by.2,score.2\nd,ann,1,bo,2"})
    assert given(tables) == [("d", "ann", "", 1), ("d", "bo", "", 2)]


def test_several_values_in_a_cell_are_those_of_several_raters(files: Files) -> None:
    reading = """
tables:
- files: ["*"]
  columns:
  - {column: doc, holds: source}
  - {column: scores, holds: answer, split: ";"}
answers:
- {criterion: ""}
"""
    tables = files.read(reading, {"t.csv": "doc,scores\nd,1;2;3\ne,4;;5"})
    assert [(unit, rater, value) for unit, rater, _, value in given(tables)] == [
        ("d", "rater-1", 1),
        ("d", "rater-2", 2),
        ("d", "rater-3", 3),
        ("e", "rater-1", 4),
        ("e", "rater-3", 5),
    ]


def test_statements_about_an_output_are_units_and_padding_is_none(files: Files) -> None:
    reading = """
tables:
- files: ["*"]
  columns:
  - {column: doc, holds: source}
  - {column: by, holds: system}
  - {column: text, holds: text}
  - {column: s_1, holds: part, at: {position: 1}, blank: [BLANK]}
  - {column: s_2, holds: part, at: {position: 2}, blank: [BLANK]}
  - {column: a_1, holds: answer, at: {position: 1}}
  - {column: a_2, holds: answer, at: {position: 2}}
answers:
- {criterion: "", level: nominal}
"""
    rows = """
doc,by,text,s_1,s_2,a_1,a_2
d,oak,An oak.,It is tall.,It is old.,y,n
d,elm,An elm.,It is old.,BLANK,y,n
"""
    tables = files.read(reading, {"t.csv": rows})
    assert [(unit, value) for unit, _, _, value in given(tables)] == [
        ("d/oak/1", "y"),
        ("d/oak/2", "n"),
        ("d/elm/2", "y"),
    ]
    parts = {unit.key: (unit.part, unit.outputs[0].key) for unit in tables.units()}
    assert parts["d/elm/2"] == ("It is old.", "d/elm")
    texts = files.read(reading.partition("answers:")[0], {"t.csv": rows})
    assert [unit.key for unit in texts.units()] == ["d/oak", "d/elm"]

"""Choices between two outputs of a row, and sets of the accepted ones."""

import pytest

from files.errors import ImportFailure
from tests.files.reading.rows.readings import Files, given, listed

PAIRS = """
tables:
- files: ["*"]
  columns:
  - {column: doc, holds: source}
  - {column: who, holds: rater}
  - {column: sys_a, holds: system, at: {position: 1}}
  - {column: sys_b, holds: system, at: {position: 2}}
  - {column: text_a, holds: text, at: {position: 1}}
  - {column: text_b, holds: text, at: {position: 2}}
  - {column: winner, holds: answer}
answers:
- {criterion: "", form: choice, words: {A: 1, B: 2, same: tie, skipped: null}}
"""
HEAD = "doc,who,sys_a,sys_b,text_a,text_b,winner\n"
BY_NAME = PAIRS.replace("{A: 1, B: 2, same: tie, skipped: null}", "{same: tie}, names_system: true")


def test_a_letter_says_which_of_a_pair_is_better(files: Files) -> None:
    rows = HEAD + "d,ann,oak,elm,An oak.,An elm.,A\nd,bo,oak,elm,An oak.,An elm.,same"
    tables = files.read(PAIRS, {"t.csv": rows})
    assert given(tables) == [("d/elm~oak", "ann", "", "first"), ("d/elm~oak", "bo", "", "tie")]
    (unit,) = tables.units()
    assert [(output.key, output.text) for output in unit.outputs] == [
        ("d/oak", "An oak."),
        ("d/elm", "An elm."),
    ]


def test_a_pair_shown_the_other_way_round_is_the_same_pair(files: Files) -> None:
    rows = HEAD + "d,ann,oak,elm,An oak.,An elm.,A\nd,bo,elm,oak,An elm.,An oak.,A"
    tables = files.read(PAIRS, {"t.csv": rows})
    assert [value for *_, value in given(tables)] == ["first", "second"]
    assert tables.shown_both_ways == {"d/elm~oak"}


def test_careless_letters_are_read_and_what_is_none_is_listed(files: Files) -> None:
    rows = HEAD + "".join(f"d{n},ann,oak,elm,x {n},y {n},{w}\n" for n, w in enumerate("aBb5"))
    tables = files.read(PAIRS, {"t.csv": rows})
    assert [value for *_, value in given(tables)] == ["first", "second", "second"]
    assert listed(tables) == ["t.csv:5: winner: '5' is none of 'A', 'B', 'same', 'skipped'"]


def test_a_word_for_no_answer_is_no_answer(files: Files) -> None:
    rows = HEAD + "d,ann,oak,elm,x,y,skipped\nd,bo,oak,elm,x,y,B"
    tables = files.read(PAIRS, {"t.csv": rows})
    assert [value for *_, value in given(tables)] == ["second"]
    assert not listed(tables)


def test_a_winner_is_told_by_the_system_and_one_that_names_neither_is_listed(files: Files) -> None:
    rows = HEAD + "d,a,oak,elm,x,y,elm\nd,b,oak,elm,x,y,same\nd,c,oak,elm,x,y,yew"
    tables = files.read(BY_NAME, {"t.csv": rows})
    assert [value for *_, value in given(tables)] == ["second", "tie"]
    assert listed(tables) == ["t.csv:4: winner: 'yew' names neither 'oak' nor 'elm'"]


def test_a_file_whose_winners_mostly_name_neither_is_refused(files: Files) -> None:
    rows = HEAD + "d,a,oak,elm,x,y,elm\nd,b,oak,elm,x,y,ash\nd,c,oak,elm,x,y,yew"
    with pytest.raises(ImportFailure, match="2 of 3 cells are no answer"):
        given(files.read(BY_NAME, {"t.csv": rows}))


def test_one_cell_may_hold_both_systems(files: Files) -> None:
    reading = """
tables:
- files: ["*"]
  columns:
  - {column: doc, holds: source}
  - {column: pair, holds: system, split: _}
  - {column: ann, holds: answer, at: {rater: ann}}
answers:
- {criterion: "", form: choice, words: {1: 1, 2: 2, 0: tie}}
"""
    tables = files.read(reading, {"t.csv": "doc,pair,ann\nd,oak-1.5_elm-2,2\ne,oak-1.5_elm-2,0"})
    assert given(tables) == [
        ("d/elm-2~oak-1.5", "ann", "", "second"),
        ("e/elm-2~oak-1.5", "ann", "", "tie"),
    ]


def test_a_system_that_is_the_same_in_all_rows_stands_in_the_name_of_its_column(
    files: Files,
) -> None:
    reading = """
tables:
- files: ["*"]
  columns:
  - {column: doc, holds: source}
  - {column: ours, holds: text, at: {position: 1, system: ours}}
  - {column: theirs, holds: text, at: {position: 2}}
  - {column: which, holds: system, at: {position: 2}}
  - {column: better, holds: answer}
answers:
- {criterion: "", form: choice, names_system: true}
"""
    tables = files.read(
        reading, {"t.csv": "doc,ours,theirs,which,better\nd,x,y,elm,ours\nd,x,z,yew,yew"}
    )
    assert [(unit, value) for unit, _, _, value in given(tables)] == [
        ("d/elm~ours", "first"),
        ("d/ours~yew", "second"),
    ]


SETS = """
tables:
- files: ["*"]
  columns:
  - {column: q, holds: source}
  - {column: t_1, holds: text, at: {position: 1}}
  - {column: t_2, holds: text, at: {position: 2}}
  - {column: t_3, holds: text, at: {position: 3}}
  - {column: s_1, holds: system, at: {position: 1}}
  - {column: s_2, holds: system, at: {position: 2}}
  - {column: s_3, holds: system, at: {position: 3}}
  - {column: len_1, holds: kept, of: output, at: {position: 1}}
  - {column: ok, holds: answer}
answers:
- {criterion: "", form: set, separator: "|", words: {NONE: ""}}
"""
SET_HEAD = "q,t_1,t_2,t_3,s_1,s_2,s_3,len_1,ok\n"


def test_ticked_positions_are_a_yes_or_no_for_each_output(files: Files) -> None:
    rows = (
        SET_HEAD + "q,x,y,z,oak,elm,yew,7,1|3\nq,x,y,z,oak,elm,yew,7,2\nq,x,y,z,oak,elm,yew,7,NONE"
    )
    tables = files.read(SETS, {"t.csv": rows})
    found: dict[str, list[object]] = {}
    for unit, _, _, value in given(tables):
        found.setdefault(unit, []).append(value)
    assert found == {
        "q/oak": ["yes", "no", "no"],
        "q/elm": ["no", "yes", "no"],
        "q/yew": ["yes", "no", "no"],
    }
    assert next(iter(tables.units())).outputs[0].kept == {"len": "7"}


def test_rows_with_fewer_outputs_have_fewer_units(files: Files) -> None:
    tables = files.read(SETS, {"t.csv": SET_HEAD + "q,x,y,,oak,elm,,7,1"})
    assert [unit for unit, *_ in given(tables)] == ["q/oak", "q/elm"]


def test_a_tick_at_a_place_that_the_row_does_not_have_is_listed_once(files: Files) -> None:
    rows = SET_HEAD + "q,x,y,z,oak,elm,yew,7,1|9\nr,x,y,z,oak,elm,yew,7,1"
    tables = files.read(SETS, {"t.csv": rows})
    assert listed(tables) == ["t.csv:2: ok: '9' is none of the places that the row has"]


LABELS = """
tables:
- files: ["*"]
  columns:
  - {column: q, holds: source}
  - {column: who, holds: rater}
  - {column: errors, holds: answer}
answers:
- {criterion: errors, form: set, separator: ";", words: {gr: grammar, Grammar: grammar, fact: fact}}
"""


def test_a_set_of_labels_is_a_yes_or_no_for_each_label(files: Files) -> None:
    tables = files.read(LABELS, {"t.csv": "q,who,errors\nq,ann,gr;fact\nr,ann,"})
    assert given(tables) == [
        ("q", "ann", "errors: grammar", "yes"),
        ("q", "ann", "errors: fact", "yes"),
        ("r", "ann", "errors: grammar", "no"),
        ("r", "ann", "errors: fact", "no"),
    ]


MARKS = """
tables:
- files: ["*"]
  columns:
  - {column: q, holds: source}
  - {column: who, holds: rater}
  - {column: severity, holds: answer}
answers:
- {criterion: "", form: marks, words: {major: 5, minor: 1, none: 0}}
"""


def test_marks_on_an_output_are_weighed_together(files: Files) -> None:
    rows = "q,who,severity\nq,ann,major\nq,ann,minor\nq,bo,none\nr,ann,minor"
    tables = files.read(MARKS, {"t.csv": rows})
    assert given(tables) == [("q", "ann", "", 6), ("q", "bo", "", 0), ("r", "ann", "", 1)]

"""Tables whose rows add to those of another: by a key, in the same order, or by a text."""

import pytest

from files.errors import ImportFailure
from files.reading.rows.joins import is_named
from tests.files.reading.rows.readings import Files, given, listed

JUDGED = """
tables:
- files: [people.csv]
  columns:
  - {column: id, holds: source}
  - {column: reply, holds: text}
  - {column: ann, holds: answer, at: {rater: ann}}
- files: [bot*.csv]
  join: {by: key, columns: [[id, key]]}
  columns:
  - {column: key, holds: left out}
  - {column: verdict, holds: answer, at: {rater: bot}, kind: judge}
  - {column: why, holds: reason}
answers:
- {criterion: "", level: nominal}
"""
PEOPLE = "id,reply,ann\n1,Yes.,good\n2,No.,bad"


def test_a_judges_file_is_joined_by_a_key(files: Files) -> None:
    tables = files.read(
        JUDGED, {"people.csv": PEOPLE, "bot-7.csv": "key,verdict,why\n2,bad,Too short.\n1,bad,"}
    )
    answers = list(tables.answers())
    assert [(a.unit, a.rater, a.kind, a.value, a.reason) for a in answers] == [
        ("1/1", "ann", "human", "good", ""),
        ("1/1", "bot", "judge", "bad", ""),
        ("2/1", "ann", "human", "bad", ""),
        ("2/1", "bot", "judge", "bad", "Too short."),
    ]


def test_rows_of_a_judge_that_fit_no_other_are_listed(files: Files) -> None:
    tables = files.read(
        JUDGED, {"people.csv": PEOPLE, "bot-7.csv": "key,verdict,why\n2,bad,\n3,good,"}
    )
    assert listed(tables) == [
        "bot-7.csv:3: key: 3 is in no row of people.csv: add it there, or leave it out"
    ]
    assert len(given(tables)) == 3


KEYED = """
tables:
- files: [ratings.csv]
  columns:
  - {column: code, holds: source}
  - {column: who, holds: rater}
  - {column: score, holds: answer}
- files: [key.csv]
  join: {by: key, columns: [[code, code]]}
  columns:
  - {column: by, holds: system}
answers:
- {criterion: ""}
"""


def test_a_key_file_tells_the_systems_and_rows_that_it_lacks_are_listed(files: Files) -> None:
    tables = files.read(
        KEYED,
        {
            "ratings.csv": "code,who,score\nx1,ann,1\nx2,ann,2\nx3,ann,3",
            "key.csv": "code,by\nx1,oak\nx2,elm",
        },
    )
    assert [unit for unit, *_ in given(tables)] == ["x1/oak", "x2/elm"]
    assert listed(tables) == [
        "ratings.csv:4: code: x3 is in no row of key.csv: add a row there, or leave this one out"
    ]


def test_a_key_file_that_says_two_things_of_a_key_is_not_guessed_at(files: Files) -> None:
    tables = files.read(
        KEYED,
        {
            "ratings.csv": "code,who,score\nx1,ann,1\nx2,ann,2\nx3,ann,3",
            "key.csv": "code,by\nx1,oak\nx2,elm\nx2,yew\nx3,oak",
        },
    )
    (line,) = listed(tables)
    assert "2 rows of key.csv belong to this one: join by more columns" in line


def test_tables_in_the_same_order_are_read_side_by_side(files: Files) -> None:
    reading = KEYED.replace("{by: key, columns: [[code, code]]}", "{by: order}")
    tables = files.read(
        reading,
        {"ratings.csv": "code,who,score\na,ann,1\nb,ann,2", "key.csv": "code,by\n7,oak\n8,elm"},
    )
    assert [unit for unit, *_ in given(tables)] == ["a/oak", "b/elm"]


def test_texts_join_tables_whatever_their_blanks(files: Files) -> None:
    reading = KEYED.replace("by: key, columns: [[code, code]]", "by: text, columns: [[code, text]]")
    tables = files.read(
        reading,
        {
            "ratings.csv": "code,who,score\nAn  old oak.,ann,1",
            "key.csv": "text,by\nAn old oak. ,oak",
        },
    )
    assert [unit for unit, *_ in given(tables)] == ["An  old oak./oak"]


def test_lists_in_one_file_get_their_systems_from_the_order_of_another(files: Files) -> None:
    reading = """
tables:
- files: [lists.csv]
  columns:
  - {column: review, holds: document}
  - {column: t.1, holds: text, at: {position: 1, system: oak}}
  - {column: t.2, holds: text, at: {position: 2, system: elm}}
  - {column: flu.1.1, holds: answer, at: {position: 1, rater: 1, criterion: flu}}
  - {column: flu.2.1, holds: answer, at: {position: 2, rater: 1, criterion: flu}}
answers:
- {criterion: flu}
"""
    rows = "review,t.1,t.2,flu.1.1,flu.2.1\nLong.,An oak.,An elm.,4,5"
    assert given(files.read(reading, {"lists.csv": rows})) == [
        ("1/oak", "1", "flu", 4),
        ("1/elm", "1", "flu", 5),
    ]


def test_a_column_that_is_not_there_is_named(files: Files) -> None:
    with pytest.raises(ImportFailure, match=r"ratings.csv:1: who: no such column .*code, score"):
        files.read(KEYED, {"ratings.csv": "code,score\na,1", "key.csv": "code,by\na,oak"})


def test_a_file_of_the_reading_that_is_missing_is_named(files: Files) -> None:
    with pytest.raises(ImportFailure, match=r"key.csv is missing beside it"):
        files.read(KEYED, {"ratings.csv": "code,who,score\na,b,1"})


def test_a_delivery_under_another_name_fits_by_its_columns(files: Files) -> None:
    tables = files.read(
        KEYED, {"second.csv": "code,who,score\na,ann,1", "second key.csv": "code,by\na,oak"}
    )
    assert [unit for unit, *_ in given(tables)] == ["a/oak"]


@pytest.mark.parametrize(
    ("name", "pattern", "fits"),
    [
        ("a.csv", "a.csv", True),
        ("a.csv", "*", True),
        ("out_a_7.csv", "out_*_7.csv", True),
        ("out_a_8.csv", "out_*_7.csv", False),
        ("aa", "a*a*a", False),
        ("abca", "a*b*a", True),
    ],
)
def test_a_star_stands_for_any_part_of_a_name(name: str, pattern: str, fits: bool) -> None:
    assert is_named(name, pattern) is fits

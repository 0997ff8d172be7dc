"""A reading that is unlikely is asked about, and says why."""

import csv
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from files.readers.raw_tables import raw_tables
from files.reading.design_questions import AS_READ, DESIGN, OTHERWISE
from files.reading.model import Holds
from files.reading.proposals import Stated, proposed

RNG = random.Random(4)


def table(tmp_path: Path, header: str, rows: Sequence[Sequence[object]]) -> Path:
    path = tmp_path / "ratings.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([header.split(), *rows])
    return path


def score() -> int:
    return RNG.randint(1, 5)


def asked(path: Path, stated: Stated | None = None) -> str:
    """The question whether the design is as read."""
    questions = proposed(raw_tables([path]), stated).questions
    return next((question.text for question in questions if question.key == DESIGN), "")


DOCUMENTS = [f"d{n}" for n in range(20)]
PEOPLE = ("ada", "bo", "cy")
LONG = [[d, s, r, score()] for d in DOCUMENTS for s in ("bart", "t5") for r in PEOPLE]
UNLIKELY: dict[str, tuple[str, Sequence[Sequence[object]]]] = {
    "a rater answers the same question again": (
        "document rater rating",
        [[row[0], *row[2:]] for row in LONG],
    ),
    "systems were found": (
        "document system rater rating",
        [[f"d{n % 4}", f"sys-{n}", r, score()] for n in range(25) for r in PEOPLE],
    ),
    "Most names of systems": (
        "document system rater rating",
        [[d, s, r, score()] for d in DOCUMENTS for s in (11, 12, 13) for r in PEOPLE],
    ),
    "One system has several outputs": (
        "document output_id system rater rating",
        [
            [d, f"{d}-{s}{k}", s, r, score()]
            for d in DOCUMENTS
            for s in ("bart", "t5")
            for k in range(3)
            for r in PEOPLE
        ],
    ),
    "criteria were found": (
        "document criterion rater rating",
        [[d, f"kind-{k}", r, score()] for d in DOCUMENTS for k in "abcdefghijklmn" for r in PEOPLE],
    ),
    "holds different values from the columns of other raters": (
        "document annotator_1 annotator_2 annotator_3",
        [[d, score(), score(), "x" if n % 2 else "y"] for n, d in enumerate(DOCUMENTS)],
    ),
    "do not look like systems": (
        "document system rater rating",
        [[d, s, r, score()] for d in DOCUMENTS for s in ("yes", "no") for r in PEOPLE],
    ),
    "have numbers as names": (
        "document criterion rater rating",
        [[d, c, r, score()] for d in DOCUMENTS for c in (1, 2) for r in PEOPLE],
    ),
    "that nobody else judged": (
        "document rater rating",
        [[d, f"p{n}", score()] for n, d in enumerate(DOCUMENTS)],
    ),
    "The values of `rating` do not fit a scale": (
        "document rater rating",
        [[d, r, RNG.randint(1000, 9999)] for d in DOCUMENTS for r in PEOPLE],
    ),
    "holds dates, which may not say what was judged": (
        "date rater rating",
        [[f"2024-01-{n + 1:02}", r, score()] for n in range(20) for r in PEOPLE],
    ),
    "may be means": (
        "document fluency coherence",
        [
            [d, *(f"{score() + k / 3:.2f}" for k in (n % 3, (n + 1) % 3))]
            for n, d in enumerate(DOCUMENTS)
        ],
    ),
}


@pytest.mark.parametrize("reason", UNLIKELY)
def test_an_unlikely_design_is_asked_about_with_the_reason(tmp_path: Path, reason: str) -> None:
    header, rows = UNLIKELY[reason]
    assert reason in asked(table(tmp_path, header, rows))


def test_rows_told_by_their_place_alone_are_of_one_system_in_all_files(tmp_path: Path) -> None:
    for name in ("rater_1", "rater_2"):
        (tmp_path / name).mkdir()
        rows = [[s, score()] for n in range(10) for s in ("bart", "t5")]
        rows = rows if name == "rater_1" else rows[::-1]
        table(tmp_path / name, "system rating", rows)
    (question,) = proposed(raw_tables([tmp_path])).questions
    assert "Nothing says what was judged but row 1 of each of the files" in question.text
    rows = [[s, score()] for n in range(10) for s in ("bart", "t5")]
    table(tmp_path / "rater_2", "system rating", rows)
    (question,) = proposed(raw_tables([tmp_path])).questions
    assert "Nothing says" not in question.text


def test_which_of_several_answers_counts_is_asked_with_how_many_there_are(tmp_path: Path) -> None:
    again = [[*row[:3], 6 - int(row[3])] for row in LONG[:12]]
    path = table(tmp_path, "document system rater rating", [*LONG, *again])
    (question,) = proposed(raw_tables([path])).questions
    assert question.text.startswith("In 12 of 132 answers a rater answers the same question again")
    counting = [choice.reading.repeated for choice in question.choices]
    assert counting == ["first", "last", "none", "first"]
    for choice, counts in zip(question.choices[:3], counting, strict=False):
        decided = proposed(raw_tables([path]), Stated(decided={DESIGN: choice.key}))
        assert (decided.reading.repeated, decided.questions) == (counts, ())
    told = proposed(raw_tables([path]), Stated(repeated="none"))
    assert (told.reading.repeated, told.questions) == ("none", ())
    assert any("12 answers are given again" in remark.text for remark in told.remarks)


def test_rows_that_are_no_data_give_nothing_again(tmp_path: Path) -> None:
    rows = [[*row, "yes"] for row in LONG] + [[*row, "no"] for row in LONG[:3]]
    path = table(tmp_path, "document system rater rating finished", rows)
    kept, left = (proposed(raw_tables([path]), Stated(decided={"rows": d})) for d in ("kept", ""))
    said = [[r.text for r in found.remarks if r.key == "repeated"] for found in (kept, left)]
    assert [text.partition(" by ")[0] for text in said[0]] == ["3 answers are given again"]
    assert not said[1]


def test_a_likely_design_is_not_asked_about(tmp_path: Path) -> None:
    assert asked(table(tmp_path, "document system rater rating", LONG)) == ""


def test_whoever_decides_it_is_asked_no_more(tmp_path: Path) -> None:
    header, rows = UNLIKELY["systems were found"]
    path = table(tmp_path, header, rows)
    assert asked(path, Stated(decided={DESIGN: AS_READ})) == ""
    otherwise = proposed(raw_tables([path]), Stated(decided={DESIGN: OTHERWISE}))
    assert not otherwise.reading.answers
    columns = [c for part in otherwise.reading.tables for c in part.columns]
    assert not [c for c in columns if c.holds is Holds.ANSWER]

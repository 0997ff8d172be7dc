"""Columns called like systems or numbers, where other columns say what they cannot be."""

import random
from collections.abc import Iterable, Sequence
from pathlib import Path

from files.readers.raw_tables import raw_tables
from files.reading.proposal_parts import Proposal
from files.reading.proposals import proposed

RNG = random.Random(5)
SYSTEMS = ("flan-t5", "gpt-4", "baseline", "t5_base", "human")


def point() -> int:
    return RNG.randint(1, 7)


def written(folder: Path, name: str, head: str, rows: Iterable[Sequence[object]]) -> Path:
    path = folder / name
    path.write_text("\n".join([head, *(",".join(map(str, row)) for row in rows)]) + "\n")
    return path


def read(*paths: Path) -> Proposal:
    return proposed(raw_tables(paths))


def test_columns_called_like_raters_are_systems_where_rows_name_the_rater(tmp_path: Path) -> None:
    def of_row(n: int) -> Sequence[object]:
        # In so few rows two systems' labels seem to say what a row is about.
        first, second = n % 7 + 1, n // 7 + 1
        labels = (point(), point(), first, second, (first * second) % 7 + 1)
        return (f"doc{n % 16}", f"annotator_{n // 16}", *labels)

    rows = [of_row(n) for n in range(32)]
    proposal = read(written(tmp_path, "t.csv", f"idx,worker_id,{','.join(SYSTEMS)}", rows))
    assert "16 sources × 5 systems, two raters in `worker_id`" in proposal.sentence
    assert not proposal.questions


def test_numbered_columns_are_no_criteria_where_rows_name_the_criterion(tmp_path: Path) -> None:
    rows = [
        (f"doc{n}", aspect, *(point() for _ in range(4)))
        for n in range(20)
        for aspect in ("simplicity", "fluency")
    ]
    head = "doc_id,criterion,score_1,score_2,score_3,score_4"
    proposal = read(written(tmp_path, "t.csv", head, rows))
    assert "two criteria (`simplicity`, `fluency`)" in proposal.sentence
    assert "four" in proposal.sentence


def test_a_key_without_answers_names_systems_in_a_column_of_any_name(tmp_path: Path) -> None:
    ids = [f"x{RNG.randint(10_000, 99_999)}" for _ in range(48)]
    key = [(each, f"doc{n // 4}", SYSTEMS[n % 4], "news") for n, each in enumerate(ids)]
    answers = [
        (each, f"doc{n // 4}", who, point())
        for n, each in enumerate(ids)
        for who in ("VP10", "VP61")
    ]
    proposal = read(
        written(tmp_path, "answers.csv", "anon_id,id,Proband,politeness", answers),
        written(tmp_path, "key_file.csv", "anon_id,Beitrag,condition,domain", key),
    )
    assert "12 sources × 4 systems, two raters in `Proband`" in proposal.sentence

"""Files of any form by the client: how they are read, and the study made of them."""

from pathlib import Path

import pytest

from jurybox.client import Refused, Stopped
from tests.jurybox.client.conftest import Connect

HEAD = "doc_id,system,annotator,rating"
ROWS = [f"d{n},{s},{r},{1 + (n + len(r)) % 5}" for n in range(9) for s in "ab" for r in ("x", "yy")]
NAMELESS = [f"d{n},a,{'' if r else 'ann'},{1 + (n + r) % 5}" for n in range(12) for r in range(3)]


def csv_file(path: Path, rows: list[str], head: str = HEAD) -> Path:
    path.write_text("\n".join([head, *rows]), encoding="utf-8")
    return path


@pytest.mark.usefixtures("worker")
def test_files_are_read_and_become_a_study(connect: Connect, tmp_path: Path) -> None:
    client = connect()
    read = client.read_files(csv_file(tmp_path / "ratings.csv", ROWS))
    assert (read.questions, read.counts["answers"]) == ([], 36)
    assert "two raters in `annotator`" in read.sentence
    study = client.import_files(read, slug="mills", keep_names=True, timeout=120)
    assert {answer["rater"] for answer in study.answers()} == {"x", "yy"}

    again = client.read_files(csv_file(tmp_path / "next.csv", ROWS))
    reading = {**read.reading, "tables": [{**read.reading["tables"][0], "files": ["next.csv"]}]}
    second = client.import_files(again, slug="second", reading=reading, timeout=120)
    assert len([*second.answers()]) == 36


@pytest.mark.usefixtures("worker")
def test_open_questions_are_decided_by_their_keys(connect: Connect, tmp_path: Path) -> None:
    client = connect()
    read = client.read_files(csv_file(tmp_path / "ratings.csv", NAMELESS))
    (question,) = read.questions
    with pytest.raises(Refused, match="Decide first"):
        client.import_files(read, slug="mills")
    study = client.import_files(
        read, slug="mills", decided={question["key"]: "numbered"}, timeout=120
    )
    assert len([*study.answers()]) == 36


def test_files_that_cannot_be_read_are_refused_with_the_place(
    connect: Connect, tmp_path: Path
) -> None:
    with pytest.raises(Refused, match=r"ratings\.csv: columns: the file is empty"):
        connect().read_files(csv_file(tmp_path / "ratings.csv", [], head=""))


@pytest.mark.usefixtures("worker")
def test_an_import_that_fails_is_told(connect: Connect, tmp_path: Path) -> None:
    client = connect()
    read = client.read_files(csv_file(tmp_path / "ratings.csv", ROWS))
    read.reading["tables"][0]["columns"][-1]["column"] = "stars"
    with pytest.raises(Stopped, match="stars: no such column"):
        client.import_files(read, slug="mills", reading=read.reading, timeout=120)

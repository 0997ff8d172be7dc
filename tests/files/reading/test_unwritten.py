"""Tables of claims or queries with evidence: whether texts about them are still to be written."""

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from files.readers.raw_tables import raw_tables
from files.reading.first_rows import first_rows
from files.reading.model import Holds
from files.reading.proposal_parts import Proposal
from files.reading.proposals import Stated, proposed
from files.reading.samples import read

Rows = Sequence[Mapping[str, object]]
EVIDENCE = "The report of the council of the town says in its {}th part that the river has risen."


def claim(number: int) -> str:
    return f"The mill number {number} burned down in the night of the great storm."


def claims(**columns: object) -> list[dict[str, object]]:
    passages = {f"evidence_{k}": EVIDENCE for k in (1, 2)}
    beside = {"verdict": "false", **passages, **columns}
    return [
        {"claim": claim(n), **{k: str(v).format(f"{n}{k[-1]}") for k, v in beside.items()}}
        for n in range(9)
    ]


def queries(**columns: object) -> list[dict[str, object]]:
    kinds = ("open-ended", "single-answer")
    return [
        {"query": f"What happened to the mill number {n}?", "kind": kinds[n % 2],
         "passage": EVIDENCE.format(n), **{k: str(v).format(n) for k, v in columns.items()}}
        for n in range(9)
    ]  # fmt: skip


def written(folder: Path, rows: Rows, name: str = "claims.csv") -> Path:
    path = folder / name
    if path.suffix == ".json":
        path.write_text(json.dumps(rows))
        return path
    with path.open("w", newline="") as file:
        lines = csv.DictWriter(file, [*rows[0]], delimiter="\t" if path.suffix == ".tsv" else ",")
        lines.writeheader()
        lines.writerows(rows)
    return path


def of(folder: Path, rows: Rows, name: str = "claims.csv", **decided: str) -> Proposal:
    return proposed(raw_tables([written(folder, rows, name)]), Stated(decided=decided))


def held(proposal: Proposal) -> dict[str, Holds]:
    return {c.column: c.holds for t in proposal.reading.tables for c in t.columns}


def without(rows: Rows, *names: str) -> Rows:
    return [{k: v for k, v in row.items() if k not in names} for row in rows]


@pytest.mark.parametrize("name", ["claims.csv", "claims.tsv", "claims.json"])
def test_claims_with_verdict_and_evidence_wait_for_their_texts(tmp_path: Path, name: str) -> None:
    proposal = of(tmp_path, claims(), name)
    assert proposal.sentence == "9 claims with passages, no texts yet: models can write them."
    assert (proposal.reading.are_sources, proposal.questions) == (True, ())
    assert held(proposal) == {
        "claim": Holds.CLAIM,
        "verdict": Holds.VERDICT,
        "evidence_1": Holds.PASSAGES,
        "evidence_2": Holds.PASSAGES,
    }
    (told,) = proposal.remarks
    assert told.flags == "--decide texts=judged"


def test_the_other_way_is_what_such_a_file_was_before(tmp_path: Path) -> None:
    proposal = of(tmp_path, claims(), texts="judged", own="own")
    assert held(proposal)["claim"] is Holds.TEXT
    assert "9 texts, without answers" in proposal.sentence


@pytest.mark.parametrize(
    ("rows", "things"),
    [
        (without(claims(), "verdict"), "claims"),
        (without(claims(label="false"), "verdict"), "claims"),  # or people's answers
        ([{**row, "speaker": f"Person {n % 3}"} for n, row in enumerate(claims())], "claims"),
        (without(queries(), "kind"), "queries"),
        (without(queries(context=EVIDENCE), "kind", "passage"), "queries"),
    ],
)
def test_where_names_do_not_tell_it_the_question_has_two_choices(
    tmp_path: Path, rows: Rows, things: str
) -> None:
    proposal = of(tmp_path, rows)
    (question,) = proposal.questions
    assert [(each.key, each.label) for each in question.choices] == [
        ("judged", "these are the texts to judge"),
        ("unwritten", f"these are {things} that texts are still to be written about"),
    ]
    assert [each.reading.are_sources for each in question.choices] == [False, True]
    assert of(tmp_path, rows, texts="unwritten").questions == ()


@pytest.mark.parametrize(
    "more",
    [
        {"explanation": "It is false because of part {}, as the council has said [1]."},
        {"model_output": "It is false because of part {}, as the council has said [1]."},
        {"rating": "3"},
        {"annotator": "ann"},
    ],
)
def test_outputs_answers_and_raters_leave_no_doubt(tmp_path: Path, more: dict[str, object]) -> None:
    proposal = of(tmp_path, without(claims(**more), "verdict"))
    assert not proposal.reading.are_sources
    assert "texts" not in {question.key for question in proposal.questions}


def test_claims_alone_are_texts(tmp_path: Path) -> None:
    rows = without(claims(), "evidence_1", "evidence_2", "verdict")
    assert of(tmp_path, rows).questions == ()
    assert held(of(tmp_path, rows)) == {"claim": Holds.TEXT}


def test_the_kind_of_query_is_kept_by_the_name_that_responses_are_written_by(
    tmp_path: Path,
) -> None:
    proposal = of(tmp_path, queries(), "queries.csv")
    assert proposal.sentence == "9 queries with passages, no texts yet: models can write them."
    columns = {c.column: c for c in proposal.reading.tables[0].columns}
    assert (columns["kind"].of, columns["kind"].own_name) == ("source", "query_kind")


def test_what_is_wrong_with_claims_is_said_and_left_out(tmp_path: Path) -> None:
    rows = [{"id": f"c{n}", **row} for n, row in enumerate(claims())]
    rows[1]["claim"] = ""
    rows[2] |= {"evidence_1": "", "evidence_2": ""}
    rows[4]["claim"] = rows[3]["claim"]
    rows[6]["id"] = "c5"
    rows[7]["claim"] = "So it is. " * 1_000
    path = written(tmp_path, rows)
    proposal = of(tmp_path, rows)
    assert proposal.sentence.startswith("8 claims")  # the id stands twice, and tells none apart
    said = "\n".join(each.text for each in proposal.remarks)
    assert "`claim`: 1 row is left out, the first in" in said
    assert "`claim`: 1 of 8 have no evidence" in said
    assert "`claim`: 1 stand in an earlier row already" in said
    columns = [
        c.model_copy(update={"holds": Holds.SOURCE, "of": ""}) if c.column == "id" else c
        for c in proposal.reading.tables[0].columns
    ]
    table = proposal.reading.tables[0].model_copy(update={"columns": tuple(columns)})
    reading = proposal.reading.model_copy(update={"tables": (table,)})
    found = read(first_rows(raw_tables([path])), reading)
    assert [each.reason for each in found.left_out] == [
        "empty",
        "'c5' stands above already, with other texts",
    ]

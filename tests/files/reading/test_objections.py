"""What is asked, joined or proposed so that no person, item or text goes unread."""

import json
from collections.abc import Iterable
from itertools import product
from pathlib import Path

from files.readers.raw_tables import raw_tables
from files.reading.design_questions import DESIGN
from files.reading.first_rows import first_rows
from files.reading.model import Axis, Holds
from files.reading.proposal_parts import Proposal, Question
from files.reading.proposals import Stated, proposed
from files.reading.samples import read

TEXTS = [f"the cat number {n} sat on the mat and looked at the dogs in the yard" for n in range(12)]
PEOPLE = ("ann", "ben", "eve")


def of_files(folder: Path, **files: Iterable[str]) -> Proposal:
    for name, lines in files.items():
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")
    return proposed(raw_tables([folder / f"{name}.csv" for name in files]))


def held(proposal: Proposal, table: int = 0) -> dict[str, Holds]:
    return {c.column: c.holds for c in proposal.reading.tables[table].columns}


def question(proposal: Proposal, key: str) -> Question:
    return next(each for each in proposal.questions if each.key == key)


def score(*parts: object) -> int:
    return 1 + sum(map(ord, "".join(map(str, parts)))) % 5


def test_texts_in_a_second_file_are_joined_by_document_and_system(tmp_path: Path) -> None:
    places = [*product(range(6), ("bart", "t5"))]
    ratings = [f"d{d},{s},{r},{score(d, s, r)}" for d, s in places for r in PEOPLE]
    texts = [f"{s},d{d},{TEXTS[2 * d + (s == 't5')]}" for d, s in reversed(places)]
    found = of_files(
        tmp_path,
        ratings=["doc_id,system,annotator,rating", *ratings],
        texts=["model,document_id,summary", *texts],
    )
    assert not found.questions
    join = found.reading.tables[1].join
    assert join is not None
    assert {*join.columns} == {("doc_id", "document_id"), ("system", "model")}
    assert held(found, 1)["summary"] is Holds.TEXT
    assert (found.counts.outputs, found.counts.answers) == (12, 36)


def test_a_column_that_tells_nameless_raters_apart_is_asked_about(tmp_path: Path) -> None:
    rows = [f"d{d},{s},{r},{score(d, s, r)}" for d in range(8) for s in "xy" for r in (1, 2)]
    named = [row.replace("x", "bart").replace("y", "t5") for row in rows]
    labels = [f"{row[:-1]}{['no', 'yes'][int(row[-1]) % 2]}" for row in named]
    asked = question(of_files(tmp_path, ratings=["doc_id,system,zz,label", *labels]), DESIGN)
    assert "`zz` may say who answered" in asked.text
    assert "zz=rater" in [choice.key for choice in asked.choices]


def test_a_table_that_names_the_items_of_a_form_holds_no_answers(tmp_path: Path) -> None:
    items = [f"{n:012x}" for n in range(1, 13)]
    names = [f"{item}_{c}" for item in items for c in ("fluency", "relevance")]
    sittings = [",".join([r, *(str(score(r, n)) for n in names)]) for r in PEOPLE]
    key = [
        f"{i},{100 + n // 2},{'t5' if n % 2 else 'bart'},{TEXTS[n]}" for n, i in enumerate(items)
    ]
    found = of_files(
        tmp_path,
        form=[",".join(["participant", *names]), *sittings],
        items=["item,Laufnummer,run,candidate", *key],
    )
    assert not found.questions
    counts = found.counts
    assert (counts.sources, counts.systems, counts.raters, counts.answers) == (6, 2, 3, 72)


def test_keys_of_an_object_of_objects_may_be_texts_or_people(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    values = {who: {f"{n}-0": score(who, n) for n in range(300, 312)} for who in ["NTW", "HDW"]}
    path.write_text(json.dumps(values))
    asked = question(proposed(raw_tables([path])), "columns")
    assert asked.choices[0].key == Axis.SOURCE
    taken = proposed(raw_tables([path]), Stated(decided={"columns": "source"}))
    assert (taken.counts.sources, taken.counts.raters, taken.counts.answers) == (12, 2, 24)


def test_numbers_in_a_list_of_raters_are_people_and_no_answers(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    records = [
        {
            "item_id": f"doc{n}",
            "output": text,
            "ratings": [{"participant": str(p), "fluency": score(n, p)} for p in (1, 2)],
        }
        for n, text in enumerate(TEXTS)
    ]
    path.write_text(json.dumps(records))
    found = proposed(raw_tables([path]))
    assert [each.criterion for each in found.reading.answers] == ["fluency"]
    assert (found.counts.raters, found.counts.answers) == (2, 24)


def test_errors_are_summed_by_how_grave_they_are_or_counted(tmp_path: Path) -> None:
    header = ["system", "doc", "seg_id", "rater", "source", "target", "category", "severity"]
    rows = []
    for number, system in product(range(6), ("bart", "t5")):
        for rater in ("rater1", "rater2"):
            for word, grave in (("cat", "Major"), ("mat", "Minor")):
                target = TEXTS[number].replace(word, f"<v>{word}</v>")
                rows.append([system, "d1", str(number), rater, f"Satz {TEXTS[number]}", target])
                rows[-1] += ["Accuracy/Addition", grave]
    path = tmp_path / "mqm.tsv"
    path.write_text("\n".join("\t".join(row) for row in [header, *rows]) + "\n")
    found = proposed(raw_tables([path]))
    assert [choice.key for choice in question(found, "marks").choices] == ["weighed", "counted"]
    (answers,) = found.reading.answers
    assert (answers.form, dict(answers.words)) == ("marks", {"Major": 5.0, "Minor": 1.0})
    assert (found.counts.outputs, found.counts.answers) == (12, 24)
    assert any("taken out of it" in remark.text for remark in found.remarks)
    shown = [row.text for row in read(first_rows(raw_tables([path])), found.reading).rows]
    assert shown[0] == f"Satz {TEXTS[0]}"


def test_answers_to_one_prompt_are_the_texts_that_were_compared(tmp_path: Path) -> None:
    path = tmp_path / "votes.jsonl"
    records = []
    for n, text in enumerate(TEXTS):
        said = {side: [{"content": text}, {"content": f"{side} {text[::-1]}"}] for side in "ab"}
        records.append(
            {f"model_{side}": ("gpt-4", "koala")[(n + (side == "b")) % 2] for side in "ab"}
            | {f"conversation_{side}": said[side] for side in "ab"}
            | {"question_id": f"q{n}", "winner": ("model_a", "model_b", "tie")[n % 3]}
        )
    path.write_text("\n".join(map(json.dumps, records)))
    found = held(proposed(raw_tables([path])))
    texts = [name for name, holds in found.items() if holds is Holds.TEXT]
    assert texts == ["conversation_a.2.content", "conversation_b.2.content"]
    assert found["conversation_b.1.content"] is Holds.LEFT_OUT


def test_rows_of_a_matrix_name_its_criteria_and_an_asked_id_its_people(tmp_path: Path) -> None:
    criteria, names = ("Fluency", "Style"), [f"Q{n}_{k}" for n in range(3, 9) for k in (1, 2)]
    asked = [f"Rate text {n}. - {c}" for n in range(3, 9) for c in criteria]
    meta = ["2024-02-11 14:08:22", "IP Address", "100", "True"]
    rows = [[*meta, f"{p:024x}", *(str(score(p, n)) for n in names)] for p in range(5)]
    lines = [
        ["StartDate", "Status", "Progress", "Finished", "Q1", *names],
        [
            "Start Date",
            "Response Type",
            "Progress",
            "Finished",
            "Please enter your Prolific ID",
            *asked,
        ],
        *rows,
    ]
    found = of_files(tmp_path, survey=[",".join(line) for line in lines])
    assert not found.questions
    assert held(found)["Q1"] is Holds.RATER
    assert [each.title for each in found.reading.answers] == [*criteria]

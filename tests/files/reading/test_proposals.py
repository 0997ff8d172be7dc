"""What is proposed of tables of the usual designs."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from files.errors import ImportFailure
from files.readers.raw_tables import raw_tables
from files.reading.model import Axis, Holds
from files.reading.proposal_parts import Proposal
from files.reading.proposals import Stated, proposed

TEXTS = [f"the cat number {n} sat on the mat and looked at the dogs in the yard" for n in range(12)]


def of_csv(
    folder: Path, *lines: str, name: str = "table.csv", stated: Stated | None = None
) -> Proposal:
    path = folder / name
    path.write_text("\n".join(lines) + "\n")
    return proposed(raw_tables([path]), stated)


def held(proposal: Proposal, table: int = 0) -> dict[str, Holds]:
    return {c.column: c.holds for c in proposal.reading.tables[table].columns}


def places(proposal: Proposal) -> dict[str, dict[Axis, str]]:
    columns = [c for table in proposal.reading.tables for c in table.columns]
    return {c.column: dict(c.at) for c in columns if c.holds is Holds.ANSWER}


def long_lines() -> Iterable[str]:
    yield "doc_id,system,annotator,criterion,rating,output"
    for number, text in enumerate(TEXTS[:6]):
        for rater in ("ann", "ben", "eve"):
            for criterion in ("fluency", "coherence"):
                rating = 1 + (number + len(criterion)) % 5
                yield f"d{number // 2},s{number % 2},{rater},{criterion},{rating},{text}"


def test_a_long_table_needs_no_question(tmp_path: Path) -> None:
    proposal = of_csv(tmp_path, *long_lines())
    assert held(proposal) == {
        "doc_id": Holds.SOURCE,
        "system": Holds.SYSTEM,
        "annotator": Holds.RATER,
        "criterion": Holds.CRITERION,
        "rating": Holds.ANSWER,
        "output": Holds.TEXT,
    }
    assert not proposal.questions
    assert "three raters in `annotator`" in proposal.sentence
    assert proposal.counts.answers == 36


def test_numbered_columns_of_annotators_are_people(tmp_path: Path) -> None:
    rows = [f"i{n},{1 + n % 5},{1 + (n + 1) % 5}" for n in range(10)]
    proposal = of_csv(tmp_path, "item,ann1_fluency,ann2_fluency", *rows)
    assert places(proposal)["ann2_fluency"] == {Axis.RATER: "ann2", Axis.CRITERION: "fluency"}
    assert not proposal.questions


def test_columns_called_by_bare_words_are_asked_about(tmp_path: Path) -> None:
    rows = [f"i{n},{1 + n % 5},{1 + (n + 1) % 5},{1 + n * 3 % 5}" for n in range(20)]
    proposal = of_csv(tmp_path, "item,anna,ben,clara", *rows)
    (question,) = proposal.questions
    assert [choice.key for choice in question.choices] == ["rater", "criterion", "system"]
    assert question.choices[1].flags == "--decide columns=criterion"
    columns = question.choices[1].reading.tables[0].columns
    assert {c.at.get(Axis.CRITERION) for c in columns if c.at} == {"anna", "ben", "clara"}


def test_what_was_decided_is_not_asked_again(tmp_path: Path) -> None:
    rows = [f"i{n},{1 + n % 5},{1 + (n + 1) % 5}" for n in range(20)]
    stated = Stated(decided={"columns": "criterion"})
    proposal = of_csv(tmp_path, "item,anna,ben", *rows, stated=stated)
    assert not proposal.questions
    assert places(proposal) == {"anna": {Axis.CRITERION: "anna"}, "ben": {Axis.CRITERION: "ben"}}


def test_approval_rates_and_ids_of_tasks_are_nobody_s_answers(tmp_path: Path) -> None:
    head = "HITId,AssignmentId,WorkerId,LifetimeApprovalRate,Input.code,Input.text,Answer.quality"
    rows = [
        f"h{n},a{n}{w},w{w},{90 + w}%,c{n},{TEXTS[n]},{1 + (n + w) % 5}"
        for n in range(8)
        for w in range(3)
    ]
    proposal = of_csv(tmp_path, head, *rows)
    columns = held(proposal)
    assert columns["WorkerId"] is Holds.RATER
    assert columns["AssignmentId"] is Holds.PERSONAL
    assert columns["LifetimeApprovalRate"] is Holds.KEPT
    assert list(places(proposal)) == ["Answer.quality"]


def test_rows_of_a_unit_are_numbered_where_nobody_is_named(tmp_path: Path) -> None:
    rows = [f"c{n},{TEXTS[n]},{1 + (n + w) % 5}" for n in range(8) for w in range(3)]
    proposal = of_csv(tmp_path, "Input.id,Input.text,Answer.fluency", *rows)
    assert proposal.reading.tables[0].numbered_raters
    assert proposal.counts.answers_per_unit == (3, 3)


def pair_lines() -> Iterable[str]:
    yield "review_id,sys_a,A,sys_b,B,Which of A or B is better?"
    for n in range(12):
        choice = ("A", "B", "Neither", "A", "b")[n % 5]
        yield f"r{n},x,{TEXTS[n]} once,y,{TEXTS[n]} again,{choice}"


def test_a_pair_in_a_row_is_a_choice(tmp_path: Path) -> None:
    proposal = of_csv(tmp_path, *pair_lines())
    (answers,) = proposal.reading.answers
    assert answers.form == "choice"
    assert answers.words == {"A": 1.0, "B": 2.0, "b": 2.0, "Neither": "tie"}
    assert held(proposal)["sys_b"] is Holds.SYSTEM


def test_bare_codes_of_a_choice_are_asked_about(tmp_path: Path) -> None:
    rows = [f"q{n},{TEXTS[n]} once,{TEXTS[n]} again,{n % 3}" for n in range(12)]
    proposal = of_csv(tmp_path, "qid,text_a,text_b,winner", *rows)
    (question,) = proposal.questions
    assert [choice.key for choice in question.choices] == ["0-even", "2-even"]
    second = question.choices[1].reading.answers[0].words
    assert second == {"0": 1.0, "1": 2.0, "2": "tie"}


def test_rare_values_off_the_scale_are_told(tmp_path: Path) -> None:
    rows = [f"i{n % 50},{'55' if n == 7 else 1 + n % 5},r{n // 50}" for n in range(150)]
    proposal = of_csv(tmp_path, "item,rating,rater", *rows)
    (remark,) = [r for r in proposal.remarks if r.key == "off-scale"]
    assert "`55` (1)" in remark.text
    assert (proposal.reading.answers[0].low, proposal.reading.answers[0].high) == (1, 5)


def test_names_of_files_tell_who_answered_where_the_same_texts_come_again(tmp_path: Path) -> None:
    paths: list[Path] = []
    for rater in ("A1", "A2"):
        path = tmp_path / f"study - {rater}.csv"
        rows = [f"d{n},{TEXTS[n]},{1 + (n + len(paths)) % 5}" for n in range(10)]
        path.write_text("\n".join(["doc_id,summary,score", *rows]))
        paths.append(path)
    proposal = proposed(raw_tables(paths))
    (name,) = proposal.reading.tables[0].names
    assert (name.of, name.says) == ("file", Axis.RATER)
    assert not proposal.questions


def test_a_second_file_gives_texts_to_columns_called_by_ids(tmp_path: Path) -> None:
    form, items = tmp_path / "a_form.csv", tmp_path / "b_items.csv"
    ids = [f"{n}f3a{n}" for n in range(10)]
    rows = [f"p{r}," + ",".join(str(1 + (n + r) % 4) for n in range(10)) for r in range(4)]
    form.write_text("\n".join([f"participant_id,{','.join(ids)}", *rows]))
    told = [f"{key},{text},m{n % 2}" for n, (key, text) in enumerate(zip(ids, TEXTS, strict=False))]
    items.write_text("\n".join(["id,text,model", *told]))
    proposal = proposed(raw_tables([form, items]))
    assert proposal.counts.outputs == 10
    assert proposal.counts.systems == 2
    assert proposal.counts.raters == 4


def test_a_table_without_texts_or_answers_is_refused_with_the_remedy(tmp_path: Path) -> None:
    rows = [f"{n},2024-01-0{n}" for n in range(1, 9)]
    with pytest.raises(ImportFailure, match="--column NAME=answer"):
        of_csv(tmp_path, "number,date", *rows)


def test_whose_answers_a_second_file_holds_is_asked_where_its_column_names_nobody_known(
    tmp_path: Path,
) -> None:
    people, second = tmp_path / "people.csv", tmp_path / "zeta.csv"
    rows = [f"p{n},{text},{text[::-1]},{1 + n % 2},{1 + n % 2}" for n, text in enumerate(TEXTS)]
    people.write_text("id,text_a,text_b,annotator1,annotator2\n" + "\n".join(rows) + "\n")
    second.write_text("id,zeta_result\n" + "".join(f"p{n},{1 + n % 2}\n" for n in range(12)))
    tables = raw_tables([people, second])
    (question,) = [each for each in proposed(tables).questions if each.key == "second-file"]
    assert question.text == "Whose answers does `zeta_result` hold?"
    judge = proposed(tables, Stated(decided={"second-file": "judge"}))
    assert judge.counts.judges == 1
    kept = proposed(tables, Stated(decided={"second-file": "kept"}))
    assert (kept.counts.judges, kept.counts.answers) == (0, 24)


def test_the_same_questions_about_other_things_are_another_design(tmp_path: Path) -> None:
    """Two sets of files have ids of their own, and the same questions; a third has pairs."""
    first, second, pairs = tmp_path / "first.csv", tmp_path / "second.csv", tmp_path / "pairs.csv"
    asked = "summary,annotator,fluency,coherence,relevance,consistency,comment"
    rated = [f"{text},r{r},{1 + n % 5},{1 + n % 4},3,{1 + r},ok" for n, text in enumerate(TEXTS)
             for r in range(2)]  # fmt: skip
    first.write_text(
        "\n".join([f"review_id,{asked}", *(f"a{n // 2},{r}" for n, r in enumerate(rated))])
    )
    second.write_text(
        "\n".join([f"docid,{asked}", *(f"b{n // 2},{r}" for n, r in enumerate(rated))])
    )
    pairs.write_text("\n".join(pair_lines()))
    (question,) = proposed(raw_tables([first, second])).questions
    assert [choice.key for choice in question.choices] == ["all", "only-1", "only-2"]
    (question,) = proposed(raw_tables([first, second, pairs])).questions
    assert [choice.key for choice in question.choices] == ["only-1", "only-2", "only-3"]


def test_long_labels_are_as_short_as_the_names_of_points(tmp_path: Path) -> None:
    said = ["there are some errors that do not keep anybody from understanding what is meant "] * 3
    labels = [f"{text}{more}" for text, more in zip(said, ("at all", "by it", "here"), strict=True)]
    rows = [f"d{n},r{r},{labels[(n + r) % 3]}" for n in range(20) for r in range(3)]
    (answers,) = of_csv(tmp_path, "doc_id,annotator,label", *rows).reading.answers
    names = [str(answers.words[label]) for label in labels]
    assert len({*names}) == 3
    assert max(map(len, names)) <= 80


def test_members_of_one_object_are_the_document_and_means_are_asked_about(tmp_path: Path) -> None:
    systems = ("lead-sum", "bart", "t5")
    thirds = (1.33, 1.67, 2.33, 2.67, 3.33, 3.67, 4.0, 4.33, 4.67)
    rows = [
        {
            "reviews": {f"rev{r}": f"{text} {r}" for r in range(1, 4)},
            "summaries": {
                name: {"summary": f"{name} says {text}", "dimensions": {"Fluency": thirds[n % 9]}}
                for name in systems
            },
        }
        for n, text in enumerate([*TEXTS, *(f"{text} once more" for text in TEXTS)])
    ]
    path = tmp_path / "means.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows))
    proposal = proposed(raw_tables([path]))
    documents = [name for name, holds in held(proposal).items() if holds is Holds.DOCUMENT]
    assert documents == ["reviews.rev1", "reviews.rev2", "reviews.rev3"]
    assert proposal.counts.systems == 3
    (question,) = proposal.questions
    assert "may be means, which nobody answered" in question.text


def test_a_list_of_values_beside_the_answers_is_no_design(tmp_path: Path) -> None:
    (tmp_path / "ratings.csv").write_text("\n".join(long_lines()))
    said = ["good", "bad", "fair", "good", "bad", "poor", "good", "fair", "bad", "good", "fair"]
    (tmp_path / "labels.csv").write_text("\n".join(["label", *said]))
    proposal = proposed(raw_tables([tmp_path / "ratings.csv", tmp_path / "labels.csv"]))
    assert not any(question.key == "files" for question in proposal.questions)
    assert any("labels.csv" in remark.text for remark in proposal.remarks)
    assert Holds.ANSWER not in held(proposal, 1).values()


def test_systems_are_found_by_their_names_where_files_tell_who_answered(tmp_path: Path) -> None:
    """Nothing calls the column one of systems."""
    folder = tmp_path / "answers"
    folder.mkdir()
    for name in ("a1f3", "b7c9", "c2d4"):
        rows = [
            f"out-{n},{('bart', 'gpt-4')[n % 2]},{(n * len(name) + ord(name[0])) % 5 + 1}"
            for n in range(30)
        ]
        (folder / f"Bewertung_{name}.csv").write_text(
            "\n".join(["Ausgabe-Nr,Variante,Flüssigkeit", *rows])
        )
    proposal = proposed(raw_tables([folder]))
    assert held(proposal)["Variante"] is Holds.SYSTEM
    assert proposal.counts.systems == 2

"""What names and cells tell of a design, where several designs could be meant."""

import json
import random
from pathlib import Path

import pytest

from files.columns.rater_names import may_name_people
from files.readers.raw_tables import raw_tables
from files.reading.evidence.profiles import Profile
from files.reading.evidence.system_names import are_systems
from files.reading.model import Axis, Holds
from files.reading.proposal_parts import Proposal
from files.reading.proposals import Stated, proposed

RNG = random.Random(7)
ITEMS = [f"q{n:03}" for n in range(20)]


def of_csv(folder: Path, *lines: str) -> Proposal:
    path = folder / "table.csv"
    path.write_text("\n".join(lines) + "\n")
    return proposed(raw_tables([path]))


def held(proposal: Proposal) -> dict[str, Holds]:
    return {c.column: c.holds for c in proposal.reading.tables[0].columns}


def score() -> int:
    return RNG.randint(1, 5)


ACCOUNTS = ("A1B2C3D4E5F6G", "AAAAAAAAA1234")


@pytest.mark.parametrize(
    "names", [("a1", "a2"), ("R01", "R02"), ("annotator_1", "annotator_2"), ACCOUNTS]
)
def test_codes_of_one_series_and_accounts_may_name_people(names: tuple[str, ...]) -> None:
    assert may_name_people(names)


def test_ids_of_texts_name_nobody() -> None:
    assert not may_name_people(("t1", "t2"))
    assert not may_name_people(("a1", "b2"))


def test_systems_are_told_by_those_that_are_known() -> None:
    assert are_systems(("seq2seq", "t5_base", "ours"))
    assert not are_systems(("news", "sports", "health"))


def test_columns_of_a_person_and_a_machine_are_systems_where_rows_name_who_answered(
    tmp_path: Path,
) -> None:
    rows = [f"{i},{r},{score()},{score()}" for i in ITEMS for r in ("worker_1", "worker_2")]
    columns = of_csv(tmp_path, "item_id,participant,human,gpt-4", *rows).reading.tables[0].columns
    assert {c.at[Axis.SYSTEM] for c in columns if c.holds is Holds.ANSWER} == {"human", "gpt-4"}


def test_numbers_that_tell_apart_who_answered_are_no_answers_like_those_beside_them(
    tmp_path: Path,
) -> None:
    rows = [f"{i},{r},{score()},{score()}" for i in ITEMS for r in (1, 2, 3)]
    proposal = of_csv(tmp_path, "ref,participant,score (BART),score (ours)", *rows)
    assert held(proposal)["participant"] is Holds.RATER
    labels = [f"{i},{score()},{score()}" for i in ITEMS for _ in range(3)]
    proposal = of_csv(tmp_path, "ref,participant,llm score", *labels)
    assert held(proposal)["participant"] is Holds.ANSWER


@pytest.mark.parametrize(
    ("people", "machine", "criterion"),
    [("rating", "gpt", ""), ("fluency", "gpt4_fluency", "fluency")],
)
def test_what_a_machine_says_of_each_text_is_no_answer_of_the_rater_of_its_rows(
    people: str, machine: str, criterion: str, tmp_path: Path
) -> None:
    said = {item: score() for item in ITEMS}
    rows = [f"{i},{r},{score()},{said[i]}" for i in ITEMS for r in ("ann", "ben", "eve")]
    proposal = of_csv(tmp_path, f"item_id,rater,{people},{machine}", *rows)
    (question,) = proposal.questions
    assert [choice.key for choice in question.choices] == ["judges", "kept"]
    column = proposal.reading.tables[0].columns[3]
    assert column.at.get(Axis.RATER) == machine.partition("_")[0]
    assert column.at.get(Axis.CRITERION, "") == criterion
    counts = proposal.counts
    assert (counts.raters, counts.judges, counts.answers, counts.systems) == (3, 1, 80, 0)
    kept = question.choices[1].reading.tables[0].columns[3]
    assert kept.holds is Holds.KEPT


def test_columns_beside_one_text_may_be_judges_and_are_no_systems(tmp_path: Path) -> None:
    rows = [f"{i},the {n} cats sat on the mat,{score()},{score()}" for n, i in enumerate(ITEMS)]
    proposal = of_csv(tmp_path, "id,response,gpt4_score,claude_score", *rows)
    (question,) = proposal.questions
    assert [choice.key for choice in question.choices] == ["rater", "criterion"]
    assert proposal.counts.judges == 2


def test_what_came_when_is_no_answer(tmp_path: Path) -> None:
    rows = [f"{r},{i},{score()},{n}" for r in ("ann", "ben") for n, i in enumerate(ITEMS)]
    proposal = of_csv(tmp_path, "rater,item_id,rating,order", *rows)
    assert held(proposal)["order"] is Holds.KEPT
    assert not proposal.questions


def test_a_rater_beside_scores_of_people_and_machines_is_who_answered(tmp_path: Path) -> None:
    said = {item: score() for item in ITEMS}
    rows = [f"{i},{r},{score()},{said[i]}" for i in ITEMS for r in "abc"]
    proposal = of_csv(tmp_path, "doc_id,annotator,human_score,gpt4_score", *rows)
    assert held(proposal)["annotator"] is Holds.RATER
    assert [q.text for q in proposal.questions] == [
        "Whose answers are in `gpt4_score`? They are the same in all rows of a text."
    ]


def test_ids_of_a_series_choose_no_text(tmp_path: Path) -> None:
    rows = [
        f"R{r},t{n % 3},first text {n} of a pair,second text {n} of it,{'ab'[score() % 2]}"
        for n in range(12)
        for r in range(3)
    ]
    proposal = of_csv(tmp_path, "rater,sentence_id,text_a,text_b,winner", *rows)
    assert held(proposal)["winner"] is Holds.ANSWER
    assert held(proposal)["sentence_id"] is not Holds.ANSWER


def test_spellings_of_a_system_are_joined_where_somebody_says_so(tmp_path: Path) -> None:
    systems = ("GPT-4o", "gpt-4o", "bart")
    rows = [f"{i},{s},{r},{score()}" for i in ITEMS for s in systems for r in ("ann", "ben")]
    proposal = of_csv(tmp_path, "item_id,system,rater,rating", *rows)
    (remark,) = [r for r in proposal.remarks if r.key == "taken-spellings"]
    assert remark.flags == "--decide spellings=joined"
    tables = raw_tables([tmp_path / "table.csv"])
    joined = proposed(tables, Stated(decided={"spellings": "joined"}))
    assert joined.reading.systems == {"gpt-4o": "GPT-4o"}


def test_places_with_commas_are_a_set_and_no_decimals() -> None:
    assert Profile("x", ["1", "2", "1,3", "2,3", "1,2"] * 3, 15).separator == ","
    assert Profile("x", ["1", "2", "1,5", "2,5", "4,5"] * 3, 15).separator == ""


def test_a_stray_0_beside_1_to_5_is_off_the_scale(tmp_path: Path) -> None:
    rows = [f"{i},{r},{1 + n % 5}" for n, i in enumerate(ITEMS) for r in ("ann", "ben", "eve")]
    proposal = of_csv(tmp_path, "item_id,rater,rating", *rows[:-1], f"{ITEMS[-1]},eve,0")
    (answers,) = proposal.reading.answers
    assert (answers.low, answers.high) == (1, 5)
    assert any(remark.key == "off-scale" for remark in proposal.remarks)


def test_commas_in_numbers_are_said(tmp_path: Path) -> None:
    rows = [f'{i};{r};"{score()},5"' for i in ITEMS for r in ("ann", "ben")]
    proposal = of_csv(tmp_path, "item_id;rater;rating", *rows)
    assert any(remark.key == "decimal-comma" for remark in proposal.remarks)


def test_what_tells_the_rater_under_another_name_is_read_as_the_rater(tmp_path: Path) -> None:
    rows = [f"{i},{r},{score()}" for i in ITEMS for r in ("MLK", "JFK", "FDR")]
    assert held(of_csv(tmp_path, "item_id,initials,rating", *rows))["initials"] is Holds.RATER


def test_a_column_of_no_name_tells_sources_where_each_has_a_text_of_each_system(
    tmp_path: Path,
) -> None:
    texts = {(i, s): f"the {s} said of {i} that it rained all night" for i in ITEMS for s in "xyz"}
    rows = [f"{i},{s},{text},{score()},{score()}" for (i, s), text in texts.items()]
    read = held(of_csv(tmp_path, "what,made by,output,annotator1,annotator2", *rows))
    assert (read["what"], read["made by"]) == (Holds.SOURCE, Holds.SYSTEM)


def test_criteria_may_be_numbers_of_a_column_that_is_called_so(tmp_path: Path) -> None:
    rows = [f"{i},{c},{r},{score()}" for i in ITEMS for c in (1, 2) for r in ("ann", "ben")]
    assert held(of_csv(tmp_path, "item_id,criterion,rater,rating", *rows))["criterion"] is (
        Holds.CRITERION
    )


WORDS = ("poor", "fair", "good")
WIDE = [f"The cat of farm {n} sat on the mat and looked at the dogs in the yard" for n in range(30)]


def test_a_question_about_one_table_stays_where_another_table_leaves_the_like_open(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.csv").write_text(
        "doc_id,rater,topic,val\n"
        + "".join(
            f"d{n},{r},{'abc'[n * k % 3]},{WORDS[(n + k) % 3]}\n"
            for n in range(30)
            for k, r in enumerate(("ann", "bo"))
        )
    )
    (tmp_path / "b.csv").write_text(
        "doc_id,text,checked\n" + "".join(f"d{n},{t},{n % 3 > 0}\n" for n, t in enumerate(WIDE))
    )
    (question,) = proposed(raw_tables([tmp_path / "a.csv", tmp_path / "b.csv"])).questions
    assert [choice.key for choice in question.choices] == ["val", "topic"]


def test_ids_and_words_in_names_of_a_form_are_items_and_criteria(tmp_path: Path) -> None:
    names = [f"{n:016x}_{c}" for n in range(11, 19) for c in ("vivid", "odd one?")]
    rows = [
        [f"2024-02-1{r} 10:22:31", f"p{r}", *(1 + (n + r) % 5 for n in range(16))] for r in range(4)
    ]
    lines = [",".join(["Timestamp", "participant", *names])]
    lines += [",".join(map(str, row)) for row in rows]
    proposal = of_csv(tmp_path, *lines)
    assert not proposal.questions
    assert (proposal.counts.sources, proposal.counts.criteria) == (8, 2)


def test_a_column_of_a_wide_table_with_too_few_cells_is_one_as_the_others(tmp_path: Path) -> None:
    cells = {name: [WORDS[(n + k) % 3] for k in range(6)] for n, name in enumerate("vwxyz")}
    cells["u"] = ["good", "", "poor", "", "fair", ""]
    people = {f"p{k}": {f"d/{n}": c[k] for n, c in cells.items() if c[k]} for k in range(6)}
    path = tmp_path / "people.json"
    path.write_text(json.dumps(people))
    columns = held(proposed(raw_tables([path])))
    assert {name for name, holds in columns.items() if holds is Holds.ANSWER} == {
        *(f"d/{n}" for n in "uvwxyz")
    }


def test_few_words_that_tell_the_outputs_of_a_source_apart_name_systems(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(
        "label_id,rater,rating\n"
        + "".join(f"x{k},{r},{1 + k % 5}\n" for k in range(30) for r in ("ann", "bo"))
    )
    (tmp_path / "key.csv").write_text(
        "label_id,doc_id,team\n" + "".join(f"x{k},d{k // 3},{'uvw'[k % 3]}s\n" for k in range(30))
    )
    proposal = proposed(raw_tables([tmp_path / "a.csv", tmp_path / "key.csv"]))
    assert (proposal.counts.systems, proposal.counts.sources) == (3, 10)


def test_names_of_files_may_say_what_a_lone_column_leaves_open(tmp_path: Path) -> None:
    for name in ("odd", "vivid"):
        rows = "".join(f"d{n},{r},{1 + (n + len(name)) % 5}\n" for n in range(9) for r in "ab")
        (tmp_path / f"{name}.csv").write_text("doc_id,rater,r\n" + rows)
    paths = [tmp_path / "odd.csv", tmp_path / "vivid.csv"]
    (question,) = proposed(raw_tables(paths)).questions
    told = {choice.key: choice.reading for choice in question.choices}
    assert [each.criterion for each in told["criterion"].answers] == ["odd", "vivid"]


def test_an_answer_beside_the_id_of_who_gave_it_is_no_column_of_a_person(tmp_path: Path) -> None:
    rows = [
        {"item": n, "human": [{"worker_id": who, "vivid": score()} for who in "abc"[n % 2 :]]}
        for n in range(12)
    ]
    path = tmp_path / "t.json"
    path.write_text(json.dumps(rows))
    assert held(proposed(raw_tables([path])))["human.1.worker_id"] is Holds.RATER

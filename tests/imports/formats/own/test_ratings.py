from pathlib import Path

import pytest
from openpyxl import Workbook

from annotation.models import Study
from files.reading.model import Reading
from files.reading.reading_files import reading_yaml
from tests.imports.tables import answers_of, import_files, refusal, write_table

pytestmark = pytest.mark.django_db

WIDE = """
item: doc
system: by
raters:
  a1: {clarity: c1}
  a2: {clarity: c2}
metrics:
  rouge: r
"""


def wide(folder: Path, *rows: str, columns: str = WIDE) -> tuple[Path, Path]:
    mapped = folder / "map.yaml"
    mapped.write_text(columns, encoding="utf-8")
    return write_table(folder / "t.csv", "doc,by,c1,c2,r", *rows), mapped


def facets(study: Study) -> dict[str, tuple[str, str, tuple[str, ...]]]:
    found = [facet for block in study.blocks.all() for facet in block.facets]
    return {facet.name: (facet.kind, facet.distance, facet.compared_with) for facet in found}


def test_a_long_table_needs_no_map(tmp_path: Path) -> None:
    file = write_table(
        tmp_path / "t.csv", "worker,item,generator,rating", "w1,i,larch,89", "w2,i,birch,12"
    )
    study = import_files("ratings", file)
    assert answers_of(study, "w1") == {"i/larch": {"value": 89.0}}
    assert set(study.items.values_list("system", "source__key")) == {("larch", "i"), ("birch", "i")}
    (facet,) = study.blocks.get().facets
    assert (facet.name, facet.low, facet.high) == ("rating", 0, 100)


def test_a_table_as_a_spreadsheet_program_writes_it_on_windows_is_read(tmp_path: Path) -> None:
    file = write_table(tmp_path / "t.csv", "worker;item;rating", "Zoë;i;3", "Zoë;j;4")
    file.write_bytes(file.read_text(encoding="utf-8").encode("cp1252"))
    assert answers_of(import_files("ratings", file), "Zoë").keys() == {"i", "j"}


def test_a_wide_table_names_the_columns_of_each_rater_and_metric(tmp_path: Path) -> None:
    table, mapped = wide(tmp_path, "d1,A,5,4,-1.5", "d1,B,1,,0.25")
    study = import_files("ratings", table, columns=mapped)
    assert answers_of(study, "a2") == {"d1/A clarity": {"scores": {"clarity": 4.0}}}
    assert answers_of(study, "rouge")["d1/A score"] == {"value": -1.5}
    assert facets(study) == {
        "clarity": ("number", "ordinal", ()),
        "score": ("number", "interval", ("clarity",)),
    }


def test_the_map_says_of_which_family_a_judges_model_is(tmp_path: Path) -> None:
    table, mapped = wide(tmp_path, "d1,A,5,4,-1.5", columns=WIDE + "families: {rouge: gpt-4}\n")
    study = import_files("ratings", table, columns=mapped)
    families = dict(study.raters.values_list("name", "family"))
    assert families == {"a1": "", "a2": "", "rouge": "gpt-4"}


def test_a_judge_without_a_criterion_is_held_against_all_of_the_peoples(tmp_path: Path) -> None:
    rows = [
        "item,system,rater,kind,criterion,rating",
        "i,A,ann,human,clarity,5",
        "i,B,ann,human,clarity,2",
        "i,A,ann,human,ease,3",
        "i,B,ann,human,ease,1",
        "i,A,gpt,judge,clarity,4",
        "i,A,bleu,judge,,0.31",
    ]
    study = import_files("ratings", write_table(tmp_path / "t.csv", *rows))
    assert answers_of(study, "gpt") == {"i/A clarity": {"scores": {"clarity": 4.0}}}
    assert facets(study)["score"] == ("number", "interval", ("clarity", "ease"))


def test_a_judges_score_off_the_peoples_scale_is_compared_and_not_mixed_in(tmp_path: Path) -> None:
    columns = WIDE.replace("rouge: r", "judge: {clarity: r}")
    table, mapped = wide(tmp_path, "d1,A,5,4,0.9", "d1,B,1,2,0.25", columns=columns)
    study = import_files("ratings", table, columns=mapped)
    assert facets(study)["clarity_score"] == ("number", "interval", ("clarity",))


def on_a_line(folder: Path, scores: tuple[str, str], columns: str = "") -> Study:
    """Two people on 0 to 100, and a judge by the same criterion."""
    rows = ["rater,kind,item,criterion,rating", "ann,human,i,clarity,81.5", "ann,human,j,clarity,3"]
    rows += [f"gpt,judge,{item},clarity,{score}" for item, score in zip("ij", scores, strict=True)]
    table = write_table(folder / "t.csv", *rows)
    if not columns:
        return import_files("ratings", table)
    mapped = folder / "map.yaml"
    mapped.write_text(columns)
    return import_files("ratings", table, columns=mapped)


def test_scores_from_0_to_1_are_not_on_a_line_to_100(tmp_path: Path) -> None:
    study = on_a_line(tmp_path, ("0.9", "0.05"))
    assert facets(study)["clarity_score"] == ("number", "interval", ("clarity",))
    assert {"value": 0.9} in answers_of(study, "gpt").values()
    assert [block.facets[0].high for block in study.blocks.all()] == [100, 1]


@pytest.mark.parametrize(
    ("scores", "columns"),
    [(("64", "0.5"), ""), (("0.9", "0.05"), "scales: {clarity: {low: 0, high: 100}}")],
)
def test_scores_up_the_line_or_on_a_stated_one_are(
    tmp_path: Path, scores: tuple[str, str], columns: str
) -> None:
    assert list(facets(on_a_line(tmp_path, scores, columns))) == ["clarity"]


def decimals(folder: Path, *scores: str, people: tuple[str, str] = ("1", "5")) -> Study:
    """Two people on whole points, and a judge by the same criterion for each of these scores."""
    rows = ["rater,kind,item,criterion,rating"]
    rows += [f"ann,human,{item},clarity,{point}" for item, point in zip("ij", people, strict=True)]
    for judge in scores:
        name, *values = judge.split()
        rows += [f"{name},judge,{i},clarity,{v}" for i, v in zip("ij", values, strict=True)]
    return import_files("ratings", write_table(folder / "t.csv", *rows))


def test_a_judges_decimals_within_the_peoples_points_stay_on_their_scale(tmp_path: Path) -> None:
    study = decimals(tmp_path, "gpt 3.25 4.5")
    assert facets(study) == {"clarity": ("number", "ordinal", ())}
    assert answers_of(study, "gpt") == {
        "i": {"scores": {"clarity": 3.25}},
        "j": {"scores": {"clarity": 4.5}},
    }


@pytest.mark.parametrize(
    ("scores", "people", "apart"),
    [
        ("0.25 0.75", ("0", "3"), True),  # shares beside points that go further
        ("0.25 1.75", ("0", "3"), False),
        ("0.25 0.75", ("0", "1"), False),
        ("1 5.5", ("1", "5"), True),
        ("0.9 4.5", ("1", "5"), True),
    ],
)
def test_decimals_off_the_points_or_from_0_to_1_beside_more_are_apart(
    tmp_path: Path, scores: str, people: tuple[str, str], apart: bool
) -> None:
    study = decimals(tmp_path, f"gpt {scores}", people=people)
    assert ("clarity_score" in facets(study)) is apart


def test_every_judge_has_a_scale_of_its_own(tmp_path: Path) -> None:
    """One judge's scores from 0 to 100 do not take another's off the people's points."""
    study = decimals(tmp_path, "gpt 3.25 4.5", "bleu 41.5 60", "rouge 0.5 0.25")
    assert answers_of(study, "gpt")["i clarity"] == {"scores": {"clarity": 3.25}}
    assert answers_of(study, "bleu")["i clarity_score"] == {"value": 41.5}
    assert answers_of(study, "rouge")["j clarity_score"] == {"value": 0.25}


def test_the_map_gives_scales_and_texts(tmp_path: Path) -> None:
    columns = """
item: i
rater: who
rating: r
text: t
claim: c
facet: holds
scales: {holds: {labels: ["yes", "no"]}}
"""
    mapped = tmp_path / "map.yaml"
    mapped.write_text(columns, encoding="utf-8")
    file = write_table(tmp_path / "t.csv", "i,who,r,t,c", "i1,ann,no,It shut.,The pool is shut.")
    study = import_files("ratings", file, columns=mapped)
    assert answers_of(study, "ann") == {"i1": {"scores": {"holds": "no"}}}
    assert study.sources.get().claim == "The pool is shut."
    assert study.items.get().material.sentences[0].text == "It shut."


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (["w1,i,larch,many"], "t.csv:2: rating: 'many' is not a number"),
        ([",i,larch,1"], "t.csv:2: worker: empty: who gave the answer?"),
        (["w1,i,,1"], "t.csv:2: generator: empty"),
        (["w1,i,larch"], "t.csv:2: columns: 3 cells under 4 names"),
        (["w1,i,larch,1", "w1,i,larch,2"], "t.csv:3: unit: 'w1' has already answered 'i/larch'"),
        (["w1,i,larch,", "w1,j,larch,nan"], "t.csv: answers: none in these files"),
        ([], "t.csv: answers: none in these files"),
    ],
)
def test_a_row_that_does_not_fit_is_refused(tmp_path: Path, rows: list[str], reason: str) -> None:
    file = write_table(tmp_path / "t.csv", "worker,item,generator,rating", *rows)
    assert refusal("ratings", file) == reason


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        (WIDE.replace("c2", "c9"), "t.csv:1: c9: no such column (the file has: doc, by, c1, c2, r"),
        (WIDE + "rating: r\n", "map.yaml: rating: given beside raters or metrics"),
        (WIDE + "colour: r\n", "map.yaml: colour: unknown field"),
        (WIDE + "scales: {ease: {low: 1, high: 5}}\n", "map.yaml: scales.ease: no rating is by"),
        (WIDE + "families: {a1: gpt-4}\n", "map.yaml: families.a1: no judge of that name rates"),
        (WIDE + "scales: {clarity: {low: 1}}\n", "map.yaml: scales.clarity.low: a scale of"),
        (WIDE + "scales: {clarity: {low: 1, high: 3}}\n", "t.csv:2: answer.scores.clarity: 5.0 "),
        ("item: [\n", "map.yaml:2: YAML: "),
    ],
)
def test_a_wrong_map_is_refused(tmp_path: Path, columns: str, reason: str) -> None:
    table, mapped = wide(tmp_path, "d1,A,5,4,1", columns=columns)
    message = refusal("ratings", table, columns=mapped)
    assert message.startswith(reason)


def test_a_table_without_the_customary_columns_names_the_first_it_lacks(tmp_path: Path) -> None:
    file = write_table(tmp_path / "t.csv", "item,score", "i,1")
    assert refusal("ratings", file) == "t.csv:1: rater: no such column (the file has: item, score)"


def test_an_empty_cell_of_a_wide_table_is_no_answer_and_leaves_those_beside_it(
    tmp_path: Path,
) -> None:
    table, mapped = wide(tmp_path, "d1,A,5,4,1", "d1,B,1,,2")
    study = import_files("ratings", table, columns=mapped)
    assert set(answers_of(study, "a1")) == {"d1/A clarity", "d1/B clarity"}
    assert set(answers_of(study, "a2")) == {"d1/A clarity"}
    assert set(answers_of(study, "rouge")) == {"d1/A score", "d1/B score"}


def test_a_cell_that_is_no_number_leaves_the_ratings_beside_it(tmp_path: Path) -> None:
    table, mapped = wide(tmp_path, "d1,A,5,4,1", "d1,B,none,3,2", "d2,A,1,2,3")
    study = import_files("ratings", table, columns=mapped)
    assert set(answers_of(study, "a1")) == {"d1/A clarity", "d2/A clarity"}
    assert "d1/B clarity" in answers_of(study, "a2")


def test_a_judge_off_the_stated_scale_has_a_block_of_its_own(tmp_path: Path) -> None:
    columns = WIDE.replace("rouge: r", "judge: {clarity: r}")
    columns += "scales: {clarity: {low: 1, high: 5, level: ordinal}}\n"
    table, mapped = wide(tmp_path, "d1,A,5,4,81", "d1,B,1,2,25", columns=columns)
    study = import_files("ratings", table, columns=mapped)
    assert answers_of(study, "judge")["d1/A clarity_score"] == {"value": 81.0}


def test_who_is_no_person_is_said_in_every_row(tmp_path: Path) -> None:
    rows = ["item,rater,kind,rating", "i,ann,human,1", "i,sim,simulated,2", "i,gpt,LLM,2"]
    study = import_files("ratings", write_table(tmp_path / "t.csv", *rows))
    kinds = dict(study.raters.values_list("name", "kind"))
    assert kinds == {"ann": "human", "sim": "simulated", "gpt": "judge"}
    study.delete()
    untold = write_table(tmp_path / "u.csv", *rows, "i,bo,,3")
    assert refusal("ratings", untold) == "u.csv:5: kind: empty"


def test_two_texts_of_one_system_are_two_outputs(tmp_path: Path) -> None:
    mapped = tmp_path / "map.yaml"
    mapped.write_text("text: summary\n")
    rows = ["item,system,rater,rating,summary", "i,A,ann,1,One.", "i,A,ann,4,Two.", "i,A,bo,2,One."]
    study = import_files("ratings", write_table(tmp_path / "t.csv", *rows), columns=mapped)
    assert set(answers_of(study, "ann")) == {"i/A", "i/A/2"}


def test_a_text_that_is_an_object_is_refused(tmp_path: Path) -> None:
    mapped = tmp_path / "map.yaml"
    mapped.write_text("text: summary\n")
    rows = ["item\trater\trating\tsummary", 'i\tann\t1\t{"A": "One."}', "j\tann\t2\tTwo."]
    file = write_table(tmp_path / "t.tsv", *rows)
    assert refusal("ratings", file, columns=mapped).startswith("t.tsv:2: text: 1 key (A)")


def test_the_study_keeps_its_reading_which_reads_the_next_file(tmp_path: Path) -> None:
    table, mapped = wide(tmp_path, "d1,A,5,4,1", "d1,B,2,3,2")
    first = import_files("ratings", table, columns=mapped)
    reading = tmp_path / "reading.yaml"
    reading.write_text(reading_yaml(Reading.model_validate(first.imported["reading"])))
    second = import_files("table", table, reading=reading, slug="second")
    assert answers_of(second, "rouge") == answers_of(first, "rouge")


def test_one_column_may_be_the_item_and_its_text(tmp_path: Path) -> None:
    mapped = tmp_path / "map.yaml"
    mapped.write_text("text: item\n")
    file = write_table(tmp_path / "t.csv", "item,rater,rating", "So.,ann,1", "No.,ann,2")
    study = import_files("ratings", file, columns=mapped)
    assert answers_of(study, "ann").keys() == {"So.", "No."}
    assert {item.material.sentences[0].text for item in study.items.all()} == {"So.", "No."}


def test_a_sheet_without_ratings_is_named(tmp_path: Path) -> None:
    book = Workbook()
    first, second = book.active, book.create_sheet("Colours")
    assert first is not None
    for row in (("item", "rater", "rating"), ("i", "ann", 1), ("j", "ann", 2)):
        first.append(row)
    second.append(("Colour", "Hex"))
    second.append(("red", "#f00"))
    book.save(tmp_path / "t.xlsx")
    assert refusal("ratings", tmp_path / "t.xlsx").startswith("t.xlsx#Colours:1: rater: no such")


def test_several_files_with_the_same_columns_are_read_alike(tmp_path: Path) -> None:
    files = [
        write_table(tmp_path / f"{name}.csv", "item,rater,rating", f"i,{name},1", f"j,{name},2")
        for name in ("ann", "bo")
    ]
    other = write_table(tmp_path / "c.csv", "rating,worker,item", "2,cy,i", "1,cy,j")
    study = import_files("ratings", *files, other)
    assert study.annotations.count() == 6
    tables = study.imported["reading"]["tables"]
    assert [table["files"] for table in tables] == [["ann.csv", "bo.csv"], ["c.csv"]]

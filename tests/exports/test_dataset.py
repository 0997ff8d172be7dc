"""The labelled dataset: what a row holds, and that its three files hold the same."""

import csv
import json
from io import StringIO
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import Annotation, Item, Round, Study, User
from exports.dataset.rows import Dataset
from tasktypes.registry import TASK_TYPES
from tests.cast import make_study
from tests.imports.tables import import_files
from tests.results.answers import choose, disagree, make_rater, questions, rate
from tests.results.examples import AnyType, answer, make_example
from tests.results.imported import import_raters, points


def exported(study: Study, folder: Path, **options: str) -> list[dict[str, Any]]:
    """The rows of dataset.jsonl."""
    call_command("export", study.slug, format="dataset", out=folder, stdout=StringIO(), **options)
    return [json.loads(line) for line in (folder / "dataset.jsonl").read_text().splitlines()]


@pytest.fixture
def answered(db: None) -> Study:
    """Three people and a judge on citation recovery and a slider of two units."""
    study = make_study(sources=2)
    for at, name in enumerate(("ada", "bob", "cyd")):
        person = make_rater(study, name)
        for question in questions(study):
            choose(person, question, 0, at)
        rate(person, questions(study, block=1)[0], [10.0, 20.0, 60.0][at])
    judge = make_rater(study, "lexical", "judge")
    choose(judge, questions(study)[0], 2)
    rate(judge, questions(study, block=1)[1], 5.0)
    Annotation.objects.filter(rater__name="ada").update(active_seconds=4)
    Annotation.objects.filter(rater__name="bob").update(active_seconds=10)
    Annotation.objects.filter(rater__kind="judge").update(active_seconds=99)
    return study


def test_a_row_holds_texts_label_agreement_reference_and_judges(
    answered: Study, tmp_path: Path
) -> None:
    first = questions(answered)[0]
    first.reference = {"sentences": [1]}
    first.save()

    rows = exported(answered, tmp_path)

    assert [(row["unit"], row["facet"]) for row in rows] == [
        ("claim-0/alder/1", "recovery"),
        ("claim-0/alder/1", "utility"),
        ("claim-1/alder/1", "recovery"),
        ("claim-1/alder/1", "utility"),
    ]
    sets, numbers = rows[:2]
    assert (sets["label"], sets["consensus"], sets["n"]) == ([0, 1, 2], "union", 3)
    assert (sets["reference"], sets["judge_lexical"]) == ([1], [2])
    # {0}, {0, 1}, {0, 2}: Jaccard similarities 1/2, 1/2, 1/3.
    assert sets["agreement"] == pytest.approx((1 / 2 + 1 / 2 + 1 / 3) / 3)
    item = first.unit.items.get()
    assert sets["item_text"] == " ".join(part["text"] for part in item.sentences)
    assert sets["claim"] == first.unit.source.claim
    assert sets["passages"] == [passage["text"] for passage in first.unit.source.passages]
    assert (sets["system"], sets["median_seconds"]) == (item.system, 7)
    # 10, 20, 60: differences 10, 40, 50 on a scale of 100; the deviation of 20 and 10, 30 from 30.
    assert (numbers["label"], numbers["consensus"]) == (30, "mean")
    assert numbers["agreement"] == pytest.approx(1 - (10 + 40 + 50) / 300)
    assert numbers["sd"] == pytest.approx(700**0.5)
    judged = rows[3]
    assert (judged["label"], judged["n"], judged["judge_lexical"]) == (None, 0, 5)
    assert (judged["agreement"], judged["sd"], judged["median_seconds"]) == (None, None, None)


def test_the_rule_of_the_consensus_can_be_chosen(answered: Study, tmp_path: Path) -> None:
    median = exported(answered, tmp_path, consensus="median")
    majority = exported(answered, tmp_path, consensus="majority")

    assert [row["label"] for row in median[:2]] == [[0, 1, 2], 20]
    assert [row["label"] for row in majority[:2]] == [[0], 30]
    assert [row["consensus"] for row in median[:2]] == ["union", "median"]


def test_what_does_not_count_makes_no_label(answered: Study, tmp_path: Path) -> None:
    Annotation.objects.filter(rater__name="cyd").update(excluded_reason="failed controls")
    rater = make_rater(answered, "program", "simulated")
    choose(rater, questions(answered)[0], 1, 2)

    first = exported(answered, tmp_path)[0]

    assert (first["label"], first["n"]) == ([0, 1], 2)
    assert "judge_program" not in first


def test_the_three_files_hold_the_same(answered: Study, tmp_path: Path) -> None:
    answered.items.update(system="=1+1")
    rows = exported(answered, tmp_path)
    frame = pl.read_parquet(tmp_path / "dataset.parquet")
    with (tmp_path / "dataset.csv").open(encoding="utf-8", newline="") as file:
        flat = list(csv.DictReader(file))

    assert frame.columns == [*rows[0]] == [*flat[0]]
    assert frame["passages"].to_list() == [row["passages"] for row in rows]
    assert [json.loads(row["passages"]) for row in flat] == [row["passages"] for row in rows]
    assert frame["agreement"].to_list() == [row["agreement"] for row in rows]
    # Facets of two kinds share a column: then it holds texts.
    assert frame["label"].to_list() == ["[0, 1, 2]", "30.0", "[0, 1, 2]", None]
    assert [row["label"] for row in flat] == ["[0, 1, 2]", "30.0", "[0, 1, 2]", ""]
    assert {row["system"] for row in flat} == {"'=1+1"}
    assert {row["system"] for row in rows} == {"=1+1"}
    readme = (tmp_path / "README-dataset.txt").read_text()
    assert "median_seconds" in readme


def test_labels_of_one_kind_have_its_type(db: None, tmp_path: Path) -> None:
    study = import_raters(tmp_path, points(ada="1233"), points(gpt="1231"), level="ordinal")
    exported(study, tmp_path)

    frame = pl.read_parquet(tmp_path / "dataset.parquet")

    assert frame.schema["label"] == frame.schema["judge_gpt"] == pl.Float64
    assert frame["judge_gpt"].to_list() == [1, 2, 3, 1]


@pytest.mark.parametrize("kind", TASK_TYPES, ids=lambda kind: kind.slug)
def test_every_kind_of_question_has_rows_with_its_texts(
    kind: AnyType, owner: User, tmp_path: Path
) -> None:
    study = make_example(kind, owner, units=2)
    # Names such as other tools give, which parts of a text have, too.
    for number, item in enumerate(study.items.order_by("pk")):
        Item.objects.filter(pk=item.pk).update(key=str(number))
    answer(study, ("ada", "human"), ("bob", "human"), ("gpt", "judge"))

    rows = exported(study, tmp_path)

    assert len({row["unit"] for row in rows}) == 2
    assert all(row["n"] == 2 and row["label"] == row["judge_gpt"] for row in rows)
    assert all(row["agreement"] in (1, None) for row in rows)
    assert all(row["item_text"] or row["candidates"] for row in rows)
    several = len(kind.example.items) > 1
    for row in rows:
        if row["element"]:
            assert row["item"] == row["element"] if several else row["element_text"]
    frame = pl.read_parquet(tmp_path / "dataset.parquet")
    assert len(frame) == len(rows)


def test_a_study_without_answers_has_a_head_alone(db: None, tmp_path: Path) -> None:
    assert exported(make_study(), tmp_path) == []
    assert len(pl.read_parquet(tmp_path / "dataset.parquet")) == 0
    assert (tmp_path / "dataset.csv").read_text().startswith("unit,subsets,block,facet,element,")


def test_queries_do_not_grow_with_the_units(db: None) -> None:
    def queries(sources: int) -> int:
        study = make_study(f"s{sources}", sources=sources)
        rater = make_rater(study, "ada")
        for question in questions(study):
            choose(rater, question, 0)
        with CaptureQueriesContext(connection) as captured:
            list(Dataset(study).rows())
        return len(captured)

    assert queries(2) == queries(8)


def test_a_part_of_the_study_can_be_chosen(answered: Study, tmp_path: Path) -> None:
    few = answered.subsets.create(name="few")
    few.units.add(questions(answered)[1].unit)

    by_facet = exported(answered, tmp_path, facet="utility")
    by_subset = exported(answered, tmp_path, subset="few")

    assert [row["facet"] for row in by_facet] == ["utility", "utility"]
    assert {row["unit"] for row in by_subset} == {"claim-1/alder/1"}
    call_command("export", "small", format="csv", out=tmp_path, subset="few", stdout=StringIO())
    for name in ("ratings.csv", "wide.csv"):
        with (tmp_path / name).open(encoding="utf-8", newline="") as file:
            assert {row["unit"] for row in csv.DictReader(file)} == {"claim-1/alder/1"}


def test_labels_of_a_pilot_are_its_own(answered: Study, tmp_path: Path) -> None:
    pilot = Round.objects.create(study=answered, position=1, name="pilot", counts=False)
    choose(make_rater(answered, "dee"), questions(answered)[0], 1, round_=pilot)

    assert exported(answered, tmp_path)[0]["n"] == 3
    (row,) = exported(answered, tmp_path, round="pilot")
    assert (row["label"], row["n"]) == ([1], 1)


def test_excluded_answers_are_in_labels_or_nowhere_when_asked_for(
    answered: Study, tmp_path: Path
) -> None:
    Annotation.objects.filter(rater__name="cyd").update(excluded_reason="failed controls")

    assert exported(answered, tmp_path)[0]["n"] == 2
    assert exported(answered, tmp_path, excluded="with")[0]["n"] == 3
    for excluded, there in (("", True), ("without", False)):
        options = {"format": "csv", "out": tmp_path, "excluded": excluded}
        call_command("export", "small", stdout=StringIO(), **options)
        assert ("cyd" in (tmp_path / "ratings.csv").read_text()) is there


def test_a_part_that_is_not_there_is_refused(answered: Study, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="subset: 'nosuch' is none of full, sample"):
        exported(answered, tmp_path, subset="nosuch")


def test_the_deviation_of_two_people_is_that_of_a_sample(study: Study, tmp_path: Path) -> None:
    disagree(study)
    row = exported(study, tmp_path, facet="utility")[0]
    assert (row["n"], row["sd"]) == (2, pytest.approx(200**0.5))  # 0 and 20


@pytest.mark.parametrize("format_name", ["dataset", "huggingface"])
def test_a_sentence_of_the_number_that_its_output_is_named_by_keeps_its_text(
    db: None, format_name: str, tmp_path: Path
) -> None:
    """Tasks of Label Studio are called 1, 2, 3, as sentences are."""
    tasks = [{"id": at, "data": {"text": "It rained. It was nice. They left."}} for at in range(3)]
    sentence = {"start": 11, "end": 23, "text": "It was nice.", "labels": ["error"]}
    label = {"from_name": "span", "type": "labels", "value": sentence}
    for task in tasks:
        task["annotations"] = [{"completed_by": {"id": 1}, "result": [label]}]
    (tmp_path / "tasks.json").write_text(json.dumps(tasks), encoding="utf-8")
    study = import_files("label-studio", tmp_path / "tasks.json")
    assert set(study.items.values_list("key", flat=True)) == {"0", "1", "2"}
    out = tmp_path / "out"
    call_command("export", study.slug, format=format_name, out=out, stdout=StringIO())

    texts = [
        (row["unit"], row["element"], row["element_text"])
        for path in sorted(out.rglob("*.parquet"))
        if path.name in ("dataset.parquet", "labels.parquet")
        for row in pl.read_parquet(path).to_dicts()
    ]
    sentences = ["It rained.", "It was nice.", "They left."]
    assert sorted(texts) == [
        (str(unit), str(at), text) for unit in range(3) for at, text in enumerate(sentences)
    ]

    if format_name == "huggingface":
        again = import_files("huggingface", out, slug="again")
        assert again.annotations.count() == study.annotations.count() == 3

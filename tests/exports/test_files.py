"""Exports: what is in the files, that they can be read again, and what is never in them."""

import csv
import json
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.models import Annotation, Participation, Rater, Round, Study, Worker
from estimates.data.options import Options
from exports.csv_text import csv_line
from exports.files import stream_archive, write_export
from exports.records import item_lines
from exports.tables.answers import answer_lines
from exports.tables.ratings import rating_lines
from set_up.controls.proposals import check_control, propose_controls
from tests.cast import make_study, make_user
from tests.results.answers import choose, make_rater, questions, rate
from tests.results.estimates import estimate_study


@pytest.fixture
def answered(db: None) -> Study:
    """People, a judge in two versions, a simulated rater, a control, and answers left out."""
    study = make_study(positive=1)
    for name, kind, version in (
        ("worker-1", "human", 1),
        ("lexical", "judge", 1),
        ("lexical", "judge", 2),
        ("program", "simulated", 1),
    ):
        rater = make_rater(study, name, kind, version=version)
        for at, question in enumerate(questions(study)):
            choose(rater, question, at, *([2] if version == 2 else []))
        for at, question in enumerate(questions(study, block=1)):
            rate(rater, question, 12.5 + at)
        choose(rater, questions(study, role="positive")[0], 0, 2)
    return study


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_an_exported_study_imports_again_with_the_same_estimates(
    answered: Study, tmp_path: Path
) -> None:
    answered.raters.filter(name="lexical").update(family="words")
    write_export(study=answered, format_name="jsonl", folder=tmp_path)

    call_command("import_study", "jsonl", str(tmp_path / "items.jsonl"), "--slug", "again")
    call_command("import_answers", "again", str(tmp_path / "answers.jsonl"))

    again = Study.objects.get(slug="again")
    assert again.raters.get(name="lexical").family == "words"
    quick = Options(resamples=0)
    wanted = {"humans", "simulated", "lexical", "humans~lexical", "simulated~lexical"}

    def values(study: Study) -> dict[str, object]:
        rows = [row.as_json() for row in estimate_study(study, quick).rows]
        return {
            json.dumps([row[name] for name in ("metric", "facet", "raters", "group")]): row["value"]
            for row in rows
            if row["raters"] in wanted
        }

    assert len(values(answered)) > 50
    assert values(again) == values(answered)


def test_material_keeps_units_roles_subsets_and_references(answered: Study, tmp_path: Path) -> None:
    write_export(study=answered, format_name="jsonl", folder=tmp_path)
    call_command("import_study", "jsonl", str(tmp_path / "items.jsonl"), "--slug", "again")

    def units(slug: str) -> list[object]:
        study = Study.objects.get(slug=slug)
        return [
            (
                *(unit.key, unit.role, unit.focus),
                sorted(subset.name for subset in unit.subsets.all()),
                [(q.payload, q.reference) for q in unit.questions.order_by("block__position")],
                [shown.item.sentences for shown in unit.unit_items.all()],
            )
            for unit in study.units.order_by("key")
        ]

    assert units("again") == units("small")


def test_a_question_of_its_own_is_exported_as_it_was_asked(answered: Study) -> None:
    question = questions(answered)[0]
    question.payload["passages"][0]["text"] = "Another text than the source's."
    question.reference = {"sentences": [1]}
    question.save()

    records = [json.loads(line) for line in item_lines(answered)]

    unit = next(r["unit"] for r in records if r.get("unit", {}).get("key") == question.unit.key)
    assert unit["payload"] == {question.block.key: question.payload}
    assert unit["reference"] == {question.block.key: {"sentences": [1]}}
    others = [record["unit"] for record in records[1:] if record["unit"] != unit]
    assert all("payload" not in other and "reference" not in other for other in others)


def test_simulated_answers_and_versions_are_told_apart(answered: Study) -> None:
    given = [json.loads(line) for line in answer_lines(answered)]

    assert {(one["rater"], one["kind"]) for one in given} == {
        ("worker-1", "human"),
        ("lexical", "judge"),
        ("lexical@1", "judge"),
        ("program", "simulated"),
    }


def test_answers_hold_what_counts_and_ratings_say_why_the_rest_does_not(
    answered: Study, tmp_path: Path
) -> None:
    first, second, third = questions(answered)
    pilot = Round.objects.create(study=answered, position=1, name="pilot", counts=False)
    ada = make_rater(answered, "ada")
    choose(ada, first, 1, round_=pilot)
    choose(ada, second, 1, surplus=True)
    excluded = choose(ada, third, 1)
    Annotation.objects.filter(pk=excluded.pk).update(excluded_reason="failed controls")

    assert "ada" not in {json.loads(line)["rater"] for line in answer_lines(answered)}
    write_export(study=answered, format_name="csv", folder=tmp_path)
    rows = [row for row in read_csv(tmp_path / "ratings.csv") if row["rater"] == "ada"]
    assert [(row["counted"], row["why_not_counted"]) for row in rows] == [
        ("no", "round pilot does not count"),
        ("no", "surplus"),
        ("no", "excluded: failed controls"),
    ]
    readme = (tmp_path / "README-csv.txt").read_text()
    assert "not counted: surplus                                              1" in readme


def test_ratings_are_flat_and_sets_are_json(answered: Study, tmp_path: Path) -> None:
    write_export(study=answered, format_name="csv", folder=tmp_path)

    rows = read_csv(tmp_path / "ratings.csv")

    first = rows[0]
    assert (first["unit"], first["facet"], first["value"]) == ("claim-0/alder/1", "recovery", "[0]")
    assert (first["system"], first["subsets"], first["label"]) == ("Birch", "full sample", "true")
    control = next(row for row in rows if row["role"] == "positive")
    assert (control["counted"], control["why_not_counted"]) == ("no", "positive unit")
    estimates = read_csv(tmp_path / "estimates.csv")
    f1 = next(
        r for r in estimates if (r["metric"], r["raters"], r["group"]) == ("f1", "lexical", "")
    )
    assert 0 < float(f1["value"]) < 1


def test_calibrated_scores_are_given_item_by_item(db: None, tmp_path: Path) -> None:
    study = make_study(sources=4, blocks=[("slider", {})])
    for name, low, step in (("ada", 10, 20), ("bob", 40, 5), ("cyd", 0, 30)):
        rater = make_rater(study, name)
        for at, question in enumerate(questions(study)):
            rate(rater, question, low + step * at)
    write_export(study=study, format_name="csv", folder=tmp_path)

    rows = read_csv(tmp_path / "calibrated.csv")

    assert [row["item"] for row in rows] == [f"claim-{at}/alder" for at in range(4)]
    assert [row["system"] for row in rows] == ["Birch", "Alder", "Birch", "Alder"]
    scores = [float(row["score"]) for row in rows]
    assert scores == sorted(scores)
    assert all(float(row["sd"]) > 0 and row["n_ratings"] == "3" for row in rows)
    (mean,) = [
        row.estimate.value
        for row in estimate_study(study, Options(resamples=0)).rows
        if (row.metric, row.raters, row.group) == ("mean_calibrated", "humans", {})
    ]
    assert sum(scores) / 4 == pytest.approx(mean)


def test_where_nothing_can_be_calibrated_the_file_says_why(db: None, tmp_path: Path) -> None:
    write_export(study=make_study(), format_name="csv", folder=tmp_path)

    (row,) = read_csv(tmp_path / "calibrated.csv")
    assert (row["facet"], row["score"], row["undefined"]) == ("utility", "", "no human answers")


def test_a_cell_never_begins_like_a_formula(answered: Study, tmp_path: Path) -> None:
    Rater.objects.filter(name="worker-1").update(name="=HYPERLINK(1)")
    answered.sources.update(verdict="+1")
    answered.sources.filter(key="claim-0").update(key="-x")
    answered.items.update(system="@sum", condition="\tx")
    write_export(study=answered, format_name="csv", folder=tmp_path)

    cells = [cell for row in read_csv(tmp_path / "ratings.csv") for cell in row.values()]

    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t"))]
    assert {"'=HYPERLINK(1)", "'+1", "'-x", "'@sum", "'\tx"} <= set(cells)


def test_no_cell_breaks_its_row_in_a_spreadsheet() -> None:
    assert csv_line(["a", "b\rc", "d\ne", 1]) == 'a,"b\rc","d\ne",1\n'


def test_no_panel_id_leaves_the_house(answered: Study) -> None:
    worker = Worker.objects.create(panel="prolific", external_id="5f1c-the-secret")
    rater = answered.raters.get(name="worker-1")
    rater.participation = Participation.objects.create(study=answered, worker=worker, number=1)
    rater.save()

    for format_name in ("jsonl", "csv"):
        archive = b"".join(stream_archive(answered, format_name))
        assert b"5f1c-the-secret" not in archive
    lines = [*answer_lines(answered), *rating_lines(answered), *item_lines(answered)]
    assert not [line for line in lines if "5f1c" in line or "prolific" in line]


def test_queries_do_not_grow_with_the_answers(db: None) -> None:
    def queries(sources: int) -> list[int]:
        study = make_study(f"s{sources}", sources=sources)
        rater = make_rater(study, "ada")
        for question in questions(study):
            choose(rater, question, 0)
        counts = []
        for lines in (item_lines, answer_lines, rating_lines):
            with CaptureQueriesContext(connection) as captured:
                list(lines(study))
            counts.append(len(captured))
        return counts

    assert queries(2) == queries(8)


def test_an_interrupted_export_leaves_no_half_file(answered: Study, tmp_path: Path) -> None:
    def stop(_lines: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_export(study=answered, format_name="csv", folder=tmp_path, watch=stop)

    assert not list(tmp_path.glob("[!.]*"))


def test_generated_controls_are_exported_once_validated_and_read_again(
    db: None, tmp_path: Path
) -> None:
    study = make_study(sources=3)
    for question in questions(study):
        for passage in question.payload["passages"]:
            passage["selected"] = passage["index"] == 1
        question.save()
    stage, now = study.rounds.get(), timezone.now()
    valid, rejected = propose_controls(study=study, round_=stage, positive=1, negative=1, seed=1)
    check_control(unit=valid, valid=True, by=make_user("editor"), now=now)
    study.units.filter(pk=valid.pk).update(
        reasons="It says so.", part_reasons={"recovery.none": "It says why."}
    )

    write_export(study=study, format_name="jsonl", folder=tmp_path)
    call_command("import_study", "jsonl", str(tmp_path / "items.jsonl"), "--slug", "again")

    again = Study.objects.get(slug="again")
    read = again.units.get(key=valid.key)
    assert (read.role, read.check_state, read.reasons) == (valid.role, "validated", "It says so.")
    assert read.part_reasons == {"recovery.none": "It says why."}
    assert not again.units.filter(key=rejected.key).exists()
    assert again.units.normal_pool().count() == 2


def test_units_keep_the_round_that_they_are_kept_for(db: None, tmp_path: Path) -> None:
    study = make_study(sources=3, positive=1)
    main = study.rounds.get()
    drill = {"counts": False, "shows_answers": True}
    training = Round.objects.create(study=study, position=1, name="training", **drill)
    own, other, drilled = study.units.filter(role="normal").order_by("pk")
    study.units.filter(pk=own.pk).update(round=main)
    study.units.filter(pk=drilled.pk).update(round=training, role="training")
    drilled.places.all().delete()

    write_export(study=study, format_name="jsonl", folder=tmp_path)
    call_command("import_study", "jsonl", str(tmp_path / "items.jsonl"), "--slug", "again")

    again = Study.objects.get(slug="again")
    control = again.units.get(role="positive")
    rounds = {unit.key: unit.round and unit.round.name for unit in again.units.all()}
    assert rounds == {own.key: "main", other.key: None, drilled.key: "training", control.key: None}
    assert [place.round.name for place in control.places.all()] == ["main"]
    kept = [(one.name, one.counts, one.shows_answers) for one in again.rounds.all()]
    assert kept == [("main", True, False), ("training", False, True)]

"""Tasks for Label Studio: what is in them, and that a round trip keeps everything."""

import json
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from django.core.management import call_command

from annotation.models import Study
from exports.files import write_export
from tests.cast import make_study
from tests.imports import formats
from tests.imports.tables import import_files
from tests.results.answers import choose, make_rater, questions, rate

pytestmark = pytest.mark.django_db

FOREIGN = Path(formats.__file__).parent / "foreign"
ROUND = [
    ("label-studio", FOREIGN / "label_studio.json"),
    ("argilla", FOREIGN / "argilla"),
    ("doccano", FOREIGN / "doccano" / "spans"),
    ("potato", FOREIGN / "potato"),
]


def exported(study: Study, folder: Path) -> list[dict[str, Any]]:
    write_export(study=study, format_name="label-studio", folder=folder)
    tasks: list[dict[str, Any]] = json.loads((folder / "tasks.json").read_text(encoding="utf-8"))
    return tasks


def answers_by_rater(study: Study) -> Counter[tuple[str, str, str, str]]:
    rows = study.annotations.values_list(
        "rater__name", "question__unit__key", "question__block__key", "answer"
    )
    return Counter((*row[:3], json.dumps(row[3], sort_keys=True)) for row in rows)


@pytest.mark.parametrize(("format_name", "file"), ROUND, ids=[name for name, _ in ROUND])
def test_a_round_trip_keeps_units_raters_and_answers(
    format_name: str, file: Path, tmp_path: Path
) -> None:
    study = import_files(format_name, file)
    exported(study, tmp_path)
    again = import_files("label-studio", tmp_path / "tasks.json", slug="again", keep_names=True)
    assert answers_by_rater(again) == answers_by_rater(study)
    assert again.units.count() == study.units.count()
    kinds = set(again.raters.values_list("name", "kind"))
    assert kinds == set(study.raters.values_list("name", "kind"))
    texts = [list(s.items.values_list("key", "sentences")) for s in (study, again)]
    assert sorted(texts[0], key=str) == sorted(texts[1], key=str)


def test_every_control_of_a_region_is_in_the_interface(tmp_path: Path) -> None:
    study = import_files("argilla", FOREIGN / "argilla")
    tasks = exported(study, tmp_path)
    config = ElementTree.fromstring((tmp_path / "label_config.xml").read_text(encoding="utf-8"))
    controls = {tag.get("name"): tag.tag.lower() for tag in config if tag.get("toName")}
    regions = [
        region
        for task in tasks
        for made in (*task["annotations"], *task["predictions"])
        for region in made["result"]
    ]
    assert regions
    for region in regions:
        assert controls[region["from_name"]] == region["type"]
    assert controls["clarity"] == "rating"
    assert controls["fact"] == "labels"


def test_what_has_no_place_there_is_counted_and_simulated_answers_stay_here(tmp_path: Path) -> None:
    study = make_study(positive=1)
    for name, kind in (("worker-1", "human"), ("program", "simulated")):
        rater = make_rater(study, name, kind)
        for question in questions(study):
            choose(rater, question, 0)
        for question in questions(study, block=1):
            rate(rater, question, 12.5)
    tasks = exported(study, tmp_path)
    assert len(tasks) == len(questions(study))
    assert {len(task["annotations"]) for task in tasks} == {1}
    (region,) = tasks[0]["annotations"][0]["result"]
    assert (region["type"], region["value"]) == ("number", {"number": 12.5})
    readme = (tmp_path / "README-label-studio.txt").read_text(encoding="utf-8")
    assert f"has no place for them: {2 * len(tasks)}" in readme


def test_the_command_writes_it(tmp_path: Path) -> None:
    study = import_files("label-studio", FOREIGN / "label_studio.json")
    call_command("export", study.slug, format="label-studio", out=tmp_path, verbosity=0)
    assert {path.name for path in tmp_path.iterdir()} == {
        "README-label-studio.txt",
        "label_config.xml",
        "tasks.json",
    }

from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import call_command

from annotation.models import FixedBatch, Round, Study
from annotation.rounds.opening import NotReady, close_study, missing_to_open, open_study
from tests.annotation.pilot_study import make_pilot_study
from tests.cast import make_study
from tests.imports.small_files import write_lines
from tests.imports.tables import import_files, write_table

pytestmark = pytest.mark.django_db
READY: dict[str, Any] = {"sources": 8, "positive": 4, "negative": 4, "per_batch": 2}


def missing(study: Study, **fields: Any) -> list[str]:
    Round.objects.filter(study=study, name="main").update(**fields)
    return missing_to_open(study)


def test_a_study_with_all_it_needs_opens() -> None:
    study = make_study(state=Study.State.DRAFT, **READY)
    open_study(study=study)
    study.refresh_from_db()
    assert study.state == Study.State.OPEN


def test_all_that_is_missing_is_said_at_once() -> None:
    study = make_study(state=Study.State.DRAFT, positive=1, negative=1, sources=8)
    study.instructions = study.consent_text = ""
    study.ethics.pop("board")
    study.save()
    with pytest.raises(NotReady) as caught:
        open_study(study=study)
    assert len(caught.value.missing) == 5
    study.refresh_from_db()
    assert study.state == Study.State.DRAFT


@pytest.mark.parametrize("entry", ["", "Replace with the name of your board", "REPLACE-ME"])
def test_an_entry_that_is_a_placeholder_is_missing(entry: str) -> None:
    study = make_study(**READY)
    study.ethics["board"] = study.recruitment["screenout_code"] = entry
    assert missing_to_open(study)[0] == "ethics entries: board"
    if entry:
        assert missing_to_open(study)[1] == "recruitment entries: screenout_code"


def test_a_study_for_people_of_any_age_opens() -> None:
    study = make_study(state=Study.State.DRAFT, **READY)
    study.ethics["minimum_age"] = 0
    study.save()
    open_study(study=study)
    study.ethics["minimum_age"] = None
    assert missing_to_open(study) == ["ethics entries: minimum_age"]


def test_the_first_workers_have_to_be_told_how_long_a_batch_takes() -> None:
    assert missing(make_study(**READY), expected_minutes=None) == [
        "round main: expected_minutes, so that workers know how long it takes"
    ]


def test_controls_have_to_last_for_as_many_batches_as_one_worker_may_do() -> None:
    study = make_study(**READY | {"positive": 3})
    assert missing(study) == [
        (
            "round main: 4 positive units of different sources, so that no worker gets one "
            "twice in "
            "4 batches (3 found)"
        )
    ]
    assert missing(study, max_batches=3) == []


def test_controls_of_one_source_do_not_stand_for_each_other() -> None:
    study = make_study(**READY)
    first, second = study.units.filter(role="positive")[:2]
    second.places.update(source=first.source)
    assert len(missing(study)) == 1


def test_a_round_to_be_passed_needs_units_for_all_of_its_batches() -> None:
    study = make_pilot_study(pilot={"max_batches": 2}, pilot_sources=2, pilot_controls=(4, 2))
    assert [text for text in missing(study) if "pilot" in text] == [
        (
            "round pilot: 3 normal units of different sources, so that no worker gets one twice in "
            "2 batches (2 found)"
        )
    ]


def test_a_pass_mark_without_controls_is_in_vain() -> None:
    study = make_pilot_study(pilot={"positive_per_batch": 0, "negative_per_batch": 0})
    assert [text for text in missing(study) if "pass mark" in text] == [
        "round pilot: control units in its batch: without them its pass mark cannot be reached"
    ]


def test_a_keep_mark_that_is_never_looked_at_is_in_vain() -> None:
    study = make_study(**READY)
    (text,) = missing(study, keep_accuracy=0.7, min_controls=11)
    assert text.startswith("round main: a smaller min_controls or more batches")


CHECK = {"question": "Where?", "options": ["Here", "There"], "right": "Here"}


@pytest.mark.parametrize(
    ("study_fields", "pilot", "asked_for"),
    [
        ({"comprehension": [CHECK]}, {"failing": "end"}, True),
        ({"comprehension": [CHECK], "screenout_pay": "0.30"}, {}, False),
        ({}, {"base_pay": 0}, True),
        ({}, {"base_pay": 0, "failing": "end"}, False),
        # Who fails it has the base pay of a batch.
        ({}, {}, False),
    ],
)
def test_a_study_that_pays_screens_nobody_out_for_nothing(
    study_fields: dict[str, Any], pilot: dict[str, Any], asked_for: bool
) -> None:
    study = make_pilot_study(pilot=pilot, **study_fields)
    assert any("screenout_pay" in text for text in missing(study)) == asked_for


def test_an_unpaid_study_pays_no_screen_out_either() -> None:
    study = make_pilot_study(pilot={"base_pay": 0, "bonus_pay": 0}, comprehension=[CHECK])
    study.rounds.update(base_pay=0, bonus_pay=0)
    assert not any("screenout_pay" in text for text in missing_to_open(study))


def test_fixed_batches_are_made_when_the_study_opens() -> None:
    study = make_study(state=Study.State.DRAFT, batches=Study.Batches.FIXED, **READY)
    open_study(study=study)
    assert FixedBatch.objects.filter(round__study=study).count() == 4


ROUND = {"name": "main", "batch": {"normal": 1}, "expected_minutes": 5}


def with_a_round(study: Study, folder: Path) -> list[str]:
    """What is missing to open an imported study that a file has given a round."""
    file = folder / "rounds.yaml"
    file.write_text(yaml.safe_dump({"slug": study.slug, "rounds": [ROUND]}), encoding="utf-8")
    call_command("apply_study", str(file), verbosity=0)
    return missing_to_open(study)


def test_nobody_is_asked_about_texts_that_an_import_does_not_hold(tmp_path: Path) -> None:
    rows = ["worker,item,rating", "w,i,1", "w,j,5", "w,k,3", "w,l,2"]
    study = import_files("ratings", write_table(tmp_path / "t.csv", *rows))
    missing = with_a_round(study, tmp_path)
    assert "the text to judge, which the imported file lacks for 4 units (i, j, k, …)" in missing
    assert study.annotations.count() == 4


def test_nobody_is_asked_whether_documents_that_are_not_there_support_a_claim(
    tmp_path: Path,
) -> None:
    response = {
        "query": "Does the tram run at night?",
        "response": {"text": "It does."},
        "decomposition": [{"decomp": [{"id": "S1", "text": "It runs.", "importance": "vital"}]}],
    }
    file = write_lines(tmp_path / "human-eval_normal.jsonl", [response])
    missing = with_a_round(import_files("vitalerrors", file), tmp_path)
    assert "a document or passages, which the imported file lacks for 1 unit (normal/1)" in missing


def test_a_rule_closes_an_open_study_once_and_says_so() -> None:
    study = make_study(**READY)
    stop = {"rule": "precision"}
    assert close_study(study=study, stop=stop)
    assert not close_study(study=study, stop=stop)
    study.refresh_from_db()
    assert (study.state, study.stops) == (Study.State.CLOSED, [stop])

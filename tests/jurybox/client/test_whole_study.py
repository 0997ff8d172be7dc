"""A study from its file to its figures, by the client alone, on a real server with a worker."""

import zipfile
from pathlib import Path

import pytest

from api.scopes import Scope
from jurybox.client import (
    Overtaken,
    Refused,
    Run,
    Stopped,
    TimedOut,
    example_answers,
    example_study,
)
from tests.jurybox.client.conftest import Connect

PEOPLE = ("simulated-1", "simulated-2", "simulated-3")


@pytest.mark.usefixtures("worker")
def test_a_study_is_made_answered_judged_reported_and_exported(
    connect: Connect, tmp_path: Path
) -> None:
    client = connect()
    records = example_study()["items"]
    study = client.make_study(example_study(), slug="mine", title="Mine", items=records[:6])
    assert study.row()["role"] == "owner"
    sent = study.add_items(records[6:])
    assert (sent.stored, sent.refused) == (len(records) - 6, ())
    assert study.open()["state"] == "open"

    lines = [{**line, "kind": "human"} for line in example_answers() if line["rater"] in PEOPLE]
    first = study.add_answers(lines)
    assert (first.stored, first.present, first.refused) == (len(lines), 0, ())
    again = study.add_answers([*lines[:3], {**lines[3], "unit": "none such"}])
    assert (again.stored, again.present) == (0, 3)
    assert [line.index for line in again.refused] == [3]

    seen: list[Run] = []
    run = study.wait_for_run(study.run_judge("lexical"), timeout=120, progress=seen.append)
    assert (run["state"], run["n_done"]) == ("complete", run["n_calls"])
    assert seen[-1] == run
    judged = list(study.answers(rater="lexical", fields=["unit", "answer"]))
    assert len(judged) == run["n_calls"]
    assert set(judged[0]) == {"unit", "answer"}

    report = study.report(timeout=120)
    alpha = report.filter(metric="krippendorff_alpha_jaccard", raters="humans")
    assert alpha["value"].is_not_null().any()
    assert report.filter(raters="humans~lexical").height

    file = study.export("csv", tmp_path, timeout=120)
    assert file == tmp_path / "mine-csv.zip"
    assert "mine-csv/ratings.csv" in zipfile.ZipFile(file).namelist()
    assert study.close()["state"] == "closed"


def test_a_file_is_changed_unless_somebody_was_faster(connect: Connect) -> None:
    study = connect().make_study(example_study("likert"), slug="mine", items=[])
    file, older = study.read_file(), study.read_file()
    file.keys["title"] = "Another title"
    assert not study.write_file(file, check=True).applied
    edited = study.write_file(file)
    assert (edited.changed, edited.applied) == (["title"], True)
    with pytest.raises(Overtaken):
        study.write_file(older)
    assert study.row()["title"] == "Another title"


def test_records_that_do_not_fit_are_named_and_can_be_left_out(connect: Connect) -> None:
    study = connect().make_study(example_study("likert"), slug="mine", items=[])
    records = example_study("likert")["items"]
    odd = {**records[1], "unit": {"key": "odd", "role": "no such role"}}
    with pytest.raises(Refused, match=r"records\[1\]\.unit\.role: "):
        study.add_items([records[0], odd])
    assert list(study.rows("items")) == []
    sent = study.add_items([records[0], odd, records[2]], strict=False)
    assert [line.status for line in sent.results] == ["stored", "refused", "stored"]
    assert [line.field for line in sent.refused] == ["unit.role"]


def test_a_collection_of_several_pages_is_read_to_its_end(connect: Connect) -> None:
    study = connect().make_study(example_study(), slug="mine")
    keys = [unit["key"] for unit in study.rows("units", limit=7, fields=["key"])]
    assert len(keys) == len(set(keys)) == len(list(study.rows("units")))
    normal = list(study.rows("units", role="normal", limit=7))
    assert {unit["role"] for unit in normal} == {"normal"}


def test_what_a_token_does_not_allow_or_nobody_can_do_is_refused(connect: Connect) -> None:
    connect().make_study(example_study("likert"), slug="mine")
    reader = connect(Scope.READ)
    with pytest.raises(Refused) as scope:
        reader.study("mine").open()
    assert scope.value.status == 403
    with pytest.raises(Refused) as missing:
        reader.study("no-such-study").row()
    assert missing.value.status == 404
    assert [row["slug"] for row in reader.studies()] == ["mine"]
    with pytest.raises(Refused, match="judge: ") as unknown:
        connect().study("mine").run_judge("no-such-judge")
    assert unknown.value.status == 409


def test_a_run_without_a_worker_is_waited_for_in_vain_and_once_cancelled_has_stopped(
    connect: Connect,
) -> None:
    client = connect()
    study = client.make_study(example_study(), slug="mine")
    run = study.run_judge("lexical", limit=2)
    with pytest.raises(TimedOut, match="Does a worker run"):
        study.wait_for_run(run, timeout=0)
    client.post(f"studies/mine/runs/{run['id']}/cancel/")
    with pytest.raises(Stopped, match="is cancelled") as stopped:
        study.wait_for_run(run)
    assert stopped.value.row["state"] == "cancelled"


def test_what_has_no_method_is_reached_by_its_path(connect: Connect) -> None:
    client = connect()
    client.make_study(example_study("likert"), slug="mine")
    links = client.post("studies/mine/invitations/", {"number": 2, "note": "Course A"})
    assert len(links) == 2
    assert client.get("studies/mine/invitations/", limit=1)["next"]

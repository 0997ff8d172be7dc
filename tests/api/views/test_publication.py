"""What a study says of itself to others, by the API: registrations, the rule by which it closes,
the datasheet."""

import hashlib
import json
from typing import Any

import pytest
from django.test import Client

from annotation.models import Study
from estimates.report.cache import report_of
from results.models import Registration
from tests.api.calls import get, listed, post, send
from tests.results.answers import disagree

STUDY = "studies/small"
RULE = {"metric": "mean_difference", "raters": "humans", "excludes": 0}


def test_a_study_is_registered_as_it_stands_and_again_with_a_reason(
    program: Client, study: Study
) -> None:
    first = send(program, f"{STUDY}/registrations")
    row = Registration.objects.get()
    assert (first["sha256"], first["answers"], first["reason"]) == (row.digest, 0, "")
    file = get(program, f"registrations/{row.pk}/file/")
    text = json.dumps(file["registered"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(text.encode()).hexdigest() == row.digest
    refused = post(program, "registrations/", {})
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (409, "reason")
    again = send(program, f"{STUDY}/registrations", {"reason": "A question was worded anew."})
    assert Registration.objects.count() == 2
    rows = get(program, "registrations/")["results"]
    assert sorted(rows, key=lambda each: each["id"]) == [first, again]
    assert get(program, f"registrations/{first['id']}/") == first


def test_a_rule_by_which_the_study_closes_is_set_and_taken_away(
    program: Client, study: Study
) -> None:
    rule = send(program, f"{STUDY}/stop-rule", {"rule": RULE}, "PUT")["rule"]
    study.refresh_from_db()
    assert rule == study.stop_rule
    assert rule.items() >= RULE.items()
    wrong = program.put(
        f"/api/v1/{STUDY}/stop-rule/", {"rule": {**RULE, "half_width": 1}}, "application/json"
    )
    assert wrong.status_code == 422
    assert listed(program, f"{STUDY}/stop-rule") == {"rule": rule, "stops": []}
    send(program, f"{STUDY}/stop-rule", {"rule": {}}, "PUT")
    study.refresh_from_db()
    assert study.stop_rule == {}


@pytest.mark.operations("studies_datasheet_update")
def test_a_question_of_the_datasheet_is_answered_by_whoever_has_seen_the_sheet(
    program: Client, study: Study
) -> None:
    report_of(disagree(study))
    there = f"/api/v1/{STUDY}/datasheet/"
    seen = program.get(there)
    part = {"part": "ethics", "answers": {"5.4": {"text": " None was needed. "}}}
    sent: dict[str, Any] = {
        "content_type": "application/json",
        "headers": {"If-Match": seen["ETag"]},
    }
    written = program.put(there, part, **sent)
    assert written.status_code == 200, written.content
    (section,) = [each for each in written.json()["sections"] if each["key"] == "ethics"]
    (answer,) = [each for each in section["answers"] if each["key"] == "5.4"]
    assert answer["answered_by"] == "editors"
    assert "None was needed." in json.dumps(study.datasheet.answers)
    assert program.get(there).json() == written.json()
    assert program.put(there, part, **sent).status_code == 412
    for wrong in ({**part, "part": "nothing"}, {"part": "ethics", "answers": {"9.9": {}}}):
        sent["headers"] = {"If-Match": "*"}
        assert program.put(there, wrong, **sent).status_code == 409

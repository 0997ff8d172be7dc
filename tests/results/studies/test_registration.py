"""A registration keeps the study as it was, and says what departs from it."""

import hashlib
import json
from typing import Any

import pytest

from annotation.models import Study, User
from estimates.report.cache import report_of
from results.management.commands.report import as_json as report_as_json
from results.models import Registration
from results.paper.methods import methods_of
from results.studies.claims import ClaimStatus, claims_of
from results.studies.registration import NeedsReason, as_json, changes_since, digest_of, register

pytestmark = pytest.mark.django_db
CLAIM = {"text": "A is better than B.", "metric": "mean", "better": "A", "worse": "B"}
OTHER = {"text": "B is better than C.", "metric": "mean", "better": "B", "worse": "C"}


def state(study: Study, *claims: dict[str, Any]) -> None:
    study.conclusions = list(claims)
    study.save()


def standings(study: Study) -> dict[str, ClaimStatus]:
    return {claim.text: claim.standing for claim in claims_of(study)}


def test_the_digest_can_be_recomputed_from_the_file(study: Study, owner: User) -> None:
    document = json.loads(json.dumps(as_json(register(study=study, by=owner))))
    text = json.dumps(
        document["registered"], sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    assert hashlib.sha256(text.encode()).hexdigest() == document["sha256"]
    assert digest_of(document["registered"]) == document["sha256"]


def test_nothing_has_changed_right_after(study: Study, owner: User) -> None:
    assert changes_since(register(study=study, by=owner)) == []


def test_changes_of_the_file_the_analysis_and_the_units_are_named(
    study: Study, owner: User
) -> None:
    register(study=study, by=owner)
    study.instructions = "Others."
    study.epsilon = 0.2
    study.save()
    study.units.first().delete()  # type: ignore[union-attr]
    changes = changes_since(Registration.objects.get())
    assert "+instructions: Others." in changes, changes
    assert any(line.strip() == "+  epsilon: 0.2" for line in changes)
    assert changes[-1] == "units: 3 registered, 2 now, others"


def test_a_changed_question_is_noticed(study: Study, owner: User) -> None:
    registration = register(study=study, by=owner)
    question = study.questions.first()
    assert question is not None
    before = question.payload
    changed = ["units: 3 registered, 3 now, with other questions"]
    # The second is as long as what was there: only what it says differs.
    for claim in ("Another claim", before["claim"][::-1]):
        question.payload = {**before, "claim": claim}
        question.save()
        assert changes_since(registration) == changed
    question.payload = before
    question.save()
    assert changes_since(registration) == []


def test_claims_are_told_apart_by_when_they_were_made(study: Study, owner: User) -> None:
    state(study, CLAIM, OTHER)
    register(study=study, by=owner)
    assert set(standings(study).values()) == {ClaimStatus.REGISTERED}
    state(study, CLAIM | {"better": "B", "worse": "A"}, CLAIM | {"text": "New."})
    assert standings(study) == {
        CLAIM["text"]: ClaimStatus.CHANGED,
        "New.": ClaimStatus.ADDED,
        OTHER["text"]: ClaimStatus.DROPPED,
    }


def test_a_claim_registered_after_answers_is_no_registered_claim(
    answered: Study, owner: User
) -> None:
    state(answered, CLAIM)
    assert register(study=answered, by=owner).answers == 12
    assert standings(answered) == {CLAIM["text"]: ClaimStatus.REGISTERED_LATER}


def test_registering_again_takes_a_reason_and_keeps_the_first(study: Study, owner: User) -> None:
    first = register(study=study, by=owner)
    with pytest.raises(NeedsReason):
        register(study=study, by=owner, reason=" ")
    register(study=study, by=owner, reason="A typing error in the instructions.")
    assert Registration.objects.first() == first
    assert Registration.objects.count() == 2


def test_the_methods_paragraph_says_what_was_registered_and_what_departs_from_it(
    study: Study, owner: User
) -> None:
    assert "registered" not in methods_of(report_of(study)).as_text
    state(study, CLAIM)
    register(study=study, by=owner)
    text = methods_of(report_of(study)).as_text
    assert "The study file, 1 claim and the analysis were registered on " in text
    assert "before any answer of people" in text
    assert "was changed after" not in text
    state(study, CLAIM, OTHER)
    text = methods_of(report_of(study)).as_text
    assert "The study was changed after that" in text
    assert "“B is better than C.” (not registered)" in text


def test_the_report_names_the_claims_and_what_changed(study: Study, owner: User) -> None:
    assert "registration" not in json.loads(report_as_json(report_of(study)))
    state(study, CLAIM)
    register(study=study, by=owner)
    state(study, CLAIM, OTHER)
    told = json.loads(report_as_json(report_of(study)))["registration"]
    assert told["answers_then"] == 0
    assert [claim["made"] for claim in told["claims"]] == ["registered", "not registered"]
    assert any("B is better than C." in line for line in told["changes"])

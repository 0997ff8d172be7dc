"""The claims of one study: what its file states, what was registered, and what the figures say."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from annotation.models import Study
from estimates.report.cache import Report
from results.models import Registration
from results.studies.conclusions import Statement, StudyVerdict

Stated = Mapping[str, Any]


class ClaimStatus(StrEnum):
    """When a claim was made."""

    REGISTERED = "registered"
    REGISTERED_LATER = "registered after answers had come in"
    CHANGED = "changed after it was registered"
    ADDED = "not registered"
    DROPPED = "registered, and dropped since"


@dataclass(frozen=True)
class Claim:
    """A claim in words, when it was made, and what the figures say; None of one that was dropped
    or where nothing has been counted."""

    text: str
    standing: ClaimStatus
    outcome: StudyVerdict | None


def first_registration(study: Study) -> Registration | None:
    """The one that counts: what was registered again later is only an addition to it."""
    return study.registrations.first()


def claims_of(study: Study, report: Report | None = None) -> list[Claim]:
    """The claims of the study's file, then those that were dropped from it."""
    registrations = list(study.registrations.all())
    claims = [
        Claim(stated["text"], _standing(stated, registrations), outcome_of(stated, report))
        for stated in study.conclusions
    ]
    now = {stated["text"] for stated in study.conclusions}
    dropped = {
        stated["text"]: None
        for registration in registrations
        for stated in registration.keys.get("conclusions", ())
        if stated["text"] not in now
    }
    return [*claims, *(Claim(text, ClaimStatus.DROPPED, None) for text in dropped)]


def outcome_of(stated: Stated, report: Report | None) -> StudyVerdict | None:
    """What the figures say of one claim."""
    if report is None:
        return None
    statement = Statement(stated["metric"], stated["better"], stated["worse"])
    return statement.outcome(report.rows, 1 - report.options.confidence)


def _standing(stated: Stated, registrations: Sequence[Registration]) -> ClaimStatus:
    """By the first registration that has the claim as it stands now."""
    texts: set[str] = set()
    for registration in registrations:
        there = registration.keys.get("conclusions", ())
        if any(_same(stated, each) for each in there):
            if stated["text"] in texts:
                return ClaimStatus.CHANGED
            return ClaimStatus.REGISTERED_LATER if registration.answers else ClaimStatus.REGISTERED
        texts |= {each["text"] for each in there}
    return ClaimStatus.CHANGED if stated["text"] in texts else ClaimStatus.ADDED


def _same(one: Stated, other: Stated) -> bool:
    keys = ("text", "metric", "better", "worse")
    return all(one.get(key) == other.get(key) for key in keys)

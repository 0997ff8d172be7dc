"""That the study was registered, when, and what of it has changed since."""

from collections.abc import Iterator

from django.utils.timezone import localtime

from estimates.report.cache import Report
from results.models import Registration
from results.paper.paragraphs import Sentence
from results.reading.wording import counted
from results.studies.claims import ClaimStatus, claims_of, first_registration
from results.studies.registration import changes_since


def registration(report: Report) -> Iterator[Sentence]:
    """Sentences on the first registration, and on what departs from it; none without one."""
    first = first_registration(report.study)
    if first is None:
        return
    yield Sentence(registration_sentence(first))
    if changes_since(first):
        yield Sentence("The study was changed after that; its page of registration lists how.")
    later = [
        claim for claim in claims_of(report.study) if claim.standing is not ClaimStatus.REGISTERED
    ]
    if later:
        listed = "; ".join(f"“{claim.text}” ({claim.standing})" for claim in later)
        yield Sentence(f"Claims that depart from it: {listed}.")


def registration_sentence(first: Registration) -> str:
    """When and what was registered."""
    claims = len(first.keys.get("conclusions", ()))
    then = (
        f"when there were {counted(first.answers, 'answer')}"
        if first.answers
        else "before any answer of people"
    )
    return (
        f"The study file, {counted(claims, 'claim')} and the analysis were registered on "
        f"{localtime(first.registered_at):%Y-%m-%d}, {then} (SHA-256 {first.digest[:16]}…)."
    )

"""Ask for consent, and record which text was agreed to."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Count, Max

from annotation.models import Consent, ConsentText, Participation, Study

State = Participation.State
# Under these keys beside the ethics entries: that the pages count what is done at a question, and
# what they ask besides the questions.
COUNTED, TEXT, QUESTIONNAIRE = "collect_paradata", "free_text", "questionnaire"


class ConsentChanged(Exception):
    """The text that was shown is no longer the current one."""


class NotOfAge(Exception):
    """The study has a minimum age, which was not confirmed."""


def agreed_facts(study: Study) -> dict[str, Any]:
    """What the consent page says beside the statement: the ethics entries, whether its pages count
    keystrokes and the like, and what people are asked to write and to tell of themselves."""
    counts = {COUNTED: True} if study.collect_paradata else {}
    text, asked = study.text_of_people, study.questionnaire
    texts = {TEXT: text.question} if text else {}
    told = {QUESTIONNAIRE: {**asked, "questions": wordings(study)}} if asked else {}
    return {**study.ethics, **counts, **texts, **told}


def wordings(study: Study) -> list[str]:
    """The questions about the person, in their order."""
    return [asked["question"] for asked in study.questionnaire.get("questions", ())]


def consent_hash(study: Study) -> str:
    """SHA-256 over all that a worker agrees to: the statement and the facts beside it."""
    agreed = [study.consent_text, agreed_facts(study)]
    words = json.dumps(agreed, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(words.encode()).hexdigest()


def needs_consent(participation: Participation) -> bool:
    """Whether the worker has still to agree to the current text."""
    study = participation.study
    wanted = consent_hash(study)
    if participation.agreed_to == f"{study.consent_version} {wanted}":
        return False
    consents = participation.consents.filter(version=study.consent_version, text_hash=wanted)
    return not consents.exists()


@dataclass(frozen=True)
class Agreed:
    """One text that people of a study agreed to, and how many. `words` is None where they did so
    before the words were kept beside their hash."""

    version: str
    text_hash: str
    people: int
    words: ConsentText | None


def agreed_texts(study: Study) -> list[Agreed]:
    """Every text that somebody agreed to, the newest first. Two queries."""
    words = {(text.version, text.text_hash): text for text in study.consent_texts.all()}
    consents = Consent.objects.filter(participation__study=study).values_list(
        "version", "text_hash"
    )
    counted = consents.annotate(n=Count("pk"), newest=Max("pk")).order_by("-newest")
    return [
        Agreed(version, text_hash, n, words.get((version, text_hash)))
        for version, text_hash, n, _newest in counted
    ]


@transaction.atomic
def give_consent(*, participation: Participation, text_hash: str, of_age: bool) -> Consent:
    """Record consent to the text whose hash was shown; a second click records nothing new."""
    study = participation.study
    if text_hash != consent_hash(study):
        raise ConsentChanged
    if study.ethics.get("minimum_age") and not of_age:
        raise NotOfAge
    ConsentText.objects.get_or_create(
        study=study,
        version=study.consent_version,
        text_hash=text_hash,
        defaults={"text": study.consent_text, "ethics": agreed_facts(study)},
    )
    consent, _created = Consent.objects.get_or_create(
        participation=participation,
        version=study.consent_version,
        text_hash=text_hash,
        defaults={"of_age": of_age},
    )
    arrived = Participation.objects.filter(pk=participation.pk, state=State.ARRIVED)
    arrived.update(state=State.CONSENTED)
    return consent

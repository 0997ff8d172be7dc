"""The queue of questions that somebody is to decide."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence

from django.db import transaction

from annotation.models import AdjudicationCase, Question, Study, Unit, User

Why = AdjudicationCase.Why
# Of one request; what is inserted at once.
BATCH = 500


@transaction.atomic
def send_to_adjudication(*, study: Study, units: Iterable[Unit], by: User) -> int:
    """Put all questions of these units into the queue; how many cases are new.

    Questions that already wait there are left as they are. Units of another study are ignored.
    """
    keys = [unit.pk for unit in units]
    questions = Question.objects.filter(study=study, unit__in=keys)
    return add_cases(study=study, questions=list(questions.only("pk")), why=Why.ASKED, by=by)


@transaction.atomic
def add_cases(
    *,
    study: Study,
    questions: Sequence[Question],
    why: AdjudicationCase.Why,
    by: User,
    scores: Mapping[int, float] | None = None,
) -> int:
    """An open case for each of these questions that has none; how many are new.

    scores: by question, how contested it is.
    """
    scores = scores or {}
    waiting = AdjudicationCase.objects.filter(study=study).open()
    before = waiting.count()
    AdjudicationCase.objects.bulk_create(
        (
            AdjudicationCase(
                study=study,
                question=question,
                why=why,
                sent_by=by,
                score=scores.get(question.pk),
                shuffle=_shuffled(study, question.pk),
            )
            for question in questions
        ),
        batch_size=BATCH,
        ignore_conflicts=True,  # one open case each, also where two send at once
    )
    return waiting.count() - before


def _shuffled(study: Study, question: int) -> int:
    """A random number that depends only on the study's seed and the question."""
    digest = hashlib.blake2b(f"{study.seed}\nadjudication\n{question}".encode(), digest_size=4)
    return int.from_bytes(digest.digest(), "big") >> 1

"""The queue of questions that somebody is to decide."""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Case, F, IntegerField, Value, When
from django.db.models.expressions import Combinable

from annotation.models import AdjudicationCase, GoldAnswer, Question, Study, Unit, User, log_change
from estimates.data.database import load_table
from results.adjudication.contested import contests

Why = AdjudicationCase.Why
# Of one request; what is inserted at once.
BATCH = 500
# Question (by id) -> how contested it is, from 0 to 1, and whether anybody differs at all.
Ranking = Mapping[int, tuple[float, bool]]
# How long nobody else can take a case; every save begins it anew.
LEASE = timedelta(minutes=20)
# How often another case is tried where somebody else took it first.
TRIES = 20


@transaction.atomic
def send_to_adjudication(*, study: Study, units: Iterable[Unit], by: User) -> int:
    """Put all questions of these units into the queue; how many cases are new.

    Questions that already wait there are left as they are. Units of another study are ignored.
    """
    keys = [unit.pk for unit in units]
    questions = Question.objects.filter(study=study, unit__in=keys).values_list("pk", flat=True)
    return add_cases(study=study, questions=list(questions), why=Why.ASKED, by=by)


def ranking_of(study: Study) -> Ranking:
    """How contested every question is that people have answered; reads all answers."""
    contested = contests(load_table(study))
    return {
        question: (contest.score, contest.is_contested) for question, contest in contested.items()
    }


@transaction.atomic
def queue_ranked(*, study: Study, ranking: Ranking, most: int, by: User) -> int:
    """Put the most contested questions without gold into the queue, so many at most; how many
    cases are new. Cases of disagreement that wait already get their present score."""
    _rescore(study, ranking)
    decided = GoldAnswer.objects.filter(study=study).current().values("question")
    waiting = AdjudicationCase.objects.filter(study=study).open().values("question")
    apart = {
        *decided.values_list("question", flat=True),
        *waiting.values_list("question", flat=True),
    }
    ranked = sorted(
        (-score, question)
        for question, (score, is_contested) in ranking.items()
        if is_contested and question not in apart
    )
    scores = {question: -score for score, question in ranked[:most]}
    return add_cases(
        study=study, questions=list(scores), why=Why.DISAGREEMENT, by=by, scores=scores
    )


def _rescore(study: Study, ranking: Ranking) -> None:
    cases = list(study.adjudication_cases.open().filter(why=Why.DISAGREEMENT).only("question_id"))
    for case in cases:
        case.score = ranking[case.question_id][0] if case.question_id in ranking else None
    AdjudicationCase.objects.bulk_update(cases, ["score"], batch_size=BATCH)


@transaction.atomic
def add_cases(
    *,
    study: Study,
    questions: Sequence[int],
    why: AdjudicationCase.Why,
    by: User,
    scores: Mapping[int, float] | None = None,
) -> int:
    """An open case for each of these questions (by id) that has none; how many are new.

    scores: by question, how contested it is.
    """
    scores = scores or {}
    waiting = AdjudicationCase.objects.filter(study=study).open()
    before = waiting.count()
    AdjudicationCase.objects.bulk_create(
        (
            AdjudicationCase(
                study=study,
                question_id=question,
                why=why,
                sent_by=by,
                score=scores.get(question),
                shuffle=_shuffled(study, question),
            )
            for question in questions
        ),
        batch_size=BATCH,
        ignore_conflicts=True,  # one open case each, also where two send at once
    )
    added = waiting.count() - before
    if added:
        detail = {"cases": added, "why": str(why)}
        log_change(study=study, by=by, action="adjudication.queued", detail=detail)
    return added


def take_next(
    *, study: Study, by: User, now: datetime, skipped: Collection[int] = ()
) -> AdjudicationCase | None:
    """Take the next case of the queue; None where nobody's is left. No two people get the same.

    First what they hold already, then what was asked for, the audit sample in its random order, and
    contested questions from the most contested one on. skipped: cases (by id) that they passed
    over, which come last.
    """
    for _ in range(TRIES):
        free = AdjudicationCase.objects.filter(study=study).free(by=by, now=now)
        case = free.order_by(*_order(by, skipped)).first()
        if case is None or take_case(case=case, by=by, now=now):
            return case
    return None


def take_case(*, case: AdjudicationCase, by: User, now: datetime) -> bool:
    """Take a case for some minutes; False where somebody else holds it, or it is decided."""
    rows = AdjudicationCase.objects.filter(pk=case.pk)
    if rows.take(by=by, now=now, until=now + LEASE) < 1:
        return False
    case.holder, case.held_until = by, now + LEASE
    return True


def release_case(*, case: AdjudicationCase, by: User) -> bool:
    """Give a case back that one holds; what was entered stays with it."""
    rows = AdjudicationCase.objects.filter(pk=case.pk, holder=by).open()
    return bool(rows.update(holder=None, held_until=None))


def _order(by: User, skipped: Collection[int]) -> tuple[str | Combinable, ...]:
    # With nothing skipped it would be a plain 0, which PostgreSQL reads as the number of a column.
    last = [Case(When(pk__in=skipped, then=Value(1)), default=Value(0))] if skipped else []
    mine = Case(When(holder=by, then=Value(0)), default=Value(1))
    kinds = [When(why=why, then=Value(at)) for at, why in enumerate((Why.ASKED, Why.AUDIT))]
    kind = Case(*kinds, default=Value(len(kinds)), output_field=IntegerField())
    return *last, mine, kind, F("score").desc(nulls_last=True), "shuffle", "pk"


def _shuffled(study: Study, question: int) -> int:
    """A random number that depends only on the study's seed and the question."""
    digest = hashlib.blake2b(f"{study.seed}\nadjudication\n{question}".encode(), digest_size=4)
    return int.from_bytes(digest.digest(), "big") >> 1

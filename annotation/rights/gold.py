"""What a withdrawal leaves of a person in gold answers and in the cases that lead to them.

A gold answer is the decision of an adjudicator, and stays. What ties it to the person goes: which
answer it began with, and reasons that may speak of the person.
"""

import re
from typing import Any

from django.db.models import F, Q, QuerySet

from annotation.models import AdjudicationCase, Annotation, GoldAnswer, Participation, Unit

# Stands in place of the reason, on pages and in exports.
SINCE_WITHDRAWN = "answer since withdrawn"


def cut_ties_to_gold(participation: Participation) -> None:
    """Forget in gold answers and cases that they have to do with this person. An open case that
    began with an answer of theirs begins anew."""
    answers = Annotation.objects.filter(rater__participation=participation)
    cases = AdjudicationCase.objects.filter(study=participation.study_id)
    cases.filter(begun_with__in=answers).update(posted={})
    # Of another revision, so that a page that is open at somebody's brings nothing back.
    _about(cases, participation).update(reason="", begun_with=None, revision=F("revision") + 1)
    gold = _about(GoldAnswer.objects.filter(study=participation.study_id), participation)
    _take_from_controls(gold)
    gold.update(reason=SINCE_WITHDRAWN, begun_with=None)


def _about(rows: QuerySet[Any], participation: Participation) -> QuerySet[Any]:
    """Those that began with an answer of the person, or whose reason names them."""
    name = participation.pseudonym
    named = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    candidates = rows.filter(reason__contains=name).values_list("pk", "reason")
    keys = [key for key, reason in candidates if named.search(reason)]
    answers = Annotation.objects.filter(rater__participation=participation)
    return rows.filter(Q(begun_with__in=answers) | Q(pk__in=keys))


def _take_from_controls(gold: QuerySet[GoldAnswer]) -> None:
    """Controls that were made of these answers repeat their reasons."""
    rows = gold.exclude(reason="").select_related("question__unit")
    for row in rows:
        unit = row.question.unit
        copies = Unit.objects.filter(study=row.study_id, proposal__made_from=unit.key)
        for copy in copies.filter(reasons__contains=row.reason):
            copy.reasons = copy.reasons.replace(row.reason, "").strip()
            copy.save(update_fields=["reasons"])

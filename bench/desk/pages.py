"""The pages of the desk, and what changes something there, timed as whole requests of this process
without the network."""

import time
from collections.abc import Iterator
from typing import Any

from bench.desk.deciding import time_deciding, work_all
from bench.desk.timing import MOST, ms, timed

MOST_OF_AN_ACT = 1_000.0
UNITS = "/studies/large/units/"
# What of the address of the table of units, by what is measured.
TABLE = {
    "first page": "",
    "last page": "end=1",
    "state open": "state=open",
    "state complete": "state=complete",
    "retired": "state=retired",
    "in adjudication": "state=adjudication",
    "gold": "state=gold",
    "in no round": "state=nowhere",
    "role": "role=positive",
    "subset": "subset=sample",
    "round": "round={round}",
    "system": "system=system-2",
    "source": "source=source-77",
    "answers at most": "most=3",
    "answers at least": "least=5",
    "problem reported": "problem=yes",
    "no problem": "problem=no",
    "priority": "priority=0",
    "people apart": "apart=0.3",
    "any judge differs": "judge=any&differs=0.5",
    "a judge differs": "judge={judge}&differs=0.5",
    "search a word": "q=bridge",
    "search a rare word": "q=needle",
    "search two words": "q=minister+%22water+energy%22",
    "search nothing": "q=nowhere+to+be+found",
    "by key": "sort=key",
    "by answers": "sort=-answers",
    "by answers, last": "sort=-answers&end=1",
    "by distance": "sort=-apart",
    "by priority": "sort=-priority",
    "filters and order": "state=open&apart=0.1&judge=any&differs=0.2&q=river&sort=-apart",
}
AGAIN = "overview again, its groups kept for a minute"
PAGES = {
    "home": "/",
    "home, page 3": "/?page=3&sort=title",
    "home, search": "/?q=large",
    "overview": "/studies/large/",
    AGAIN: "/studies/large/",
    "settings": "/studies/large/settings/",
    "set-up": "/studies/large/set-up/",
    "set-up, rounds": "/studies/large/set-up/rounds/",
    "finding people": "/studies/large/recruitment/",
    "workers": "/studies/large/workers/",
    "workers by agreement": "/studies/large/workers/?sort=agreement",
    "a worker": "/studies/large/workers/7/",
    "reviews": "/studies/large/reviews/",
    "pay": "/studies/large/pay/",
    "controls": "/studies/large/controls/",
    "alerts": "/studies/large/alerts/",
    "change log": "/studies/large/changes/",
    "exports": "/studies/large/exports/",
    "exclusion rules": "/studies/large/exclusions/",
    "adjudication": "/studies/large/adjudication/",
    "results": "/studies/large/results/",
    "all results": "/studies/large/results/everything/",
    "registration": "/studies/large/registration/",
}


def signed_in(user: Any) -> Any:
    """A client of the researcher."""
    from django.test import Client

    client = Client()
    client.force_login(user)
    return client


def time_pages(client: Any, study: Any) -> Iterator[dict[str, Any]]:
    """The median of each page, in milliseconds."""
    for what, address in {**PAGES, **_table(study)}.items():
        yield {"what": what, **ms(timed(client, address, keeps=what == AGAIN), MOST)}


def _table(study: Any) -> dict[str, str]:
    from annotation.models import Rater

    names = {
        "round": study.rounds.get().pk,
        "judge": study.raters.get(kind=Rater.Kind.JUDGE).pk,
    }
    pages = {f"units: {what}": f"{UNITS}?{query.format(**names)}" for what, query in TABLE.items()}
    half = study.units.count() // 2
    unit = study.units.order_by("pk")[half].pk
    pages["units: deep page"] = f"{UNITS}?after={unit}~&at={half}"
    pages["one unit"] = f"{UNITS}{unit}/"
    pages["one unit of a list"] = f"{UNITS}{unit}/?state=open&sort=-apart"
    return pages


def time_acts(client: Any, study: Any, user: Any) -> list[dict[str, Any]]:
    """What changes something, and the pages that follow; then an answer, after which all that is
    kept of the answers is outdated, and some of it again."""

    rows = time_deciding(client, study) + _watching(study)
    rows += _bulk(client, study)
    _answer_once(study)
    again = time_deciding(client, study)
    return rows + [{**row, "what": f"{row['what']}, after one more answer"} for row in again]


def _watching(study: Any) -> list[dict[str, Any]]:
    from django.utils import timezone

    from alerts.checks import check_study

    started = time.perf_counter()
    check_study(study_id=study.pk, now=timezone.now())
    took = 1000 * (time.perf_counter() - started)
    return [{"what": "checking alerts, in the background", **ms(took)}]


def _bulk(client: Any, study: Any) -> list[dict[str, Any]]:
    """All normal units are retired: proposing, reading what follows, and doing it."""
    rows = []
    for kind in ("retire", "reinstate"):
        started = time.perf_counter()
        sent = client.post(f"{UNITS}actions/", {"kind": kind, "of": "all"})
        rows.append({"what": f"{kind} all, proposed", **ms(1000 * (time.perf_counter() - started))})
        rows.append({"what": f"{kind} all, its page", **ms(timed(client, sent.url, times=1))})
        started = time.perf_counter()
        client.post(f"{sent.url}confirm/")
        took = 1000 * (time.perf_counter() - started)
        rows.append({"what": f"{kind} all, confirmed", **ms(took, MOST_OF_AN_ACT)})
        rows.append({"what": f"{kind} all, in the background", "ours": work_all(), "unit": "s"})
    return rows


def _answer_once(study: Any) -> None:
    from annotation.answers.record import GivenAnswer, record_answers
    from annotation.models import Question

    rater = study.raters.create(name="newcomer", kind="human")
    question = Question.objects.filter(study=study).select_related("block", "unit").latest("pk")
    answer = {"scores": {"label_from_text": "supported", "clarity": 2}}
    record_answers(rater=rater, given=[GivenAnswer(question, question.typed_answer(answer))])

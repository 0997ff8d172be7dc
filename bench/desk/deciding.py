"""Deciding in a large study: what is asked for, what a worker then does, and the pages after it."""

import re
import time
from typing import Any

from bench.desk.timing import MOST, ms, timed

QUEUE = "/studies/large/adjudication/"
RULES = "/studies/large/exclusions/"
BY: dict[str, dict[str, Any]] = {
    "by pace": {"seconds": 8},
    "by controls": {"controls": 60},
    "by runs": {"longest_run": 9},
    "by likeness": {"likeness_q": 0.05},
}
GOLD = 60


def time_deciding(client: Any, study: Any) -> list[dict[str, Any]]:
    """Adding contested questions, drawing an audit, results beside gold, exclusion rules."""
    client.get(QUEUE)  # the first request of a process loads the program
    block = study.blocks.get().pk
    audit = {"audit-block": block, "audit-size": 100, "audit-seed": 5}
    rows = _asked(client, "contested questions", f"{QUEUE}contested/", {"contested-most": 50})
    rows += _asked(client, "more contested", f"{QUEUE}contested/", {"contested-most": 1000})
    rows += _asked(client, "audit sample", f"{QUEUE}audit/", audit)
    _decide(study)
    rows += _asked(client, "before and after", f"{QUEUE}results/")
    rows += _asked(client, "before and after again", f"{QUEUE}results/")
    for what, field in BY.items():
        rows += _asked(client, f"exclusion {what}", RULES, field)
    rows += _applied(client, study)
    return rows + _case(client)


def _asked(
    client: Any, what: str, address: str, posted: dict[str, Any] | None = None
) -> list[dict[str, Any]]:
    """A request, the page of its job, the job itself, and the page that it leads to."""
    took, answered = _timed(client, address, posted)
    rows = [{"what": f"{what}, asked for", **ms(took, MOST)}]
    if answered.status_code == 302 and "/background/" in answered.url:
        took, waiting = _timed(client, answered.url)
        assert waiting.status_code == 200, waiting.status_code
        rows.append({"what": f"{what}, the page that waits", **ms(took, MOST)})
        rows.append({"what": f"{what}, in the background", "ours": work_all(), "unit": "s"})
        answered = client.get(answered.url)
    if answered.status_code == 302:
        rows.append({"what": f"{what}, its page", **ms(timed(client, answered.url), MOST)})
    return rows


def _timed(client: Any, address: str, posted: dict[str, Any] | None = None) -> tuple[float, Any]:
    """The milliseconds of one request, and its response."""
    started = time.perf_counter()
    answered = client.get(address) if posted is None else client.post(address, posted)
    took = 1000 * (time.perf_counter() - started)
    assert answered.status_code in (200, 302), (address, answered.status_code)
    return took, answered


def work_all() -> float:
    """The seconds of what a worker is sent."""
    from jobs.models import Job, JobState
    from jobs.runner import work

    started = time.perf_counter()
    for job in Job.objects.filter(state=JobState.QUEUED):
        work(job_id=job.pk)
        job.refresh_from_db()
        assert job.state == JobState.DONE, (job.kind, job.reason)
    return time.perf_counter() - started


def _decide(study: Any) -> None:
    """Gold answers to some questions of the audit."""
    from annotation.models import AuditedQuestion, GoldAnswer

    decided = set(GoldAnswer.objects.filter(study=study).values_list("question", flat=True))
    drawn = AuditedQuestion.objects.filter(audit__study=study).order_by("pk")
    questions = dict.fromkeys(drawn.values_list("question", flat=True))
    undecided = [question for question in questions if question not in decided]
    GoldAnswer.objects.bulk_create(
        GoldAnswer(
            study=study,
            question_id=question,
            answer={"scores": {"label_from_text": "supported", "clarity": 2}},
        )
        for question in undecided[:GOLD]
    )


def _applied(client: Any, study: Any) -> list[dict[str, Any]]:
    """The rule by pace is applied, and undone."""
    from annotation.models import ExclusionRule

    rule = ExclusionRule.objects.filter(
        study=study, applied_at=None, conditions__has_key="seconds"
    ).latest("pk")
    page = f"{RULES}{rule.pk}/"
    seen = re.search(r'name="seen" value="(\w+)"', client.get(page).content.decode())
    assert seen is not None
    rows = _asked(client, "exclusion by pace, applied", f"{page}apply/", {"seen": seen[1]})
    return rows + _asked(client, "exclusion by pace, undone", f"{page}undo/", {})


def _case(client: Any) -> list[dict[str, Any]]:
    took, answered = _timed(client, f"{QUEUE}next/", {})
    case = timed(client, answered.url)
    return [
        {"what": "taking the next case", **ms(took, MOST)},
        {"what": "a case", **ms(case, MOST)},
    ]

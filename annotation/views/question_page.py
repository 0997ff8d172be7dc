"""What the page of a question shows."""

from decimal import Decimal
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

from django.contrib.messages import get_messages
from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from annotation.entry.examples import reveals
from annotation.messages.amounts import in_figures
from annotation.messages.outlook import hourly_rate
from annotation.messages.time_left import time_left
from annotation.middleware.frames import return_link
from annotation.models import Assignment, Draft, Question
from annotation.models.material import KEPT, KEPT_LENGTH, read_payload
from annotation.views.examples_link import examples_behind
from annotation.views.page_cache import draw
from annotation.work.drafts import Posted, answer_form
from annotation.work.ledger import cents
from annotation.work.paradata import as_posted
from annotation.work.steps import Step, Steps
from tasktypes.contract import LastLook, TaskType
from tasktypes.pages.free_text import FreeText
from tasktypes.registry import task_type

# The tag of a message that stands beside a report, not above the page.
REPORTED = "reported"
TO_BE_SEEN = gettext_lazy(
    "The next page shows the right answer. After that you can no longer change yours."
)
SEEN = gettext_lazy("You can no longer change this answer, because you have seen the right one.")


class Notice(NamedTuple):
    """A message of the page before, as the frame shows it."""

    tags: str
    text: str

    def __str__(self) -> str:
        return self.text


class StudyShown(NamedTuple):
    """What the page shows of a study."""

    title: str
    contact: str
    instructions: str
    verdict_labels: tuple[tuple[str, str], ...]
    tryout_url: str
    parts_shown: str


class StepShown(NamedTuple):
    """A step in the list of all questions."""

    position: int
    part: int
    parts: int
    complete: bool
    frozen: bool
    opens: bool
    url: str = ""


class LeaseShown(NamedTuple):
    """What a page says of the time that is left, besides when it ends."""

    may_extend: bool
    pays: bool
    warn_seconds: int
    runs_out_soon: bool
    has_run_out: bool
    extended: bool


class PayShown(NamedTuple):
    """Whether the page says what was earned so far, and what an hour pays."""

    earned: bool
    rate: bool


class Links(NamedTuple):
    """Where a page that saves nothing leads to: elsewhere the buttons save first."""

    review: str
    overview: str
    leave: str
    feedback: str
    examples: str


class QuestionPage(NamedTuple):
    """All that the page shows, save what is this worker's or this unit's own."""

    study: StudyShown
    messages: tuple[Notice, ...]
    reported: str
    steps: tuple[StepShown, ...]
    step: StepShown
    previous: StepShown | None
    after: StepShown | None
    n_units: int
    n_done: int
    step_number: int
    kind: TaskType[Any, Any, Any]
    reveals: bool
    last_look: str
    introduced: bool
    refused: bool
    problem_reported: bool
    lease: LeaseShown | None
    pay: PayShown
    counts: bool
    keys: str
    links: Links | None
    unproved: bool


_of_study, _of_step = attrgetter(*StudyShown._fields), attrgetter(*StepShown._fields[:-1])


def draw_question(
    request: HttpRequest,
    steps: Steps,
    step: Step,
    draft: Draft,
    posted: Posted | None,
    *,
    refused: bool,
) -> str:
    """The page of a question, with what was posted so far."""
    shown = _shown(request, steps, step, refused)
    assignment = steps.assignment
    return draw(
        "annotation/question.html",
        shown,
        csrf_token=get_token(request),
        body=_body(step.question, posted, assignment.participation.study.text_form, refused),
        active_seconds="" if draft.active_seconds is None else f"{draft.active_seconds:.1f}",
        paradata=as_posted(draft.paradata),
        revision=str(draft.revision),
        problem=step.problem,
        own_link=return_link(request, assignment.participation),
        keys_address=reverse("annotation:keys", args=[assignment.participation.study.slug]),
        **_lease_times(assignment),
        **_amounts(assignment),
    )


def _shown(request: HttpRequest, steps: Steps, step: Step, refused: bool) -> QuestionPage:
    assignment = steps.assignment
    notices = [Notice(notice.tags, str(notice)) for notice in get_messages(request)]
    lines = tuple(
        StepShown._make((*_of_step(listed), listed.url if step.frozen else ""))
        for listed in steps.all
    )
    return QuestionPage(
        study=StudyShown(*_of_study(assignment.participation.study)),
        messages=tuple(notice for notice in notices if REPORTED not in notice.tags),
        reported=" ".join(notice.text for notice in notices if REPORTED in notice.tags),
        steps=lines,
        step=lines[step.index],
        previous=lines[step.index - 1] if step.index else None,
        after=lines[step.index + 1] if step.index + 1 < len(lines) else None,
        n_units=steps.n_units,
        n_done=steps.n_done,
        step_number=sum(listed.complete for listed in lines),
        kind=step.block.task_type,
        reveals=reveals(step),
        last_look=_last_look(steps, step),
        introduced=assignment.participation.introduced_at is not None,
        refused=refused,
        problem_reported=bool(step.problem),
        lease=_lease_shown(assignment),
        pay=_pay_shown(assignment),
        counts=assignment.participation.study.collect_paradata,
        keys=assignment.participation.keys,
        links=_links(step) if step.frozen else None,
        unproved=not assignment.participation.is_proved,
    )


def _last_look(steps: Steps, step: Step) -> str:
    """That the answer can be changed no more, or only as long as a later page was not shown."""
    if step.frozen:
        return str(SEEN if reveals(step) else _own_last_look(step).after)
    if reveals(step):
        return str(TO_BE_SEEN)
    return str(_own_last_look(step).before) if steps.gives_away(step) else ""


def _own_last_look(step: Step) -> LastLook:
    return step.block.task_type.last_look(step.block.typed_options)


def _links(step: Step) -> Links:
    slug = step.assignment.participation.study.slug
    return Links(
        review=reverse("annotation:review", args=[step.assignment.public_id]),
        overview=reverse("annotation:lobby", args=[slug]),
        leave=reverse("annotation:leave", args=[slug]),
        feedback=reverse("annotation:feedback", args=step.place),
        examples=examples_behind(step) if step.assignment.participation.introduced_at else "",
    )


def _lease_shown(assignment: Assignment, *, extended: bool = False) -> LeaseShown | None:
    """How much time is left; in the last sixth of it the page warns. None in a team, whose members
    have all the time."""
    if assignment.participation.study.has_team:
        return None
    whole = assignment.participation.study.lease_minutes * 60
    left = (assignment.lease_until - timezone.now()).total_seconds()
    return LeaseShown(
        may_extend=assignment.may_extend,
        pays=_pays(assignment),
        warn_seconds=whole // 6,
        runs_out_soon=0 < left <= whole / 6,
        has_run_out=left <= 0,
        extended=extended,
    )


def _lease_times(assignment: Assignment) -> dict[str, str]:
    """How much time is left, and when it ends."""
    until = timezone.localtime(assignment.lease_until)
    left = until - timezone.now()
    return {
        "lease_left": time_left(left),
        "lease_seconds": f"{left.total_seconds():.0f}",
        "extensions": str(assignment.extensions),
        "lease_clock": until.isoformat(),
        "lease_until": formats.time_format(until, "H:i"),
        "lease_zone": formats.time_format(until, "e"),
    }


def _pay_shown(assignment: Assignment) -> PayShown:
    pays = _pays(assignment)
    shows_rate = assignment.participation.study.show_hourly_rate
    return PayShown(
        earned=assignment.participation.is_proved
        and (pays or bool(assignment.participation.earned_so_far)),
        rate=shows_rate and pays and bool(assignment.expected_minutes),
    )


def _pays(assignment: Assignment) -> bool:
    return bool(assignment.base_pay + assignment.bonus_pay)


def _amounts(assignment: Assignment) -> dict[str, str]:
    """What the worker has earned so far, and what an hour of this batch pays."""
    earned = cents(Decimal(str(assignment.participation.earned_so_far or 0)))
    rate = hourly_rate(assignment)
    return {
        "earned": f"{in_figures(earned)} {assignment.currency}",
        "rate": "" if rate is None else _("%(rate)s/h") % {"rate": rate},
    }


def _body(question: Question, posted: Posted | None, text_form: str, refused: bool) -> SafeString:
    """The question itself. As long as nothing was typed, it is the same for all who are asked."""
    text, block = question.payload_text, question.block
    if posted is None and text is not None and len(text) <= KEPT_LENGTH:
        return _unanswered(
            get_language(), block.task_type_slug, text, text_form, question.free_text
        )
    form = answer_form(question, posted)
    form.complains, form.text_form = refused, text_form
    summary = render_to_string("pages/refused.html", {"form": form}) if refused else SafeString("")
    return summary + render_to_string(block.task_type.template, {"form": form})


@lru_cache(maxsize=KEPT)
def _unanswered(
    language: str, slug: str, text: str, text_form: str, asked: FreeText | None
) -> SafeString:
    kind = task_type(slug)
    form = kind.Form(read_payload(slug, text), free_text=asked)
    form.text_form = text_form
    return render_to_string(kind.template, {"form": form})


class _Lease(NamedTuple):
    lease: LeaseShown


def draw_lease(assignment: Assignment, *, extended: bool) -> str:
    """The part of the page that says how much time is left."""
    lease = _lease_shown(assignment, extended=extended)
    if lease is None:
        return ""
    return draw("annotation/_lease.html", _Lease(lease), **_lease_times(assignment))

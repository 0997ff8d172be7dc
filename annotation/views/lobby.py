"""The lobby of a study, consent, the next batch, and leaving."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import Unproved, get_own_participation, get_participation
from annotation.entry.consent import ConsentChanged, give_consent, needs_consent
from annotation.entry.introduction import introduction, way_before_work
from annotation.entry.rejection import found_no_batch, turn_away
from annotation.messages.outlook import more_to_do, outlook, what_next
from annotation.messages.rules import rules_in_words
from annotation.middleware.frames import return_link
from annotation.models import Participation
from annotation.queries.batches import open_batch
from annotation.rights import withdrawal
from annotation.rounds.standing import current_round, submitted_by_round
from annotation.rounds.team.progress import table_progress
from annotation.views.ending import render_ending
from annotation.views.faults import worker_page
from annotation.views.forms import ConsentForm
from annotation.work import leases
from annotation.work.assignment import NothingLeft, Reason, lease_batch
from annotation.work.ledger import earned
from annotation.work.review import unseen_feedback
from annotation.work.steps import Steps

# With these reasons the worker may still get a batch later.
MAY_COME = (Reason.HELD_BY_OTHERS, Reason.AWAITS_INVITATION, Reason.PAUSED)


@worker_page
@require_safe
def lobby(request: HttpRequest, slug: str) -> HttpResponse:
    """What the study asks and pays, how far the worker has come, and the next batch."""
    participation = get_participation(request, slug)
    study = participation.study
    round_ = current_round(participation)
    if participation.has_ended:
        return redirect("annotation:end", slug)
    opened = open_batch(participation.pk)
    more, in_vain = opened is not None or more_to_do(participation, round_), False
    rounds_done = submitted_by_round(participation)
    n_done, unagreed = sum(rounds_done.values()), needs_consent(participation)
    paused = more and opened is None and study.paused_at is not None
    if unagreed and more and not n_done and not paused:
        return redirect("annotation:consent", slug)
    if not more:
        in_vain = found_no_batch(participation)
    context = {
        "study": study,
        "participation": participation,
        "outlook": outlook(study, round_, is_first=not n_done) if round_ else None,
        "what_next": what_next(participation, round_) if round_ else [],
        "rules": rules_in_words(study, round_) if round_ else [],
        "done_here": rounds_done.get(round_.pk, 0) if round_ else 0,
        "limit": round_.batches_told if round_ else 0,
        "table": table_progress(participation, round_),
        "needs_consent": unagreed,
        "opened": opened,
        "is_elsewhere": opened is not None and not participation.opens(opened),
        "more": more and not paused,
        "paused": paused,
        "in_vain": in_vain,
        "n_done": n_done,
        "earned": earned(participation),
        "introduction": None if unagreed else introduction(participation),
        "return_link": return_link(request, participation),
        "unseen": n_done
        and participation.is_proved
        and unseen_feedback(participation=participation, now=timezone.now()),
    }
    return render_ending(
        request,
        "annotation/lobby.html",
        participation,
        context,
        nothing_left=not more and not in_vain,
    )


@worker_page
@require_http_methods(["GET", "POST"])
def consent(request: HttpRequest, slug: str) -> HttpResponse:
    """The current consent text. The form holds its hash, so that consent is to the text shown."""
    participation = get_participation(request, slug)
    study = participation.study
    form = ConsentForm(study, request.POST if request.method == "POST" else None)
    if not form.is_bound:
        return _consent_page(request, participation, form)
    if not form.is_valid():
        return _consent_page(request, participation, form, status=422)
    try:
        give_consent(
            participation=participation,
            text_hash=form.cleaned_data["text_hash"],
            of_age=form.cleaned_data.get("of_age", False),
        )
    except ConsentChanged:
        messages.warning(request, _("The text changed while you read it. Please read it again."))
        return _consent_page(request, participation, ConsentForm(study), status=409)
    return redirect("annotation:lobby", slug)


def _consent_page(
    request: HttpRequest, participation: Participation, form: ConsentForm, *, status: int = 200
) -> HttpResponse:
    context = {
        "study": participation.study,
        "participation": participation,
        "form": form,
        "given": not needs_consent(participation),
        "text_asked": participation.study.text_of_people,
    }
    return render(request, "annotation/consent.html", context, status=status)


@worker_page
@require_POST
def start(request: HttpRequest, slug: str) -> HttpResponse:
    """The open batch, with its lease revived if it ran out, or a new batch."""
    participation = get_participation(request, slug)
    if needs_consent(participation):
        return redirect("annotation:consent", slug)
    first = way_before_work(participation)
    if first is not None:
        return redirect(first)
    now = timezone.now()
    batch = lease_batch(participation=participation, now=now)
    if isinstance(batch, NothingLeft):
        return _nothing(request, participation, batch.why)
    if not participation.opens(batch):
        raise Unproved(participation)
    leases.renew_lease(assignment=batch, now=now)
    step = Steps(batch).first_open
    return redirect(step.url if step else reverse("annotation:review", args=[batch.public_id]))


def _nothing(request: HttpRequest, participation: Participation, why: Reason) -> HttpResponse:
    """Why there is no batch and, if none will come, the way back to the panel."""
    status = 409 if why in (Reason.NOT_OPEN, Reason.ENDED) else 200
    nothing_left = why not in MAY_COME
    if nothing_left:
        turn_away(participation=participation)
    round_ = current_round(participation)
    context = {
        "study": participation.study,
        "participation": participation,
        "why": why.value,
        "limit": round_.batch_limit if round_ else 0,
        "earned": earned(participation),
    }
    return render_ending(
        request,
        "annotation/nothing_left.html",
        participation,
        context,
        nothing_left=nothing_left,
        status=status,
    )


@worker_page
@require_http_methods(["GET", "POST"])
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Leave, after a question: the open batch goes back, submitted work is paid."""
    participation = get_own_participation(request, slug)
    if request.method == "POST":
        withdrawal.leave(participation=participation)
        return redirect("annotation:end", slug)
    part = leases.open_part(participation)
    context = {
        "study": participation.study,
        "participation": participation,
        "earned": earned(participation, part),
        "part": part,
    }
    return render(request, "annotation/leave.html", context)

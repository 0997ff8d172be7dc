"""Recruitment on Prolific: the draft, its publication, and the submissions."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.access import Role, account, get_study
from annotation.models import PanelDecision, PanelStudy, PanelSubmission, Study
from annotation.panels.registry import arrival_link
from recruitment import decisions, drafts, publication
from recruitment.forms import DecisionForm, DraftForm
from recruitment.overview import money
from recruitment.pages import at_prolific, attempt, get_made, get_payer
from recruitment.refresh import refresh

Kind = PanelDecision.Kind
KINDS = {"approve": Kind.APPROVE, "reject": Kind.REJECT, "ask": Kind.ASK_RETURN}


# --- The draft --------------------------------------------------------------------------------


@login_required
@require_http_methods(["GET", "POST"])
@never_cache
def propose(request: HttpRequest, slug: str) -> HttpResponse:
    """The fields of the draft: filled in, then shown as they will be sent, then sent."""
    study = get_payer(request, slug)
    proposed, obstacles = drafts.proposal(study), drafts.obstacles(study)
    dropped = study.panel_studies.filter(state=PanelStudy.State.GIVEN_UP).first()
    form = DraftForm(proposed, request.POST or None, dropped and dropped.body)
    checking, body = False, None
    if request.method == "POST" and form.is_valid() and not obstacles:
        body = _body(request, study, form)
        if "send" in request.POST:
            return _send_draft(request, study, body, form.cleaned_data["key"])
        checking = "change" not in request.POST
    context = {
        "study": study,
        "form": form,
        "body": body if checking else None,
        "codes": drafts.codes_in_words(body, proposed.currency) if body and checking else [],
        "obstacles": obstacles,
        "reward": form.data.get("reward"),
        "currency": proposed.currency,
    }
    return render(request, "desk/recruitment/propose.html", context)


def _body(request: HttpRequest, study: Study, form: DraftForm) -> dict[str, Any]:
    link = f"{request.scheme}://{request.get_host()}{arrival_link(study)}"
    return drafts.body_of(study, fields=form.values, link=link, key=form.cleaned_data["key"])


def _send_draft(request: HttpRequest, study: Study, body: dict[str, Any], key: str) -> HttpResponse:
    made = at_prolific(
        request,
        study,
        lambda client: publication.make_draft(
            study=study, body=body, key=key, by=account(request), client=client, now=timezone.now()
        ),
    )
    if made is not None and made.state == PanelStudy.State.MADE:
        messages.success(request, _("The draft is at Prolific. People see it once you publish it."))
    return redirect("desk:recruitment", study.slug)


@login_required
@require_POST
def move(request: HttpRequest, slug: str, made_id: int) -> HttpResponse:
    """Publish, pause, resume or stop; send an unsent draft again, or drop it."""
    study = get_payer(request, slug)
    made, action = get_made(study, made_id), request.POST.get("action", "")
    if action == "PUBLISH" and "cost" not in request.POST:
        return _ask_to_publish(request, made)
    if action == "DROP":
        done = attempt(request, lambda: _drop(request, made))
    else:
        done = at_prolific(request, study, lambda client: _move(request, made, action, client))
    if done is not None:
        messages.success(request, done)
    return redirect("desk:recruitment", slug)


def _drop(request: HttpRequest, made: PanelStudy) -> str:
    publication.give_up(made=made, by=account(request))
    return _("The draft is dropped. Its fields are kept for the next one.")


def _move(request: HttpRequest, made: PanelStudy, action: str, client: Any) -> str:
    now = timezone.now()
    if action == "SEND":
        publication.send_draft(made, client=client, now=now)
        return _("The draft is at Prolific.")
    cost = request.POST.get("cost", "")
    publication.move(
        made=made,
        action=action,
        by=account(request),
        client=client,
        expected_cost=int(cost) if cost.isdecimal() else None,
    )
    return _("Done: at Prolific the study is “%(status)s” now.") % {"status": made.status.lower()}


def _ask_to_publish(request: HttpRequest, made: PanelStudy) -> HttpResponse:
    """The cost as Prolific tells it now, and what the account holds, before it is published."""
    balance = at_prolific(request, made.study, lambda client: publication.cost_now(made, client))
    context = {
        "study": made.study,
        "made": made,
        "cost": money(made.cost_minor, made),
        "reward": money(made.reward_minor, made),
        "balance": balance and money(balance.available, made),
    }
    return render(request, "desk/recruitment/publish.html", context)


# --- Submissions --------------------------------------------------------------------------------


@login_required
@require_POST
def read(request: HttpRequest, slug: str, made_id: int) -> HttpResponse:
    """Read the study and its submissions at Prolific now."""
    study = get_study(request.user, slug, Role.REVIEWER)
    made = get_made(study, made_id)
    n_read = at_prolific(
        request, study, lambda client: refresh(made=made, client=client, now=timezone.now())
    )
    if n_read is not None:
        messages.success(
            request,
            ngettext("Read %(n)d submission.", "Read %(n)d submissions.", n_read) % {"n": n_read},
        )
    return _back(study, made)


def _back(study: Study, made: PanelStudy) -> HttpResponse:
    response = redirect("desk:recruitment", study.slug)
    response["Location"] += f"?at={made.pk}"
    return response


@login_required
@require_POST
def decide_submissions(request: HttpRequest, slug: str, made_id: int) -> HttpResponse:
    """Approve, after the total was confirmed; reject with a reason; ask to return."""
    study = get_payer(request, slug)
    made, form = get_made(study, made_id), DecisionForm(request.POST)
    chosen = _chosen(request, made)
    if not form.is_valid():
        messages.error(request, _("Nothing was sent: there is no such decision."))
    elif not chosen:
        messages.warning(request, _("You chose no submission. Nothing was sent."))
    elif form.cleaned_data["action"] == "approve" and form.cleaned_data["total"] is None:
        return _ask_to_approve(request, made, chosen)
    else:
        at_prolific(request, study, lambda client: _decide(request, made, chosen, form, client))
    return _back(study, made)


def _decide(
    request: HttpRequest,
    made: PanelStudy,
    chosen: list[PanelSubmission],
    form: DecisionForm,
    client: Any,
) -> None:
    kind, values = KINDS[form.cleaned_data["action"]], form.cleaned_data
    if kind == Kind.APPROVE and values["total"] != made.reward_minor * len(chosen):
        raise publication.NotNow(_("The total has changed since the page was loaded. Look again."))
    if kind == Kind.ASK_RETURN and not values["message"].strip():
        raise publication.NotNow(_("Say in the message why they should return the submission."))
    intended = decisions.intend(
        submissions=chosen,
        kind=kind,
        by=account(request),
        category=values["category"] if kind == Kind.REJECT else "",
        message=values["message"].strip() if kind != Kind.APPROVE else "",
    )
    decisions.send(intended, client=client, now=timezone.now())
    refresh(made=made, client=client, now=timezone.now())
    n = len(intended)
    messages.success(
        request,
        ngettext("Sent %(n)d decision to Prolific.", "Sent %(n)d decisions to Prolific.", n)
        % {"n": n},
    )


def _ask_to_approve(
    request: HttpRequest, made: PanelStudy, chosen: list[PanelSubmission]
) -> HttpResponse:
    total = made.reward_minor * len(chosen)
    context = {
        "study": made.study,
        "made": made,
        "chosen": chosen,
        "total": total,
        "total_shown": money(total, made),
        "reward": money(made.reward_minor, made),
    }
    return render(request, "desk/recruitment/approve.html", context)


def _chosen(request: HttpRequest, made: PanelStudy) -> list[PanelSubmission]:
    """The ticked submissions; another study's do not exist."""
    texts = request.POST.getlist("submission")
    if not all(text.isdecimal() and len(text) < 19 for text in texts):
        raise Http404("No such submission.")
    keys = set(map(int, texts))
    chosen = list(made.submissions.filter(pk__in=keys).select_related("participation"))
    if len(chosen) < len(keys):
        raise Http404("No such submission.")
    return chosen

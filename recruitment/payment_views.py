"""Bonuses through Prolific: what is owed, a payment before it goes out, and what became of it."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.access import account
from annotation.models import PanelPayment, PanelStudy, Study
from annotation.panels.prolific_api.client import Prolific
from annotation.panels.prolific_api.connection import connect
from annotation.panels.prolific_api.errors import ProlificError
from annotation.panels.prolific_api.money import whole_units
from recruitment import confirmations, offers, payments
from recruitment.pages import at_prolific, attempt, get_made, get_payer

State = PanelPayment.State


@login_required
@require_http_methods(["GET", "POST"])
@never_cache
def bonuses(request: HttpRequest, slug: str, made_id: int) -> HttpResponse:
    """What is owed beyond the rewards, to be chosen from; then set up, which pays nothing."""
    study = get_payer(request, slug)
    made = get_made(study, made_id)
    if request.method == "POST":
        payment = at_prolific(request, study, lambda client: _reserve(request, made, client))
        if payment is not None:
            return redirect("desk:recruitment-payment", slug, payment.pk)
        open_one = made.payments.filter(state__in=PanelPayment.UNPAID).first()
        if open_one is not None:
            return redirect("desk:recruitment-payment", slug, open_one.pk)
    offered = offers.offer(made)
    context = {
        "study": study,
        "made": made,
        "lines": [(line, whole_units(line.minor, made.currency)) for line in offered.lines],
        "waiting": offered.waiting,
        "open_payments": list(made.payments.filter(state__in=PanelPayment.UNDER_WAY)),
    }
    return render(request, "desk/recruitment/bonuses.html", context)


def _reserve(request: HttpRequest, made: PanelStudy, client: Prolific) -> PanelPayment:
    """Reserve the chosen lines, of the amounts that the page showed, and set them up."""
    shown = [text.partition(":") for text in request.POST.getlist("line")]
    if not all(person.isdecimal() and minor.isdecimal() for person, _colon, minor in shown):
        raise Http404("No such worker.")
    numbers = {int(person) for person, _colon, _minor in shown}
    people = made.study.participations.filter(number__in=numbers).values_list("pk", flat=True)
    payment = payments.reserve(
        made=made,
        participations=set(people),
        total_minor=sum(int(minor) for _person, _colon, minor in shown),
        by=account(request),
        now=timezone.now(),
    )
    return payments.set_up(payment=payment, client=client)


@login_required
@require_http_methods(["GET", "POST"])
@never_cache
def payment(request: HttpRequest, slug: str, payment_id: int) -> HttpResponse:
    """One payment: its lines, total and fees before it goes out, and what is known of it after."""
    study = get_payer(request, slug)
    shown = get_object_or_404(PanelPayment, pk=payment_id, panel_study__study=study)
    if request.method == "POST":
        if request.POST.get("action") == "drop":
            done = attempt(request, lambda: _drop(request, shown))
        else:
            done = at_prolific(request, study, lambda client: _act(request, shown, client))
        if done is not None:
            messages.success(request, done)
        return redirect("desk:recruitment-payment", slug, payment_id)
    return render(request, "desk/recruitment/payment.html", _context(study, shown))


def _drop(request: HttpRequest, shown: PanelPayment) -> str:
    payments.give_back(payment=shown, by=account(request))
    return _("The payment is dropped. Everything in it is owed as before.")


def _act(request: HttpRequest, shown: PanelPayment, client: Prolific) -> str:
    """What the pressed button does, in words."""
    action, by, now = request.POST.get("action"), account(request), timezone.now()
    if action == "set_up":
        payments.set_up(payment=shown, client=client)
        return _("Prolific has counted the bonuses. Nothing is paid yet.")
    if action == "pay":
        total = request.POST.get("total", "")
        expected = int(total) if total.isdecimal() else -1
        payments.pay(payment=shown, expected_minor=expected, by=by, client=client, now=now)
        return _("Prolific pays within the next minutes. This page says when it has.")
    if action in ("said_paid", "said_unpaid"):
        paid = action == "said_paid"
        confirmations.decide(payment=shown, paid=paid, by=by, client=client, now=now)
        return _("Written down.")
    confirmations.settle(made=shown.panel_study, client=client, now=now)
    return _("Read at Prolific.")


def _context(study: Study, shown: PanelPayment) -> dict[str, Any]:
    unit, balance = shown.currency, None
    if shown.state in PanelPayment.UNPAID:
        balance = _balance(study)
    return {
        "study": study,
        "payment": shown,
        "made": shown.panel_study,
        "lines": [
            (line, whole_units(line.minor, unit))
            for line in shown.lines.select_related("participation", "submission")
        ],
        "total": whole_units(shown.total_minor, unit),
        "fees": None if shown.fees_minor is None else whole_units(shown.fees_minor, unit),
        "cost": None if shown.cost_minor is None else whole_units(shown.cost_minor, unit),
        "balance": None if balance is None else whole_units(balance, unit),
        "short": balance is not None
        and shown.cost_minor is not None
        and balance < shown.cost_minor,
        "uncertain": confirmations.is_uncertain(shown, timezone.now()),
    }


def _balance(study: Study) -> int | None:
    """What the account holds, in the minor unit; None where that cannot be read now."""
    try:
        with connect(study) as client:
            balance = client.balance()
    except ProlificError:
        return None
    return None if balance is None else balance.available

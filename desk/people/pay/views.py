"""What a study owes: totals, hourly pay, and the files for the panel."""

from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from annotation.access import Role, account, get_role, get_study
from annotation.models import log_change
from annotation.pay.payouts import NothingOwed, file_text, files_made, make_file, payouts
from annotation.pay.wages import hourly_pay
from annotation.views.downloads import as_download
from desk.people.pay.forms import CoversForm
from desk.people.pay.totals import balances_of, paid_people, worker_totals

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
TICK = timedelta(microseconds=1)
# Workers on a page; the sums above them are of all.
PAGE = 50


@login_required
@require_GET
@never_cache
def pay(request: HttpRequest, slug: str) -> HttpResponse:
    """What was earned, by whom, for how much time, and what is still to be paid out."""
    study = get_study(request.user, slug, Role.REVIEWER)
    form = CoversForm(study, request.GET)
    owns = get_role(request.user, study) == Role.OWNER
    owed = payouts(study, form.value)
    page = Paginator(paid_people(study), PAGE).get_page(request.GET.get("page"))
    context = {
        "study": study,
        "totals": balances_of(study, owed),
        "workers": worker_totals(list(page)),
        "page": page,
        "query": urlencode({"covers": form.value}),
        "hourly": hourly_pay(study),
        "owns": owns,
        "form": form,
        "unsettled": [payout for payout in owed if payout.left],
        "payouts": owed,
        "files": [((file.at - EPOCH) // TICK, file) for file in files_made(study)] if owns else [],
    }
    return render(request, "desk/pay.html", context)


@login_required
@require_POST
def make_pay_file(request: HttpRequest, slug: str) -> HttpResponse:
    """Put what is owed into a file, once; it can be fetched again from the list."""
    study = get_study(request.user, slug, Role.OWNER)
    data = request.POST
    try:
        make_file(
            study=study,
            panel=data.get("panel", ""),
            currency=data.get("currency", ""),
            covers=CoversForm(study, data).value,
            by=account(request),
        )
    except NothingOwed:
        messages.warning(
            request, _("There was nothing left to pay out. Earlier files are listed below.")
        )
    else:
        messages.success(request, _("The file is ready. Download it below."))
    return redirect("desk:pay", slug)


@login_required
@require_GET
@never_cache
def pay_file(request: HttpRequest, slug: str, stamp: int) -> HttpResponse:
    """A file that was made, with the panel's ids: for owners alone."""
    study = get_study(request.user, slug, Role.OWNER)
    try:
        at = EPOCH + stamp * TICK
    except OverflowError:
        raise Http404("No such file.") from None
    text = file_text(study, at)
    if text is None:
        raise Http404("No such file.")
    log_change(study=study, by=account(request), action="pay.file_downloaded")
    name = f"{study.slug}-{at:%Y%m%d-%H%M%S}.csv"
    return as_download(HttpResponse(text, content_type="text/csv; charset=utf-8"), name)

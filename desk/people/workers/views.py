"""The workers of a study by their pseudonyms: all records, and one with its statement."""

from collections.abc import Mapping
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from annotation.access import Role, account, get_role, get_study
from annotation.entry.consent import agreed_texts
from annotation.models import Participation, Rater, Study
from annotation.pay.statements import statement
from annotation.work.ledger import AdjustmentRefused, adjust
from annotation.work.qualification import NotEnded, reinstate_worker, remove_worker
from desk.people.workers.forms import AdjustmentForm, LostLinkForm, ReasonForm
from desk.people.workers.newest import NewestFigures, newest_figures
from desk.people.workers.order import BY_NAME, ORDERS, in_order
from desk.worker_records import Record, records_of
from desk.worker_records.agreement import facet_titles
from desk.worker_records.beside_judges import BesideJudge, BesideJudges, beside_judges
from desk.worker_records.paradata import Conduct, Usual, usual
from desk.worker_records.reasons import reasons_to_look
from desk.worker_records.record import Figures, figures_of
from estimates.catalogue import metric
from estimates.catalogue.agreement import WITH_OTHERS

PAGE = 50


@login_required
@require_GET
def workers(request: HttpRequest, slug: str) -> HttpResponse:
    """Everybody's record, in the order that was asked for."""
    study = get_study(request.user, slug, Role.REVIEWER)
    order = BY_NAME.get(request.GET.get("sort", ""), ORDERS[0])
    judge = request.GET.get("judge", "")
    keys, newest = in_order(study, order.name, judge)
    page = Paginator(keys, PAGE).get_page(request.GET.get("page"))
    by_key = Participation.objects.in_bulk(list(page))
    shown = newest.figures if newest is not None else {}
    records = records_of([by_key[key] for key in page], shown)
    compared = beside_judges(study) if records else None
    titles = facet_titles(study)
    paces = [record.figures.pace for record in records]
    conducts = newest.conducts if newest is not None and study.collect_paradata else {}
    context = {
        "compared": compared,
        "judge": judge,
        "newest": newest,
        "study": study,
        "order": order,
        "orders": ORDERS,
        "page": page,
        "query": urlencode({"sort": order.name, "judge": judge}),
        "rows": [
            (
                record,
                _lowest(record, titles),
                _furthest(compared, record, judge),
                conducts.get(record.participation.pk),
            )
            for record in records
        ],
        "imported": study.answered_elsewhere()[Rater.Kind.HUMAN] if not records else 0,
        "lost_link": LostLinkForm() if _gives_links(request, study) else None,
        "estimated": any(pace is not None and pace.estimated for pace in paces),
    }
    return render(request, "desk/workers.html", context)


def _gives_links(request: HttpRequest, study: Study) -> bool:
    return get_role(request.user, study) == Role.OWNER and not study.is_finished_data


def _lowest(record: Record, titles: Mapping[str, str]) -> tuple[float, str] | None:
    """The agreement with the others that a row of the list shows, and of several facets its own."""
    least = record.figures.least_agreement
    if least is None:
        return None
    facet, value = least
    return value, titles.get(facet, facet) if len(record.figures.agreement) > 1 else ""


def _furthest(compared: BesideJudges | None, record: Record, judge: str) -> BesideJudge | None:
    """The judge and facet that a row of the list shows."""
    name = record.participation.pseudonym
    return None if compared is None else compared.furthest(name, judge)


@login_required
@require_GET
def worker(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One worker: the record, the batches, the history of states, the statement."""
    study = get_study(request.user, slug, Role.REVIEWER)
    return _worker_page(request, study, _participation(study, number))


def _participation(study: Study, number: int) -> Participation:
    participation = get_object_or_404(study.participations.select_related("round"), number=number)
    participation.study = study
    return participation


def _worker_page(
    request: HttpRequest,
    study: Study,
    participation: Participation,
    form: AdjustmentForm | None = None,
) -> HttpResponse:
    newest = newest_figures(study, [participation.pk])
    (record,) = records_of([participation], _figures_now(study, participation, newest))
    compared, judge = beside_judges(study), request.GET.get("judge", "")
    own, others = _conduct_beside_others(participation, newest)
    paid, figures = statement(participation), record.figures
    titles = facet_titles(study)
    named = {block.pk: block.task_type.title for block in study.blocks.all()}
    context = {
        "study": study,
        "role": get_role(request.user, study),
        "participation": participation,
        "record": record,
        "statement": paid,
        "newest": newest,
        "with_others": metric(WITH_OTHERS).title,
        "agreement": [(titles.get(name, name), each) for name, each in figures.agreement.items()],
        "signs": reasons_to_look(figures.signs, named),
        "runs": [(named[run.block], run) for run in figures.runs],
        "compared": compared,
        "judge": judge,
        "beside": compared.of(participation.pseudonym, judge) if compared is not None else [],
        "conduct": own,
        "usual": others,
        "changes": participation.state_changes.select_related("by", "round"),
        "form": form or AdjustmentForm(initial={"after": paid.newest_row}),
    }
    return render(request, "desk/worker.html", context, status=422 if form else 200)


def _figures_now(
    study: Study, participation: Participation, newest: NewestFigures | None
) -> Mapping[int, Figures]:
    """What the worker's answers say now. Of a large study agreement with the others and signs,
    which go through the answers of all, are as kept last."""
    if newest is not None and newest.kept_at is None:
        return newest.figures
    kept = Figures() if newest is None else newest.figures.get(participation.pk, Figures())
    key = participation.pk
    return figures_of(study, [key], {key: kept.agreement}, {key: kept.signs})


def _conduct_beside_others(
    participation: Participation, newest: NewestFigures | None
) -> tuple[Conduct | None, Usual | None]:
    """A worker's counts, and what is usual among the others."""
    conducts = dict(newest.conducts) if newest is not None else {}
    own = conducts.pop(participation.pk, None)
    return own, usual(conducts.values())


@login_required
@require_POST
def adjust_pay(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Write an adjustment into a worker's ledger."""
    study = get_study(request.user, slug, Role.OWNER)
    participation = _participation(study, number)
    form = AdjustmentForm(request.POST)
    if form.is_valid():
        try:
            adjust(participation=participation, by=account(request), **form.cleaned_data)
        except AdjustmentRefused as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("Added to the statement."))
            return redirect("desk:worker", slug, number)
    return _worker_page(request, study, participation, form)


@login_required
@require_POST
def remove(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Give a worker no more batches, and exclude what they answered; it stays paid."""
    study = get_study(request.user, slug, Role.REVIEWER)
    participation, form = _participation(study, number), ReasonForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Please say why. Nothing was changed."))
    elif remove_worker(
        participation=participation, reason=form.cleaned_data["reason"], by=account(request)
    ):
        messages.success(request, _("Removed: no more batches, and the answers are excluded."))
    else:
        messages.warning(
            request, _("This worker’s participation had already ended, so nothing was changed.")
        )
    return redirect("desk:worker", slug, number)


@login_required
@require_POST
def reinstate(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Bring back a worker who was removed, screened out or not qualified, or who left."""
    study = get_study(request.user, slug, Role.REVIEWER)
    participation, form = _participation(study, number), ReasonForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Please say why. Nothing was changed."))
        return redirect("desk:worker", slug, number)
    reason = form.cleaned_data["reason"]
    try:
        reinstate_worker(participation=participation, reason=reason, by=account(request))
    except NotEnded:
        messages.warning(
            request, _("This worker is still taking part, or has withdrawn. Nothing was changed.")
        )
    else:
        messages.success(
            request, _("Reinstated. Controls answered before no longer count against this worker.")
        )
    return redirect("desk:worker", slug, number)


@login_required
@require_GET
def consents(request: HttpRequest, slug: str) -> HttpResponse:
    """Every consent text that somebody agreed to, and how many did."""
    study = get_study(request.user, slug, Role.OWNER)
    context = {"study": study, "texts": agreed_texts(study)}
    return render(request, "desk/consents.html", context)

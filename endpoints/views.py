"""The operator's page *Models*: endpoints, their models, prices and users."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from accounts.views.access import for_operators
from annotation.access import account
from endpoints.asking import NoReply, listed_models, short_reply
from endpoints.endpoint import BadEndpoint
from endpoints.forms import EndpointForm, PriceForm
from endpoints.models import ModelEndpoint, ModelPrice, charge
from endpoints.registry import endpoints, written_endpoints
from endpoints.saving import note_models, remove_endpoint, remove_price, save_endpoint, set_price
from endpoints.stored import as_endpoint, models_of


@sensitive_post_parameters("typed_key")
@never_cache
@for_operators
@require_http_methods(["GET", "POST"])
def models(request: HttpRequest) -> HttpResponse:
    """All endpoints, and a form for a new one."""
    form = EndpointForm(request.POST or None)
    if form.is_bound and form.is_valid():
        row = save_endpoint(
            row=form.instance, named=form.cleaned_data["named"], by=account(request)
        )
        messages.success(request, _("Saved. Test the endpoint now."))
        return redirect("desk:model-endpoint", row.pk)
    problem, written = "", []
    try:
        written = sorted(written_endpoints())
        endpoints()
    except BadEndpoint as error:
        problem = str(error)
    rows = ModelEndpoint.objects.prefetch_related("prices")
    context = {
        "form": form,
        "rows": [(row, models_of(row)) for row in rows],
        "written": written,
        "problem": problem,
    }
    return render(request, "endpoints/models.html", context, status=422 if form.errors else 200)


@sensitive_post_parameters("typed_key")
@never_cache
@for_operators
@require_http_methods(["GET", "POST"])
def endpoint(request: HttpRequest, endpoint_id: int) -> HttpResponse:
    """One endpoint: its settings, models, prices, and what was spent."""
    row = get_object_or_404(ModelEndpoint, pk=endpoint_id)
    form = EndpointForm(request.POST or None, instance=row)
    if form.is_bound and form.is_valid():
        save_endpoint(row=form.instance, named=form.cleaned_data["named"], by=account(request))
        messages.success(request, _("Saved."))
        return redirect("desk:model-endpoint", row.pk)
    return _page(request, row, form=form)


def _page(
    request: HttpRequest,
    row: ModelEndpoint,
    *,
    form: EndpointForm | None = None,
    price: PriceForm | None = None,
) -> HttpResponse:
    """The page; status 422 where a form has errors."""
    row = ModelEndpoint.objects.get(pk=row.pk)  # a form with errors has changed the other
    context = {
        "row": row,
        "form": form or EndpointForm(instance=row),
        "price": price or PriceForm(initial={"valid_on": timezone.localdate()}),
        "prices": row.prices.all(),
        "models": models_of(row),
        "spendings": row.spendings.select_related("user"),
    }
    has_errors = any(one is not None and one.errors for one in (form, price))
    return render(request, "endpoints/endpoint.html", context, status=422 if has_errors else 200)


@for_operators
@require_POST
def test(request: HttpRequest, endpoint_id: int) -> HttpResponse:
    """Ask an endpoint for its models and, where one is named, that model for a word."""
    row, by = get_object_or_404(ModelEndpoint, pk=endpoint_id), account(request)
    model, asked = request.POST.get("model", "")[:200], as_endpoint(row)
    try:
        names = listed_models(asked)
        note_models(row=row, names=names, now=timezone.now(), by=by)
        messages.success(request, _("The endpoint lists %(n)s models.") % {"n": len(names)})
    except NoReply as error:
        messages.error(request, str(error))
    try:
        if model:
            reply = short_reply(asked, model)
            charge(endpoint=row.name, user_id=by.pk, usd=reply.usd)
            said = _("%(model)s replied in %(ms)s ms: %(text)s")
            said %= {"model": model, "ms": reply.milliseconds, "text": reply.text}
            messages.success(request, said)
    except NoReply as error:
        messages.error(request, str(error))
    return redirect("desk:model-endpoint", row.pk)


@for_operators
@require_POST
def price(request: HttpRequest, endpoint_id: int) -> HttpResponse:
    """Set the price of a model."""
    row = get_object_or_404(ModelEndpoint, pk=endpoint_id)
    form = PriceForm(request.POST)
    if not form.is_valid():
        return _page(request, row, price=form)
    fields = {name: value for name, value in form.cleaned_data.items() if name != "currency"}
    set_price(row=row, by=account(request), **fields)
    messages.success(request, _("The price is saved."))
    return redirect("desk:model-endpoint", row.pk)


@for_operators
@require_POST
def unprice(request: HttpRequest, endpoint_id: int, price_id: int) -> HttpResponse:
    """Remove the price of a model."""
    priced = get_object_or_404(ModelPrice, pk=price_id, endpoint=endpoint_id)
    remove_price(price=priced, by=account(request))
    return redirect("desk:model-endpoint", endpoint_id)


@for_operators
@require_POST
def remove(request: HttpRequest, endpoint_id: int) -> HttpResponse:
    """Remove an endpoint with its key."""
    row = get_object_or_404(ModelEndpoint, pk=endpoint_id)
    remove_endpoint(row=row, by=account(request))
    messages.success(request, _("The endpoint and its key are removed."))
    return redirect("desk:models")

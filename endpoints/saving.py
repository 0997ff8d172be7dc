"""Set endpoints, their prices and users up. Every change is in the log, no key is."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import transaction

from annotation.models import User, log_change
from endpoints.models import EndpointUser, ModelEndpoint, ModelPrice


@transaction.atomic
def save_endpoint(
    *, row: ModelEndpoint, named: Mapping[User, Decimal | None], by: User
) -> ModelEndpoint:
    """Keep an endpoint and the accounts that may use it, each with its own limit."""
    row.save()
    row.named.all().delete()
    EndpointUser.objects.bulk_create(
        EndpointUser(endpoint=row, user=user, max_usd=limit) for user, limit in named.items()
    )
    log_change(study=None, by=by, action="endpoint.saved", subject=row.name)
    return row


@transaction.atomic
def remove_endpoint(*, row: ModelEndpoint, by: User) -> None:
    """Forget an endpoint with its key and prices. Runs that ask it fail from now on."""
    log_change(study=None, by=by, action="endpoint.removed", subject=row.name)
    row.delete()


@transaction.atomic
def note_models(*, row: ModelEndpoint, names: list[str], now: datetime, by: User) -> None:
    """Keep the models that an endpoint lists now."""
    row.listed, row.listed_at = names, now
    row.save(update_fields=["listed", "listed_at"])
    log_change(study=None, by=by, action="endpoint.tested", subject=row.name)


@transaction.atomic
def set_price(*, row: ModelEndpoint, model: str, by: User, **fields: Any) -> None:
    """Price a model from now on; what was spent stays as it was charged."""
    ModelPrice.objects.update_or_create(endpoint=row, model=model, defaults=fields)
    detail = {"model": model}
    log_change(study=None, by=by, action="endpoint.priced", subject=row.name, detail=detail)


@transaction.atomic
def remove_price(*, price: ModelPrice, by: User) -> None:
    """A model without a price: what its calls cost is unknown."""
    name, detail = price.endpoint.name, {"model": price.model}
    log_change(study=None, by=by, action="endpoint.unpriced", subject=name, detail=detail)
    price.delete()

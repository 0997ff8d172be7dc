"""What is kept of endpoints, and what the change log says of it."""

from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from annotation.models import Change, User
from endpoints.models import ModelEndpoint
from endpoints.saving import note_models, remove_endpoint, remove_price, save_endpoint, set_price

pytestmark = pytest.mark.django_db
KEY = "sk-of-tests-alone"


def made(owner: User, named: Mapping[User, Decimal | None] | None = None) -> ModelEndpoint:
    row = ModelEndpoint(name="lab", base_url="https://models.example.org/v1", key=KEY, has_key=True)
    return save_endpoint(row=row, named=named or {}, by=owner)


def noted() -> list[str]:
    return list(Change.objects.order_by("pk").values_list("action", flat=True))


def test_the_accounts_that_may_use_an_endpoint_are_replaced(owner: User, colleague: User) -> None:
    row = made(owner, {owner: None, colleague: Decimal("2.50")})
    assert dict(row.named.values_list("user__username", "max_usd")) == {
        "owner": None,
        "colleague": Decimal("2.50"),
    }
    save_endpoint(row=row, named={colleague: None}, by=owner)
    assert dict(row.named.values_list("user__username", "max_usd")) == {"colleague": None}


def test_a_price_is_set_once_for_a_model_and_taken_away(owner: User) -> None:
    row = made(owner)
    priced = {"source": "price list", "valid_on": date(2026, 11, 1), "output": Decimal("0.40")}
    for amount in (Decimal("0.10"), Decimal("0.20")):
        set_price(row=row, model="small", by=owner, input=amount, **priced)
    assert row.prices.get().input == Decimal("0.20")
    remove_price(price=row.prices.get(), by=owner)
    assert not row.prices.exists()


def test_every_change_is_in_the_log_and_no_key(owner: User) -> None:
    row = made(owner)
    note_models(row=row, names=["small"], now=datetime(2026, 11, 1, tzinfo=UTC), by=owner)
    remove_endpoint(row=row, by=owner)
    assert noted() == ["endpoint.saved", "endpoint.tested", "endpoint.removed"]
    assert not any(KEY in str(change.__dict__) for change in Change.objects.all())
    assert not ModelEndpoint.objects.exists()

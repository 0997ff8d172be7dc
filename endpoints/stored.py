"""Endpoints of the page *Models*, as judges ask them."""

from urllib.parse import urlsplit

from pydantic import Field

from endpoints.endpoint import ANY_MODEL, BadEndpoint, Endpoint, Price, Secrets
from endpoints.models import ModelEndpoint
from retrieval.connections import GuardedNetwork
from retrieval.proxy import configured_proxy

_PORTS = {"http": 80, "https": 443}


class StoredEndpoint(Endpoint):
    """An endpoint that somebody typed on a page: its key is of the database or the environment, and
    its connections are checked."""

    kind: str
    has_key: bool
    key: str = Field(repr=False)
    own_network: bool

    @property
    def network(self) -> GuardedNetwork:
        """A network that reaches the port of the address on the public internet, or where the
        operator said so in the own network."""
        parts = urlsplit(self.base_url)
        return GuardedNetwork(
            ports={parts.port or _PORTS[parts.scheme]},
            own_network=self.own_network,
            proxy=None if self.own_network else configured_proxy(),
        )

    def secrets(self) -> Secrets:
        """The key, as the kind of the endpoint sends it; BadEndpoint where it cannot be read."""
        if not self.has_key:
            key = super().secrets().key
        elif not self.key:
            raise BadEndpoint(
                "its key can no longer be read, since SECRET_KEY has changed; type it again on the "
                "page Models"
            )
        else:
            key = self.key
        if self.kind == ModelEndpoint.Kind.API_KEY and key:
            return Secrets("", {"api-key": key})
        return Secrets(key)


def stored_endpoints() -> dict[str, StoredEndpoint]:
    """All endpoints of the page *Models*, by name."""
    rows = ModelEndpoint.objects.prefetch_related("prices")
    return {row.name: as_endpoint(row) for row in rows}


def as_endpoint(row: ModelEndpoint) -> StoredEndpoint:
    """A row as an endpoint; pydantic's ValidationError where a field cannot be."""
    same = ("base_url", "key_env", "in_flight", "requests_per_minute", "timeout_seconds",
            "max_run_usd", "kind", "has_key", "key", "own_network")  # fmt: skip
    prices = row.prices.all() if row.pk else ()
    return StoredEndpoint(
        **{name: getattr(row, name) for name in same},
        prices={
            price.model: Price(
                input=price.input, cached_input=price.cached_input, output=price.output
            )
            for price in prices
        },
    )


def models_of(row: ModelEndpoint) -> list[str]:
    """The models that can be chosen: those that the server lists, and those that have a price."""
    return sorted({*row.listed, *priced_models(as_endpoint(row))})


def priced_models(endpoint: Endpoint) -> list[str]:
    """The models that have a price of their own."""
    return sorted(endpoint.prices.keys() - {ANY_MODEL})

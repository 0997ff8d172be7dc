"""A chat endpoint: its address, key, limits and prices."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator

from retrieval.connections import GuardedNetwork

DEFAULT_BASE_URL = "https://api.openai.com/v1"
PER_MILLION = Decimal(1_000_000)
# The price of every model of an endpoint that has none of its own.
ANY_MODEL = "*"
# Names of headers and of parameters of an address whose value is a secret.
_SECRET = re.compile(
    r"(.*[_-])?(authorization|key|apikey|token|secret|password|cookie|sig|code)", re.I
)
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
# Headers that describe the request itself.
_OWN_HEADERS = frozenset({"host", "content-type", "content-length", "transfer-encoding", "accept"})


class BadEndpoint(ValueError):
    """An endpoint that is not configured, or not correctly; the message names file and field."""


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Price(_Entry):
    """What a model costs, in USD per million tokens. cached_input: None means like `input`."""

    input: Decimal = Field(ge=0)
    cached_input: Decimal | None = Field(default=None, ge=0)
    output: Decimal = Field(ge=0)

    def cost(self, tokens_in: int, tokens_out: int, cached: int = 0) -> Decimal:
        """USD for one call; `cached` of `tokens_in` are charged as cached input."""
        reduced = self.input if self.cached_input is None else self.cached_input
        charged = (tokens_in - cached) * self.input + cached * reduced + tokens_out * self.output
        return charged / PER_MILLION

    def reduced(self, factor: Decimal) -> "Price":
        """This price times a factor."""
        cached = None if self.cached_input is None else self.cached_input * factor
        return Price(input=self.input * factor, cached_input=cached, output=self.output * factor)


FREE = Price(input=Decimal(0), output=Decimal(0))


@dataclass(frozen=True)
class Secrets:
    """An endpoint's key and secret headers, as the environment holds them."""

    key: str = field(default="", repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)

    def removed_from(self, text: str) -> str:
        """The text without them, in case the endpoint repeats one."""
        for value in sorted({self.key, *self.headers.values()} - {""}, key=len, reverse=True):
            text = text.replace(value, "…")
        return text


class Endpoint(_Entry):
    """One server that speaks the chat protocol."""

    base_url: str = DEFAULT_BASE_URL
    """With the version, such as `https://api.openai.com/v1`; a query after it, such as
    `?api-version=2024-06-01`, is sent with every request."""
    key_env: str = ""
    """The name of the variable that holds the key; empty: none is needed."""
    headers: dict[str, str] = Field(default_factory=dict)
    """Further headers of every request."""
    headers_env: dict[str, str] = Field(default_factory=dict)
    """The same where the value is a secret: the name of the variable that holds it, by the name of
    the header."""
    in_flight: int = Field(default=16, ge=1, le=1000)
    """Calls at once in each worker process."""
    timeout_seconds: float = Field(default=120, gt=0)
    """How long a call may take."""
    tries: int = Field(default=6, ge=1, le=20)
    """How often a call is made when its faults are transient."""
    first_wait_seconds: float = Field(default=1.0, gt=0)
    """How long before the second try, doubled each time after."""
    prices: dict[str, Price] = Field(default_factory=dict)
    """In USD per million tokens, by model; `"*"` for all others."""
    requests_per_minute: int | None = Field(default=None, ge=1, le=1_000_000)
    """Calls begun in a minute at most, in each worker process."""
    batch: bool = False
    """Whether the Batch API is offered."""
    batch_factor: Decimal = Field(default=Decimal("0.5"), ge=0, le=1)
    """What its calls cost of the price."""
    same_model: bool = True
    """Whether a reply that names another model than was asked for is an error; a date, a version,
    `:latest`, `:free`, `:nitro`, `:floor` or `:exacto` after the name does not make another model.
    """
    max_run_usd: Decimal | None = Field(default=None, ge=0)
    """USD that a run may spend here at most, whatever its own cap."""

    @field_validator("base_url")
    @classmethod
    def _is_an_address(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("must be an http or https address")
        names = [name for name, _ in parse_qsl(parts.query, keep_blank_values=True)]
        if parts.username or parts.password or any(map(_SECRET.fullmatch, names)):
            raise ValueError("must hold no credentials; name a variable in key_env or headers_env")
        if len(set(names)) < len(names):
            raise ValueError("names a parameter of its query twice")
        path = parts.path.rstrip("/")
        return urlunsplit((parts.scheme, parts.netloc, path, parts.query, ""))

    @field_validator("headers")
    @classmethod
    def _hold_no_secrets(cls, headers: dict[str, str]) -> dict[str, str]:
        for name, value in headers.items():
            _check_header(name, value)
            if _SECRET.fullmatch(name):
                raise ValueError(f"the value of {name} is a secret; name a variable in headers_env")
        return headers

    @field_validator("headers_env")
    @classmethod
    def _are_headers(cls, headers: dict[str, str]) -> dict[str, str]:
        for name in headers:
            _check_header(name)
        return headers

    @property
    def shown_url(self) -> str:
        """The address without its query."""
        parts = urlsplit(self.base_url)
        return urlunsplit((parts.scheme, parts.netloc, parts.path, "", ""))

    @property
    def query(self) -> dict[str, str]:
        """The query of the address, which goes with every request."""
        return dict(parse_qsl(urlsplit(self.base_url).query, keep_blank_values=True))

    def secrets(self) -> Secrets:
        """The key and the secret headers; BadEndpoint where a variable is not set."""
        key = _variable(self.key_env, "key") if self.key_env else ""
        headers = {
            name: _variable(variable, "header") for name, variable in self.headers_env.items()
        }
        for name, value in headers.items():
            if not _is_header_value(value):
                raise BadEndpoint(f"the value in {self.headers_env[name]} cannot be a header")
        return Secrets(key, headers)

    @property
    def network(self) -> GuardedNetwork | None:
        """What its connections have to go through; None: any way, as its file is the operator's."""
        return None

    def price(self, model: str) -> Price | None:
        """The price of the model; None where none is configured."""
        return self.prices.get(model) or self.prices.get(ANY_MODEL)


def _check_header(name: str, value: str = "") -> None:
    if not _HEADER.fullmatch(name) or not _is_header_value(value):
        raise ValueError(f"{name!r} cannot be sent as a header")
    if name.lower() in _OWN_HEADERS:
        raise ValueError(f"{name} cannot be set")


def _is_header_value(value: str) -> bool:
    return value.isascii() and (value.isprintable() or not value)


def _variable(name: str, what: str) -> str:
    """The value of a variable of the environment; BadEndpoint where it is not set."""
    value = os.environ.get(name, "")
    if not value:
        raise BadEndpoint(f"the environment has no {what} {name}")
    return value

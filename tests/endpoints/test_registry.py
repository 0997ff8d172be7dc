"""Which endpoints there are, and what they charge: said by whoever runs the server."""

from decimal import Decimal
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from endpoints.endpoint import DEFAULT_BASE_URL, BadEndpoint, Endpoint, Price
from endpoints.models import ModelEndpoint
from endpoints.registry import endpoint, endpoints

pytestmark = pytest.mark.django_db

FILE = """
hosted:
  base_url: https://api.example.org/v1/
  key_env: KEY_OF_THE_TESTS
  in_flight: 64
  prices: {small: {input: 0.15, cached_input: 0.075, output: 0.6}, "*": {input: 1, output: 2}}
here: {base_url: "http://127.0.0.1:11434/v1"}
"""


def written(tmp_path: Path, settings: Settings, text: str) -> Path:
    file = tmp_path / "endpoints.yaml"
    file.write_text(text, encoding="utf-8")
    settings.JUDGE_ENDPOINTS = str(file)
    return file


def test_a_file_says_which_there_are_and_what_they_charge(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, settings, FILE)
    monkeypatch.setenv("KEY_OF_THE_TESTS", "a secret")
    hosted, here = endpoint("hosted"), endpoint("here")
    assert (hosted.base_url, hosted.in_flight) == ("https://api.example.org/v1", 64)
    assert (hosted.secrets().key, here.secrets().key) == ("a secret", "")
    assert hosted.price("small") == Price(
        input=Decimal("0.15"), cached_input=Decimal("0.075"), output=Decimal("0.6")
    )
    assert hosted.price("any other") == Price(input=Decimal(1), output=Decimal(2))
    assert here.price("small") is None
    assert "a secret" not in repr(hosted) + repr(hosted.secrets())


def test_a_changed_file_is_read_again(tmp_path: Path, settings: Settings) -> None:
    file = written(tmp_path, settings, FILE)
    assert set(endpoints()) == {"hosted", "here"}
    file.write_text("other: {}", encoding="utf-8")
    assert set(endpoints()) == {"other"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: {base_url: 'ftp://a.example'}", "a.base_url: Value error, must be an http or https"),
        ("a: {base_url: 'https://me:key@a.example'}", "must hold no credentials"),
        ("a: {key: sk-1}", "a.key: Extra inputs are not permitted"),
        ("a: {base_url: 'https://a.example/v1?api-key=1'}", "must hold no credentials"),
        ("a: {base_url: 'https://a.example/v1?v=1&v=2'}", "a parameter of its query twice"),
        ("a: {headers: {api-key: sk-1}}", "is a secret; name a variable in headers_env"),
        ("a: {headers: {Authorization: Basic 1}}", "is a secret"),
        ("a: {headers: {Host: b.example}}", "Host cannot be set"),
        ('a: {headers: {X-Title: "a\\r\\nb"}}', "cannot be sent as a header"),
        ("a: {headers_env: {'X Title': A}}", "cannot be sent as a header"),
        ("a: {in_flight: 0}", "a.in_flight: Input should be greater"),
        ("a: {prices: {m: {input: -1, output: 1}}}", "a.prices.m.input: Input should be greater"),
        ("[]", "must map names to endpoints"),
        ("{", "not YAML"),
    ],
)
def test_a_wrong_file_is_refused_with_the_field(
    tmp_path: Path, settings: Settings, text: str, said: str
) -> None:
    file = written(tmp_path, settings, text)
    with pytest.raises(BadEndpoint) as caught:
        endpoints()
    assert str(caught.value).startswith(f"JUDGE_ENDPOINTS: {file}: ")
    assert said in str(caught.value)


def test_a_missing_file_is_refused(tmp_path: Path, settings: Settings) -> None:
    settings.JUDGE_ENDPOINTS = str(tmp_path / "nowhere.yaml")
    with pytest.raises(BadEndpoint, match="No such file"):
        endpoints()


def test_an_unknown_endpoint_is_refused_with_the_known_ones(
    tmp_path: Path, settings: Settings
) -> None:
    written(tmp_path, settings, FILE)
    with pytest.raises(BadEndpoint, match=r"there is no 'other' here \(known: hosted, here\)"):
        endpoint("other")


def test_without_a_file_there_is_the_one_of_the_environment(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.JUDGE_ENDPOINTS = ""
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    assert endpoint("default").base_url == DEFAULT_BASE_URL
    with pytest.raises(BadEndpoint, match="no key OPENAI_API_KEY"):
        endpoint("default").secrets()
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:8000/v1")
    assert (endpoint("default").base_url, endpoint("default").secrets().key) == (
        "http://127.0.0.1:8000/v1",
        "",
    )


def test_an_address_keeps_its_query_and_is_shown_without() -> None:
    azure = Endpoint(base_url="https://a.example/openai/deployments/x/?api-version=2024-06-01")
    assert azure.base_url == "https://a.example/openai/deployments/x?api-version=2024-06-01"
    assert azure.shown_url == "https://a.example/openai/deployments/x"
    assert azure.query == {"api-version": "2024-06-01"}


def test_secret_headers_are_read_from_the_environment_and_shown_nowhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    configured = Endpoint(headers_env={"api-key": "KEY_OF_THE_TESTS"})
    monkeypatch.setenv("KEY_OF_THE_TESTS", "a secret")
    secrets = configured.secrets()
    assert secrets.headers == {"api-key": "a secret"}
    assert "a secret" not in repr(configured) + repr(secrets)
    assert secrets.removed_from("no a secret here") == "no … here"
    monkeypatch.setenv("KEY_OF_THE_TESTS", "two\nlines")
    with pytest.raises(BadEndpoint, match="the value in KEY_OF_THE_TESTS cannot be a header"):
        configured.secrets()
    monkeypatch.delenv("KEY_OF_THE_TESTS")
    with pytest.raises(BadEndpoint, match="the environment has no header KEY_OF_THE_TESTS"):
        configured.secrets()


def test_a_call_costs_its_tokens_at_their_prices() -> None:
    price = Price(input=Decimal(2), cached_input=Decimal("0.5"), output=Decimal(8))
    # 700 at 2, 300 at 0.5, 100 at 8: 1400 + 150 + 800 millionths
    assert price.cost(1000, 100, cached=300) == Decimal("0.002350")
    assert price.reduced(Decimal("0.5")).cost(1000, 100, cached=300) == Decimal("0.001175")


def test_a_name_in_the_file_and_on_the_page_is_refused_and_no_other(
    tmp_path: Path, settings: Settings
) -> None:
    ModelEndpoint.objects.create(name="here", base_url="https://api.example.org/v1")
    ModelEndpoint.objects.create(name="lab", base_url="https://lab.example.org/v1")
    written(tmp_path, settings, FILE)
    assert endpoint("lab").base_url == "https://lab.example.org/v1"
    for ask in (lambda: endpoint("here"), endpoints):
        with pytest.raises(BadEndpoint, match="'here' is in JUDGE_ENDPOINTS or the environment"):
            ask()


def test_default_means_the_only_endpoint_that_there_is(tmp_path: Path, settings: Settings) -> None:
    written(tmp_path, settings, "mine: {base_url: 'http://127.0.0.1:1/v1'}")
    assert endpoint("default").base_url == "http://127.0.0.1:1/v1"
    ModelEndpoint.objects.create(name="lab", base_url="https://lab.example.org/v1")
    with pytest.raises(BadEndpoint, match=r"there is no 'default' here \(known: mine, lab\)"):
        endpoint("default")


def test_an_endpoint_of_the_page_takes_the_place_of_one_that_nobody_set(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.JUDGE_ENDPOINTS = ""
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    ModelEndpoint.objects.create(name="lab", base_url="https://lab.example.org/v1")
    assert set(endpoints()) == {"lab"}
    assert endpoint("default").base_url == "https://lab.example.org/v1"
    monkeypatch.setenv("OPENAI_API_KEY", "a key")
    assert set(endpoints()) == {"default", "lab"}

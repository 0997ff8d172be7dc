"""The client for Prolific's API: pages, waiting, and errors in words."""

from collections.abc import Iterator
from decimal import Decimal

import pytest

from annotation.panels.prolific_api import errors
from annotation.panels.prolific_api.client import TRIES, Prolific
from annotation.panels.prolific_api.money import NotExact, minor_units, whole_units
from annotation.panels.prolific_api.shapes import SubmissionReply
from tests.services.ports import free_port
from tests.services.prolific import TOKEN, FakeProlific, Fault
from tests.services.prolific_server import Address

STUDY = "aaaa00000000000000000001"


@pytest.fixture
def fake(prolific_address: Address) -> FakeProlific:
    prolific = prolific_address.serve(FakeProlific(page=50))
    prolific.studies[STUDY] = {"status": "ACTIVE", "reward": 100, "total_available_places": 2}
    prolific.studies[STUDY]["id"] = STUDY
    return prolific


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def client(fake: FakeProlific, waits: list[float]) -> Iterator[Prolific]:
    with Prolific(base_url=fake.url, token=TOKEN, sleep=waits.append, timeout=5) as running:
        yield running


def test_a_list_is_read_to_its_end(fake: FakeProlific, client: Prolific) -> None:
    for number in range(120):
        fake.submit(STUDY, f"p{number}")
    assert len({row.id for row in client.submissions(STUDY)}) == 120
    assert fake.calls_to("/submissions/") == 3


def test_a_call_that_may_be_repeated_waits_as_it_is_told(
    fake: FakeProlific, client: Prolific, waits: list[float]
) -> None:
    fake.faults = [
        Fault("studies/", 429, {"Retry-After": "3"}),
        Fault("studies/", 503),
    ]
    assert client.study(STUDY).status == "ACTIVE"
    assert waits[0] == 3
    assert 0.5 <= waits[1] <= 1.5


def test_tries_come_to_an_end_and_long_waits_are_said_instead(
    fake: FakeProlific, client: Prolific, waits: list[float]
) -> None:
    fake.faults = [Fault("studies/", 429, times=99)]
    with pytest.raises(errors.RateLimited):
        client.study(STUDY)
    assert (len(fake.calls), len(waits)) == (TRIES, TRIES - 1)
    fake.faults = [Fault("studies/", 429, {"Retry-After": "600"}, times=9)]
    with pytest.raises(errors.RateLimited, match="600 seconds"):
        client.study(STUDY)


@pytest.mark.parametrize("status", [429, 500, 502, 503])
def test_what_makes_or_pays_something_is_sent_once(
    fake: FakeProlific, client: Prolific, status: int
) -> None:
    fake.faults = [Fault("pay", status, times=9), Fault("studies/", status, times=9)]
    for call in (lambda: client.pay_bonuses("b"), lambda: client.create_study({"name": "x"})):
        fake.calls.clear()
        with pytest.raises(errors.ProlificError) as caught:
            call()
        assert len(fake.calls) == 1
        assert caught.value.certain == (status == 429)


@pytest.mark.parametrize(
    ("status", "body", "expected"),
    [
        (401, None, (errors.BadToken, "does not accept the token")),
        (404, None, (errors.NotThere, "knows no such")),
        (
            400,
            {"error": {"detail": {"reward": ["Too low."]}}},
            (errors.CallRefused, "reward: Too low."),
        ),
        (422, {"message": "M", "detail": "D"}, (errors.CallRefused, "refused: D.")),
        (400, {"error": {"detail": "Insufficient funds"}}, (errors.TooLittleMoney, "enough money")),
        (409, {"error": {"detail": "Busy"}}, (errors.Uncertain, "not known what it did")),
        (500, "<html>", (errors.Uncertain, "not known what it did")),
        (302, None, (errors.CallRefused, "302")),
    ],
)
def test_each_error_is_one_sentence(
    fake: FakeProlific,
    client: Prolific,
    *,
    status: int,
    body: object,
    expected: tuple[type[errors.ProlificError], str],
) -> None:
    kind, words = expected
    fake.faults = [Fault("transition", status, body=body)]
    with pytest.raises(kind, match=words) as caught:
        client.move_study(STUDY, "PAUSE")
    assert str(caught.value).endswith(".")
    assert TOKEN not in str(caught.value)


def test_errors_show_no_ids(fake: FakeProlific, client: Prolific) -> None:
    with pytest.raises(errors.CallRefused) as caught:
        client.set_up_bonuses(STUDY, {"5f1c0ffee5f1c0ffee5f1c0f": "1.00"})
    assert "5f1c0ffee" not in str(caught.value)


def test_a_time_out_is_uncertain_and_a_refused_connection_is_not(
    fake: FakeProlific, client: Prolific
) -> None:
    fake.slow = 0.6
    with (
        Prolific(base_url=fake.url, token=TOKEN, timeout=0.2) as hasty,
        pytest.raises(errors.Uncertain),
    ):
        hasty.move_study(STUDY, "PAUSE")
    fake.slow = 0.0
    with (
        Prolific(base_url=f"http://127.0.0.1:{free_port()}", token=TOKEN) as lost,
        pytest.raises(errors.Unreachable),
    ):
        lost.move_study(STUDY, "PAUSE")


@pytest.mark.parametrize("listed", [True, False])
def test_bonuses_are_read_from_the_list_or_one_by_one(
    fake: FakeProlific, client: Prolific, listed: bool
) -> None:
    fake.lists_bonuses = listed
    keys = [fake.submit(STUDY, f"p{number}") for number in range(3)]
    fake.paid[keys[1]] = [50, 125]
    assert client.bonuses(STUDY, keys) == {keys[0]: (), keys[1]: (50, 125), keys[2]: ()}


@pytest.mark.parametrize("written", ["TIMED-OUT", "timed_out", "TIMED OUT"])
def test_a_status_has_one_spelling(written: str) -> None:
    assert SubmissionReply(id="1", status=written).status == "TIMED-OUT"


@pytest.mark.parametrize(
    ("amount", "currency", "minor"),
    [("1.05", "USD", 105), ("0.10", "GBP", 10), ("120", "JPY", 120), ("1.234", "KWD", 1234)],
)
def test_money_is_exact_in_the_minor_unit(amount: str, currency: str, minor: int) -> None:
    assert minor_units(Decimal(amount), currency) == minor
    assert whole_units(minor, currency) == Decimal(amount)


@pytest.mark.parametrize(("amount", "currency"), [("0.005", "USD"), ("1.50", "JPY")])
def test_money_without_a_coin_is_refused(amount: str, currency: str) -> None:
    with pytest.raises(NotExact):
        minor_units(Decimal(amount), currency)

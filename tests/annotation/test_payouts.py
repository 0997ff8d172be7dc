"""The files for the panel: who is in them, for how much, and that nobody is paid twice."""

import threading
from decimal import Decimal

import pytest
from django.db import connection
from django.utils import timezone

from annotation.leaving import leave
from annotation.models import LedgerRow, Participation, Study, Worker
from annotation.paying import adjust, newest_row
from annotation.payouts import Covers, NothingOwed, file_text, files_made, make_file, payouts
from annotation.submitting import submit
from tests.annotation.work import answer_all, answer_step, lease, newcomer, step_at
from tests.cast import make_study

pytestmark = pytest.mark.django_db

PANEL = "testpanel"


@pytest.fixture
def study() -> Study:
    """A batch pays 1.00 and a bonus of 0.50."""
    return make_study(sources=6, overlap=4, per_batch=2, max_batches_per_worker=3)


def worked(study: Study, external_id: str, *, batches: int = 1) -> Participation:
    worker = newcomer(study)
    Worker.objects.filter(pk=worker.worker_id).update(panel=PANEL, external_id=external_id)
    for _ in range(batches):
        submit(assignment=answer_all(lease(worker)), now=timezone.now())
    worker.worker.refresh_from_db()
    return worker


def made(study: Study, covers: Covers = Covers.EXTRAS) -> str | None:
    at = make_file(study=study, panel=PANEL, currency="USD", covers=covers)
    return file_text(study, at)


def give(worker: Participation, amount: str) -> None:
    adjust(
        participation=worker,
        amount=Decimal(amount),
        note="A slow page",
        by=None,
        after=newest_row(worker),
    )


def test_a_line_per_worker_holds_the_panels_id_and_the_bonuses(study: Study) -> None:
    worked(study, "aa11", batches=2)
    give(worked(study, "bb22"), "0.25")
    assert made(study) == "aa11,1.00\nbb22,0.75\n"


def test_what_was_in_a_file_is_in_no_other(study: Study) -> None:
    worker = worked(study, "aa11")
    assert made(study) == "aa11,0.50\n"
    with pytest.raises(NothingOwed):
        made(study)
    give(worker, "0.10")
    assert made(study) == "aa11,0.10\n"
    marked = LedgerRow.objects.filter(exported_at__isnull=False)
    assert set(marked.values_list("kind", flat=True)) == {"bonus", "adjustment"}


def test_a_file_can_be_read_again_and_stays_the_same(study: Study) -> None:
    worker = worked(study, "aa11")
    text = made(study)
    give(worker, "3.00")
    (file,) = files_made(study)
    assert file_text(study, file.at) == text == "aa11,0.50\n"
    assert (file.panel, file.currency, file.workers) == (PANEL, "USD", 1)
    assert file.total == Decimal("0.50")


def test_a_time_at_which_no_file_was_made_gives_none(study: Study) -> None:
    worked(study, "aa11")
    assert file_text(study, timezone.now()) is None


def test_a_file_holds_nothing_of_another_study(study: Study) -> None:
    other = make_study("other", sources=2)
    worked(other, "cc33")
    with pytest.raises(NothingOwed):
        made(study)
    at = make_file(study=other, panel=PANEL, currency="USD", covers=Covers.EXTRAS)
    assert file_text(study, at) is None


def test_base_pay_beyond_the_first_batch_of_a_round_is_paid_on_demand(study: Study) -> None:
    worked(study, "aa11", batches=3)
    worked(study, "bb22")
    # Three bonuses, and base pay for the second and the third batch; one bonus.
    assert made(study, Covers.BEYOND_FIRST) == "aa11,3.50\nbb22,0.50\n"


def test_everything_is_paid_where_the_panel_pays_nothing(study: Study) -> None:
    worked(study, "aa11", batches=2)
    assert made(study, Covers.ALL) == "aa11,3.00\n"


def test_base_pay_that_was_left_to_the_panel_comes_once_when_everything_is_asked_for(
    study: Study,
) -> None:
    worked(study, "aa11")
    assert made(study) == "aa11,0.50\n"
    assert made(study, Covers.ALL) == "aa11,1.00\n"


def test_a_batch_closed_unfinished_is_paid_through_the_file(study: Study) -> None:
    worker = worked(study, "aa11")
    batch = lease(worker)
    for part in (1, 2):
        answer_step(step_at(batch, 1, part))
    leave(participation=worker)
    # The bonus of the first batch, and half of the second one's base pay.
    assert made(study) == "aa11,1.00\n"


@pytest.mark.parametrize(
    "external_id",
    [
        "=1+1",
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        "a,99.00",
        'a"b',
        "a\nb,5",
        "a\r",
        "",
        "é",
        " a",
        "a b",
    ],
)
def test_no_id_can_put_a_formula_a_column_or_a_line_into_the_file(
    study: Study, external_id: str
) -> None:
    strange = worked(study, external_id)
    worked(study, "aa11")
    assert made(study) == "aa11,0.50\n"
    (payout,) = payouts(study, Covers.EXTRAS)
    assert payout.unpayable == [(strange, Decimal("0.50"))]
    assert payout.lines == []


def test_an_erased_worker_is_named_as_owed_and_in_no_file(study: Study) -> None:
    worker = worked(study, "aa11")
    made(study)
    give(worker, "0.20")
    Worker.objects.update(external_id="erased:abc", erased_at=timezone.now())
    (payout,) = payouts(study, Covers.EXTRAS)
    assert payout.unpayable == [(worker, Decimal("0.20"))]
    (file,) = files_made(study)
    assert file_text(study, file.at) == ""


def test_who_was_given_too_much_waits_for_the_next_file(study: Study) -> None:
    worker = worked(study, "aa11")
    made(study)
    give(worker, "-0.70")
    (payout,) = payouts(study, Covers.EXTRAS)
    assert payout.in_debt == [(worker, Decimal("-0.70"))]
    give(worker, "1.00")
    assert made(study) == "aa11,0.30\n"


def test_panels_and_currencies_have_files_of_their_own(study: Study) -> None:
    worked(study, "aa11")
    elsewhere = worked(study, "bb22")
    Worker.objects.filter(pk=elsewhere.worker_id).update(panel="elsewhere")
    LedgerRow.objects.filter(participation=elsewhere, kind="bonus").update(currency="EUR")
    assert [(one.panel, one.currency) for one in payouts(study, Covers.EXTRAS)] == [
        ("elsewhere", "EUR"),
        (PANEL, "USD"),
    ]
    assert made(study) == "aa11,0.50\n"
    with pytest.raises(NothingOwed):
        make_file(study=study, panel="elsewhere", currency="USD", covers=Covers.EXTRAS)


@pytest.mark.django_db(transaction=True)
def test_two_owners_who_press_at_the_same_time_pay_once(study: Study) -> None:
    worked(study, "aa11")
    start, texts = threading.Barrier(2), list[str | None]()

    def press() -> None:
        start.wait()
        try:
            texts.append(made(study))
        except NothingOwed:
            texts.append(None)
        finally:
            connection.close()

    owners = [threading.Thread(target=press) for _ in range(2)]
    for owner in owners:
        owner.start()
    for owner in owners:
        owner.join()
    assert sorted(texts, key=str) == [None, "aa11,0.50\n"]

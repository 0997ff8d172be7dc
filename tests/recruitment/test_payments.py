"""Bonuses through Prolific are paid once, whatever dies, whoever presses, whatever is refused."""

import threading
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from annotation.models import Change, LedgerRow, PaidRow, PanelPayment, User, Worker
from annotation.panels.prolific_api.errors import ProlificError, RateLimited, TooLittleMoney
from annotation.pay.payouts import NothingOwed, files_made, make_file, mark_as_paid
from annotation.pay.rewards import Covers
from annotation.rights.erasure import erase_worker, is_owed
from annotation.work.submission import submit
from recruitment import confirmations, offers, payments
from recruitment.publication import NotNow
from tests.annotation.workers import answer_all, lease
from tests.recruitment.conftest import Scene
from tests.recruitment.kills import Killed, killing_at
from tests.services.prolific import Fault

State = PanelPayment.State
BONUS = 50
# A second batch of the same session: its base pay and bonus.
SECOND_BATCH = 150


def reserve(scene: Scene, by: User, now: datetime | None = None) -> PanelPayment:
    offered = offers.offer(scene.made)
    return payments.reserve(
        made=scene.made,
        participations={line.participation.pk for line in offered.lines},
        total_minor=offered.total_minor,
        by=by,
        now=now or timezone.now(),
    )


def prepare(scene: Scene, by: User, now: datetime | None = None) -> PanelPayment:
    return payments.set_up(payment=reserve(scene, by, now), client=scene.client)


def pay(scene: Scene, payment: PanelPayment, by: User, now: datetime | None = None) -> None:
    payments.pay(
        payment=payment,
        expected_minor=payment.cost_minor or 0,
        by=by,
        client=scene.client,
        now=now or timezone.now(),
    )


@pytest.fixture
def three(scene: Scene) -> Scene:
    """Three people with a bonus each, as Prolific has read it."""
    for who in ("aa11", "bb22", "cc33"):
        scene.worked(who)
    scene.refresh()
    return scene


def all_paid(scene: Scene) -> list[list[int]]:
    return [scene.fake.paid[key] for key in scene.fake.submissions]


def test_a_payment_is_counted_confirmed_and_then_seen_at_prolific(
    three: Scene, owner: User
) -> None:
    payment = prepare(three, owner)
    assert (payment.total_minor, payment.fees_minor, payment.cost_minor) == (150, 50, 200)
    assert all_paid(three) == [[], [], []]
    pay(three, payment, owner)
    assert payment.state == State.SENT
    three.refresh()
    payment.refresh_from_db()
    assert payment.state == State.CONFIRMED
    assert all_paid(three) == [[BONUS]] * 3
    assert three.fake.balance == 1_000_000 - 200
    assert not offers.offer(three.made).lines


def test_what_is_in_a_payment_is_in_no_file_and_in_no_other_payment(
    three: Scene, owner: User
) -> None:
    payment = reserve(three, owner)
    assert not offers.offer(three.made).lines
    with pytest.raises(NothingOwed):
        make_file(study=three.study, panel="prolific", currency="USD", covers=Covers.BEYOND_SESSION)
    assert files_made(three.study) == []
    payments.give_back(payment=payment, by=owner)
    assert offers.offer(three.made).total_minor == 150
    assert not PaidRow.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_what_is_earned_while_a_payment_is_reserved_is_in_none_that_leaves_it_out(
    three: Scene, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Were its row marked, nobody would be paid for it."""
    mark, workers = mark_as_paid, list[threading.Thread]()
    batch = answer_all(lease(three.people["aa11"]))

    def hand_in() -> None:
        try:
            submit(assignment=batch, now=timezone.now())
        finally:
            connection.close()

    def mark_late(**what: Any) -> list[LedgerRow]:
        workers.append(threading.Thread(target=hand_in))
        workers[0].start()
        workers[0].join(0.5)  # SQLite lets it wait for this transaction
        return mark(**what)

    monkeypatch.setattr(payments, "mark_as_paid", mark_late)
    with suppress(NotNow):
        reserve(three, owner)
    workers[0].join()
    reserved = sum(payment.total_minor for payment in PanelPayment.objects.all())
    assert reserved + offers.offer(three.made).total_minor == 3 * BONUS + SECOND_BATCH


def test_what_is_in_a_file_is_in_no_payment(three: Scene) -> None:
    make_file(study=three.study, panel="prolific", currency="USD", covers=Covers.BEYOND_SESSION)
    assert not offers.offer(three.made).lines


def test_a_total_that_nobody_saw_is_not_reserved(three: Scene, owner: User) -> None:
    offered = offers.offer(three.made)
    three.work("aa11")
    with pytest.raises(NotNow, match="have changed"):
        payments.reserve(
            made=three.made,
            participations={line.participation.pk for line in offered.lines},
            total_minor=offered.total_minor,
            by=owner,
            now=timezone.now(),
        )
    assert not PanelPayment.objects.exists()


def test_some_may_be_paid_and_the_others_stay_owed(three: Scene, owner: User) -> None:
    first = offers.offer(three.made).lines[0].participation
    payment = payments.reserve(
        made=three.made, participations={first.pk}, total_minor=BONUS, by=owner, now=timezone.now()
    )
    others = [line.participation for line in offers.offer(three.made).lines]
    assert payment.left_out == sorted(one.pk for one in others)
    assert all(is_owed(one) for one in others)
    assert is_owed(first)  # until the payment has ended
    payment = payments.set_up(payment=payment, client=three.client)
    pay(three, payment, owner)
    three.refresh()
    assert not is_owed(first)


# --- What dies in between -----------------------------------------------------------------------


def go_on(scene: Scene, by: User, now: datetime) -> None:
    """What a person does who finds the payment as it is: first it is read."""
    scene.refresh(now)
    payment = scene.made.payments.exclude(state=State.GIVEN_UP).first()
    if payment is None:
        payment = reserve(scene, by, now)
    if payment.state == State.RESERVED:
        payments.set_up(payment=payment, client=scene.client)
    if payment.state == State.PREPARED:
        pay(scene, payment, by, now)
    if confirmations.is_uncertain(payment, now):
        # They look at Prolific and say what is there.
        paid = any(all_paid(scene))
        confirmations.decide(payment=payment, paid=paid, by=by, client=scene.client, now=now)


@pytest.mark.parametrize("in_background", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_nobody_is_paid_twice_wherever_the_process_dies(
    three: Scene, owner: User, in_background: bool
) -> None:
    three.fake.in_background = in_background
    at, n_steps = 0, 1
    while at < n_steps:
        before = transaction.savepoint()
        three.fake.paid.clear()
        start = timezone.now()
        with killing_at(at) as steps:
            try:
                go_on(three, owner, start)
                n_steps = 0
            except Killed:
                n_steps = at + 2
        for hours in (1, 2, 3, 4):
            three.fake.work_off()
            assert all(len(paid) <= 1 for paid in all_paid(three)), f"paid twice after step {at}"
            go_on(three, owner, start + timedelta(hours=hours))
            if three.made.payments.filter(state=State.CONFIRMED).exists():
                break
        three.fake.work_off()
        assert all_paid(three) == [[BONUS]] * 3, f"after step {at}"
        last = three.made.payments.first()
        assert last is not None
        assert last.state == State.CONFIRMED
        at = at + 1 if n_steps else at
        transaction.savepoint_rollback(before)
        three.made.refresh_from_db()
    assert steps.passed > 15


def test_a_lost_answer_is_never_sent_again_and_a_person_decides(three: Scene, owner: User) -> None:
    payment, now = prepare(three, owner), timezone.now()
    three.fake.faults = [Fault("pay", 502)]
    with pytest.raises(ProlificError, match="not known"):
        pay(three, payment, owner, now)
    for minutes in (5, 31, 600):
        three.refresh(now + timedelta(minutes=minutes))
        payment.refresh_from_db()
        assert payment.state == State.SENT
        with pytest.raises(NotNow):
            pay(three, payment, owner, now + timedelta(minutes=minutes))
    assert three.fake.calls_to("/pay/") == 1
    assert not confirmations.is_uncertain(payment, now + timedelta(minutes=29))
    assert confirmations.is_uncertain(payment, now + timedelta(minutes=31))
    later = now + timedelta(hours=1)
    confirmations.decide(payment=payment, paid=False, by=owner, client=three.client, now=later)
    assert payment.state == State.GIVEN_UP
    assert offers.offer(three.made).total_minor == 150


def test_an_answer_lost_after_paying_is_found_at_prolific(three: Scene, owner: User) -> None:
    payment = prepare(three, owner)
    three.fake.faults = [Fault("pay", 504, after=True)]
    with pytest.raises(ProlificError):
        pay(three, payment, owner)
    three.refresh()
    payment.refresh_from_db()
    assert payment.state == State.CONFIRMED


def test_a_person_cannot_release_what_prolific_shows_as_paid(three: Scene, owner: User) -> None:
    payment, now = prepare(three, owner), timezone.now()
    three.fake.in_background = True
    pay(three, payment, owner, now)
    with pytest.raises(NotNow, match="half an hour"):
        confirmations.decide(payment=payment, paid=False, by=owner, client=three.client, now=now)
    three.fake.work_off()
    later = now + timedelta(hours=1)
    confirmations.decide(payment=payment, paid=False, by=owner, client=three.client, now=later)
    assert payment.state == State.CONFIRMED
    assert not offers.offer(three.made).lines


def test_of_a_payment_that_arrived_in_part_only_the_rest_is_owed(three: Scene, owner: User) -> None:
    payment, now = prepare(three, owner), timezone.now()
    bulk = three.fake.bulks[payment.external_id]["amounts"]
    bulk.pop(next(iter(bulk)))
    pay(three, payment, owner, now)
    later = now + timedelta(hours=1)
    three.refresh(later)
    payment.refresh_from_db()
    assert payment.state == State.SENT
    assert payment.lines.filter(paid_at=None).count() == 1
    confirmations.decide(payment=payment, paid=False, by=owner, client=three.client, now=later)
    assert payment.state == State.CONFIRMED
    assert offers.offer(three.made).total_minor == BONUS


def test_a_bonus_that_was_there_before_is_not_taken_for_this_one(three: Scene, owner: User) -> None:
    for key in three.fake.submissions:
        three.fake.paid[key] = [BONUS]
    payment = prepare(three, owner)
    three.fake.in_background = True
    pay(three, payment, owner)
    three.refresh()
    payment.refresh_from_db()
    assert payment.state == State.SENT
    three.fake.work_off()
    three.refresh()
    payment.refresh_from_db()
    assert payment.state == State.CONFIRMED


# --- Refusals ------------------------------------------------------------------------------------


def test_too_little_money_is_said_before_anything_is_sent(three: Scene, owner: User) -> None:
    payment = prepare(three, owner)
    three.fake.balance = 199
    with pytest.raises(TooLittleMoney, match=r"1\.99 USD, this payment costs 2\.00"):
        pay(three, payment, owner)
    assert three.fake.calls_to("/pay/") == 0
    payment.refresh_from_db()
    assert payment.state == State.PREPARED


def test_a_refusal_leaves_the_payment_to_be_pressed_again(three: Scene, owner: User) -> None:
    payment = prepare(three, owner)
    three.fake.faults = [
        Fault("pay", 400, body={"error": {"detail": "Insufficient funds."}}),
        Fault("pay", 429),
    ]
    for kind in (TooLittleMoney, RateLimited):
        with pytest.raises(kind):
            pay(three, payment, owner)
        assert payment.state == State.PREPARED
        assert payment.problem
    pay(three, payment, owner)
    assert all_paid(three) == [[BONUS]] * 3


def test_a_refusal_that_paid_all_the_same_is_noticed(three: Scene, owner: User) -> None:
    payment = prepare(three, owner)
    three.fake.faults = [Fault("pay", 429, after=True)]
    with pytest.raises(RateLimited):
        pay(three, payment, owner)
    with pytest.raises(NotNow, match="already"):
        pay(three, payment, owner)
    three.refresh()
    payment.refresh_from_db()
    assert payment.state == State.CONFIRMED
    assert all_paid(three) == [[BONUS]] * 3


def test_another_sum_at_prolific_gives_the_payment_up(three: Scene, owner: User) -> None:
    payment = reserve(three, owner)
    three.fake.faults = [
        Fault("bonus-payments", 201, body={"id": "b", "amount": 15000, "total_amount": 20000})
    ]
    with pytest.raises(NotNow, match="another sum"):
        payments.set_up(payment=payment, client=three.client)
    assert payment.state == State.GIVEN_UP
    assert offers.offer(three.made).total_minor == 150


def test_a_refused_set_up_gives_the_payment_up(three: Scene, owner: User) -> None:
    payment = reserve(three, owner)
    del three.fake.submissions[next(iter(three.fake.submissions))]
    with pytest.raises(ProlificError):
        payments.set_up(payment=payment, client=three.client)
    assert payment.state == State.GIVEN_UP


def test_another_currency_pays_nothing(three: Scene, owner: User) -> None:
    three.made.currency = "GBP"
    with pytest.raises(NotNow, match="pays in GBP"):
        reserve(three, owner)


def test_only_the_cost_that_was_seen_is_paid(three: Scene, owner: User) -> None:
    payment = prepare(three, owner)
    with pytest.raises(NotNow, match="total has changed"):
        payments.pay(
            payment=payment,
            expected_minor=150,
            by=owner,
            client=three.client,
            now=timezone.now(),
        )
    assert three.fake.calls_to("/pay/") == 0


def test_one_payment_of_a_study_is_on_its_way_at_a_time(three: Scene, owner: User) -> None:
    payment = prepare(three, owner)
    three.fake.in_background = True
    pay(three, payment, owner)
    three.work("aa11")
    second = prepare(three, owner)
    with pytest.raises(NotNow, match="on its way"):
        pay(three, second, owner)
    three.fake.work_off()
    three.refresh()
    pay(three, second, owner)
    three.fake.work_off()
    # Of a second batch in the session the base pay is a bonus, too.
    assert sorted(map(tuple, all_paid(three))) == [(BONUS,), (BONUS,), (BONUS, 150)]


# --- Who is paid what ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "minor"),
    [("APPROVED", 50), ("REJECTED", 50), ("RETURNED", 150), ("TIMED-OUT", 150)],
)
def test_work_that_prolific_pays_nothing_for_goes_out_as_a_bonus(
    scene: Scene, status: str, minor: int
) -> None:
    session = scene.worked("aa11", "AWAITING REVIEW")
    scene.fake.submissions[session]["status"] = status
    scene.refresh()
    assert [line.minor for line in offers.offer(scene.made).lines] == [minor]


def test_while_a_submission_waits_for_a_review_nothing_is_paid_on_it(scene: Scene) -> None:
    scene.worked("aa11", "AWAITING REVIEW")
    scene.refresh()
    offered = offers.offer(scene.made)
    assert (offered.lines, offered.waiting) == ([], [scene.people["aa11"]])


def test_erased_people_are_not_paid_through_the_api(three: Scene) -> None:
    worker = Worker.objects.get(external_id="aa11")
    erase_worker(worker=worker, now=timezone.now())
    three.refresh()
    assert len(offers.offer(three.made).lines) == 2
    assert three.made.submissions.count() == 3


def test_each_step_is_in_the_change_log(three: Scene, owner: User) -> None:
    pay(three, prepare(three, owner), owner)
    three.refresh()
    logged = Change.objects.filter(action__startswith="panel_payment.").values_list("action")
    assert [action.partition(".")[2] for (action,) in logged.order_by("pk")] == [
        "reserved",
        "confirmed_by_person",
        "confirmed",
    ]


# --- Two at once ---------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_two_who_press_at_once_pay_once(three: Scene, owner: User) -> None:
    start, ends = threading.Barrier(2), list[str]()
    payment = prepare(three, owner)

    def press() -> None:
        mine = PanelPayment.objects.get(pk=payment.pk)
        start.wait()
        try:
            pay(three, mine, owner)
            ends.append("paid")
        except NotNow:
            ends.append("refused")
        finally:
            connection.close()

    presses = [threading.Thread(target=press) for _ in range(2)]
    for one in presses:
        one.start()
    for one in presses:
        one.join()
    assert sorted(ends) == ["paid", "refused"]
    assert three.fake.calls_to("/pay/") == 1
    assert all_paid(three) == [[BONUS]] * 3


@pytest.mark.django_db(transaction=True)
def test_two_who_reserve_at_once_hold_each_row_once(three: Scene, owner: User) -> None:
    start, ends = threading.Barrier(2), list[str]()

    def press() -> None:
        start.wait()
        try:
            reserve(three, owner)
            ends.append("reserved")
        except NotNow:
            ends.append("refused")
        finally:
            connection.close()

    presses = [threading.Thread(target=press) for _ in range(2)]
    for one in presses:
        one.start()
    for one in presses:
        one.join()
    assert sorted(ends) == ["refused", "reserved"]
    assert PaidRow.objects.count() == LedgerRow.objects.filter(exported_at__isnull=False).count()

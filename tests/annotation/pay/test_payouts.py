"""The files for the panel: who is in them, for how much, and that nobody is paid twice."""

import threading
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from annotation.entry.arrival import arrive_from_panel
from annotation.entry.consent import consent_hash, give_consent
from annotation.models import Assignment, LedgerRow, Participation, Round, Study, Unit, User, Worker
from annotation.panels.contract import Visit
from annotation.pay import payouts as payouts_module
from annotation.pay.payouts import NothingOwed, file_text, files_made, make_file, payouts
from annotation.pay.rewards import Covers
from annotation.rights.erasure import is_owed
from annotation.rights.withdrawal import leave
from annotation.work.ledger import adjust, earned, newest_row
from annotation.work.qualification import change_state, enter_round
from annotation.work.submission import submit
from desk.people.pay.totals import totals_of
from tests.annotation.pilot_study import do_batch, hand_in, make_pilot_study
from tests.annotation.workers import answer_all, answer_step, lease, newcomer, step_at
from tests.cast import add_unit, make_study

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


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("amount", "later"), [("-0.70", None), ("0.25", "aa11,0.25\n")], ids=["taken back", "added"]
)
def test_an_adjustment_while_a_file_is_made_goes_into_the_next(
    study: Study, monkeypatch: pytest.MonkeyPatch, amount: str, later: str | None
) -> None:
    """Between what is read of who is owed and the marks; were it in this file, one would owe."""
    worker = worked(study, "aa11")
    mark = payouts_module.mark_as_paid
    colleagues: list[threading.Thread] = []

    def adjust_pay() -> None:
        try:
            give(worker, amount)
        finally:
            connection.close()

    def mark_late(**what: Any) -> list[LedgerRow]:
        if not colleagues:
            colleagues.append(threading.Thread(target=adjust_pay))
            colleagues[0].start()
            colleagues[0].join(0.3)  # it waits for this transaction
        return mark(**what)

    monkeypatch.setattr(payouts_module, "mark_as_paid", mark_late)
    assert made(study) == "aa11,0.50\n"
    colleagues[0].join()
    assert earned(worker) == [(Decimal("1.50") + Decimal(amount), "USD")]
    if later is None:
        (payout,) = payouts(study, Covers.EXTRAS)
        assert payout.in_debt == [(worker, Decimal(amount))]
    else:
        assert made(study) == later
    with pytest.raises(NothingOwed):
        made(study)


# --- What the panel pays by itself, and what is left for the file ------------------------------


CODES = {"completion_code": "DONE", "screenout_code": "OUT", "return_code": "BACK"}


def sent(study: Study, session: str = "S1", *, worker: str = "aa11") -> Participation:
    """Somebody whom the panel sends, in one of its sessions."""
    visit = Visit(worker, session=session, study="P1")
    person = arrive_from_panel(study=study, panel=PANEL, visit=visit)
    give_consent(participation=person, text_hash=consent_hash(study), of_age=True)
    return person


@pytest.fixture
def staged() -> Study:
    """Pilot 1.00 + 1.70, main 2.70 a batch; 0.30 by the code for a screen-out."""
    study = make_pilot_study(slug="staged", screenout_pay="0.30", sources=12, overlap=4)
    study.recruitment = {"panel": "prolific", **CODES}
    study.save()
    return study


def boss() -> User:
    return User.objects.create_user("boss")


def add_controls(study: Study) -> None:
    """Units for a second batch of the pilot."""
    pilot = study.rounds.get(name="pilot")
    roles = [Unit.Role.POSITIVE, Unit.Role.POSITIVE, Unit.Role.NEGATIVE]
    for number, role in enumerate([*roles, *[Unit.Role.NORMAL] * 3], start=2000):
        add_unit(study, pilot, number, role)


def test_the_panel_pays_the_first_batch_of_a_session_and_the_file_all_the_rest(
    staged: Study,
) -> None:
    person = sent(staged)
    for _ in range(2):
        do_batch(person)
    # The reward is the pilot's 1.00.
    assert earned(person) == [(Decimal("5.40"), "USD")]
    assert made(staged, Covers.BEYOND_SESSION) == "aa11,4.40\n"


def test_each_session_of_the_panel_has_its_reward(staged: Study) -> None:
    do_batch(sent(staged, "S1"))
    person = sent(staged, "S2")
    for _ in range(2):
        do_batch(person)
    # Rewards of 1.00 and 2.70; the bonus of 1.70 and the second batch of the second session.
    assert made(staged, Covers.BEYOND_SESSION) == "aa11,4.40\n"


def test_a_batch_belongs_to_the_session_that_it_was_submitted_in(staged: Study) -> None:
    do_batch(sent(staged, "S1"))
    batch = lease(sent(staged, "S1"))
    sent(staged, "S2")
    hand_in(batch)
    assert made(staged, Covers.BEYOND_SESSION) == "aa11,1.70\n"


@pytest.mark.parametrize("covers", [Covers.BEYOND_SESSION, Covers.BEYOND_FIRST, Covers.EXTRAS])
def test_who_is_screened_out_by_a_round_gets_from_the_file_what_the_code_does_not_pay(
    staged: Study, covers: Covers
) -> None:
    person = sent(staged)
    do_batch(person, wrong=1)
    assert earned(person) == [(Decimal("1.00"), "USD")]
    Study.objects.update(screenout_pay="0.90")
    assert made(staged, covers) == "aa11,0.70\n"
    (file,) = files_made(staged)
    (totals,) = totals_of(staged)
    assert file.total == totals.filed == Decimal("0.70")
    with pytest.raises(NothingOwed):
        made(staged, covers)


def test_a_screen_out_takes_no_reward_from_an_earlier_session(staged: Study) -> None:
    Round.objects.filter(name="pilot").update(max_batches=2, pass_accuracy=0.9)
    # Six controls in two batches; one wrong can be made up for, two cannot.
    add_controls(staged)
    do_batch(sent(staged, "S1"))
    do_batch(sent(staged, "S2"), wrong=2)
    # The reward of the first session; bonus of its batch; 1.00 less 0.30 of the second.
    assert made(staged, Covers.BEYOND_SESSION) == "aa11,2.40\n"


def test_what_the_code_pays_is_left_to_it_once_however_many_files_are_made(staged: Study) -> None:
    Round.objects.filter(name="pilot").update(max_batches=2)
    add_controls(staged)
    person = sent(staged)
    do_batch(person)
    assert made(staged, Covers.BEYOND_SESSION) == "aa11,1.70\n"
    do_batch(person, wrong=3)
    # Two batches at 1.00, less the 0.30.
    assert made(staged, Covers.BEYOND_SESSION) == "aa11,1.70\n"
    give(person, "0.10")
    assert made(staged, Covers.BEYOND_SESSION) == "aa11,0.10\n"


def test_who_is_screened_out_after_a_file_is_owed_what_the_next_one_holds(staged: Study) -> None:
    Round.objects.filter(name="pilot").update(max_batches=2)
    add_controls(staged)
    person = sent(staged)
    do_batch(person)
    made(staged, Covers.BEYOND_SESSION)
    assert not is_owed(person)
    do_batch(person, wrong=3)
    assert is_owed(person)
    made(staged, Covers.BEYOND_SESSION)
    assert not is_owed(person)


def test_who_was_brought_back_after_a_screen_out_has_had_no_reward_for_that_session(
    staged: Study,
) -> None:
    person = sent(staged, "S1")
    do_batch(person, wrong=1)
    change_state(
        participation=person, to=Participation.State.QUALIFIED, reason="a wrong control", by=boss()
    )
    enter_round(participation=person, round_=staged.rounds.get(name="main"))
    do_batch(sent(staged, "S2"))
    # 0.30 by the code in S1, the reward of 2.70 in S2.
    assert made(staged, Covers.BEYOND_SESSION) == "aa11,0.70\n"


def test_training_earns_no_reward_and_so_is_in_the_file(staged: Study) -> None:
    Round.objects.filter(name="pilot").update(shows_answers=True, failing="end")
    person = sent(staged)
    do_batch(person)
    leave(participation=person)
    assert made(staged, Covers.EXTRAS) == "aa11,2.70\n"


def test_who_came_by_an_invitation_is_paid_nothing_by_the_panel(staged: Study) -> None:
    person = newcomer(staged)
    do_batch(person)
    (payout,) = payouts(staged, Covers.BEYOND_SESSION)
    assert (payout.panel, payout.total) == ("invitation", Decimal("2.70"))


def test_who_came_by_an_invitation_is_named_by_the_pseudonym(study: Study) -> None:
    worker = newcomer(study)
    submit(assignment=answer_all(lease(worker)), now=timezone.now())
    at = make_file(study=study, panel="invitation", currency="USD", covers=Covers.ALL)
    assert worker.pseudonym == "worker-1"
    assert file_text(study, at) == "worker-1,1.50\n"
    (file,) = files_made(study)
    assert (file.panel, file.panel_title) == ("invitation", "Invitation links")


def test_the_choice_that_fits_the_panel_is_made_beforehand(study: Study, staged: Study) -> None:
    assert Covers.usual(staged) == Covers.BEYOND_SESSION
    assert Covers.usual(study) == Covers.ALL


def test_base_pay_is_owed_by_default_where_people_come_by_links_or_accounts(study: Study) -> None:
    for panel in ("invitation", "account"):
        study.recruitment = {"panel": panel}
        study.save()
        assert Covers.usual(study) == Covers.ALL
    worked(study, "aa11")
    # A batch of 1.00 and its bonus of 0.50.
    (payout,) = payouts(study, Covers.usual(study))
    assert payout.total == Decimal("1.50")


def test_a_study_that_changes_its_panel_owes_each_worker_what_theirs_does_not_pay(
    staged: Study,
) -> None:
    by_panel = sent(staged)
    Worker.objects.filter(pk=by_panel.worker_id).update(panel="prolific")
    do_batch(by_panel)
    do_batch(newcomer(staged))
    by_account = newcomer(staged)
    Worker.objects.filter(pk=by_account.worker_id).update(panel="account")
    do_batch(by_account)
    staged.recruitment = {"panel": "invitation"}
    staged.save()
    owed = {one.panel: one.total for one in payouts(staged, Covers.usual(staged))}
    # Each earned 1.00 + 1.70, of which Prolific pays the 1.00 by itself.
    assert owed == {
        "account": Decimal("2.70"),
        "invitation": Decimal("2.70"),
        "prolific": Decimal("1.70"),
    }


@pytest.mark.parametrize("covers", list(Covers))
def test_a_file_marks_the_rows_that_the_rule_says_and_pays_their_sum(
    staged: Study, covers: Covers
) -> None:
    """Beside the rule for one row after the other: the panel pays the first batch of a session, of
    a round, or every one, unless it is training; of workers who were never screened out."""
    for name, sessions in {
        "aa11": ("S1", "S1", "S2"),
        "bb22": ("T1",),
        "cc33": ("U1", "U2"),
    }.items():
        for session in sessions:
            do_batch(sent(staged, session, worker=name))
    give(sent(staged, "T1", worker="bb22"), "0.25")
    Round.objects.filter(study=staged, name="pilot").update(shows_answers=True)
    batches = Assignment.objects.filter(participation__study=staged, round__shows_answers=False)
    first: dict[object, int] = {}
    for batch in batches.order_by("submitted_at", "pk"):
        person = batch.participation_id
        shared = {
            Covers.BEYOND_SESSION: (person, batch.visit),
            Covers.BEYOND_FIRST: (person, batch.round_id),
        }
        first.setdefault(shared.get(covers, batch.pk), batch.pk)
    by_panel = set() if covers == Covers.ALL else set(first.values())
    expected = {
        row.pk: row.amount
        for row in LedgerRow.objects.filter(participation__study=staged)
        if not (row.kind == LedgerRow.Kind.BASE and row.assignment_id in by_panel)
    }
    (payout,) = payouts(staged, covers)
    assert payout.total == sum(expected.values())
    made(staged, covers)
    marked = LedgerRow.objects.filter(exported_at__isnull=False)
    assert dict(marked.values_list("pk", "amount")) == expected
    assert not marked.exclude(by_panel=0).exists()
    with pytest.raises(NothingOwed):
        made(staged, covers)

"""The pages of reviews, workers and pay: who sees them, and what each form does."""

import re
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import (
    Assignment,
    LedgerRow,
    Member,
    Participation,
    Review,
    Study,
    User,
    Worker,
)
from annotation.work.ledger import adjust, newest_row
from annotation.work.qualification import change_state
from annotation.work.review import exclude, write_feedback
from annotation.work.submission import submit
from tests.annotation.workers import answer_all, lease, newcomer
from tests.cast import join, make_study, make_user
from tests.desk.worker_records.batches import took

pytestmark = pytest.mark.django_db

Role = Member.Role
PAGES = ["desk:reviews", "desk:workers", "desk:pay"]


@pytest.fixture
def study(study: Study) -> Study:
    """Three workers with a batch each: two normal units, no controls."""
    Study.objects.filter(pk=study.pk).update(overlap=2)
    for _ in range(3):
        worked(study)
    return study


def worked(study: Study, external_id: str = "") -> Assignment:
    worker = newcomer(study)
    name = external_id or f"id{worker.number}of{study.pk}"
    Worker.objects.filter(pk=worker.worker_id).update(panel="testpanel", external_id=name)
    return submit(assignment=answer_all(lease(worker)), now=timezone.now())


@pytest.fixture
def reviewer(client: Client, study: Study) -> Client:
    user = make_user("reviewer")
    join(study, user, Role.REVIEWER)
    client.force_login(user)
    return client


@pytest.fixture
def as_owner(client: Client, study: Study, owner: User) -> Client:
    client.force_login(owner)
    return client


@pytest.fixture
def foreign() -> Assignment:
    """A batch of a study that nobody here belongs to."""
    return worked(make_study("foreign"))


def batches(study: Study) -> list[Assignment]:
    return list(Assignment.objects.filter(participation__study=study).order_by("pk"))


def address(name: str, study: Study, *args: object) -> str:
    return reverse(f"desk:{name}", args=[study.slug, *args])


def gets(study: Study) -> list[str]:
    batch = batches(study)[0]
    return [
        *(reverse(name, args=[study.slug]) for name in PAGES),
        address("review", study, batch.pk),
        address("worker", study, 1),
        address("pay-file", study, 0),
    ]


def posts(study: Study) -> list[tuple[str, dict[str, object]]]:
    batch = batches(study)[0]
    return [
        (address("decide", study), {"batch": batch.pk, "action": "accept"}),
        (address("feedback", study, batch.pk), {"text": "Hello"}),
        (address("remove-worker", study, 1), {"reason": "careless"}),
        (address("reinstate-worker", study, 1), {"reason": "a mistake"}),
        (address("adjust", study, 1), {"amount": "5", "note": "Hello", "after": "0"}),
        (
            address("make-pay-file", study),
            {"panel": "testpanel", "currency": "USD", "covers": "all"},
        ),
    ]


def nothing_has_changed() -> bool:
    decided = Assignment.objects.exclude(verdict="open") | Assignment.objects.exclude(feedback="")
    paid = LedgerRow.objects.filter(exported_at__isnull=False)
    adjusted = LedgerRow.objects.filter(kind="adjustment")
    return not (decided.exists() or Review.objects.exists() or paid.exists() or adjusted.exists())


def test_an_outsider_sees_nothing_and_changes_nothing(
    client: Client, study: Study, outsider: User
) -> None:
    client.force_login(outsider)
    assert {client.get(page).status_code for page in gets(study)} == {404}
    assert {client.post(page, data).status_code for page, data in posts(study)} == {404}
    assert nothing_has_changed()


def test_a_visitor_is_sent_to_sign_in(client: Client, study: Study) -> None:
    answers = [client.get(page) for page in gets(study)]
    answers += [client.post(page, data) for page, data in posts(study)]
    assert all(one.url.startswith(reverse("desk:sign-in")) for one in answers)  # type: ignore[attr-defined]
    assert nothing_has_changed()


def test_a_viewer_may_not_review_nor_see_records_or_pay(
    client: Client, study: Study, colleague: User
) -> None:
    client.force_login(colleague)
    assert {client.get(page).status_code for page in gets(study)} == {403}
    assert {client.post(page, data).status_code for page, data in posts(study)} == {403}
    assert nothing_has_changed()
    assert address("reviews", study) not in client.get(study.get_absolute_url()).content.decode()


def test_a_reviewer_sees_what_is_owed_and_pays_nobody(reviewer: Client, study: Study) -> None:
    page = reviewer.get(address("pay", study)).content.decode()
    assert "worker-1" in page
    assert address("make-pay-file", study) not in page
    for url, data in posts(study)[4:]:
        assert reviewer.post(url, data).status_code == 403
    assert reviewer.get(address("pay-file", study, 0)).status_code == 403
    assert nothing_has_changed()


def test_reviewers_find_their_pages_on_the_study_page(reviewer: Client, study: Study) -> None:
    page = reviewer.get(reverse("desk:workers", args=[study.slug])).content.decode()
    assert all(reverse(name, args=[study.slug]) in page for name in PAGES)


def test_no_page_but_the_pay_file_holds_a_panels_id(as_owner: Client, study: Study) -> None:
    ids = list(Worker.objects.values_list("external_id", flat=True))
    tokens = [person.token for person in Participation.objects.all()]
    for page in gets(study)[:-1]:
        text = as_owner.get(page).content.decode()
        assert not [secret for secret in [*ids, *tokens] if secret in text]


def test_the_list_is_filtered_by_verdict_round_and_worker(reviewer: Client, study: Study) -> None:
    first, second, third = batches(study)
    exclude(assignments=[second], reason="careless", by=None)

    def listed(**filters: str | int) -> set[int]:
        page = reviewer.get(address("reviews", study), filters).content.decode()
        return {int(key) for key in re.findall(r'name="batch" value="(\d+)"', page)}

    assert listed() == {first.pk, second.pk, third.pk}
    assert listed(verdict="excluded") == {second.pk}
    assert listed(verdict="open", worker="worker-3") == {third.pk}
    assert listed(worker="1") == {first.pk}
    assert listed(round=study.rounds.get().pk, verdict="accepted") == set()
    assert len(listed(verdict="nonsense", round="x")) == 3


def test_batches_are_accepted_and_taken_back_in_bulk(reviewer: Client, study: Study) -> None:
    first, second, _third = batches(study)
    back = address("reviews", study) + "?verdict=open"
    sent = reviewer.post(
        address("decide", study),
        {"batch": [first.pk, second.pk], "action": "accept", "next": back},
        follow=True,
    )
    assert sent.redirect_chain == [(back, 302)]
    assert "2 batches accepted." in sent.content.decode()
    assert [one.verdict for one in batches(study)] == ["accepted", "accepted", "open"]
    reviewer.post(address("decide", study), {"batch": [first.pk], "action": "undo"})
    assert [one.verdict for one in batches(study)] == ["open", "accepted", "open"]


def test_every_listed_batch_can_be_chosen_with_one_box(reviewer: Client, study: Study) -> None:
    keys = [one.pk for one in batches(study)]
    reviewer.post(
        address("decide", study),
        {"listed": keys, "all_listed": "on", "action": "exclude", "reason": "a faulty link"},
    )
    assert [one.verdict for one in batches(study)] == ["excluded"] * 3
    assert LedgerRow.objects.filter(participation__study=study).count() == 6


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"action": "exclude", "reason": " "}, "say why"),
        ({"action": "burn"}, "there is no such decision"),
        ({"action": "accept", "batch": []}, "You chose no batch"),
    ],
)
def test_what_cannot_be_decided_is_said_and_changes_nothing(
    reviewer: Client, study: Study, data: dict[str, object], words: str
) -> None:
    asked = {"batch": batches(study)[0].pk, **data}
    page = reviewer.post(address("decide", study), asked, follow=True).content.decode()
    assert words in page
    assert nothing_has_changed()


@pytest.mark.parametrize("key", ["x", "-1", "9" * 30, "0", "1.0"])
def test_a_forged_key_of_a_batch_is_not_found(reviewer: Client, study: Study, key: str) -> None:
    asked = {"batch": [batches(study)[0].pk, key], "action": "accept"}
    assert reviewer.post(address("decide", study), asked).status_code == 404
    assert nothing_has_changed()


def test_a_number_beyond_all_databases_is_not_found(reviewer: Client, study: Study) -> None:
    for name in ("review", "worker"):
        assert reviewer.get(address(name, study, 10**30)).status_code == 404
    page = reviewer.get(address("reviews", study), {"worker": "9" * 30, "page": "9" * 30})
    assert page.status_code == 200


def test_batches_of_another_study_do_not_exist_here(
    reviewer: Client, study: Study, foreign: Assignment
) -> None:
    asked = {"batch": [batches(study)[0].pk, foreign.pk], "action": "accept"}
    assert reviewer.post(address("decide", study), asked).status_code == 404
    assert reviewer.get(address("review", study, foreign.pk)).status_code == 404
    sent = reviewer.post(address("feedback", study, foreign.pk), {"text": "Hello"})
    assert sent.status_code == 404
    assert nothing_has_changed()


def test_a_batch_that_is_still_open_is_not_for_review(reviewer: Client, study: Study) -> None:
    opened = lease(newcomer(with_more_room(study)))
    assert reviewer.get(address("review", study, opened.pk)).status_code == 404
    asked = {"batch": [opened.pk], "action": "accept"}
    assert reviewer.post(address("decide", study), asked).status_code == 404


def with_more_room(study: Study) -> Study:
    """The same study, so that one more worker finds something to do."""
    study.rounds.get().places.update(wanted=9)
    return study


@pytest.mark.parametrize("back", ["https://example.org/", "//example.org/", "javascript:1"])
def test_a_decision_leads_to_no_other_site(reviewer: Client, study: Study, back: str) -> None:
    asked = {"batch": batches(study)[0].pk, "action": "accept", "next": back}
    sent = reviewer.post(address("decide", study), asked)
    assert sent.url == address("reviews", study)  # type: ignore[attr-defined]


def test_a_batch_is_shown_beside_its_controls_and_what_others_said(client: Client) -> None:
    study = make_study("controlled", sources=2, overlap=2, positive=1, negative=1, per_batch=2)
    client.force_login(make_user("controller"))
    join(study, User.objects.get(username="controller"), Role.REVIEWER)
    batch, _other = worked(study), worked(study)
    page = client.get(address("review", study, batch.pk)).content.decode()
    # Everybody answers every question with sentences 0 and 2: wrong where none is right.
    assert page.count("Right answer") == 4
    assert "1 of 2" in page
    assert page.count("This worker") == 8
    assert page.count("worker-2") == 8
    assert "Which sentences should cite passage [1]?" in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_answers_of_machines_are_not_shown_to_who_judges_people(
    reviewer: Client, study: Study
) -> None:
    batch = batches(study)[0]
    answer = batch.annotations.first()
    assert answer is not None
    judge = study.raters.create(name="a-judge", kind="judge")
    answer.pk, answer.rater, answer.assignment = None, judge, None
    answer.save()
    page = reviewer.get(address("review", study, batch.pk)).content.decode()
    assert "a-judge" not in page


def test_the_pages_take_the_same_queries_whatever_the_size(
    as_owner: Client, study: Study, owner: User, django_assert_max_num_queries: object
) -> None:
    big = make_study("big", sources=8, overlap=12, positive=2, per_batch=4)
    join(big, owner, Role.OWNER)
    for _ in range(12):
        worked(big)
    for one in (study, big):
        limits = {
            "reviews": 15,
            "workers": 34,
            "pay": 16,
        }
        for name, limit in limits.items():
            with django_assert_max_num_queries(limit):  # type: ignore[operator]
                assert as_owner.get(address(name, one)).status_code == 200
        with django_assert_max_num_queries(27):  # type: ignore[operator]
            as_owner.get(address("review", one, batches(one)[0].pk))
        with django_assert_max_num_queries(37):  # type: ignore[operator]
            as_owner.get(address("worker", one, 1))


def test_feedback_reaches_the_worker_once_and_stays_in_their_statement(
    reviewer: Client, study: Study
) -> None:
    batch = batches(study)[0]
    reviewer.post(address("feedback", study, batch.pk), {"text": "Well read <b>indeed</b>."})
    worker = Client()
    worker.get(reverse("annotation:return", args=[batch.participation.token]))
    lobby = reverse("annotation:lobby", args=[study.slug])
    assert "Well read &lt;b&gt;indeed&lt;/b&gt;." in worker.get(lobby).content.decode()
    assert "Well read" not in worker.get(lobby).content.decode()
    own = worker.get(reverse("annotation:statement", args=[study.slug])).content.decode()
    assert "Well read" in own
    assert "1.50 USD" in own
    batch.refresh_from_db()
    assert batch.feedback_seen_at is not None


def test_who_has_ended_reads_feedback_on_the_page_of_the_end(study: Study) -> None:
    batch = batches(study)[0]
    write_feedback(assignment=batch, text="Please read on.", by=None)
    Participation.objects.filter(pk=batch.participation_id).update(state="removed")
    worker = Client()
    worker.get(reverse("annotation:return", args=[batch.participation.token]))
    page = worker.get(reverse("annotation:end", args=[study.slug])).content.decode()
    assert "Please read on." in page


def test_a_statement_is_the_workers_own(client: Client, study: Study) -> None:
    statement = reverse("annotation:statement", args=[study.slug])
    assert client.get(statement).status_code == 403
    stranger = newcomer(make_study("elsewhere"))
    client.get(reverse("annotation:return", args=[stranger.token]))
    assert client.get(statement).status_code == 404


def test_feedback_that_is_too_long_stays_in_the_form(reviewer: Client, study: Study) -> None:
    text = "word " * 1000
    page = reviewer.post(address("feedback", study, batches(study)[0].pk), {"text": text})
    assert page.status_code == 422
    assert text.strip() in page.content.decode()


@pytest.mark.parametrize(
    ("sort", "first"),
    [("worker", 1), ("problems", 2), ("controls", 3), ("nonsense", 1)],
)
def test_records_are_sorted_by_plain_links(client: Client, sort: str, first: int) -> None:
    study = make_study("sorted", sources=2, overlap=3, positive=1, per_batch=1)
    user = make_user("sorter")
    join(study, user, Role.REVIEWER)
    client.force_login(user)
    done = [worked(study) for _ in range(3)]
    done[1].assignment_units.update(problem="cut off")
    done[2].annotations.filter(question__unit__role="positive").update(answer={"sentences": []})
    newcomer(study)
    page = client.get(address("workers", study), {"sort": sort}).content.decode()
    numbers = [int(n) for n in re.findall(r">worker-(\d+)</a>", page)]
    assert numbers[0] == first
    assert sorted(numbers) == [1, 2, 3, 4]


@pytest.mark.parametrize("sort", ["batches", "agreement", "time", "run"])
def test_who_has_no_figure_comes_last(reviewer: Client, study: Study, sort: str) -> None:
    newcomer(study)
    page = reviewer.get(address("workers", study), {"sort": sort}).content.decode()
    assert re.findall(r">worker-(\d+)</a>", page)[-1] == "4"
    assert "aria-sort" in page


def test_a_worker_of_another_study_is_not_found_by_number(
    reviewer: Client, study: Study, foreign: Assignment
) -> None:
    assert foreign.participation.number == 1
    assert reviewer.get(address("worker", study, 77)).status_code == 404
    page = reviewer.get(address("worker", study, 1)).content.decode()
    assert address("review", study, batches(study)[0].pk) in page


def test_an_owner_adjusts_once_even_when_pressing_twice(as_owner: Client, study: Study) -> None:
    page = as_owner.get(address("worker", study, 1)).content.decode()
    found = re.search(r'name="after" value="(\d+)"', page)
    assert found is not None
    asked = {"amount": "0.40", "note": "A slow page", "after": found[1]}
    assert as_owner.post(address("adjust", study, 1), asked).status_code == 302
    again = as_owner.post(address("adjust", study, 1), asked)
    assert again.status_code == 422
    assert "has changed since" in again.content.decode()
    row = LedgerRow.objects.get(kind="adjustment")
    assert (row.amount, row.participation.number) == (Decimal("0.40"), 1)
    assert "A slow page" in as_owner.get(address("worker", study, 1)).content.decode()


@pytest.mark.parametrize("amount", ["", "abc", "NaN", "1e9", "0.001", "Infinity"])
def test_an_amount_that_is_none_is_refused_beside_its_field(
    as_owner: Client, study: Study, amount: str
) -> None:
    asked = {"amount": amount, "note": "Hello", "after": "0"}
    page = as_owner.post(address("adjust", study, 1), asked)
    assert page.status_code == 422
    assert "field__error" in page.content.decode()
    assert nothing_has_changed()


def make_file(client: Client, study: Study, covers: str = "extras") -> str:
    asked = {"panel": "testpanel", "currency": "USD", "covers": covers}
    return client.post(address("make-pay-file", study), asked, follow=True).content.decode()


def test_the_pay_file_is_made_once_and_fetched_as_often_as_needed(
    as_owner: Client, study: Study
) -> None:
    assert "The file is ready." in make_file(as_owner, study)
    page = make_file(as_owner, study)
    assert "There was nothing left" in page
    (link,) = set(re.findall(r'href="([^"]+/pay/files/\d+/)"', page))
    for _ in range(2):
        file = as_owner.get(link)
        assert file["Content-Type"].startswith("text/csv")
        assert "attachment" in file["Content-Disposition"]
        assert "no-store" in file["Cache-Control"]
        ids = Worker.objects.filter(panel="testpanel").order_by("pk")
        assert file.content.decode() == "".join(f"{one.external_id},0.50\n" for one in ids)


@pytest.mark.parametrize(
    ("panel", "chosen"), [("prolific", "beyond_session"), ("invitation", "all")]
)
def test_the_page_proposes_the_file_that_fits_the_panel(
    as_owner: Client, study: Study, panel: str, chosen: str
) -> None:
    study.recruitment["panel"] = panel
    study.save()
    page = as_owner.get(address("pay", study)).content.decode()
    assert re.findall(r'<option value="(\w+)" selected>', page) == [chosen]
    assert f'name="covers" value="{chosen}"' in page


def test_the_page_says_first_what_is_still_owed(as_owner: Client, study: Study) -> None:
    """Three batches of 1.00 with a bonus of 0.50 each, on a panel that pays nothing by itself."""
    page = as_owner.get(address("pay", study)).content.decode()
    assert "Still to pay: <strong>4.50 USD</strong>" in page
    assert "Paid by the panel itself" not in page
    as_owner.post(
        address("make-pay-file", study), {"panel": "testpanel", "currency": "USD", "covers": "all"}
    )
    page = as_owner.get(address("pay", study)).content.decode()
    assert "Still to pay:" not in page
    assert "Nothing is left to pay." in page
    assert "<dt>Still to pay</dt><dd><strong>0.00 USD</strong></dd>" in page


def take_back(person: Participation, amount: str) -> None:
    after = newest_row(person)
    adjust(participation=person, amount=Decimal(amount), note="A mistake", by=None, after=after)


def test_what_evens_out_is_not_said_to_be_owed(as_owner: Client, study: Study) -> None:
    for person in study.participations.all():
        take_back(person, "-1.50")
    page = as_owner.get(address("pay", study)).content.decode()
    assert "Nothing is left to pay." in page
    assert "Overpaid" not in page


def test_what_was_overpaid_is_said(as_owner: Client, study: Study) -> None:
    as_owner.post(
        address("make-pay-file", study), {"panel": "testpanel", "currency": "USD", "covers": "all"}
    )
    take_back(study.participations.get(number=1), "-0.50")
    page = as_owner.get(address("pay", study)).content.decode()
    assert "Overpaid by 0.50 USD (testpanel)." in page


def test_what_the_panel_pays_is_named_beside_what_is_left(as_owner: Client, study: Study) -> None:
    page = as_owner.get(address("pay", study), {"covers": "extras"}).content.decode()
    assert "Still to pay: <strong>1.50 USD</strong>" in page
    assert "<dt>Paid by the panel itself</dt><dd>3.00 USD</dd>" in page


def test_a_file_of_another_study_is_not_found_here(
    as_owner: Client, study: Study, owner: User, foreign: Assignment
) -> None:
    other = foreign.participation.study
    membership = join(other, owner, Role.OWNER)
    (link,) = set(re.findall(r'href="[^"]+/files/(\d+)/"', make_file(as_owner, other)))
    assert as_owner.get(address("pay-file", study, link)).status_code == 404
    assert as_owner.get(address("pay-file", other, link)).status_code == 200
    membership.delete()
    assert as_owner.get(address("pay-file", other, link)).status_code == 404


@pytest.mark.parametrize("stamp", ["0", "1", "9" * 18, "9" * 40])
def test_a_stamp_of_no_file_is_not_found(as_owner: Client, study: Study, stamp: str) -> None:
    assert as_owner.get(address("pay-file", study, int(stamp))).status_code == 404


def test_the_pay_page_warns_where_an_hour_is_paid_too_little(
    as_owner: Client, study: Study
) -> None:
    Study.objects.filter(pk=study.pk).update(minimum_hourly_pay=Decimal("12.00"))
    for one in batches(study):
        took(one, minutes=15)
    page = as_owner.get(address("pay", study)).content.decode()
    # 1.50 in a quarter of an hour.
    assert "Half of the workers get less than 6.00 USD an hour" in page
    assert "because no browser measured it" in page
    Study.objects.filter(pk=study.pk).update(minimum_hourly_pay=Decimal("6.00"))
    assert "Half of the workers" not in as_owner.get(address("pay", study)).content.decode()


def test_a_reviewer_removes_a_worker_and_brings_them_back(reviewer: Client, study: Study) -> None:
    remove, back = (address(name, study, 1) for name in ("remove-worker", "reinstate-worker"))
    batch = batches(study)[0]
    assert "say why" in reviewer.post(remove, {"reason": " "}, follow=True).content.decode()
    assert nothing_has_changed()
    page = reviewer.post(remove, {"reason": "two accounts"}, follow=True).content.decode()
    assert "removed" in page
    assert "two accounts" in page
    batch.refresh_from_db()
    assert (batch.verdict, batch.participation.state) == ("excluded", "removed")
    assert batch.ledger.count() == 2
    reviewer.post(back, {"reason": "a mistake"})
    batch.refresh_from_db()
    assert (batch.verdict, batch.annotations.standing().count()) == ("open", 4)
    page = reviewer.post(back, {"reason": "again"}, follow=True).content.decode()
    assert "is still taking part" in page


@pytest.mark.parametrize("state", ["screened_out", "not_qualified", "left", "withdrawn"])
def test_whoever_has_ended_can_be_brought_back_but_who_withdrew(
    reviewer: Client, study: Study, state: str
) -> None:
    person = study.participations.get(number=1)
    change_state(participation=person, to=Participation.State(state), reason="so it came")
    page = reviewer.get(address("worker", study, 1)).content.decode()
    assert ("Bring back" in page) == (state != "withdrawn")
    reviewer.post(address("reinstate-worker", study, 1), {"reason": "a mistake"})
    person.refresh_from_db()
    assert person.state == ("withdrawn" if state == "withdrawn" else "consented")

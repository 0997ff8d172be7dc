"""Signs of a stored study: read in few queries, shown to reviewers alone, followed by nothing."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Annotation, Assignment, LedgerRow, Member, Participation, Study, User
from desk.worker_records.given import signs_of_all
from tests.annotation.workers import POSTED, newcomer
from tests.cast import join, make_study, make_user
from tests.desk.worker_records.batches import took, work_through
from tests.sessions import as_user

pytestmark = pytest.mark.django_db

PEOPLE, SOURCES = 6, 12
TEXT = "a reason in the very same words, pasted beside every single answer"


@pytest.fixture
def study(owner: User) -> Study:
    """Six people with 24 answers each, the last of them in half a second and with one reason."""
    made = make_study(sources=SOURCES, overlap=PEOPLE, per_batch=SOURCES, collect_paradata=True)
    join(made, owner, Member.Role.OWNER)
    for number in range(PEOPLE):
        robot = number == PEOPLE - 1
        batch = work_through(newcomer(made), lambda _unit: POSTED)
        seconds = 0.5 if robot else 20.0 + number
        took(batch, minutes=9, active=[seconds] * (2 * SOURCES))
        counts = {"pastes": int(robot), "blurs": 0, "keystrokes": 0, "edits": 0, "bursts": 0}
        rows = Annotation.objects.filter(assignment=batch)
        rows.update(paradata=counts, **({"reasons": [TEXT]} if robot else {}))
    return made


def page(user: User, name: str, study: Study, *args: int) -> str:
    answer = as_user(user).get(reverse(f"desk:{name}", args=[study.slug, *args]))
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def robot(study: Study) -> Participation:
    return study.participations.get(number=PEOPLE)


def test_a_robot_of_a_study_shows_its_signs_and_nobody_else_does(study: Study) -> None:
    found = signs_of_all(study)
    assert set(found) == {robot(study).pk}
    blocks = [block.pk for block in study.blocks.order_by("position")]
    assert [(sign.name, sign.block) for sign in found[robot(study).pk]] == [
        ("fast", blocks[0]),
        ("fast", blocks[1]),
        ("repeated", None),
        ("pasted", None),
    ]


def test_words_of_a_text_that_was_judged_before_need_not_be_read_again(study: Study) -> None:
    """The second block asks about the first one's text, so only the first can be read too
    fast."""
    for question in study.questions.all():
        payload = question.payload
        sentences = payload["sentences"]
        long = f"{'word ' * 30}{question.unit_id}"
        payload["sentences"] = [
            {**one, "text": long} if isinstance(one, dict) else long for one in sentences
        ]
        question.save(update_fields=["payload"])
    (unread,) = [one for one in signs_of_all(study)[robot(study).pk] if one.name == "unread"]
    assert (unread.value, unread.answers, unread.usual) == (1.0, SOURCES, 0.0)


def test_more_answers_take_no_more_queries(study: Study, django_assert_num_queries: object) -> None:
    few = make_study("few", sources=2, overlap=2)
    work_through(newcomer(few), lambda _unit: POSTED)
    for one in (few, study):
        with django_assert_num_queries(3):  # type: ignore[operator]
            signs_of_all(one)


def test_a_withdrawn_persons_answers_are_no_part_of_it(study: Study) -> None:
    Annotation.objects.filter(rater__participation=robot(study)).update(
        withdrawn_at=study.created_at
    )
    assert signs_of_all(study) == {}


def test_a_reviewer_reads_the_reasons_with_their_rate_of_false_alarms(
    study: Study, owner: User
) -> None:
    reviewer = make_user("reviewer")
    join(study, reviewer, Member.Role.REVIEWER)
    shown = page(reviewer, "worker", study, PEOPLE)
    assert "Faster than the crowd" in shown
    assert "3.0 times as fast as usual, in 12 answers with a time" in shown
    assert "about 4 of 100 careful people" in shown
    assert "fewer than 1 of 100 careful people" in shown
    assert "These signs have no consequences by themselves" in shown
    assert "None found." in page(reviewer, "worker", study, 1)
    for name in ("workers", "reviews"):
        linked = reverse("desk:worker", args=[study.slug, PEOPLE]) + "#reasons"
        assert f'<a href="{linked}">4</a>' in page(reviewer, name, study)
    batch = Assignment.objects.get(participation=robot(study))
    assert "in all batches of this worker" in page(reviewer, "review", study, batch.pk)
    assert "worker-6</a>" in page(reviewer, "workers", study)


def test_nobody_but_reviewers_sees_them(study: Study) -> None:
    viewer, outsider = make_user("viewer"), make_user("stranger")
    join(study, viewer, Member.Role.VIEWER)
    address = reverse("desk:worker", args=[study.slug, PEOPLE])
    for user in (viewer, outsider):
        answer = as_user(user).get(address)
        assert answer.status_code in (403, 404)
        assert b"Faster than the crowd" not in answer.content


def test_nothing_follows_from_a_sign_by_itself(study: Study, owner: User) -> None:
    def stands() -> list[object]:
        return [
            list(Annotation.objects.order_by("pk").values("excluded_reason", "superseded_at")),
            list(Assignment.objects.order_by("pk").values("state", "verdict")),
            list(LedgerRow.objects.order_by("pk").values("amount", "kind")),
            list(study.participations.order_by("pk").values("state", "round")),
        ]

    before = stands()
    assert signs_of_all(study)
    for name, args in (("worker", (PEOPLE,)), ("workers", ()), ("reviews", ())):
        page(owner, name, study, *args)
    assert stands() == before
    pay = LedgerRow.objects.filter(assignment__participation__study=study).values_list(
        "assignment__participation__number", "amount"
    )
    amounts = dict(pay)
    assert len(set(amounts.values())) == 1
    assert PEOPLE in amounts


@pytest.mark.parametrize("paradata", [True, False])
def test_workers_are_told_that_a_person_looks_at_times(paradata: bool) -> None:
    study = make_study("told", collect_paradata=paradata)
    worker = newcomer(study)
    client = Client()
    client.get(reverse("annotation:return", args=[worker.token]))
    consent = client.get(reverse("annotation:consent", args=[study.slug])).content.decode()
    assert "how long you take for each answer" in consent
    assert "A person decides" in consent
    assert ("how often you paste something" in consent) == paradata
    stored = client.get(reverse("annotation:my-data", args=[study.slug])).content.decode()
    assert "how fast you answer" in stored

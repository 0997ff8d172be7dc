import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.access import PLACES_SESSION_KEY
from annotation.entry.examples import mark_introduced
from annotation.models import Annotation, Assignment, Draft, LedgerRow, Study
from annotation.work.leases import release_expired_leases
from annotation.work.submission import submit
from tests.annotation.worker_client import HTMX, Person
from tests.annotation.workers import answer_all, answer_step, step_at
from tests.cast import make_study

if TYPE_CHECKING:
    from django.test.client import _MonkeyPatchedWSGIResponse as Response

pytestmark = pytest.mark.django_db


def lobby(person: "Person") -> str:
    slug = person.batch.participation.study.slug
    return person.client.get(reverse("annotation:lobby", args=[slug])).content.decode()


@pytest.fixture
def study() -> Study:
    return make_study()


@pytest.fixture
def person(study: Study) -> Person:
    return Person(study)


def url(response: "Response") -> str:
    return str(response.url)  # type: ignore[attr-defined]


def test_one_question_at_a_time_with_its_progress(person: Person) -> None:
    page = person.get()
    assert "1 of 2" in page
    assert "question 1 of 2" in page
    assert page.count('name="sentences"') == 3
    assert 'name="value"' not in page


def test_save_and_continue_leads_to_the_next_part_then_the_next_text_then_the_review(
    person: Person,
) -> None:
    for position in (1, 2):
        on = person.post({"sentences": ["0"], "revision": "0"}, position)
        assert url(on) == person.address(position, 2)
        person.get(position, 2)
        on = person.post({"value": "40", "revision": "0"}, position, 2)
        assert url(on) == (person.address(2) if position == 1 else person.of_batch("review"))


@pytest.mark.parametrize(
    ("go", "name"), [("overview", "annotation:lobby"), ("leave", "annotation:leave")]
)
def test_the_ways_out_save_what_was_typed_first(person: Person, go: str, name: str) -> None:
    page = person.get()
    assert f'name="go" value="{go}"' in page
    out = person.post({"go": go, "sentences": ["1"], "revision": "0"})
    assert url(out) == reverse(name, args=[person.batch.participation.study.slug])
    assert re.search(r'value="1"[^>]*checked', person.get())


def test_what_was_typed_is_there_again_after_a_reload(person: Person) -> None:
    person.autosave({"sentences": ["2"], "revision": "0"})
    assert re.search(r'value="2"[^>]*checked', person.get())


def test_back_saves_what_was_typed_finished_or_not(person: Person) -> None:
    answer_step(step_at(person.batch))
    person.get(2)
    back = person.post({"go": "back", "sentences": ["1"], "none": "on", "revision": "0"}, 2)
    assert url(back) == person.address(1, 2)
    draft = Draft.objects.get(question=step_at(person.batch, 2).question)
    assert draft.posted == {"sentences": ["1"], "none": ["on"]}


def test_any_question_that_is_open_can_be_jumped_to(person: Person) -> None:
    assert url(person.post({"go": "2.1", "revision": "0"})) == person.address(2)
    assert url(person.post({"go": "nowhere", "revision": "1"})) == person.address(1)


def test_invalid_input_is_refused_beside_the_field_and_kept(person: Person) -> None:
    refused = person.post({"sentences": ["0"], "none": "on", "revision": "0"})
    page = refused.content.decode()
    assert refused.status_code == 422
    assert 'role="alert"' in page
    assert re.search(r'id="sentence-0"[^>]*checked', page)
    assert re.search(r'id="sentence-none"[^>]*checked', page)
    assert 'name="revision" value="1"' in page
    mended = person.post({"sentences": ["0"], "revision": "1"})
    assert url(mended) == person.address(1, 2)


def test_a_number_that_is_none_is_shown_again_as_typed(person: Person) -> None:
    answer_step(step_at(person.batch))
    person.get(1, 2)
    refused = person.post({"value": "4O", "revision": "0"}, 1, 2)
    assert refused.status_code == 422
    assert 'value="4O"' in refused.content.decode()


def test_the_second_part_opens_after_the_first(person: Person) -> None:
    early = person.client.get(person.address(1, 2))
    assert url(early) == person.address(1)
    assert "answer this part first" in person.get()
    assert url(person.post({"value": "40", "revision": "0"}, 1, 2)) == person.address(1)
    assert not Draft.objects.filter(question__block__key="slider").exists()


def test_autosave_answers_with_the_new_revision_and_says_saved(person: Person) -> None:
    person.get()
    saved = person.autosave({"sentences": ["0"], "revision": "0"})
    assert saved.status_code == 200
    assert 'name="revision" value="1"' in saved.content.decode()
    assert "Saved" in saved.content.decode()
    assert "<html" not in saved.content.decode()


def test_without_htmx_an_autosave_leads_back_to_the_question(person: Person) -> None:
    plain = person.client.post(person.address(name="draft"), {"sentences": ["0"], "revision": "0"})
    assert url(plain) == person.address()
    assert Draft.objects.get().posted == {"sentences": ["0"]}


def test_a_second_tab_gets_both_versions_to_choose_from(person: Person) -> None:
    person.autosave({"sentences": ["0"], "revision": "0"})
    stale = person.post({"sentences": ["2"], "revision": "0"})
    page = stale.content.decode()
    assert stale.status_code == 409
    assert re.search(r'id="mine-sentence-2"[^>]*checked', page)
    assert re.search(r'id="saved-sentence-0"[^>]*checked', page)
    assert Draft.objects.get().posted == {"sentences": ["0"]}
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    # "Use this one" is a form with all that is needed.
    hidden = dict(re.findall(r'type="hidden" name="(revision|sentences)" value="(\d)"', page))
    assert hidden == {"revision": "1", "sentences": "2"}
    assert url(person.post({**hidden, "go": "next"})) == person.address(1, 2)
    assert Draft.objects.get(question__block__position=0).posted == {"sentences": ["2"]}


def test_autosave_of_a_stale_page_says_so_and_keeps_both(person: Person) -> None:
    person.autosave({"sentences": ["0"], "revision": "0"})
    stale = person.autosave({"sentences": ["2"], "revision": "0"})
    assert stale.status_code == 409
    assert 'name="revision" value="0"' in stale.content.decode()
    assert "another tab" in stale.content.decode()
    assert Draft.objects.get().posted == {"sentences": ["0"]}


def test_a_replayed_post_leads_on_as_the_first_did(person: Person) -> None:
    posts = [person.post({"sentences": ["0"], "revision": "0"}) for _ in range(2)]
    assert {url(post) for post in posts} == {person.address(1, 2)}
    assert Draft.objects.get(question__block__position=0).revision == 1


def test_a_given_away_answer_is_read_only(person: Person) -> None:
    person.post({"sentences": ["0"], "revision": "0"})
    person.get(1, 2)
    page = person.get()
    assert "because you have seen where the citations were" in page
    assert "<fieldset" in page
    assert "disabled" in page
    refused = person.post({"sentences": ["2"], "revision": "1"})
    assert refused.status_code == 409
    assert "no longer change this answer" in refused.content.decode()
    assert person.autosave({"sentences": ["2"], "revision": "1"}).status_code == 409
    assert Draft.objects.get(question__block__position=0).posted == {"sentences": ["0"]}


def test_the_page_warns_before_an_answer_is_given_away(person: Person) -> None:
    assert "can no longer change this answer" in person.get()


def test_too_much_is_refused(person: Person) -> None:
    refused = person.post({"sentences": "0" * 200_000, "revision": "0"})
    assert refused.status_code == 413
    assert not Draft.objects.filter(revision__gt=0).exists()


def test_a_report_flags_the_unit_and_loses_nothing_typed(person: Person) -> None:
    stay = person.post(
        {"go": "stay", "problem": "The passage is cut off.", "sentences": ["1"], "revision": "0"}
    )
    assert url(stay) == person.address()
    assert person.batch.assignment_units.get(position=1).problem == "The passage is cut off."
    assert Draft.objects.get().posted == {"sentences": ["1"]}
    assert "The passage is cut off." in person.get()


def test_a_report_is_confirmed_beside_it_and_once(person: Person) -> None:
    report = {"go": "report", "problem": "Cut off.", "sentences": ["1"], "revision": "0"}
    sent = person.post(report)
    assert url(sent) == f"{person.address()}#report"
    page = person.get()
    thanks = '<span id="reported" role="status">Thank you, your report was sent.</span>'
    assert thanks in page
    assert page.count("Thank you, your report was sent.") == 1
    assert '<details class="aside" id="report" open>' in page
    assert "Thank you" not in person.get()


def test_a_script_gets_the_confirmation_alone(person: Person) -> None:
    report = {"go": "report", "problem": "Cut off.", "sentences": ["1"], "revision": "0"}
    part = person.autosave(report).content.decode()
    assert 'hx-swap-oob="true">Thank you, your report was sent.' in part
    assert person.batch.assignment_units.get(position=1).problem == "Cut off."
    assert "reported" not in person.autosave({"sentences": ["0"], "revision": "1"}).content.decode()


def test_a_report_without_words_is_not_said_to_be_sent(person: Person) -> None:
    person.post({"go": "report", "problem": " ", "revision": "0"})
    page = person.get()
    assert "Thank you" not in page
    assert "Please write what is wrong" in page


def test_the_instructions_lead_to_examples_and_tips_and_back(study: Study) -> None:
    Study.objects.update(tips=["Read it all."])
    study.units.filter(pk=study.units.latest("pk").pk).update(role="example")
    study.units.latest("pk").places.all().delete()
    person = Person(study)
    assert "Examples and tips" not in person.get()
    mark_introduced(participation=person.batch.participation, now=timezone.now())
    assert 'value="examples">Examples and tips</button>' in person.get()
    shown = url(person.post({"sentences": ["0"], "go": "examples", "revision": "0"}))
    assert Draft.objects.get().posted == {"sentences": ["0"]}
    example = person.client.get(shown).content.decode()
    assert f'href="{person.address()}">Back to your question</a>' in example
    tips = re.search(r'href="([^"]+/tips/[^"]+)"', example)
    assert tips
    page = person.client.get(tips[1]).content.decode()
    assert f'href="{person.address()}">Back to your question</a>' in page


@pytest.mark.parametrize("place", ["//example.org/1/1", "a/1/1/", "a/1", "https://example.org"])
def test_examples_lead_back_to_questions_alone(person: Person, place: str) -> None:
    Study.objects.update(tips=["Read it all."])
    address = reverse("annotation:tips", args=[person.batch.participation.study.slug])
    assert (
        "Back to your question" not in person.client.get(address, {"from": place}).content.decode()
    )


def test_another_persons_batch_does_not_exist(person: Person, study: Study) -> None:
    other = Person(study)
    for name in ("question", "draft"):
        address = other.address(name=name)
        assert person.client.post(address, {"sentences": ["0"]}).status_code == 404
    assert person.client.get(other.address()).status_code == 404
    for name in ("review", "done"):
        assert person.client.get(other.of_batch(name)).status_code == 404
    for name in ("submit", "extend"):
        assert person.client.post(other.of_batch(name)).status_code == 404
    assert not Draft.objects.filter(revision__gt=0).exists()


@pytest.mark.parametrize(("position", "part"), [(0, 1), (3, 1), (1, 0), (1, 3)])
def test_a_question_that_is_not_in_the_batch_does_not_exist(
    person: Person, position: int, part: int
) -> None:
    assert person.client.get(person.address(position, part)).status_code == 404


def test_after_the_session_ended_the_post_can_be_sent_again(person: Person) -> None:
    person.client.cookies.clear()
    lost = person.post({"sentences": ["0", "2"], "revision": "0", "go": "next"})
    page = lost.content.decode()
    assert lost.status_code == 403
    assert "personal link" in page
    kept = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', page)
    typed = {name: [v for n, v in kept if n == name] for name, _ in kept}
    typed.pop("csrfmiddlewaretoken", None)
    assert typed == {"sentences": ["0", "2"], "revision": ["0"], "go": ["next"]}
    person.sign_in()
    assert url(person.post(typed)) == person.address(1, 2)
    assert Draft.objects.get().posted == {"sentences": ["0", "2"]}


def test_a_session_of_a_worker_who_is_gone_is_signed_out(person: Person, study: Study) -> None:
    session = person.client.session
    session[PLACES_SESSION_KEY] = {study.slug: [0, ""]}
    session.save()
    assert person.client.get(person.address()).status_code == 403


def test_changed_consent_is_asked_before_the_next_question_and_the_answer_is_kept(
    person: Person, study: Study
) -> None:
    person.get()
    Study.objects.update(consent_text="Other words.")
    consent = reverse("annotation:consent", args=[study.slug])
    on = person.post({"sentences": ["0"], "revision": "0"})
    assert Draft.objects.get().posted == {"sentences": ["0"]}
    assert url(person.client.get(url(on))) == consent
    assert url(person.client.get(person.of_batch("review"))) == consent
    assert url(person.submit()) == consent


def expire(person: Person) -> None:
    Assignment.objects.update(lease_until=timezone.now() - timedelta(minutes=1))
    release_expired_leases(now=timezone.now())
    person.batch.refresh_from_db()
    assert person.batch.state == Assignment.State.EXPIRED


def test_after_the_lease_ended_answers_are_still_saved(person: Person) -> None:
    expire(person)
    assert "Your time is over, but nothing is lost" in person.get()
    assert person.autosave({"sentences": ["0"], "revision": "0"}).status_code == 200


def test_going_on_after_the_lease_ended_revives_it(person: Person, study: Study) -> None:
    expire(person)
    on = person.client.post(reverse("annotation:start", args=[study.slug]))
    assert url(on) == person.address()
    person.batch.refresh_from_db()
    assert person.batch.state == Assignment.State.ACTIVE


def test_more_time_is_one_click_and_saves_what_was_typed(person: Person) -> None:
    Assignment.objects.update(lease_until=timezone.now() + timedelta(minutes=2))
    assert "Your time is nearly over." in person.get()
    on = person.post({"go": "extend", "sentences": ["1"], "revision": "0"})
    assert url(on) == person.address()
    person.batch.refresh_from_db()
    assert person.batch.lease_until > timezone.now() + timedelta(minutes=50)
    assert Draft.objects.get().posted == {"sentences": ["1"]}


def test_more_time_without_leaving_the_page(person: Person) -> None:
    expire(person)
    part = person.client.post(person.of_batch("extend"), headers=HTMX)
    assert part.status_code == 200
    assert "min left" in part.content.decode()
    person.batch.refresh_from_db()
    assert person.batch.state == Assignment.State.ACTIVE


def test_more_time_asked_for_again_without_an_answer_is_taken_once(person: Person) -> None:
    assert 'name="extensions" value="0"' in person.get()
    for _ in range(2):
        part = person.client.post(person.of_batch("extend"), {"extensions": "0"}, headers=HTMX)
        assert 'name="extensions" value="1"' in part.content.decode()
    assert Assignment.objects.get().extensions == 1
    expire(person)
    person.client.post(person.of_batch("extend"), {"extensions": "0"}, headers=HTMX)
    assert Assignment.objects.get().extensions == 2


def test_when_there_is_no_more_time_the_page_says_so_and_keeps_what_was_typed(
    person: Person, study: Study
) -> None:
    Study.objects.update(max_extensions=0)
    Assignment.objects.update(lease_until=timezone.now() + timedelta(minutes=2))
    assert "you have 60 minutes, and more" not in lobby(person)
    assert "More time" not in person.get()
    on = person.post({"go": "extend", "sentences": ["1"], "revision": "0"})
    assert url(on) == person.address()
    assert Draft.objects.get().posted == {"sentences": ["1"]}
    assert "You have used all the extra time there is." in person.get()
    part = person.client.post(person.of_batch("extend"), headers=HTMX).content.decode()
    assert "You have used all the extra time there is." in part
    assert "More time" not in part
    assert Assignment.objects.get().extensions == 0


def test_a_late_batch_can_be_submitted(person: Person) -> None:
    answer_all(person.batch)
    expire(person)
    assert url(person.submit()) == person.of_batch("done")
    assert Annotation.objects.count() == 4


def test_the_review_lists_what_is_missing_with_links(person: Person) -> None:
    answer_step(step_at(person.batch))
    page = person.client.get(person.of_batch("review")).content.decode()
    assert "3 questions are not answered yet" in page
    assert "please answer the question before it first" in page
    assert person.address(2) in page
    refused = person.submit()
    assert refused.status_code == 422
    assert "nothing was submitted" in refused.content.decode()
    assert not Annotation.objects.exists()


def test_the_review_says_of_every_text_what_was_answered(person: Person) -> None:
    person.post({"sentences": ["0", "2"], "revision": "0"})
    person.get(1, 2)
    person.post({"value": "72.5", "revision": "0"}, 1, 2)
    person.post({"none": "on", "revision": "0"}, 2, 1)
    page = person.client.get(person.of_batch("review")).content.decode()
    claims = [unit.source.claim for unit in person.batch.round.study.units.all()]
    assert sum(claim in page for claim in claims) == 2
    for words in ("Sentences 1, 3", "72.5, on a scale from 0 to 100", "None of these sentences"):
        assert words in page
    frozen, rest = page.split("can no longer be changed</span>", 1)
    assert "Sentences 1, 3" in frozen
    assert "Sentences" not in rest
    links = re.findall(r'href="([^"]+)"[^>]*>(Change|Answer)<', page)
    assert links == [(person.address(1, 2), "Change"), (person.address(2, 1), "Change"),
                     (person.address(2, 2), "Answer")]  # fmt: skip


def test_submitting_twice_shows_the_same_page_and_counts_once(person: Person) -> None:
    answer_all(person.batch)
    assert {url(person.submit()) for _ in range(2)} == {person.of_batch("done")}
    assert Annotation.objects.count() == 4
    assert LedgerRow.objects.count() == 2


def test_the_last_page_thanks_pays_and_says_which_claims_were_false(person: Person) -> None:
    answer_all(person.batch)
    person.submit()
    page = person.client.get(person.of_batch("done")).content.decode()
    for words in ("DONE-1", "<bdi>1.00 USD</bdi> + <bdi>0.50 USD</bdi>", "1.50 USD", "false"):
        assert words in page


def test_after_submitting_a_question_leads_to_the_last_page(person: Person) -> None:
    answer_all(person.batch)
    person.submit()
    assert url(person.client.get(person.address())) == person.of_batch("done")
    assert url(person.client.get(person.of_batch("review"))) == person.of_batch("done")
    changed = person.post({"value": "99", "revision": "1"}, 1, 2)
    assert changed.status_code == 409
    assert "has already been submitted" in changed.content.decode()
    assert person.autosave({"value": "99", "revision": "1"}, 1, 2).status_code == 409
    assert person.client.post(person.of_batch("extend")).status_code == 409


def test_a_batch_that_was_given_back_says_so(person: Person, study: Study) -> None:
    person.client.post(reverse("annotation:leave", args=[study.slug]))
    for refused in (
        person.client.get(person.address()),
        person.client.get(person.of_batch("review")),
        person.post({"sentences": ["0"], "revision": "0"}),
        person.submit(),
    ):
        assert refused.status_code == 409
        assert "batch is closed" in refused.content.decode()


def test_a_batch_may_be_finished_though_the_study_was_closed(person: Person) -> None:
    Study.objects.update(state=Study.State.CLOSED)
    person.post({"sentences": ["0"], "revision": "0"})
    answer_all(person.batch)
    assert url(person.submit()) == person.of_batch("done")


def test_nothing_is_done_with_the_last_page_before_submitting(person: Person) -> None:
    assert url(person.client.get(person.of_batch("done"))) == person.of_batch("review")


def plain(page: str) -> str:
    """A page without what belongs to the text, the place and the moment."""
    page = re.sub(r'csrfmiddlewaretoken" value="[^"]+"', "", page)
    page = re.sub(r'X-CSRFToken": "[^"]+"', "", page)
    page = re.sub(r"<dd><bdi>(true|false)</bdi></dd>", "", page)
    return re.sub(r"\d+", "#", page)


def test_a_control_looks_like_any_other_question() -> None:
    study = make_study(sources=1, positive=1, negative=1, per_batch=1)
    person = Person(study)
    pages, roles = {}, {}
    for one in person.batch.assignment_units.select_related("place"):
        roles[one.place.role] = one.position
    for role, position in roles.items():
        # The first and the last question have other buttons beside them: compare the form's part.
        page = person.get(position).replace("Control+Enter", "")
        pages[role] = plain(page)
        for word in ("positive", "negative", "normal", "control", "reference"):
            assert word not in page.lower()
    start, end = "<fieldset", 'class="bar'
    parts = {role: page[page.index(start) : page.index(end)] for role, page in pages.items()}
    assert parts["positive"] == parts["normal"] == parts["negative"]
    heads = {page[: page.index("<form")] for page in pages.values()}
    assert len(heads) == 1


def test_the_pages_of_a_batch_need_few_queries_whatever_its_size(
    django_assert_max_num_queries: Any,
) -> None:
    person = Person(make_study(sources=8, per_batch=8))
    person.get()
    with django_assert_max_num_queries(3):
        person.get()
    with django_assert_max_num_queries(4):
        person.post({"sentences": ["0"], "revision": "0"})
    with django_assert_max_num_queries(4):
        person.autosave({"sentences": ["0", "1"], "revision": "1"})
    with django_assert_max_num_queries(4):  # PostgreSQL plans two of them now
        person.client.get(person.of_batch("review"))
    submit(assignment=answer_all(person.batch), now=timezone.now())
    with django_assert_max_num_queries(12):
        person.client.get(person.of_batch("done"))

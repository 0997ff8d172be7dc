"""Researchers work through their own study, and nothing of it is there afterwards."""

from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.entry.arrival import arrive
from annotation.entry.consent import consent_hash, give_consent
from annotation.entry.invitations import invite
from annotation.models import Member, Participation, Round, Study, Unit, User, Worker
from annotation.panels.registry import PANELS
from annotation.work.ledger import earned
from annotation.work.steps import Steps
from annotation.work.submission import submit
from desk.studies.tryouts import NothingToTry, end_old_tryouts, try_out
from imports.material.removal import remove_study
from tests.annotation.pilot_study import do_batch, make_pilot_study
from tests.annotation.workers import POSTED, answer_all, lease
from tests.cast import add_unit, join, make_study, make_user

pytestmark = pytest.mark.django_db
NOW = timezone.now()


def rows_of(study: Study) -> dict[str, Any]:
    """Every row of every model that belongs to people's work in the study."""
    found: dict[str, Any] = {"study": Study.objects.filter(pk=study.pk).values().get()}
    for name, of_study in {
        "annotation.Place": "round__study",
        "annotation.Participation": "study",
        "annotation.Rater": "study",
        "annotation.Annotation": "study",
        "annotation.Rating": "study",
        "annotation.LedgerRow": "participation__study",
        "annotation.Assignment": "round__study",
        "annotation.AssignmentUnit": "place__round__study",
        "annotation.Unit": "study",
        "annotation.Question": "study",
    }.items():
        found[name] = list(apps.get_model(name).objects.filter(**{of_study: study}).values())
    return found


def agreed(person: Participation) -> Participation:
    give_consent(participation=person, text_hash=consent_hash(person.study), of_age=True)
    return person


def test_a_try_out_goes_through_every_round_and_leaves_no_trace_in_the_study(owner: User) -> None:
    study = make_pilot_study()
    study.recruitment["invite_qualified"] = True
    study.save()
    before = rows_of(study)
    person = agreed(try_out(study=study, by=owner))
    rounds = [do_batch(person).round.name for _ in range(2)]
    assert rounds == ["pilot", "main"]
    assert earned(person)[0][0] > 0
    assert person.study.annotations.exists()
    assert rows_of(study) == before
    # Who never works in the study itself may start there as a worker, too.
    assert do_batch(agreed(arrive(study=study, invitation=invite(study=study, created_by=None))))


def test_a_draft_can_be_tried_out_and_stays_one(owner: User) -> None:
    study = make_study(state=Study.State.DRAFT)
    Study.objects.update(ethics={}, consent_text="")
    assert lease(agreed(try_out(study=study, by=owner)))
    study.refresh_from_db()
    assert study.state == Study.State.DRAFT


def test_controls_that_are_not_there_yet_are_left_out(owner: User) -> None:
    study = make_study(state=Study.State.DRAFT, positive=1)
    study.rounds.update(positive_per_batch=3, negative_per_batch=1)
    batch = lease(agreed(try_out(study=study, by=owner)))
    roles = sorted(batch.assignment_units.values_list("unit__role", flat=True))
    assert roles == ["normal", "normal", "positive"]


def test_worked_examples_and_training_are_those_of_the_study(owner: User) -> None:
    study = make_study()
    round_ = study.rounds.get()
    training = Round.objects.create(
        study=study, position=1, name="training", counts=False, shows_answers=True
    )
    add_unit(study, training, 50, Unit.Role.TRAINING).places.update(wanted=None)
    example = add_unit(study, round_, 60, Unit.Role.EXAMPLE)
    example.places.all().delete()
    Round.objects.filter(pk=round_.pk).update(position=2)
    Round.objects.filter(pk=training.pk).update(position=0)
    person = try_out(study=study, by=owner)
    assert person.study.units.get(role="example").key == example.key
    batch = lease(agreed(person))
    assert [one.unit.role for one in batch.assignment_units.all()] == ["training"]


def test_a_new_try_out_takes_the_place_of_the_one_before(owner: User, colleague: User) -> None:
    study = make_study()
    first, others = (try_out(study=study, by=user) for user in (owner, colleague))
    do_batch(agreed(first))
    again = try_out(study=study, by=owner)
    assert set(study.tryouts.all()) == {again.study, others.study}
    assert set(Worker.objects.all()) == {again.worker, others.worker}


def test_what_was_tried_out_goes_the_night_after(owner: User) -> None:
    study = make_study()
    answer_all(lease(agreed(try_out(study=study, by=owner))))
    now = timezone.now()
    assert end_old_tryouts(now=now) == 0
    assert end_old_tryouts(now=now + timedelta(days=1)) == 1
    assert [*Study.objects.all()] == [study]


def test_a_study_goes_with_what_was_tried_out(owner: User) -> None:
    study = make_study()
    do_batch(agreed(try_out(study=study, by=owner)))
    remove_study(study=study)
    assert not Study.objects.exists()


def test_a_study_without_rounds_cannot_be_tried_out(owner: User) -> None:
    study = make_study()
    study.rounds.all().delete()
    with pytest.raises(NothingToTry):
        try_out(study=study, by=owner)
    assert not study.tryouts.exists()


# --- The pages ----------------------------------------------------------------------------------


def begin(client: Client, study: Study) -> str:
    sent = client.post(reverse("desk:try-out", args=[study.slug]))
    return str(sent.headers["Location"])


def test_an_editor_meets_the_workers_pages_each_marked_as_a_try_out(
    client: Client, study: Study, owner: User
) -> None:
    client.force_login(owner)
    assert "Try it as a worker" in client.get(study.get_absolute_url()).content.decode()
    lobby = begin(client, study)
    copy = study.tryouts.get()
    consent = reverse("annotation:consent", args=[copy.slug])
    assert lobby == reverse("annotation:lobby", args=[copy.slug])
    pages = [lobby, consent]
    agreed(copy.participations.get())
    address = client.post(reverse("annotation:start", args=[copy.slug])).headers["Location"]
    pages.append(address)
    batch = copy.participations.get().assignments.get()
    for step in Steps(batch).all:
        posted = POSTED[step.question.block.task_type_slug]
        client.post(step.url, {**posted, "revision": "0"})
    pages.append(reverse("annotation:review", args=[batch.public_id]))
    for page in pages:
        assert "This is a try-out" in client.get(page).content.decode(), page
    answer_all(batch)
    client.post(reverse("annotation:submit", args=[batch.public_id]))
    done = client.get(reverse("annotation:done", args=[batch.public_id])).content.decode()
    assert "This is a try-out" in done
    assert "DONE-1" in done
    assert not study.participations.exists()


@pytest.mark.parametrize("panel", [panel.slug for panel in PANELS])
def test_the_end_can_be_seen_whatever_the_panel(
    client: Client, study: Study, owner: User, panel: str
) -> None:
    study.recruitment |= {"panel": panel, "frame_origins": ["https://panel.example"]}
    study.save()
    client.force_login(owner)
    assert client.get(begin(client, study), follow=True).status_code == 200
    person = agreed(study.tryouts.get().participations.get())
    batch = submit(assignment=answer_all(lease(person)), now=timezone.now())
    for page in (
        reverse("annotation:done", args=[batch.public_id]),
        reverse("annotation:lobby", args=[person.study.slug]),
        reverse("annotation:statement", args=[person.study.slug]),
        reverse("annotation:my-data", args=[person.study.slug]),
    ):
        shown = client.get(page)
        assert shown.status_code == 200
        assert "This is a try-out" in shown.content.decode(), page
    client.post(reverse("annotation:leave", args=[person.study.slug]))
    ended = client.get(reverse("annotation:end", args=[person.study.slug]))
    assert "This is a try-out" in ended.content.decode()
    assert not study.participations.exists()


def test_a_real_worker_sees_no_mark(client: Client, study: Study) -> None:
    link = reverse("annotation:join", args=[invite(study=study, created_by=None).token])
    assert "try-out" not in client.post(link, follow=True).content.decode()


def test_who_follows_an_invitation_after_a_try_out_is_a_newcomer(
    client: Client, study: Study, owner: User
) -> None:
    client.force_login(owner)
    begin(client, study)
    client.post(reverse("annotation:join", args=[invite(study=study, created_by=None).token]))
    assert not study.participations.get().worker.tries_out


def test_a_try_out_is_on_no_list_and_has_no_page_of_its_own(
    client: Client, study: Study, owner: User
) -> None:
    client.force_login(owner)
    begin(client, study)
    copy = study.tryouts.get()
    assert copy.slug not in client.get(reverse("desk:home")).content.decode()
    assert client.get(copy.get_absolute_url()).status_code == 404


def test_only_who_edits_a_study_tries_it_out(
    client: Client, study: Study, colleague: User, outsider: User
) -> None:
    address = reverse("desk:try-out", args=[study.slug])
    assert client.post(address).headers["Location"].startswith(reverse("desk:sign-in"))
    reviewer = make_user("reviewer")
    join(study, reviewer, Member.Role.REVIEWER)
    for user, status in ((outsider, 404), (colleague, 403), (reviewer, 403)):
        client.force_login(user)
        assert client.post(address).status_code == status
        assert "Try it as a worker" not in client.get(study.get_absolute_url()).content.decode()
    assert not study.tryouts.exists()


@pytest.mark.parametrize("fields", [{"paused_at": NOW}, {"archived_at": NOW, "state": "closed"}])
def test_a_paused_or_archived_study_can_be_tried_out(owner: User, fields: dict[str, Any]) -> None:
    study = make_study()
    Study.objects.filter(pk=study.pk).update(**fields)
    study.refresh_from_db()
    assert lease(agreed(try_out(study=study, by=owner)))

"""The researchers' pages: who sees what, and what each button does."""

import csv
import re
from collections import Counter

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.entry.invitations import end_invitation, invite
from annotation.models import Invitation, Member, Study, User, Worker
from tests.cast import PASSWORD, join, make_study, make_user

Role = Member.Role
STUDY_PAGES = ["desk:study", "desk:recruitment", "desk:settings"]
STUDY_BUTTONS = ["desk:open", "desk:close"]


@pytest.fixture
def as_owner(client: Client, owner: User) -> Client:
    client.force_login(owner)
    return client


def test_a_visitor_is_told_what_this_is_and_where_to_sign_in(client: Client, db: None) -> None:
    page = client.get(reverse("desk:home"))
    assert page.status_code == 200
    assert reverse("desk:sign-in") in page.content.decode()


def test_a_researcher_signs_in_and_sees_their_own_studies_only(
    client: Client, study: Study, owner: User
) -> None:
    make_study("foreign")
    sent = client.post(reverse("desk:sign-in"), {"username": "owner", "password": PASSWORD})
    assert sent.url == reverse("desk:home")  # type: ignore[attr-defined]
    page = client.get(reverse("desk:home")).content.decode()
    assert study.get_absolute_url() in page
    assert "foreign" not in page


def test_a_wrong_password_is_said_in_words(client: Client, owner: User) -> None:
    page = client.post(reverse("desk:sign-in"), {"username": "owner", "password": "wrong"})
    assert 'role="alert"' in page.content.decode()


@pytest.mark.parametrize("name", STUDY_PAGES)
def test_an_outsider_sees_nothing_of_a_study(
    client: Client, study: Study, outsider: User, name: str
) -> None:
    client.force_login(outsider)
    assert client.get(reverse(name, args=[study.slug])).status_code == 404


@pytest.mark.parametrize("name", STUDY_BUTTONS)
def test_an_outsider_presses_no_button_of_a_study(
    client: Client, study: Study, outsider: User, name: str
) -> None:
    client.force_login(outsider)
    assert client.post(reverse(name, args=[study.slug])).status_code == 404
    study.refresh_from_db()
    assert study.state == Study.State.OPEN


@pytest.mark.parametrize("name", STUDY_PAGES)
def test_a_visitor_is_sent_to_sign_in(client: Client, study: Study, name: str) -> None:
    sent = client.get(reverse(name, args=[study.slug]))
    assert sent.status_code == 302
    assert sent.url.startswith(reverse("desk:sign-in"))  # type: ignore[attr-defined]


def test_a_viewer_sees_the_study_and_may_change_nothing(
    client: Client, study: Study, colleague: User
) -> None:
    client.force_login(colleague)
    page = client.get(study.get_absolute_url())
    assert page.status_code == 200
    assert reverse("desk:close", args=[study.slug]) not in page.content.decode()
    for name in ["desk:recruitment", "desk:settings"]:
        assert client.get(reverse(name, args=[study.slug])).status_code == 403
    assert client.post(reverse("desk:close", args=[study.slug])).status_code == 403


def test_the_study_page_takes_the_same_queries_whatever_the_size(
    as_owner: Client, study: Study, django_assert_max_num_queries: object
) -> None:
    big = make_study("big", sources=30)
    join(big, Member.objects.get(study=study, role=Role.OWNER).user, Role.OWNER)
    for one in (study, big):
        with django_assert_max_num_queries(20):  # type: ignore[operator]
            assert as_owner.get(one.get_absolute_url()).status_code == 200


def test_a_study_that_lacks_something_does_not_open_and_says_what(
    as_owner: Client, study: Study
) -> None:
    Study.objects.update(state=Study.State.DRAFT, consent_text="", ethics={"board": "B"})
    page = as_owner.post(reverse("desk:open", args=[study.slug]), follow=True).content.decode()
    assert "a consent text with its version" in page
    assert "contact" in page
    study.refresh_from_db()
    assert study.state == Study.State.DRAFT


def test_a_study_that_has_everything_opens_and_closes(as_owner: Client, study: Study) -> None:
    Study.objects.update(state=Study.State.DRAFT)
    for name, state in (("desk:open", Study.State.OPEN), ("desk:close", Study.State.CLOSED)):
        as_owner.post(reverse(name, args=[study.slug]))
        study.refresh_from_db()
        assert study.state == state


def test_a_round_without_its_controls_keeps_the_study_from_opening(
    as_owner: Client, study: Study
) -> None:
    Study.objects.update(state=Study.State.DRAFT)
    study.rounds.update(positive_per_batch=2)
    page = as_owner.post(reverse("desk:open", args=[study.slug]), follow=True).content.decode()
    assert "4 positive units of different sources" in page


def test_an_editor_makes_an_open_link_and_a_personal_one(as_owner: Client, study: Study) -> None:
    address = reverse("desk:invitations", args=[study.slug])
    as_owner.post(address, {"max_uses": "3", "note": "class"})
    as_owner.post(address, {"personal": "on", "number": "1"})
    shared, personal = Invitation.objects.order_by("pk")
    assert (shared.max_uses, shared.worker) == (3, None)
    assert personal.worker is not None
    assert shared.token in as_owner.get(address, follow=True).content.decode()


def test_without_a_number_there_is_a_personal_link_for_everybody_who_is_needed(
    as_owner: Client, study: Study
) -> None:
    """Nobody meets a source twice, so each unit of the source with most is for other people."""
    units = study.units.normal_pool().values_list("source", flat=True)
    of_one_source = max(Counter(units).values())
    as_owner.post(reverse("desk:invitations", args=[study.slug]), {"personal": "on"})
    assert Invitation.objects.count() >= study.overlap * of_one_source > 1


def links(client: Client, study: Study) -> list[list[str]]:
    page = client.get(reverse("desk:invitation-links", args=[study.slug])).content.decode()
    return list(csv.reader(page.splitlines()))


def test_many_personal_links_are_made_at_once_and_downloaded(
    as_owner: Client, study: Study
) -> None:
    address = reverse("desk:invitations", args=[study.slug])
    as_owner.post(address, {"personal": "on", "number": "120", "note": "=class"})
    assert Worker.objects.count() == Invitation.objects.count() == 120
    head, *rows = links(as_owner, study)
    assert head == ["link", "for", "used", "at_most", "round", "note", "made"]
    assert {tuple(row[1:6]) for row in rows} == {("one person", "0", "", "", "'=class")}
    tokens = {invitation.token for invitation in Invitation.objects.all()}
    assert {row[0].split("/")[-2] for row in rows} == tokens
    assert rows[0][0].startswith("http://testserver/join/")


def test_the_list_of_links_goes_on_on_further_pages(
    as_owner: Client, study: Study, django_assert_max_num_queries: object
) -> None:
    address = reverse("desk:invitations", args=[study.slug])
    as_owner.post(address, {"personal": "on", "number": "120"})
    listed = reverse("desk:recruitment", args=[study.slug])
    with django_assert_max_num_queries(15):  # type: ignore[operator]
        pages = [as_owner.get(f"{listed}?page=1").content.decode()]
    pages.append(as_owner.get(f"{listed}?page=2").content.decode())
    for invitation in Invitation.objects.all():
        assert sum(f'href="/join/{invitation.token}/"' in page for page in pages) == 1


def test_a_link_that_is_ended_lets_nobody_in_any_more(
    client: Client, study: Study, owner: User
) -> None:
    invitation = invite(study=study, created_by=None)
    join_address = reverse("annotation:join", args=[invitation.token])
    worker = Client()
    worker.post(join_address)
    client.force_login(owner)
    end = reverse("desk:end-invitation", args=[study.slug, invitation.pk])
    page = client.post(end, follow=True).content.decode()
    assert "no longer works" in page
    assert links(client, study)[1:] == []
    invitation.refresh_from_db()
    ended_at = invitation.ended_at
    client.post(end)
    invitation.refresh_from_db()
    assert invitation.ended_at == ended_at
    for answer in (Client().get(join_address), Client().post(join_address)):
        assert answer.status_code == 410
        assert "does not open the study any more" in answer.content.decode()
    assert study.participations.count() == 1
    # Who came by it is not put out.
    assert worker.get(join_address).status_code == 302


def test_a_personal_link_that_is_ended_opens_nobodys_place(study: Study) -> None:
    invitation = invite(study=study, created_by=None, personal=True)
    address = reverse("annotation:join", args=[invitation.token])
    worker = Client()
    worker.post(address)
    assert end_invitation(invitation=invitation, now=timezone.now())
    assert Client().get(address).status_code == 410
    assert Client().post(address).status_code == 410
    assert worker.get(address).status_code == 302


def test_only_who_edits_a_study_ends_its_links_or_takes_them_away(
    client: Client, study: Study, colleague: User, outsider: User, owner: User
) -> None:
    invitation = invite(study=study, created_by=None)
    end = reverse("desk:end-invitation", args=[study.slug, invitation.pk])
    away = reverse("desk:invitation-links", args=[study.slug])
    for user, status in ((outsider, 404), (colleague, 403)):
        client.force_login(user)
        assert client.post(end).status_code == client.get(away).status_code == status
    other = make_study("other")
    join(other, outsider, Role.OWNER)
    client.force_login(outsider)
    foreign = reverse("desk:end-invitation", args=[other.slug, invitation.pk])
    assert client.post(foreign).status_code == 404
    invitation.refresh_from_db()
    assert invitation.ended_at is None


def test_the_link_for_the_studys_panel_is_shown_where_there_is_one(
    as_owner: Client, study: Study
) -> None:
    address = reverse("desk:invitations", args=[study.slug])
    assert "The link for the panel" not in as_owner.get(address, follow=True).content.decode()
    Study.objects.update(recruitment={"panel": "prolific"})
    page = as_owner.get(address, follow=True).content.decode()
    assert "http://testserver/arrive/small/prolific/?PROLIFIC_PID={{%PROLIFIC_PID%}}" in page


def test_a_limit_of_no_uses_is_refused_beside_its_field(as_owner: Client, study: Study) -> None:
    page = as_owner.post(reverse("desk:invitations", args=[study.slug]), {"max_uses": "0"})
    assert page.status_code == 422
    assert "field__error" in page.content.decode()
    assert not Invitation.objects.exists()


def test_an_owner_gives_roles_and_takes_them_away(as_owner: Client, study: Study) -> None:
    other = make_user("other")
    as_owner.post(
        reverse("desk:members", args=[study.slug]), {"username": "other", "role": "editor"}
    )
    assert Member.objects.get(study=study, user_id=other.pk).role == Role.EDITOR
    as_owner.post(reverse("desk:remove-member", args=[study.slug, other.pk]))
    assert not Member.objects.filter(user_id=other.pk).exists()


def test_a_name_alone_gives_nobody_a_role(as_owner: Client, study: Study) -> None:
    """The first role in the list used to be preselected: owner."""
    make_user("intern")
    page = reverse("desk:members", args=[study.slug])
    form = as_owner.get(page, follow=True).content.decode().split('id="id_role"')[1]
    first = re.findall(r'<option value="(\w*)"', form)[0]
    assert as_owner.post(page, {"username": "intern", "role": first}).status_code == 422
    assert not study.members.filter(user__username="intern").exists()


def test_somebody_who_does_not_exist_cannot_be_a_member(as_owner: Client, study: Study) -> None:
    page = as_owner.post(
        reverse("desk:members", args=[study.slug]), {"username": "nobody", "role": "viewer"}
    )
    assert page.status_code == 422
    assert "There is no user of this name." in page.content.decode()


def test_the_last_owner_can_neither_leave_nor_step_down(
    as_owner: Client, study: Study, owner: User
) -> None:
    as_owner.post(reverse("desk:remove-member", args=[study.slug, owner.pk]))
    page = as_owner.post(
        reverse("desk:members", args=[study.slug]), {"username": "owner", "role": "viewer"}
    )
    assert page.status_code == 422
    assert Member.objects.get(study=study, user_id=owner.pk).role == Role.OWNER


@pytest.mark.parametrize("role", list(Role))
def test_each_role_may_what_the_ones_below_it_may(role: Member.Role) -> None:
    order = [Role.OWNER, Role.EDITOR, Role.REVIEWER, Role.VIEWER]
    assert [role.may(needed) for needed in order] == [
        order.index(role) <= i for i in range(len(order))
    ]


def test_the_study_page_tells_what_the_files_held_and_what_was_odd(
    as_owner: Client, study: Study
) -> None:
    counts = {"citations_outside_passages": 1, "items": 3}
    Study.objects.update(
        imported={"counts": counts, "odd": {"citations_outside_passages": ["bridge-cost [9]"]}}
    )
    page = as_owner.get(reverse("desk:set-up", args=[study.slug])).content.decode()
    assert page.index("<dt>Items") < page.index("<dt>Citations outside passages")
    assert "citations outside passages" in page
    assert "bridge-cost [9]" in page

"""Inviting colleagues: a link works once, for a while, for whom it is meant, as long as its maker
may invite."""

from datetime import timedelta
from http import HTTPStatus
from io import StringIO
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from accounts.accounts import hand_over, leave_study, set_active
from accounts.invitations import end_invitation, invite_colleague
from accounts.membership import LastOwner
from accounts.models import ColleagueInvitation
from annotation.models import Member, Study, User
from tests.cast import join, make_study, make_user
from tests.sessions import as_user

Role = Member.Role
NEWCOMER = {
    "username": "newcomer",
    "first_name": "New Comer",
    "email": "new@example.org",
    "password1": "three words apart",
    "password2": "three words apart",
}


def invited(study: Study, owner: User, role: Member.Role = Role.EDITOR, **more: Any) -> str:
    """The address of a link into the study."""
    _made, token = invite_colleague(study=study, role=role, by=owner, **more)
    return reverse("desk:invitation", args=[token])


def role_of(study: Study, name: str) -> str | None:
    member = study.members.filter(user__username=name).first()
    return None if member is None else member.role


def test_an_owner_gets_a_link_that_is_shown_once_and_kept_nowhere(
    study: Study, owner: User
) -> None:
    client, page = as_user(owner), reverse("desk:settings", args=[study.slug])
    client.post(reverse("desk:invite-colleague", args=[study.slug]), {"role": "editor"})
    link = client.get(page).context["made_link"]
    assert link.startswith("http://testserver/invitation/")
    assert link not in client.get(page).content.decode()
    made = ColleagueInvitation.objects.get()
    assert link.rstrip("/").rpartition("/")[2] not in str(vars(made))
    assert (made.study, made.role, made.made_by) == (study, "editor", owner)


def test_a_newcomer_makes_an_account_by_a_link_and_is_a_member(
    client: Client, study: Study, owner: User
) -> None:
    link = invited(study, owner)
    assert "Make the account and join" in client.get(link).content.decode()
    assert client.post(link, NEWCOMER).headers["Location"] == study.get_absolute_url()
    assert client.get(study.get_absolute_url()).status_code == HTTPStatus.OK
    assert role_of(study, "newcomer") == Role.EDITOR
    assert User.objects.get(username="newcomer").is_superuser is False


def test_somebody_signed_in_accepts_with_their_account(
    study: Study, owner: User, outsider: User
) -> None:
    link, theirs = invited(study, owner, Role.REVIEWER), as_user(outsider)
    assert "Accept as outsider" in theirs.get(link).content.decode()
    theirs.post(link)
    assert role_of(study, "outsider") == Role.REVIEWER


def test_opening_a_link_changes_nothing(study: Study, owner: User, outsider: User) -> None:
    as_user(outsider).get(invited(study, owner))
    assert role_of(study, "outsider") is None


def test_a_link_works_once(client: Client, study: Study, owner: User, outsider: User) -> None:
    link = invited(study, owner)
    as_user(outsider).post(link)
    assert client.get(link).status_code == HTTPStatus.NOT_FOUND
    assert client.post(link, NEWCOMER).status_code == HTTPStatus.NOT_FOUND
    assert not User.objects.filter(username="newcomer").exists()


@pytest.mark.parametrize("how", ["expired", "ended", "left", "demoted", "deactivated"])
def test_a_link_ends_with_its_time_its_maker_or_by_hand(
    client: Client, study: Study, owner: User, how: str
) -> None:
    other = make_user("second owner")
    join(study, other, Role.OWNER)
    link, made = invited(study, owner), ColleagueInvitation.objects.get
    if how == "expired":
        ColleagueInvitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    elif how == "ended":
        assert end_invitation(invitation=made(), by=other, now=timezone.now())
        assert not end_invitation(invitation=made(), by=other, now=timezone.now())
    elif how == "left":
        leave_study(study=study, user=owner, by=owner)
    elif how == "demoted":
        Member.objects.filter(user=owner).update(role=Role.EDITOR)
    else:
        set_active(user=owner, active=False, by=None)
    assert client.post(link, NEWCOMER).status_code == HTTPStatus.NOT_FOUND
    assert role_of(study, "newcomer") is None


def test_a_wrong_token_says_as_much_as_an_old_one(client: Client, db: None) -> None:
    page = client.get(reverse("desk:invitation", args=["nothing"]))
    assert page.status_code == HTTPStatus.NOT_FOUND
    assert "is not valid" in page.content.decode()


def test_an_invitation_never_takes_a_role_away(study: Study, owner: User) -> None:
    link = invited(study, owner, Role.VIEWER)
    as_user(owner).post(link)
    assert role_of(study, "owner") == Role.OWNER


def test_an_invitation_for_somebody_elses_address_is_not_accepted(
    study: Study, owner: User, outsider: User, colleague: User
) -> None:
    User.objects.filter(pk=colleague.pk).update(email="col@example.org")
    EmailAddress.objects.create(
        user=colleague, email="col@example.org", verified=True, primary=True
    )
    link = invited(study, owner, Role.EDITOR, email="col@example.org")
    assert "belongs to another account" in as_user(outsider).get(link).content.decode()
    as_user(outsider).post(link)
    assert role_of(study, "outsider") is None
    as_user(colleague).post(link)
    assert role_of(study, "colleague") == Role.EDITOR


def test_with_e_mail_the_link_is_sent_and_shown_to_nobody(
    client: Client, study: Study, owner: User, settings: Settings
) -> None:
    settings.EMAIL_ENABLED = True
    theirs = as_user(owner)
    sent = {"role": "viewer", "email": "New@example.org"}
    theirs.post(reverse("desk:invite-colleague", args=[study.slug]), sent)
    assert (
        "made-link" not in theirs.get(reverse("desk:settings", args=[study.slug])).content.decode()
    )
    (letter,) = mail.outbox
    link = next(line for line in letter.body.splitlines() if line.startswith("http"))
    client.post(link, NEWCOMER)
    confirmed = EmailAddress.objects.get(verified=True)
    assert (letter.to, confirmed.email) == (["New@example.org"], "new@example.org")


def test_a_link_that_an_owner_saw_confirms_no_address(
    client: Client, study: Study, owner: User
) -> None:
    client.post(invited(study, owner, email="new@example.org"), NEWCOMER)
    assert not EmailAddress.objects.filter(verified=True).exists()


@pytest.mark.parametrize(
    ("rule", "whose"),
    [("open", {"owner", "operator", "nobody"}), ("invited", {"owner", "operator"}),
     ("closed", {"operator"})],
)  # fmt: skip
def test_whose_invitations_make_accounts(
    study: Study, owner: User, settings: Settings, rule: str, whose: set[str]
) -> None:
    settings.SIGN_UP = rule
    _made, token = invite_colleague(study=None, role=None, by=None)
    links = {
        "owner": invited(study, owner),
        "operator": reverse("desk:invitation", args=[token]),
        "nobody": reverse("desk:sign-up"),
    }
    for name, link in links.items():
        Client().post(link, NEWCOMER | {"username": f"by-{name}", "email": ""})
    assert {name for name in links if User.objects.filter(username=f"by-{name}")} == whose


def test_a_name_is_taken_whatever_its_case(client: Client, study: Study, owner: User) -> None:
    page = client.post(invited(study, owner), NEWCOMER | {"username": "OWNER"})
    assert page.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "taken" in page.content.decode()
    assert ColleagueInvitation.objects.get().accepted_at is None


def test_making_an_account_ends_no_other_session_in_the_browser_but_its_key(
    client: Client, study: Study, owner: User
) -> None:
    client.get(reverse("desk:passkey-question"))
    session = client.session
    session["worker"] = 7
    session.save()
    before = client.cookies["jurybox_session"].value
    client.post(invited(study, owner), NEWCOMER)
    assert client.cookies["jurybox_session"].value != before
    assert client.session["worker"] == 7


def test_the_operator_invites_by_a_command(client: Client, db: None) -> None:
    printed = StringIO()
    call_command("invite_colleague", stdout=printed)
    client.post(printed.getvalue().strip().removeprefix("http://localhost:8000"), NEWCOMER)
    assert User.objects.filter(username="newcomer").exists()


# --- Roles --------------------------------------------------------------------------------------


def test_an_owner_hands_a_study_over_and_stays_as_an_editor(
    study: Study, owner: User, colleague: User
) -> None:
    sent = as_user(owner).post(reverse("desk:hand-over", args=[study.slug, colleague.pk]))
    assert sent.headers["Location"] == study.get_absolute_url()
    assert (role_of(study, "colleague"), role_of(study, "owner")) == (Role.OWNER, Role.EDITOR)


def test_the_last_owner_stays_one(study: Study, owner: User, colleague: User) -> None:
    client = as_user(owner)
    for name, sent in [("member-role", {"role": "viewer"}), ("remove-member", {})]:
        client.post(reverse(f"desk:{name}", args=[study.slug, owner.pk]), sent)
        assert role_of(study, "owner") == Role.OWNER
    with pytest.raises(LastOwner):
        hand_over(study=study, owner=owner, to=owner)


def test_a_role_is_changed_in_its_row(study: Study, owner: User, colleague: User) -> None:
    address = reverse("desk:member-role", args=[study.slug, colleague.pk])
    as_user(owner).post(address, {"role": "reviewer"})
    assert role_of(study, "colleague") == Role.REVIEWER
    as_user(owner).post(address, {"role": "emperor"})
    assert role_of(study, "colleague") == Role.REVIEWER


def buttons(study: Study, owner: User, colleague: User) -> list[str]:
    invited(study, owner)
    made = ColleagueInvitation.objects.get()
    return [
        reverse("desk:invite-colleague", args=[study.slug]),
        reverse("desk:end-colleague", args=[study.slug, made.pk]),
        reverse("desk:member-role", args=[study.slug, colleague.pk]),
        reverse("desk:hand-over", args=[study.slug, colleague.pk]),
    ]


def test_only_an_owner_presses_the_buttons_of_members(
    study: Study, owner: User, colleague: User, outsider: User
) -> None:
    editor = make_user("editor")
    join(study, editor, Role.EDITOR)
    for address in buttons(study, owner, colleague):
        sent = {"role": "owner"}
        assert as_user(outsider).post(address, sent).status_code == HTTPStatus.NOT_FOUND
        assert as_user(editor).post(address, sent).status_code == HTTPStatus.FORBIDDEN
        assert Client().post(address, sent).headers["Location"].startswith("/sign-in/")
    assert ColleagueInvitation.objects.get().ended_at is None


def test_an_owner_ends_no_invitation_of_another_study(
    study: Study, owner: User, outsider: User
) -> None:
    other = make_study("other")
    join(other, outsider, Role.OWNER)
    invited(study, owner)
    made = ColleagueInvitation.objects.get()
    address = reverse("desk:end-colleague", args=[other.slug, made.pk])
    assert as_user(outsider).post(address).status_code == HTTPStatus.NOT_FOUND


def test_the_page_of_members_asks_as_much_for_many_as_for_few(
    study: Study, owner: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(12):
        join(study, make_user(f"member-{number}"), Role.VIEWER)
        invited(study, owner)
    client = as_user(owner)
    with django_assert_max_num_queries(6):
        client.get(reverse("desk:settings", args=[study.slug]))

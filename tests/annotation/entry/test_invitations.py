"""Making and ending invitations, and what the log of the study says of it."""

import pytest
from django.utils import timezone

from annotation.entry.invitations import end_invitation, invite, invite_many
from annotation.models import Change, Study, User

pytestmark = pytest.mark.django_db


def logged(study: Study) -> list[tuple[str, int | None]]:
    changes = Change.objects.filter(study=study).order_by("pk")
    return list(changes.values_list("action", "by"))


def test_an_invitation_ends_once(study: Study, owner: User) -> None:
    invitation = invite(study=study, created_by=owner)
    other = invite(study=study, created_by=owner)
    now = timezone.now()
    assert end_invitation(invitation=invitation, now=now, by=owner)
    assert not end_invitation(invitation=invitation, now=timezone.now(), by=owner)
    for row in (invitation, other):
        row.refresh_from_db()
    assert (invitation.ended_at, other.ended_at) == (now, None)
    assert logged(study).count(("invitation.ended", owner.pk)) == 1


def test_many_invitations_are_logged_once_with_who_made_them(study: Study, owner: User) -> None:
    made = invite_many(study=study, created_by=owner, number=3, personal=True, note="class")
    assert len({invitation.pk for invitation in made}) == 3
    assert logged(study) == [("invitations.made", owner.pk)]

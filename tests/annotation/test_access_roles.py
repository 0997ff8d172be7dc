"""Of `annotation.access`: the role that somebody has in a study, whoever else works in it."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import Http404

from annotation.access import get_role, get_study
from annotation.models import Member, Study, User


def test_everybody_has_their_own_role_and_an_outsider_none(
    study: Study, owner: User, colleague: User, outsider: User
) -> None:
    roles = [get_role(user, Study.objects.get()) for user in (owner, colleague, outsider)]
    assert roles == [Member.Role.OWNER, Member.Role.VIEWER, None]
    assert get_role(AnonymousUser(), study) is None


def test_a_study_that_one_member_has_opened_gives_its_role_to_nobody_else(
    study: Study, owner: User, colleague: User, outsider: User
) -> None:
    opened = get_study(owner, study.slug)
    roles = [get_role(user, opened) for user in (owner, colleague, outsider)]
    assert roles == [Member.Role.OWNER, Member.Role.VIEWER, None]
    with pytest.raises(Http404):
        get_study(outsider, study.slug)

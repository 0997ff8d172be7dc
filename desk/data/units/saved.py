"""Saved views of the table of units: a person's own, and those shared with all members."""

from django.db import transaction
from django.db.models import Q, QuerySet

from annotation.models import Member, Study, User
from desk.models import SavedView

Role = Member.Role
# Of one person in one study.
MOST = 100


class TooMany(Exception):
    """The person has saved as many views of this study as one may."""


def views_for(study: Study, user: User) -> QuerySet[SavedView]:
    """Those that a member sees: their own, and shared ones."""
    return study.saved_views.filter(Q(owner=user) | Q(shared=True)).select_related("owner")


@transaction.atomic
def save_view(*, study: Study, owner: User, name: str, query: str, shared: bool) -> SavedView:
    """Keep a view under a name; one of the same name and person is replaced. TooMany."""
    view, new = SavedView.objects.update_or_create(
        study=study, owner=owner, name=name, defaults={"query": query, "shared": shared}
    )
    if new and study.saved_views.filter(owner=owner).count() > MOST:
        raise TooMany
    return view


def may_remove(view: SavedView, user: User, role: Member.Role | None) -> bool:
    """Whether somebody may remove a view: their own, or a shared one that they may edit."""
    return view.owner_id == user.pk or (view.shared and role is not None and role.may(Role.EDITOR))


def remove_view(*, view: SavedView) -> None:
    """Forget a view. Nothing else refers to it."""
    view.delete()

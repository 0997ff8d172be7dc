"""What an editor decides on the page of a list."""

from collections.abc import Mapping

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.models import Block, Preparation, User, log_change
from imports.preparation.lists import accept, edit, propose, reject
from imports.preparation.targets import Target
from set_up.preparation.forms import EntriesForm


@transaction.atomic
def decide(row: Preparation, form: EntriesForm, posted: Mapping[str, str], *, by: User) -> str:
    """Store the list as it was entered, then accept or reject it; what was done, in words.

    JustChanged where somebody else changed it after it was shown.
    """
    version, act = form.cleaned_data["version"], posted.get("act")
    if act == "reject":
        reject(preparation=row, version=version, by=by, now=timezone.now())
        return _("Rejected: %(list)s.") % {"list": row.key}
    if act != "accept" or form.entries != row.entries:
        edit(preparation=row, entries=form.entries, version=version, by=by)
        log_change(study=row.study, by=by, action="list.edited", subject=row.key)
        version = row.version
    if act != "accept":
        return _("Saved: %(list)s.") % {"list": row.key}
    applied = accept(preparation=row, version=version, by=by, now=timezone.now())
    return _("Accepted: %(list)s (%(what)s).") % {"list": row.key, "what": applied}


@transaction.atomic
def begin_list(*, block: Block, target: Target, by: User) -> Preparation:
    """An empty list of an item or source, to be written by hand. ValueError where it has one."""
    row = propose(block=block, target=target, entries=[], provenance={"by": "person"}, by=by)
    log_change(study=block.study, by=by, action="list.begun", subject=target.key)
    return row

"""When a study's alerts open: the keys `budget` and `alerts` of its file, set by a form."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from annotation.models import Study, User, log_change
from set_up.study_files.merge import Merge, merge_keys

Keys = Mapping[str, Any]


class JustSet(Exception):
    """Somebody else changed the rules since the form was made. merge: theirs and yours joined;
    standing: the rules now."""

    def __init__(self, merge: Merge, standing: Keys) -> None:
        super().__init__("the rules were changed meanwhile")
        self.merge, self.standing = merge, standing


def rules_of(study: Study) -> Keys:
    """The keys as they stand."""
    return {"budget": study.budget or None, "alerts": study.alert_rules}


@transaction.atomic
def set_rules(*, study: Study, keys: Keys, begun: Keys | None, by: User) -> bool:
    """Set budget and thresholds, checked before by their parts; whether that changed anything.

    begun: what the editor began with; JustSet where the study has other rules by now.
    """
    locked = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    standing = rules_of(locked)
    if begun != standing:
        raise JustSet(merge_keys(begun, keys, standing), standing)
    if keys == standing:
        return False
    Study.objects.filter(pk=study.pk).update(
        budget=keys["budget"] or {}, alert_rules=keys["alerts"]
    )
    detail = {"before": dict(standing), "after": dict(keys)}
    log_change(study=study, by=by, action="alerts.set", detail=detail)
    return True

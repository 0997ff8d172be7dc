"""Figures of people by what files tell of them, which is personal data: who may see them."""

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from annotation.access import Role, may
from annotation.models import Study
from annotation.queries.group_keys import OF_RATERS
from estimates.data.own_groups import FEWEST_PEOPLE
from estimates.report.cache import Report
from estimates.report.newest import newest_rater_groups
from results.reading.titles import key_title

TOO_FEW = _(
    "No figures by %(key)s: no group has %(fewest)d people or more. Smaller groups are not shown."
)
NO_GROUPS = _(
    "No figures by %(key)s: nothing that was answered has a value, or its values are too many or "
    "too long."
)


def may_see_people(request: HttpRequest, study: Study) -> bool:
    """Whether the reader may see what is known of the people who answered."""
    return may(request.user, study, Role.REVIEWER)


def may_group(request: HttpRequest, study: Study) -> bool:
    """Whether the reader may choose own columns of imported files to group results by."""
    return bool(study.imported) and may(request.user, study, Role.EDITOR)


def own_keys(request: HttpRequest, study: Study) -> list[str]:
    """The own columns by which the reader may see figures."""
    sees = may_see_people(request, study)
    return [key for key in study.group_by if sees or not key.startswith(OF_RATERS)]


def with_rater_groups(request: HttpRequest, report: Report) -> Report:
    """The report with these figures, where the reader may see them."""
    may_see = may_see_people(request, report.study)
    return report.with_rows(newest_rater_groups(report.study)) if may_see else report


def ungrouped(request: HttpRequest, report: Report) -> list[str]:
    """Why there are no figures by some own columns that the study groups its results by."""
    there = {key for row in report.rows for key in row.group}
    missing = [key for key in own_keys(request, report.study) if key not in there]
    return [
        (TOO_FEW if key.startswith(OF_RATERS) else NO_GROUPS)
        % {"key": key_title(key), "fewest": FEWEST_PEOPLE}
        for key in missing
    ]

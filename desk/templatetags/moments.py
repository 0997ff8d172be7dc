"""Points in time, as seen from now."""

from datetime import datetime, timedelta

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

register = template.Library()

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
# What is older is told by its date.
OLD = 14 * DAY


@register.simple_tag
def ago(at: datetime) -> SafeString:
    """How long ago, with the exact time for whoever points at it or listens."""
    local = timezone.localtime(at)
    exact = f"{local:%Y-%m-%d %H:%M} {local.tzname()}"
    return format_html(
        '<time datetime="{}" title="{}">{}</time>', local.isoformat(), exact, _in_words(at)
    )


def _in_words(at: datetime) -> str:
    past = timezone.now() - at
    if past < MINUTE:
        return _("just now")
    if past < HOUR:
        return _("%(n)s min ago") % {"n": past // MINUTE}
    if past < DAY:
        return _("%(n)s h ago") % {"n": past // HOUR}
    if past < OLD:
        days = past // DAY
        return ngettext("%(n)s day ago", "%(n)s days ago", days) % {"n": days}
    return f"{timezone.localtime(at):%Y-%m-%d}"


@register.filter
def until(at: datetime, now: datetime) -> str:
    """How long from now, in one unit: `40 min`, `5 h`, `3 days`."""
    left = at - now
    if left < HOUR:
        return _("%(n)s min") % {"n": max(1, round(left / MINUTE))}
    if left < 2 * DAY:
        return _("%(n)s h") % {"n": round(left / HOUR)}
    days = round(left / DAY)
    return ngettext("%(n)s day", "%(n)s days", days) % {"n": days}

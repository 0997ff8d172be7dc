"""How much time is left, in few words."""

from datetime import timedelta

from django.utils.translation import gettext as _

HOUR, DAY = 60, 24 * 60


def time_left(left: timedelta) -> str:
    """Such as `57 min left`; hours from two on, days from two on. `static/js/lease.js` counts on in
    the same words."""
    minutes = max(int(left.total_seconds() // 60), 0)
    if minutes >= 2 * DAY:
        return _("%(n)s days left") % {"n": minutes // DAY}
    if minutes >= 2 * HOUR:
        return _("%(n)s h left") % {"n": minutes // HOUR}
    if minutes:
        return _("%(n)s min left") % {"n": minutes}
    return _("less than 1 min left")

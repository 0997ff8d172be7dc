"""The program's settings, with sweeps that come every few seconds: what half a minute puts right is
not waited for that long."""

from config.settings import *  # noqa: F403
from config.settings import CELERY_BEAT_SCHEDULE

JUDGE_LEASE_SECONDS = 10
for _name, _seconds in {
    "sweep-jobs": 5.0,
    "sweep-judge-runs": 3.0,
    "release-expired-leases": 5.0,
    "watch-feeds": 10.0,
}.items():
    CELERY_BEAT_SCHEDULE[_name]["schedule"] = _seconds

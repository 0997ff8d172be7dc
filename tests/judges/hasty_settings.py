"""The program's settings, with a worker that is given up and replaced within two seconds."""

from config.settings import *  # noqa: F403
from config.settings import CELERY_BEAT_SCHEDULE

JUDGE_LEASE_SECONDS = 2
CELERY_BEAT_SCHEDULE["sweep-judge-runs"]["schedule"] = 1.0

"""The broker, the kinds of jobs, and what is done from time to time."""

from celery.schedules import crontab

from config.embedded import file_broker_options
from config.settings.environment import DATA_DIR, env

# --- Background work ----------------------------------------------------------------------------

# The truth about a job is its database row; a message only says "look at row n". So a message
# that is lost or delivered twice costs nothing, and results are not kept in the broker.
# BROKER_URL (files in `JURYBOX_DATA`): `redis://host:6379/0`.
CELERY_BROKER_URL = env.str("BROKER_URL", default="filesystem://")
CELERY_TASK_TIME_LIMIT = 600
CELERY_TASK_SOFT_TIME_LIMIT = 540
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = "json"
CELERY_TIMEZONE = "UTC"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "beat-schedule")
CELERY_BEAT_SCHEDULER = "config.schedule:Scheduler"
# How soon beat notices that the clock was set back.
CELERY_BEAT_MAX_LOOP_INTERVAL = 30

if CELERY_BROKER_URL.startswith("filesystem:"):
    CELERY_BROKER_TRANSPORT = "config.broker:Transport"
    CELERY_BROKER_TRANSPORT_OPTIONS = file_broker_options(DATA_DIR / "broker")
    # One message is read per poll, so fetch a few ahead. Remote control needs an exchange that
    # reaches every worker, which files do not offer.
    CELERY_WORKER_PREFETCH_MULTIPLIER = 8
    CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
elif CELERY_BROKER_URL.startswith("memory:"):
    CELERY_BROKER_TRANSPORT_OPTIONS = {"polling_interval": 0.02}
    CELERY_WORKER_PREFETCH_MULTIPLIER = 8
else:
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        # Longer than the longest task, or a slow task would be handed out again while it runs.
        "visibility_timeout": CELERY_TASK_TIME_LIMIT + 300,
        # How soon a dead worker's messages are looked for; by default that takes minutes.
        "unacked_restore_interval": 1,
        "unacked_restore_throttle": 1,
        # A web request must not hang on an unreachable broker.
        "socket_connect_timeout": 5,
    }
    CELERY_WORKER_PREFETCH_MULTIPLIER = 1

# Every kind of background job, by the path of its object.
JOB_KINDS = (
    "estimates.report.recount.RECOUNT",
    "exports.jobs.EXPORT",
    "set_up.imports.jobs.IMPORT",
    "desk.data.exclusions.work.PREVIEW",
    "desk.data.exclusions.work.APPLY",
    "desk.data.exclusions.work.UNDO",
    "desk.data.adjudication.work.RANKING",
    "desk.data.adjudication.work.ADD_CONTESTED",
    "desk.data.adjudication.work.FRAME",
    "desk.data.adjudication.work.DRAW_AUDIT",
    "desk.data.adjudication.work.BESIDE_GOLD",
    "desk.people.workers.newest.FIGURES",
    "desk.data.units.actions.ACT",
    "judges.calibration.baselines.MAKE_BASELINES",
    "generators.jobs.work.WRITE_TEXTS",
    "generators.jobs.work.PROPOSE_LISTS",
    "desk.data.units.search.INDEX",
    "desk.studies.archive.REMOVE",
    "alerts.deliveries.MESSAGE",
)

# A periodic message that nobody took before the next one is due has no more to say.
CELERY_BEAT_SCHEDULE = {
    "sweep-jobs": {
        "task": "jobs.tasks.sweep",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "forget-old-jobs": {
        "task": "jobs.tasks.forget_old_jobs",
        "schedule": crontab(minute=50),
        "options": {"expires": 3000},
    },
    "sweep-judge-runs": {
        "task": "judges.tasks.sweep",
        "schedule": 10.0,
        "options": {"expires": 10},
    },
    "release-expired-leases": {
        "task": "annotation.tasks.release_expired_leases",
        "schedule": 30.0,
        "options": {"expires": 30},
    },
    "erase-withdrawn": {
        "task": "annotation.tasks.erase_withdrawn",
        "schedule": 600.0,
        "options": {"expires": 600},
    },
    "erase-expired": {
        "task": "annotation.tasks.erase_expired",
        "schedule": crontab(hour=3, minute=20),
        "options": {"expires": 3600},
    },
    "remove-abandoned-imports": {
        "task": "imports.tasks.remove_abandoned",
        "schedule": crontab(hour=3, minute=25),
        "options": {"expires": 3600},
    },
    "end-old-tryouts": {
        "task": "desk.tasks.end_old_tryouts",
        "schedule": crontab(hour=3, minute=30),
        "options": {"expires": 3600},
    },
    "forget-old-faults": {
        "task": "desk.tasks.forget_old_faults",
        "schedule": crontab(hour=3, minute=55),
        "options": {"expires": 3600},
    },
    "forget-old-drafts": {
        "task": "set_up.tasks.forget_old_drafts",
        "schedule": crontab(hour=3, minute=35),
        "options": {"expires": 3600},
    },
    "watch-studies": {
        "task": "alerts.tasks.watch_studies",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
    "watch-feeds": {
        "task": "alerts.tasks.watch_feeds",
        "schedule": 60.0,
        "options": {"expires": 60},
    },
    "forget-old-secrets": {
        "task": "alerts.tasks.forget_old_secrets",
        "schedule": crontab(hour=3, minute=45),
        "options": {"expires": 3600},
    },
    "read-panels": {
        "task": "recruitment.tasks.read_panels",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
    "forget-old-writes": {
        "task": "api.tasks.forget_old_writes",
        "schedule": crontab(hour=3, minute=50),
        "options": {"expires": 3600},
    },
    "count-unseen-studies": {
        "task": "estimates.tasks.count_unseen",
        "schedule": 300.0,
        "options": {"expires": 300},
    },
    "renew-outdated-results": {
        "task": "estimates.tasks.renew_outdated",
        "schedule": crontab(hour=3, minute=40),
        "options": {"expires": 3600},
    },
}

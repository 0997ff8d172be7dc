"""What happened since a webhook was told last: in its study, or in all studies that its account
owns, those to come included.

Nothing is written where an answer is stored: answers are never changed, so that their own table
says which are new. A worker looks each minute and puts many into one message. Where there is no
webhook, nothing is looked at.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet

from alerts.announcements import delivery, send
from alerts.events import name_of
from alerts.models import ALERT_EVENTS, Delivery, Listener, Webhook, WebhookFeed
from alerts.models.webhooks import belonging_to
from annotation.answers.key_ranges import Gap, gaps_between, keys_in, open_gaps, still_missing
from annotation.models import Annotation, Place, Round, Study, Unit
from exports.jobs import EXPORT, exports_of
from jobs.models import Job, JobState
from judges.models import DriftCheck, JudgeRun
from judges.probes.checks import findings_of

Event = Delivery.Event
Content = Mapping[str, int | list[int]]
# So many answers are in one message, and so many are looked at in a minute.
IN_ONE, AT_ONCE = 500, 20_000
# What ended longer ago was told of, or was before the webhook: messages are kept for longer.
RECENT = timedelta(days=7)
RunState = JudgeRun.State
ENDED = (RunState.COMPLETE, RunState.PARTIAL, RunState.FAILED, RunState.CANCELLED)


def webhooks_with_feeds() -> list[int]:
    """The keys of webhooks that want to hear of more than alerts."""
    hooks = Webhook.objects.filter(study__tryout_of=None).exclude(owner__is_active=False)
    return [hook.pk for hook in hooks.order_by("pk") if wants_more(hook)]


def wants_more(hook: Webhook) -> bool:
    """Whether it is told of more than alerts, which are announced as they open."""
    return bool(set(hook.chosen) - set(ALERT_EVENTS))


@transaction.atomic
def begin_feed(*, of: Listener, now: datetime) -> WebhookFeed:
    """Tell of what happens from now on, also of answers whose transactions are under way: their
    keys are below the newest, and they are stored when those commit."""
    newest = Annotation.objects.aggregate(newest=Max("pk"))["newest"] or 0
    gaps = open_gaps(through=newest, now=now)
    whose = belonging_to(of)
    finished = _finished_rounds(WebhookFeed(**whose)).values_list("pk", flat=True)
    fresh = {"since": now, "through": newest, "gaps": gaps, "finished": list(finished)}
    return WebhookFeed.objects.update_or_create(**whose, defaults=fresh)[0]


@transaction.atomic
def collect_events(*, webhook_id: int, now: datetime) -> list[Delivery]:
    """Messages about what happened since the last time, and how far that was, at once."""
    hook = Webhook.objects.select_related("study", "owner").filter(pk=webhook_id).first()
    if hook is None:
        return []
    feeds = WebhookFeed.objects.select_for_update(no_key=True, of=("self",))
    feed = feeds.of(hook.listener).first()
    if feed is None:
        return []
    rows = _answers(feed, now) + _rounds(feed, now)
    for study in _with_news(feed, now):
        rows += [*_runs(feed, study, now), *_exports(feed, study, now), *_drifts(feed, study, now)]
    # What is not wanted is passed by, so that whoever wants it later hears of what is new then.
    rows = [row for row in rows if name_of(row.event) in hook.chosen]
    feed.save(update_fields=["through", "gaps", "finished"])
    return send(rows)


def _answers(feed: WebhookFeed, now: datetime) -> list[Delivery]:
    """Moves the feed past them. Gaps are read first: an answer that is committed in between is
    found among the rows, and taken out of the gaps again."""
    mine = Annotation.objects.filter(study__in=feed.studies).order_by("pk")
    newest = Annotation.objects.aggregate(newest=Max("pk"))["newest"] or 0
    last = mine.filter(pk__gt=feed.through).values_list("pk", flat=True)[AT_ONCE - 1 : AT_ONCE]
    through = max(next(iter(last), newest), feed.through)
    gaps: list[Gap] = [(first, end, at) for first, end, at in feed.gaps]
    gaps += gaps_between(Annotation.objects.all(), after=feed.through, through=through, now=now)
    is_new = Q(pk__gt=feed.through, pk__lte=through) | Q(pk__in=keys_in(mine, gaps))
    keys: dict[int, list[int]] = {}
    for key, study in mine.filter(is_new).values_list("pk", "study"):
        keys.setdefault(study, []).append(key)
    came = [key for of_study in keys.values() for key in of_study]
    feed.through, feed.gaps = through, still_missing(gaps, came, now)
    return [
        _message(feed, study, Event.ANSWERS, {"answers": of_study[start : start + IN_ONE]}, now)
        for study, of_study in keys.items()
        for start in range(0, len(of_study), IN_ONE)
    ]


def _rounds(feed: WebhookFeed, now: datetime) -> list[Delivery]:
    """Those that were not finished the last time: one that gets more units can finish again."""
    finished = list(_finished_rounds(feed).values_list("pk", "study"))
    new = [(pk, study) for pk, study in finished if pk not in feed.finished]
    feed.finished = [pk for pk, _study in finished]
    return [_message(feed, study, Event.ROUND, {"round": pk}, now) for pk, study in new]


def _finished_rounds(feed: WebhookFeed) -> QuerySet[Round]:
    """Rounds in which each unit has the answers that it wants."""
    wanted = Place.objects.filter(
        round=OuterRef("pk"), role=Unit.Role.NORMAL, retired=False, wanted__gt=0
    )
    short = wanted.filter(counted__lt=F("wanted"))
    rounds = Round.objects.filter(study__in=feed.studies)
    return rounds.filter(Exists(wanted), ~Exists(short)).order_by("study", "position")


def _with_news(feed: WebhookFeed, now: datetime) -> QuerySet[Study]:
    """The studies in which a run, an export or a look at drift has ended lately."""
    of_study, recent = {"study": OuterRef("pk")}, _recent(feed, now)
    runs = JudgeRun.objects.filter(ended_at__gt=recent, **of_study)
    exports = Job.objects.filter(kind=EXPORT.name, ended_at__gt=recent, **of_study)
    looks = DriftCheck.objects.filter(checked_at__gt=recent, run__study=OuterRef("pk"))
    return feed.studies.filter(Exists(runs) | Exists(exports) | Exists(looks)).order_by("pk")


def _runs(feed: WebhookFeed, study: Study, now: datetime) -> list[Delivery]:
    """A run that goes on after its end ends again, at another time."""
    runs = JudgeRun.objects.filter(study=study, state__in=ENDED)
    ended = runs.filter(ended_at__gt=_recent(feed, now)).values_list("pk", "ended_at")
    subjects = {f"{pk} at {at:%Y-%m-%dT%H:%M:%S.%f}": {"run": pk} for pk, at in ended}
    return _new(feed, study, Event.RUN, subjects, now)


def _exports(feed: WebhookFeed, study: Study, now: datetime) -> list[Delivery]:
    jobs = exports_of(study).filter(state=JobState.DONE)
    done = jobs.filter(ended_at__gt=_recent(feed, now)).values_list("pk", "attempt")
    subjects = {f"{pk}, {attempt}": {"export": pk} for pk, attempt in done}
    return _new(feed, study, Event.EXPORT, subjects, now)


def _drifts(feed: WebhookFeed, study: Study, now: datetime) -> list[Delivery]:
    """Once for each finding, however many askings in a row show it."""
    recent = _recent(feed, now)
    findings = [each for each in findings_of(study) if each.since.checked_at > recent]
    subjects = {f"run {each.since.run_id}": {"check": each.since.pk} for each in findings}
    return _new(feed, study, Event.DRIFT, subjects, now)


def _recent(feed: WebhookFeed, now: datetime) -> datetime:
    return max(feed.since, now - RECENT)


def _new(
    feed: WebhookFeed,
    study: Study,
    event: Delivery.Event,
    subjects: Mapping[str, Content],
    now: datetime,
) -> list[Delivery]:
    """Messages about those of which there is none yet."""
    told = study.deliveries.filter(owner=feed.owner_id, event=event, subject__in=list(subjects))
    rows = []
    for subject in sorted(subjects.keys() - set(told.values_list("subject", flat=True))):
        row = _message(feed, study.pk, event, subjects[subject], now)
        row.subject = subject
        rows.append(row)
    return rows


def _message(
    feed: WebhookFeed, study: int, event: Delivery.Event, content: Content, now: datetime
) -> Delivery:
    row = delivery(study=None, owner=feed.owner, event=event, now=now)
    row.study_id, row.content = study, dict(content)
    return row

"""What happened in a study since its webhook was told last.

Nothing is written where an answer is stored: answers are never changed, so that their own table
says which are new. A worker looks each minute and puts many into one message. Where a study has no
webhook, nothing is looked at.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, Max, OuterRef, QuerySet

from alerts.announcements import delivery, send
from alerts.events import name_of
from alerts.models import ALERT_EVENTS, Delivery, Webhook, WebhookFeed
from annotation.answers.key_ranges import Gap, gaps_between, keys_in, open_gaps, still_missing
from annotation.models import Annotation, Place, Round, Study, Unit
from exports.jobs import exports_of
from jobs.models import JobState
from judges.models import JudgeRun
from judges.probes.checks import findings_of

Event = Delivery.Event
Content = Mapping[str, int | list[int]]
# So many answers are in one message, and so many are looked at in a minute.
IN_ONE, AT_ONCE = 500, 20_000
# What ended longer ago was told of, or was before the webhook: messages are kept for longer.
RECENT = timedelta(days=7)
RunState = JudgeRun.State
ENDED = (RunState.COMPLETE, RunState.PARTIAL, RunState.FAILED, RunState.CANCELLED)


def studies_with_feeds() -> list[int]:
    """The keys of studies whose webhook wants to hear of more than alerts."""
    hooks = Webhook.objects.filter(study__tryout_of=None).order_by("study")
    return [hook.study_id for hook in hooks if wants_more(hook)]


def wants_more(hook: Webhook) -> bool:
    """Whether it is told of more than alerts, which are announced as they open."""
    return bool(set(hook.chosen) - set(ALERT_EVENTS))


@transaction.atomic
def begin_feed(*, study: Study, now: datetime) -> WebhookFeed:
    """Tell of what happens from now on, also of answers whose transactions are under way: their
    keys are below the newest, and they are stored when those commit."""
    newest = Annotation.objects.aggregate(newest=Max("pk"))["newest"] or 0
    gaps = open_gaps(through=newest, now=now)
    rounds = list(_finished_rounds(study).values_list("pk", flat=True))
    fresh = {"since": now, "through": newest, "gaps": gaps, "finished": rounds}
    return WebhookFeed.objects.update_or_create(study=study, defaults=fresh)[0]


@transaction.atomic
def collect_events(*, study_id: int, now: datetime) -> list[Delivery]:
    """Messages about what happened since the last time, and how far that was, at once."""
    feeds = WebhookFeed.objects.select_for_update(no_key=True, of=("self",))
    feed = feeds.select_related("study").filter(study=study_id).first()
    hook = Webhook.objects.filter(study=study_id).first()
    if feed is None or hook is None:
        return []
    rows = [
        *_answers(feed, now),
        *_rounds(feed, now),
        *_runs(feed, now),
        *_exports(feed, now),
        *_drifts(feed, now),
    ]
    # What is not wanted is passed by, so that whoever wants it later hears of what is new then.
    rows = [row for row in rows if name_of(row.event) in hook.chosen]
    feed.save(update_fields=["through", "gaps", "finished"])
    return send(rows)


def _answers(feed: WebhookFeed, now: datetime) -> list[Delivery]:
    """Moves the feed past them. Gaps are read first: an answer that is committed in between is
    found among the rows, and taken out of the gaps again."""
    mine = Annotation.objects.filter(study=feed.study_id).order_by("pk")
    newest = Annotation.objects.aggregate(newest=Max("pk"))["newest"] or 0
    last = mine.filter(pk__gt=feed.through).values_list("pk", flat=True)[AT_ONCE - 1 : AT_ONCE]
    through = max(next(iter(last), newest), feed.through)
    gaps: list[Gap] = [(first, end, at) for first, end, at in feed.gaps]
    gaps += gaps_between(Annotation.objects.all(), after=feed.through, through=through, now=now)
    new = list(mine.filter(pk__gt=feed.through, pk__lte=through).values_list("pk", flat=True))
    keys = sorted({*new, *keys_in(mine, gaps)})
    feed.through, feed.gaps = through, still_missing(gaps, keys, now)
    parts = (keys[start : start + IN_ONE] for start in range(0, len(keys), IN_ONE))
    return [_message(feed, Event.ANSWERS, now, {"answers": part}) for part in parts]


def _rounds(feed: WebhookFeed, now: datetime) -> list[Delivery]:
    """Those that were not finished the last time: one that gets more units can finish again."""
    finished = list(_finished_rounds(feed.study).values_list("pk", flat=True))
    new = [pk for pk in finished if pk not in feed.finished]
    feed.finished = finished
    return [_message(feed, Event.ROUND, now, {"round": pk}) for pk in new]


def _finished_rounds(study: Study) -> QuerySet[Round]:
    """Rounds in which each unit has the answers that it wants."""
    wanted = Place.objects.filter(
        round=OuterRef("pk"), role=Unit.Role.NORMAL, retired=False, wanted__gt=0
    )
    short = wanted.filter(counted__lt=F("wanted"))
    return study.rounds.filter(Exists(wanted), ~Exists(short)).order_by("position")


def _runs(feed: WebhookFeed, now: datetime) -> list[Delivery]:
    """A run that goes on after its end ends again, at another time."""
    runs = JudgeRun.objects.filter(study=feed.study_id, state__in=ENDED)
    ended = runs.filter(ended_at__gt=_recent(feed, now)).values_list("pk", "ended_at")
    subjects = {f"{pk} at {at:%Y-%m-%dT%H:%M:%S.%f}": pk for pk, at in ended}
    return _new(feed, Event.RUN, "run", subjects, now)


def _exports(feed: WebhookFeed, now: datetime) -> list[Delivery]:
    jobs = exports_of(feed.study).filter(state=JobState.DONE)
    done = jobs.filter(ended_at__gt=_recent(feed, now)).values_list("pk", "attempt")
    subjects = {f"{pk}, {attempt}": pk for pk, attempt in done}
    return _new(feed, Event.EXPORT, "export", subjects, now)


def _drifts(feed: WebhookFeed, now: datetime) -> list[Delivery]:
    """Once for each finding, however many askings in a row show it."""
    recent = _recent(feed, now)
    findings = [each for each in findings_of(feed.study) if each.since.checked_at > recent]
    subjects = {f"run {each.since.run_id}": each.since.pk for each in findings}
    return _new(feed, Event.DRIFT, "check", subjects, now)


def _recent(feed: WebhookFeed, now: datetime) -> datetime:
    return max(feed.since, now - RECENT)


def _new(
    feed: WebhookFeed, event: Delivery.Event, name: str, subjects: Mapping[str, int], now: datetime
) -> list[Delivery]:
    """Messages about those of which there is none yet."""
    told = feed.study.deliveries.filter(event=event, subject__in=list(subjects))
    new = subjects.keys() - set(told.values_list("subject", flat=True))
    return [
        _message(feed, event, now, {name: subjects[subject]}, subject) for subject in sorted(new)
    ]


def _message(
    feed: WebhookFeed, event: Delivery.Event, now: datetime, content: Content, subject: str = ""
) -> Delivery:
    row = delivery(study=feed.study, event=event, now=now)
    row.content, row.subject = dict(content), subject
    return row

"""Celery tasks of the researchers' side."""

from celery import shared_task
from django.utils import timezone

from annotation.models import Study
from desk.accounts import passwords
from desk.api import tokens
from desk.data.units import actions, search
from desk.models import UnitAction
from desk.monitoring.alerts import checks, deliveries, feeds, webhooks
from desk.people.recruitment import refresh
from desk.set_up.new_study import drafts
from desk.studies import tryouts
from desk.worker_records import kept

FIGURES_LIMIT = kept.LONGEST.total_seconds()
# Seconds: Prolific asks to wait now and then, and a study may have thousands of submissions.
PANEL_LIMIT = 900


# The old name, since messages with it may still wait in a queue.
@shared_task(name="annotation.tasks.end_old_tryouts")
def end_old_tryouts() -> int:
    """Every night: remove the copies in which researchers tried a study out before today."""
    return tryouts.end_old_tryouts(now=timezone.now())


@shared_task
def forget_old_drafts() -> int:
    """Every night: remove studies that were begun and given up, and uploads that nothing uses."""
    return drafts.forget_old_drafts(now=timezone.now())


@shared_task
def watch_studies() -> int:
    """Every five minutes: look after each study that is open, in a task of its own, so that one
    that fails stops no other."""
    keys = checks.studies_to_watch(timezone.now())
    for key in keys:
        check_alerts.apply_async((key,), expires=300)
    return len(keys)


@shared_task
def check_alerts(study_id: int) -> int:
    """Open and end the alerts of one study; how many were opened."""
    return len(checks.check_study(study_id=study_id, now=timezone.now()))


@shared_task
def send_messages() -> int:
    """Every minute: send the messages that are due, and look for more events, for each study in a
    task of its own, so that one that fails stops no other."""
    for key in feeds.studies_with_feeds():
        collect_events.apply_async((key,), expires=60)
    return deliveries.send_due()


@shared_task
def collect_events(study_id: int) -> int:
    """Tell the webhook of one study what happened in it; how many messages that makes."""
    made = feeds.collect_events(study_id=study_id, now=timezone.now())
    if made:
        deliveries.send_due()
    return len(made)


@shared_task
def send_message(delivery_id: int) -> int:
    """Send one message about alerts, if it is due."""
    return deliveries.send_due(only=delivery_id)


@shared_task
def forget_old_messages() -> int:
    """Every night: remove messages that were sent or given up long ago, and secrets that no longer
    sign any."""
    webhooks.forget_old_secrets(now=timezone.now())
    return deliveries.forget_old(now=timezone.now())


@shared_task
def forget_old_writes() -> int:
    """Every night: remove what is remembered of writes that nobody repeats any more."""
    return tokens.forget_old_writes(now=timezone.now())


@shared_task
def read_panels() -> int:
    """Every five minutes: read each study at Prolific in a task of its own, so that one that fails
    or is slow stops no other."""
    keys = refresh.studies_to_read()
    for key in keys:
        read_panel.apply_async((key,), expires=300)
    return len(keys)


@shared_task(time_limit=PANEL_LIMIT)
def read_panel(made_id: int) -> bool:
    """Read the submissions of one study at Prolific, and what became of what was sent there."""
    return refresh.read_study(made_id=made_id, now=timezone.now())


@shared_task
def index_texts(study_id: int) -> None:
    """Let the texts of a study be searched, if it is still there."""
    study = Study.objects.filter(pk=study_id).first()
    if study is not None:
        search.keep_texts(study=study)


@shared_task(time_limit=FIGURES_LIMIT, soft_time_limit=FIGURES_LIMIT - 60)
def keep_worker_figures(study_id: int) -> None:
    """Compute what lists of workers show of their answers, if the study is still there."""
    study = Study.objects.filter(pk=study_id).first()
    if study is not None:
        kept.keep_figures(study=study)


@shared_task(time_limit=FIGURES_LIMIT, soft_time_limit=FIGURES_LIMIT - 60)
def finish_unit_action(action_id: int) -> None:
    """Do what is left of an action on many units, if it was confirmed."""
    running = UnitAction.objects.filter(pk=action_id, state=UnitAction.State.RUNNING)
    for action in running.select_related("study", "by"):
        actions.finish_action(action=action)


@shared_task
def forget_proposed_actions() -> int:
    """Every night: remove actions on units that were proposed and never confirmed."""
    return actions.forget_proposed(now=timezone.now())


@shared_task
def mail_reset_links(email: str, site: str) -> int:
    """Mail links to a new password. The message holds an address and no account's number, since
    whether there is one is looked up here, where nobody can measure how long it takes."""
    return passwords.mail_reset_links(email=email, site=site)

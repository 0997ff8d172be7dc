"""manage.py worker_data STUDY --panel P --id X: a worker's data, link or withdrawal."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.core.serializers.json import DjangoJSONEncoder
from django.utils import timezone

from annotation.entry.personal_link import give_link, participation_by_id
from annotation.management.studies import study_by_slug
from annotation.models import Participation, Withdrawal
from annotation.models.changes import log_change, logged_by_name
from annotation.rights.stored_data import stored_about
from annotation.rights.withdrawal import erase_now, withdraw


class Command(BaseCommand):
    """Data and withdrawal for workers who write by mail instead of using their pages."""

    help = (
        "Print all that is stored about a worker in a study, as JSON, for somebody who asks for it "
        "by mail, or their personal link; or withdraw them, as their own buttons do. Make sure "
        "first that it is them: their panel can pass a message on."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's slug")
        parser.add_argument("--panel", required=True, help="the panel that the worker came by")
        parser.add_argument("--id", required=True, help="the worker's id there")
        choices = parser.add_mutually_exclusive_group()
        choices.add_argument(
            "--link",
            action="store_true",
            help="print the path of a new personal link; the one before it ends",
        )
        choices.add_argument(
            "--withdraw",
            action="store_true",
            help="take their answers out; they can take that back for a while (WITHDRAWAL_HOURS)",
        )
        choices.add_argument(
            "--erase",
            action="store_true",
            help="withdraw them and erase their answers now; it cannot be undone",
        )

    @logged_by_name
    def handle(self, *args: Any, **options: Any) -> None:
        participation = _participation_of(options["study"], options["panel"], options["id"])
        if options["erase"]:
            self._erase(participation)
        elif options["withdraw"]:
            self._withdraw(participation)
        elif options["link"]:
            self.stdout.write(give_link(participation=participation, by=None))
        else:
            stored = stored_about(participation)
            text = json.dumps(stored, ensure_ascii=False, indent=2, cls=DjangoJSONEncoder)
            self.stdout.write(text)

    def _withdraw(self, participation: Participation) -> None:
        if not withdraw(participation=participation, now=timezone.now()):
            raise CommandError(f"{participation.pseudonym} has withdrawn before")
        _log(participation)
        kept = Withdrawal.objects.filter(participation=participation).first()
        when = "" if kept is None else f", and erased on {kept.erase_at:%Y-%m-%d %H:%M} UTC"
        self.stdout.write(f"{participation.pseudonym} has withdrawn: all answers are out{when}.")

    def _erase(self, participation: Participation) -> None:
        if not erase_now(participation=participation, now=timezone.now()):
            raise CommandError(f"the answers of {participation.pseudonym} were erased before")
        _log(participation)
        participation.worker.refresh_from_db()
        kept = " The panel's id stays until the pay is in a file, or another study needs it."
        gone = " The panel's id is erased, too."
        rest = kept if participation.worker.erased_at is None else gone
        self.stdout.write(f"{participation.pseudonym} has withdrawn: all answers erased.{rest}")


def _log(participation: Participation) -> None:
    subject = participation.pseudonym
    log_change(study=participation.study, by=None, action="worker.withdrawn", subject=subject)


def _participation_of(slug: str, panel: str, external_id: str) -> Participation:
    study = study_by_slug(slug)
    participation = participation_by_id(study, panel=panel, external_id=external_id)
    if participation is None:
        raise CommandError(f"no worker of the panel {panel} with the id {external_id} is in {slug}")
    return participation

"""manage.py worker_data STUDY --panel P --id X: a worker's data, or their withdrawal."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.core.serializers.json import DjangoJSONEncoder
from django.utils import timezone

from annotation.entry.arrival import find_worker
from annotation.models import Participation, Study
from annotation.models.changes import log_change, logged_by_name
from annotation.rights.stored_data import stored_about
from annotation.rights.withdrawal import withdraw


class Command(BaseCommand):
    """Data and withdrawal for workers who write by mail instead of using their pages."""

    help = (
        "Print all that is stored about a worker in a study, as JSON, for somebody who asks for it "
        "by mail; with --withdraw erase their answers and words, as their own button does. Make "
        "sure first that it is them: their panel can pass a message on."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's slug")
        parser.add_argument("--panel", required=True, help="the panel that the worker came by")
        parser.add_argument("--id", required=True, help="the worker's id there")
        parser.add_argument(
            "--withdraw", action="store_true", help="withdraw the worker; it cannot be undone"
        )

    @logged_by_name
    def handle(self, *args: Any, **options: Any) -> None:
        participation = _participation_of(options["study"], options["panel"], options["id"])
        if options["withdraw"]:
            self._withdraw(participation)
        else:
            stored = stored_about(participation)
            text = json.dumps(stored, ensure_ascii=False, indent=2, cls=DjangoJSONEncoder)
            self.stdout.write(text)

    def _withdraw(self, participation: Participation) -> None:
        if not withdraw(participation=participation, now=timezone.now()):
            raise CommandError(f"{participation.pseudonym} has withdrawn before")
        subject = participation.pseudonym
        log_change(study=participation.study, by=None, action="worker.withdrawn", subject=subject)
        participation.worker.refresh_from_db()
        kept = " The panel's id stays until the pay is in a file, or another study needs it."
        gone = " The panel's id is erased, too."
        rest = kept if participation.worker.erased_at is None else gone
        self.stdout.write(f"{participation.pseudonym} has withdrawn: all answers erased.{rest}")


def _participation_of(slug: str, panel: str, external_id: str) -> Participation:
    study = Study.objects.filter(slug=slug).first()
    if study is None:
        raise CommandError(f"no such study: {slug}")
    worker = find_worker(panel=panel, external_id=external_id)
    participations = study.participations.select_related("study", "worker")
    participation = None if worker is None else participations.filter(worker=worker).first()
    if participation is None:
        raise CommandError(f"nobody of the panel {panel} with the id {external_id} is in {slug}")
    return participation

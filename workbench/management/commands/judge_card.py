"""manage.py judge_card STUDY JUDGE: the card of one version of a judge."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.management.studies import study_by_slug
from annotation.models import Study
from estimates.report.cache import report_of
from estimates.report.live import as_shown
from workbench.cards.card import Card
from workbench.cards.gathering import NoCard, cards_of, judge_named, never_answered
from workbench.cards.writing import FORMS


class Command(BaseCommand):
    """`manage.py judge_card STUDY JUDGE`."""

    help = "Print the card of a judge: what it is, and what it is worth for a task."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's slug")
        parser.add_argument("judge", metavar="JUDGE", help="its name, perhaps with @VERSION")
        parser.add_argument("--block", default="", help="where it answered several")
        parser.add_argument(
            "--format", choices=sorted(FORMS), default="md", help="of the card: a page, text, data"
        )
        parser.add_argument(
            "--out", type=Path, metavar="FILE", help="write it there instead of printing it"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = study_by_slug(options["study"])
        text = FORMS[options["format"]](_card(study, options["judge"], options["block"]))
        if options["out"] is None:
            self.stdout.write(text, ending="")
            return
        try:
            options["out"].write_text(text, encoding="utf-8")
        except OSError as error:
            raise CommandError(f"--out: {error}") from error


def _card(study: Study, judge: str, block: str) -> Card:
    try:
        rater = judge_named(study, judge)
        cards = cards_of(study, as_shown(report_of(study)), rater=rater)
        chosen = [card for card in cards if block in ("", card.task.block)]
        if not chosen:
            raise never_answered(rater, block)
    except NoCard as error:
        raise CommandError(str(error)) from error
    if len(chosen) > 1:
        blocks = ", ".join(card.task.block for card in chosen)
        raise CommandError(f"{judge} answered {blocks}: name one by --block", returncode=2)
    return chosen[0]

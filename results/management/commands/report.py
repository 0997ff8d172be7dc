"""`report STUDY`: every estimate of a study, or of an exported bundle, as a table or as JSON."""

import json
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.management.studies import study_by_slug
from annotation.models import Study
from estimates.data.bundles.files import BundleError
from estimates.data.options import Options
from estimates.report.cache import Report, report_of, report_of_bundle
from estimates.report.selection import selection
from exports.tables.estimates import lines_of
from results.management.report_arguments import add_arguments
from results.management.report_forms import PAGES, printed
from results.studies import text as reproduction_texts
from results.studies.comparison import Reproduction, compare_reports
from results.studies.registration import registered
from results.tables.text import as_text
from workbench.cards.recount import CheckedCard, check_cards
from workbench.cards.sentences import complaint_about, sentences_about

BUNDLE = ".zip"


class Command(BaseCommand):
    """Print every estimate of a study."""

    help = (
        "Print every estimate of a study: agreement of people and of judges with people, scores, "
        "means, control accuracy; each with its interval, or with the reason why it has no value."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        _refuse(options)
        names = {field.name for field in fields(Options)} & options.keys()
        chosen = Options(**{name: options[name] for name in names})
        report = _report(options["study"], chosen)
        cards = _cards(report, options["study"], chosen)
        if options["table"] or options["facet"]:
            report = selection(report, tables=options["table"], facets=options["facet"])
            if not report.rows:
                raise CommandError(f"{report.study.slug}: the report has no such rows")
        if options["against"]:
            self._compare(report, chosen, options["against"], in_json=options["json"])
            return
        text = _written(report, options, cards)
        if not text:
            raise CommandError(f"{report.study.slug}: the report has no such rows")
        self.stdout.write(text)
        if complaint := complaint_about(cards):
            raise CommandError(f"{options['study']}: {complaint}")

    def _compare(self, report: Report, options: Options, slug: str, *, in_json: bool) -> None:
        other = Study.objects.filter(slug=slug).first()
        if other is None:
            raise CommandError(f"--against: {slug}: no such study")
        reproduction = compare_reports(report, report_of(other, options))
        text = (
            as_json(report, reproduction) if in_json else reproduction_texts.as_text(reproduction)
        )
        self.stdout.write(text)


def _refuse(options: dict[str, Any]) -> None:
    """CommandError for options that cannot be, or not together."""
    if options["resamples"] < 0:
        raise CommandError("--resamples: must not be negative")
    if options["tie_tolerance"] < 0:
        raise CommandError("--tie-tolerance: must not be negative")
    if options["epsilon"] is not None and not 0 <= options["epsilon"] <= 1:
        raise CommandError("--epsilon: must lie within 0 and 1")
    selected = bool(options["table"] or options["facet"])
    of_page = next((name for name in PAGES if options[name]), "")
    if options["rater_groups"] and options["study"].endswith(BUNDLE):
        raise CommandError("--rater-groups: what files tell of people is in no bundle")
    if of_page and options["study"].endswith(BUNDLE):
        raise CommandError(f"--{of_page}: a study of this installation, not a bundle")
    if options["against"]:
        if options["study"].endswith(BUNDLE):
            raise CommandError("--against: two studies of this installation, not a bundle")
        if options["csv"] or of_page:
            form = of_page or "csv"
            raise CommandError(f"--against: as a table or with --json, not --{form}")
        if selected:
            raise CommandError("--against: shows everything, without --table and --facet")


def _report(name: str, options: Options) -> Report:
    """The report of the study of that slug, or of a bundle."""
    if name.endswith(BUNDLE):
        try:
            return report_of_bundle(Path(name), options)
        except BundleError as error:
            raise CommandError(str(error)) from error
    study = study_by_slug(name)
    for option in ("only", "without"):
        person = getattr(options, option)
        if person and not study.known_people.filter(name=person).exists():
            raise CommandError(f"--{option}: {person}: no rater of that name answered")
    return report_of(study, options)


def _cards(report: Report, name: str, options: Options) -> list[CheckedCard]:
    """The cards of a bundle, held against its data: with the usual options alone, with which they
    were made."""
    if not name.endswith(BUNDLE) or options != Options():
        return []
    try:
        return check_cards(Path(name), report)
    except BundleError as error:
        raise CommandError(str(error)) from error


def _written(report: Report, options: dict[str, Any], cards: Sequence[CheckedCard]) -> str:
    """The report in the form that was asked for."""
    if options["json"]:
        return as_json(report, cards=cards)
    if any(options[name] for name in PAGES):
        return printed(report, options)
    if options["csv"]:
        return "".join(lines_of((*report.rows, *report.under_full_names())))
    return "\n".join([as_text(report, options["table"]), *sentences_about(cards)])


def as_json(
    report: Report, against: Reproduction | None = None, *, cards: Sequence[CheckedCard] = ()
) -> str:
    """The report as JSON; a number in it is always finite. Beside another study, with the rows
    that compare the two, and with both side by side; of a bundle, with what its cards came to."""
    rows = [row.as_json() for row in (*report.rows, *report.under_full_names())]
    document: dict[str, Any] = {"study": report.study.slug, "estimates": rows}
    if report.study.caution:
        document["caution"] = report.study.caution
    if report.study.stops:
        document["stops"] = report.study.stops
    if standing := registered(report.study):
        document["registration"] = standing
    if cards:
        document["cards"] = [card.as_json() for card in cards]
    if against is not None:
        rows += [row.as_json() for row in against.rows()]
        document["reproduction"] = reproduction_texts.as_json(against)
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1)

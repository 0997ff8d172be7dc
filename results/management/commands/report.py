"""`report STUDY`: every estimate of a study, or of an exported bundle, as a table or as JSON."""

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from annotation.models import Study
from results.data.bundles.files import BundleError
from results.data.options import RESAMPLED, SCORES, TIED, Options, consensus_names
from results.exporting.estimates import lines_of
from results.metrics.catalogue import Table
from results.report.cache import Report, report_of, report_of_bundle
from results.report.selection import selection
from results.studies import text as reproduction_texts
from results.studies.comparison import Reproduction, compare_reports
from results.tables.text import as_text

BUNDLE = ".zip"


class Command(BaseCommand):
    """Print every estimate of a study."""

    help = (
        "Print every estimate of a study: agreement of people and of judges with people, scores, "
        "means, control accuracy; each with its interval, or with the reason why it has no value."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "study", help="the study's slug, or the file of a bundle (BUNDLE.zip) to recompute"
        )
        form = parser.add_mutually_exclusive_group()
        form.add_argument("--json", action="store_true", help="print JSON instead of a table")
        form.add_argument("--csv", action="store_true", help="print CSV instead of a table")
        parser.add_argument(
            "--all",
            action="store_true",
            dest="everything",
            help="with the figures of every two named raters for each part of the study, and of "
            "every judge under its full name, such as lexical@1: most of the rows; and α with the "
            "ratio distance on scales that do not "
            "begin at 0",
        )
        parser.add_argument(
            "--consensus",
            choices=consensus_names(),
            help="how several people become one, for the kinds of value that know this rule",
        )
        parser.add_argument(
            "--resamples",
            type=int,
            default=1000,
            help="bootstrap resamples of quartiles; 0 for no intervals at all",
        )
        parser.add_argument(
            "--resample",
            choices=RESAMPLED,
            default=SCORES,
            help="what intervals of several people speak of: other sources and other people, or "
            "other sources and these people; scores: the first of scores and tests of systems, "
            "the second of agreement",
        )
        parser.add_argument("--seed", type=int, default=0, help="seed of the bootstrap")
        parser.add_argument(
            "--tie-tolerance",
            type=float,
            default=TIED,
            help="system means this close, as a share of the largest, are tied in correlations; 0: "
            "as computed",
        )
        parser.add_argument(
            "--none-apart",
            action="store_true",
            help="in comparisons of sets with several people, an empty answer is a label "
            "of its own, not one of those outside the reference",
        )
        parser.add_argument(
            "--against", metavar="OTHER", help="another study's slug: both side by side"
        )
        parser.add_argument(
            "--table",
            nargs="+",
            choices=[str(table) for table in Table],
            metavar="TABLE",
            help="only what stands in these tables of the results page, such as correlation; "
            "evaluators: every judge beside people in one row per figure; scorecard: what "
            "each judge lets pass, its gap to people, and where it is worse; detection: what each "
            "measure finds of faults made on purpose",
        )
        parser.add_argument("--facet", nargs="+", help="only rows of these facets")
        parser.add_argument(
            "--likeness",
            action="store_true",
            help="instead of all else, how like each judge's each person's answers are, beside "
            "other people's: no proof of anything, see docs/review-and-pay.md",
        )
        parser.add_argument(
            "--epsilon",
            type=float,
            help="what a judge's lower cost is worth in the alternative annotator test: 0.1 in "
            "place of a crowd, 0.15 of skilled annotators, 0.2 of experts (the study's own)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["resamples"] < 0:
            raise CommandError("--resamples: must not be negative")
        if options["tie_tolerance"] < 0:
            raise CommandError("--tie-tolerance: must not be negative")
        if options["epsilon"] is not None and not 0 <= options["epsilon"] <= 1:
            raise CommandError("--epsilon: must lie within 0 and 1")
        names = {field.name for field in fields(Options)} & options.keys()
        chosen = Options(**{name: options[name] for name in names})
        if options["against"] and options["study"].endswith(BUNDLE):
            raise CommandError("--against: two studies of this installation, not a bundle")
        report = _report(options["study"], chosen)
        selected = bool(options["table"] or options["facet"])
        if options["against"] and options["csv"]:
            raise CommandError("--against: as a table or with --json, not --csv")
        if options["against"] and selected:
            raise CommandError("--against: shows everything, without --table and --facet")
        if selected:
            report = selection(report, tables=options["table"], facets=options["facet"])
            if not report.rows:
                raise CommandError(f"{report.study.slug}: the report has no such rows")
        if options["against"]:
            self._compare(report, chosen, options["against"], in_json=options["json"])
            return
        text = _written(report, options)
        if not text:
            raise CommandError(f"{report.study.slug}: the report has no such rows")
        self.stdout.write(text)

    def _compare(self, report: Report, options: Options, slug: str, *, in_json: bool) -> None:
        other = Study.objects.filter(slug=slug).first()
        if other is None:
            raise CommandError(f"--against: {slug}: no such study")
        reproduction = compare_reports(report, report_of(other, options))
        text = (
            as_json(report, reproduction) if in_json else reproduction_texts.as_text(reproduction)
        )
        self.stdout.write(text)


def _report(name: str, options: Options) -> Report:
    """The report of the study of that slug, or of a bundle."""
    if name.endswith(BUNDLE):
        try:
            return report_of_bundle(Path(name), options)
        except BundleError as error:
            raise CommandError(str(error)) from error
    study = Study.objects.filter(slug=name).first()
    if study is None:
        raise CommandError(f"{name}: no such study")
    return report_of(study, options)


def _written(report: Report, options: dict[str, Any]) -> str:
    """The report in the form that was asked for."""
    if options["json"]:
        return as_json(report)
    if options["csv"]:
        return "".join(lines_of((*report.rows, *report.under_full_names())))
    return as_text(report, options["table"])


def as_json(report: Report, against: Reproduction | None = None) -> str:
    """The report as JSON; a number in it is always finite. Beside another study, with the rows
    that compare the two, and with both side by side."""
    rows = [row.as_json() for row in (*report.rows, *report.under_full_names())]
    document: dict[str, Any] = {"study": report.study.slug, "estimates": rows}
    if report.study.stops:
        document["stops"] = report.study.stops
    if against is not None:
        rows += [row.as_json() for row in against.rows()]
        document["reproduction"] = reproduction_texts.as_json(against)
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1)

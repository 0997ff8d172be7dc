"""`check_table FILE…`: what labels of people and judges support, and their figures."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from estimates.data.options import Options
from files.errors import ImportFailure, OpenQuestion
from files.reading.proposals import Stated
from files.reading.reading_files import reading_yaml
from imports.formats.scales import LEVELS
from imports.management.reading_options import (
    add_reading_arguments,
    pairs,
    reading_of,
    stated_by,
)
from label_table.bars import FINE, MISSED, UNTOLD, Bar, Held, hold, status_of
from label_table.check import check_files
from label_table.columns import held_by
from label_table.files import ReadFiles
from label_table.forms import FORMS, as_text
from label_table.results import read_results
from label_table.settings_file import NAME, read_settings, write_settings


class Command(BaseCommand):
    help = (
        "Check labels of people and judges, without a study or a database: what they "
        "support, how far people agree, each judge's scorecard and a verdict. Exit status 0; 1 "
        "where a figure misses its bar; 2 where a question is open (the options that decide it "
        "are named), a file cannot be used or a figure is undefined."
    )
    requires_system_checks = []

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        name = "check" if settings.PROGRAM == "jurybox" else subcommand
        parser = super().create_parser(prog_name, name, **kwargs)
        self._defaults = {action.dest: action.default for action in parser._actions}
        self._parser, self._refused = parser, None
        try:
            parser.set_defaults(**read_settings(parser, Path(NAME)))
        except ImportFailure as failure:
            self._refused = failure  # told where all failures are
        return parser

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "files",
            type=Path,
            nargs="*",
            metavar="FILE",
            help="results of an evaluation tool, or tables in any shape: CSV, TSV, JSON, Parquet, "
            "XLSX or .gz; folders, ZIP; without any, what is in this folder",
        )
        parser.add_argument(
            "--tool",
            default="",
            metavar="NAME",
            help="the tool that wrote the files, as import_study calls it; `table` for none",
        )
        _add_columns(parser)
        add_reading_arguments(parser)
        parser.add_argument(
            "--criterion", default="", metavar="NAME", help="check this one alone, of several"
        )
        _add_figures(parser)
        _add_bars(parser)
        parser.add_argument(
            "--made-by",
            action="append",
            default=[],
            metavar="NAME=MAKER",
            help="who made the labels of a column or a rater: person, people (several together), "
            "model or unknown",
        )
        parser.add_argument(
            "--save", action="store_true", help=f"keep these options in {NAME}, for the next time"
        )
        form = parser.add_mutually_exclusive_group()
        form.add_argument(
            "--show-reading", action="store_true", help="print how the files are read, as YAML"
        )
        form.add_argument("--json", action="store_true", help="print everything as JSON")
        form.add_argument("--markdown", action="store_true", help="print a summary in Markdown")
        form.add_argument("--junit", action="store_true", help="print a test report in XML")
        form.add_argument(
            "--html",
            type=Path,
            metavar="FILE",
            help="write a page of its own, with figures and the texts that judges and people see "
            "differently, and print the text",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        bar = _bar(options)
        try:
            if self._refused:
                raise self._refused
            read = self._read(options)
            if options["show_reading"]:
                self.stdout.write(reading_yaml(read.reading))
                return
            checks = check_files(
                read,
                criterion=options["criterion"],
                options=Options(resamples=options["resamples"]),
                epsilon=options["epsilon"],
            )
            held = [(check, hold(check, bar) if bar else ()) for check in checks]
        except ImportFailure as failure:
            raise CommandError(str(failure), returncode=UNTOLD) from failure
        form = next((write for name, write in FORMS.items() if options[name]), as_text)
        self.stdout.write(form(held))
        if options["html"]:
            from label_table.page import as_html  # late: most checks write no page

            options["html"].write_text(as_html(held), encoding="utf-8")
        if options["save"]:
            write_settings(self._parser, options, self._defaults, Path(NAME))
        _end([each for _, some in held for each in some])

    def _read(self, options: dict[str, Any]) -> ReadFiles:
        """The files as they are read; on a terminal open questions are asked."""
        while True:
            try:
                options["files"] = _chosen(options["files"])
                return read_results(
                    options["files"],
                    _stated(options),
                    tool=options["tool"],
                    reading=reading_of(options),
                    level=options["level"],
                    repeated=options["repeated"],
                    made_by=dict(pairs("--made-by", options["made_by"])),
                )
            except OpenQuestion as question:
                if not question.choices or not (sys.stdin.isatty() and sys.stdout.isatty()):
                    raise
                decided = self._asked(question)
                if question.field == "files":
                    options["files"] = [Path(decided)]
                else:
                    options["decided"] = [*options["decided"], decided]

    def _asked(self, question: OpenQuestion) -> str:
        """What somebody at the terminal chooses."""
        self.stdout.write(question.reason.partition(" --decide")[0])
        for number, (_, label) in enumerate(question.choices, start=1):
            self.stdout.write(f"  {number}. {label}")
        while True:
            try:
                said = input(f"1 to {len(question.choices)}: ").strip()
            except (EOFError, KeyboardInterrupt):
                raise question from None
            if said.isdecimal() and 0 < int(said) <= len(question.choices):
                return question.choices[int(said) - 1][0]


def _chosen(files: Sequence[Path]) -> Sequence[Path]:
    """The files that are named; without any the only results here, and of a folder those in it."""
    from label_table.tools.discovery import only_results, results_in

    if not files:
        return only_results(Path()).files
    if len(files) == 1 and files[0].is_dir():
        found = results_in(files[0])
        if any(each.tool for each in found):
            return only_results(files[0]).files
    return files


def _end(held: Sequence[Held]) -> None:
    """CommandError with the status where a bar is missed, or a figure undefined."""
    if status := status_of(held):
        of = [each.text for each in held if each.status != FINE]
        raise CommandError("; ".join(of), returncode=MISSED if status == MISSED else UNTOLD)


def _add_columns(parser: CommandParser) -> None:
    """What the columns hold, where names and contents do not tell."""
    parser.add_argument("--unit", default="", metavar="COL", help="the column of units")
    parser.add_argument("--rater", default="", metavar="COL", help="of a long table: who labelled")
    parser.add_argument("--label", default="", metavar="COL", help="of a long table: the label")
    parser.add_argument("--kind", default="", metavar="COL", help="of a long table: human or judge")
    parser.add_argument(
        "--human",
        nargs="+",
        default=[],
        metavar="NAME",
        help="people, all of them: columns of a wide table, raters of a long one",
    )
    parser.add_argument(
        "--judge",
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME",
        help="judges, all of them: columns of a wide table, raters of a long one; a bar is for "
        "these",
    )
    parser.add_argument(
        "--source",
        default="",
        metavar="COL",
        help="the column of what units were made from; intervals hold for other sources",
    )
    parser.add_argument("--system", default="", metavar="COL", help="the column of systems")


def _add_figures(parser: CommandParser) -> None:
    """How figures are computed."""
    parser.add_argument(
        "--level",
        choices=LEVELS,
        help="how labels are compared, where their form does not tell: words and two numbers are "
        "nominal, few whole numbers ordinal, other numbers interval; of 0, 1 and 2 it has to be "
        "said",
    )
    parser.add_argument(
        "--epsilon",
        type=float,
        help="what a judge's lower cost is worth: 0.1 in place of a crowd (the default), 0.15 of "
        "skilled annotators, 0.2 of experts",
    )
    parser.add_argument(
        "--resamples", type=int, default=1000, help="0 for no intervals, and so no verdict"
    )


def _add_bars(parser: CommandParser) -> None:
    """What ends the run with another status."""
    bar = parser.add_mutually_exclusive_group()
    bar.add_argument(
        "--fail-under", type=float, metavar="BAR", help="exit status 1 where a figure is lower"
    )
    bar.add_argument(
        "--fail-over", type=float, metavar="BAR", help="exit status 1 where a figure is higher"
    )
    parser.add_argument(
        "--point",
        action="store_true",
        help="hold the value against the bar, and not the end of its interval that is the worse",
    )
    parser.add_argument(
        "--metric",
        default="",
        help="the figure of the bar, as docs/metrics.md names it; without it α with the distance "
        "of the labels",
    )


def _stated(options: dict[str, Any]) -> Stated:
    stated = stated_by(options)
    return replace(stated, columns={**held_by(options), **stated.columns})


def _bar(options: dict[str, Any]) -> Bar | None:
    """The bar, if one is asked for."""
    if options["epsilon"] is not None and not 0 <= options["epsilon"] <= 1:
        raise CommandError("--epsilon: must lie within 0 and 1", returncode=UNTOLD)
    if options["resamples"] < 0:
        raise CommandError("--resamples: must not be negative", returncode=UNTOLD)
    under, over = options["fail_under"], options["fail_over"]
    if under is None and over is None:
        if options["metric"]:
            raise CommandError("--metric: needs --fail-under or --fail-over", returncode=UNTOLD)
        return None
    value, above = (over, False) if under is None else (under, True)
    judges, bound = tuple(options["judge"]), not options["point"]
    return Bar(value, options["metric"], judges, above=above, bound=bound)

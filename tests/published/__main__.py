"""`reproduce DATA`: published data sets through import and report, as a page of docs."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from tests.published import CASES
from tests.published.page import page_of, section_of
from tests.published.runs import run_case


class Command(BaseCommand):
    """Write the page that says what is reproduced."""

    help = (
        "Import published data sets, report on them and set the figures beside the published ones. "
        "What is imported is taken back afterwards. Exit status 1 where a figure differs that is "
        "not known to."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("data", type=Path, help="folder with one folder per data set")
        parser.add_argument("--out", type=Path, help="a file to be written instead of printing")

    def handle(self, *args: Any, **options: Any) -> None:
        data: Path = options["data"]
        missing = sorted({case.key for case in CASES if not (data / case.key).is_dir()})
        if missing:
            raise CommandError(f"{data}: no folder {', '.join(missing)}")
        sections, wrong = [], []
        for case in tqdm(CASES, unit="data set", disable=None, leave=False):
            outcomes = run_case(case, data)
            sections.append(section_of(case, outcomes))
            found = [one for step in outcomes for one in step]
            wrong += [one for one in found if not one.is_equal and not one.figure.note]
        page = page_of(sections)
        if options["out"]:
            options["out"].write_text(page, encoding="utf-8")
        else:
            self.stdout.write(page, ending="")
        if wrong:
            first = wrong[0]
            raise CommandError(f"{first.figure.what}: {first.ours}, not {first.figure.published}")

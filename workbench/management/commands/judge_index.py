"""manage.py judge_index FOLDER --out DIR: a static page of judges by tasks."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from workbench.cards.index import NoIndex, build_index


class Command(BaseCommand):
    """`manage.py judge_index FOLDER --out DIR`."""

    help = (
        "Make a page of judges by tasks from a folder of bundles, which any web server can show. "
        "It holds no number that does not come out of a bundle's own data."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", metavar="FOLDER", type=Path, help="with bundles (FILE.zip)")
        parser.add_argument(
            "--out", type=Path, metavar="DIR", required=True, help="a new folder for the page"
        )
        parser.add_argument(
            "--no-bundles",
            action="store_false",
            dest="with_bundles",
            help="without copies of the bundles",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            built = build_index(
                options["folder"], options["out"], with_bundles=options["with_bundles"]
            )
        except (NoIndex, OSError) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"{options['out'] / 'index.html'}: {built.judges} judges, {built.tasks} tasks, "
            f"{built.cards} cards."
        )
        if built.left_out:
            told = "; ".join(f"{each.bundle}: {each.detail}" for each in built.left_out)
            raise CommandError(f"left out: {told}")

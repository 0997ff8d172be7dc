"""manage.py prepare STUDY [ACT] [FILE]: lists that a study's questions are asked by."""

import json
from argparse import ArgumentParser
from itertools import islice
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone
from tqdm import tqdm

from annotation.management.studies import study_by_slug
from annotation.models import Block, Study, User
from annotation.models.changes import logged_by_name
from generators.conversations import forecast
from generators.lists import ListParameters, ListProposer, planned_lists, propose_lists
from imports.preparation.counts import preparation_counts
from imports.preparation.files import list_lines, take_lists
from imports.preparation.targets import blocks_to_prepare, lacking, list_of
from judges.management.model_options import (
    add_model_options,
    backend_of,
    failing_plainly,
    forecast_in_words,
    model_parameters,
)

ACTS = ("status", "propose", "export", "import")


class Command(BaseCommand):
    """`manage.py prepare STUDY [ACT] [FILE]`."""

    help = (
        "Prepare the lists that questions are asked by (errors of a claim, claims of a response, "
        "nuggets of a query): have a model propose them, write them to a file, read an edited "
        "file, or count them."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's slug")
        parser.add_argument("act", nargs="?", choices=ACTS, default="status")
        parser.add_argument("file", metavar="FILE", nargs="?", help="export, import: JSON lines")
        parser.add_argument("--block", default="", help="the block; needed where several qualify")
        parser.add_argument(
            "--list",
            default="",
            metavar="NAME",
            help="propose: which list, where the block is asked by several (default: its first)",
        )
        parser.add_argument("--json", action="store_true", help="status: print JSON")
        parser.add_argument(
            "--missing", action="store_true", help="export: what has no list yet, to be written"
        )
        parser.add_argument(
            "--accept", action="store_true", help="import: accept the lists of the file"
        )
        parser.add_argument(
            "--by", default="", metavar="USER", help="import: the account that checked the lists"
        )
        parser.add_argument(
            "--rejected", action="store_true", help="also what had a list that was rejected"
        )
        add_model_options(parser, things="lists", max_tokens=2048)

    @logged_by_name
    def handle(self, *args: Any, **options: Any) -> None:
        study = study_by_slug(options["study"])
        act: str = options["act"]
        if (options["file"] is None) == (act in ("export", "import")):
            wanted = "needs a FILE" if options["file"] is None else "takes no FILE"
            raise CommandError(f"{act} {wanted}")
        with failing_plainly():
            getattr(self, f"_{act}")(study, options)

    def _status(self, study: Study, options: dict[str, Any]) -> None:
        rows = preparation_counts(study)
        if options["json"]:
            self.stdout.write(json.dumps({"study": study.slug, "blocks": rows}, indent=1))
            return
        for row in rows:
            counts = ", ".join(
                f"{row[name]} {name}" for name in ("missing", "proposed", "accepted", "rejected")
            )
            twins = row["uneven_twins"]
            uneven = f"; {twins} perturbed items are not prepared like their originals"
            without = f"; {row['are_without']} sources have {row['without']}"
            self.stdout.write(
                f"{row['block']}: {row['list']}: {counts}"
                f"{uneven if twins else ''}{without if row['are_without'] else ''}"
            )
        if not rows:
            self.stdout.write("nothing to prepare: no block is asked by such a list")

    def _export(self, study: Study, options: dict[str, Any]) -> None:
        lines = list(list_lines(study, missing=options["missing"]))
        Path(options["file"]).write_text("".join(lines), encoding="utf-8")
        self.stdout.write(f"{options['file']}: {len(lines)} lists")

    def _import(self, study: Study, options: dict[str, Any]) -> None:
        path = Path(options["file"])
        taken = take_lists(
            study=study,
            path=path,
            name=path.name,
            by=_account(options["by"]),
            now=timezone.now(),
            accepting=options["accept"],
        )
        self.stdout.write(str(taken))

    def _propose(self, study: Study, options: dict[str, Any]) -> None:
        block = _block(study, options["block"])
        name = list_of(block, options["list"]).name
        targets = islice(lacking(block, name=name, rejected=options["rejected"]), options["limit"])
        planned = planned_lists(block, targets, seed=options["seed"])
        if not planned:
            raise ValueError(f"block {block.key}: no {name} are missing")
        generator = _generator(options, block)
        expected = forecast(generator, planned, max_cost=options["max_cost"])
        if options["dry_run"]:
            self.stdout.write(forecast_in_words(block.key, expected, things="lists"))
            return
        with tqdm(total=expected.answers, desc=block.key, unit="list", disable=None) as bar:
            result = propose_lists(
                block=block,
                generator=generator,
                planned=planned,
                seed=options["seed"],
                max_cost=options["max_cost"],
                on_progress=bar.update,
            )
        self.stdout.write(result.in_words(block.key, len(planned), "lists proposed"))
        result.refuse_missing(len(planned), "lists")


def _block(study: Study, key: str) -> Block:
    blocks = {block.key: block for block in blocks_to_prepare(study)}
    if not key and len(blocks) == 1:
        return next(iter(blocks.values()))
    if key in blocks:
        return blocks[key]
    names = ", ".join(blocks) or "none"
    raise ValueError(f"--block: name the block to prepare (those that can be: {names})")


def _generator(options: dict[str, Any], block: Block) -> ListProposer:
    own = model_parameters(options) | {"name": options["list"]}
    parameters = ListParameters.model_validate(own)
    resolved = ListProposer.resolve_parameters(parameters)
    if problem := ListProposer.prompt_problem(resolved, block.task_type):
        raise ValueError(problem)
    return ListProposer(resolved, model=options["model"], backend=backend_of(options))


def _account(name: str) -> User | None:
    if not name:
        return None
    user = User.objects.filter(username=name).first()
    if user is None:
        raise ValueError(f"--by: no account {name!r}")
    return user

"""manage.py generate STUDY --system NAME --model MODEL: explanations, or variants of texts."""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from pydantic import ValidationError
from tqdm import tqdm

from annotation.importing.errors import ImportFailure
from annotation.models import Study
from judges.backends.contract import Unusable
from judges.backends.opening import CHAT
from judges.backends.scripted import NAME as SCRIPTED
from judges.generators.explanations import Explainer
from judges.generators.generation import (
    Generated,
    GenerationRefused,
    check_open,
    forecast_texts,
    generate_texts,
)
from judges.generators.perturbations import CONDITIONS, Perturber
from judges.generators.pieces import Piece, explanations, variants
from judges.generators.text import Generating
from judges.runs.amounts import in_usd, positive, usd


class Command(BaseCommand):
    """Have a chat model write the texts that a study is about."""

    help = (
        "Have a chat model write an explanation with citations for each source of a study, or "
        "variants of the items of a system. What is there already is not written again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's slug")
        parser.add_argument("--system", required=True, metavar="NAME", help="whose the texts are")
        parser.add_argument("--model", default="", help="the model that is asked")
        parser.add_argument("--family", default="", help="the family of the system")
        parser.add_argument(
            "--evidence",
            choices=("human", "machine"),
            default="human",
            help="whose selection of passages an explanation rests on (default: human)",
        )
        parser.add_argument(
            "--perturb",
            choices=CONDITIONS,
            help="write variants of the system's items: most important statement missing, or wrong",
        )
        parser.add_argument("--endpoint", default="default", help="which endpoint is asked")
        parser.add_argument("--replies", default="", metavar="FILE", help="replay recorded replies")
        parser.add_argument(
            "--temperature", type=float, default=0.0, metavar="T", help="of the model's replies"
        )
        parser.add_argument("--max-tokens", type=positive, default=1024, metavar="N")
        parser.add_argument("--limit", type=positive, metavar="N", help="the first N texts only")
        parser.add_argument(
            "--seed", type=int, default=0, metavar="N", help="of every random choice"
        )
        parser.add_argument(
            "--max-cost", type=usd, metavar="USD", help="refuse to begin, and stop at, more"
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="print calls, tokens and cost, and do nothing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.filter(slug=options["study"]).first()
        if study is None:
            raise CommandError(f"no study {options['study']!r}")
        try:
            check_open(study)
            generator, pieces = self._wanted(study, options)
            if options["dry_run"]:
                self._forecast(generator, pieces, options)
                return
            self._generate(study, generator, pieces, options)
        except ValidationError as error:
            first = error.errors()[0]
            raise CommandError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error
        except (ValueError, OSError, Unusable, ImportFailure) as error:
            raise CommandError(str(error)) from error

    def _wanted(
        self, study: Study, options: dict[str, Any]
    ) -> tuple[Generating[Any], Sequence[Piece]]:
        """The generator, and what it is to write."""
        system, seed, condition = options["system"], options["seed"], options["perturb"]
        given = {name: options[name] for name in ("endpoint", "replies", "temperature")}
        given["max_tokens"] = options["max_tokens"]
        if condition:
            generator = self._ready(Perturber, given | {"condition": condition}, options)
            pieces = variants(study, system=system, condition=condition, seed=seed)
        else:
            evidence = options["evidence"]
            generator = self._ready(Explainer, given | {"evidence": evidence}, options)
            pieces = explanations(
                study, system=system, family=options["family"], evidence=evidence, seed=seed
            )
        if not pieces:
            raise GenerationRefused(f"system: there is nothing left to write for {system!r}")
        return generator, pieces[: options["limit"]]

    def _ready(
        self, kind: type[Generating[Any]], given: dict[str, Any], options: dict[str, Any]
    ) -> Generating[Any]:
        parameters = kind.settled(kind.Parameters.model_validate(given))
        backend = SCRIPTED if options["replies"] else CHAT
        return kind(parameters, model=options["model"], backend=backend)

    def _forecast(
        self, generator: Generating[Any], pieces: Sequence[Piece], options: dict[str, Any]
    ) -> None:
        found = forecast_texts(generator, pieces, max_cost=options["max_cost"])
        cost = "unknown" if found.usd is None else in_usd(found.usd)
        self.stdout.write(
            f"{options['system']}: {found.answers:,} texts, {found.calls:,} calls, tokens "
            f"{found.tokens_in:,} in, {found.tokens_out:,} out, cost {cost}"
        )

    def _generate(
        self,
        study: Study,
        generator: Generating[Any],
        pieces: Sequence[Piece],
        options: dict[str, Any],
    ) -> None:
        quiet = not sys.stderr.isatty()
        with tqdm(total=len(pieces), desc=options["system"], unit="text", disable=quiet) as bar:
            made = generate_texts(
                study=study,
                generator=generator,
                pieces=pieces,
                seed=options["seed"],
                max_cost=options["max_cost"],
                tell=bar.update,
            )
        cost = "" if made.spent is None else f", {in_usd(made.spent)}"
        self.stdout.write(f"{options['system']}: {made.texts} of {len(pieces)} texts{cost}")
        self.stdout.write(f"  what was said: {made.file}")
        self._complain(made, len(pieces))

    def _complain(self, made: Generated, wanted: int) -> None:
        """Exit status 1 where a text is missing, with the reasons on one line."""
        if made.texts == wanted:
            return
        reasons = [f"{n} × {reason}" for reason, n in sorted(made.failures.items())]
        if made.stopped:
            reasons.append(made.stopped)
        raise CommandError(f"{wanted - made.texts} texts are missing: {'; '.join(reasons)}")

"""manage.py generate STUDY --system NAME --model MODEL: explanations, or variants of texts."""

import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from pydantic import ValidationError
from tqdm import tqdm

from annotation.importing.errors import ImportFailure
from annotation.models import Study
from judges.backends.contract import Unusable
from judges.backends.factory import CHAT
from judges.backends.scripted import NAME as SCRIPTED
from judges.generators.conversations import GenerationRefused, check_complete, forecast
from judges.generators.explanations import Explainer
from judges.generators.generation import check_open, generate_texts
from judges.generators.generator import TextGenerator
from judges.generators.perturbations import CONDITIONS, Perturber
from judges.generators.planned_texts import PlannedText, explanations, sources_of_controls, variants
from judges.runs.amounts import in_usd, positive, usd
from tasktypes.registry import TASK_TYPES


class Command(BaseCommand):
    """Have a chat model write the texts that a study is about."""

    help = (
        "Have a chat model write an explanation with citations for each source of a study, or "
        "variants of the items of a system. Texts that exist already are left out."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's slug")
        parser.add_argument(
            "--system",
            required=True,
            metavar="NAME",
            help="the name of the system that writes the texts",
        )
        parser.add_argument("--model", default="", help="the model to ask")
        parser.add_argument("--family", default="", help="the model family of the system")
        parser.add_argument(
            "--evidence",
            choices=("human", "machine"),
            default="human",
            help="who selects the passages for an explanation (default: human)",
        )
        parser.add_argument(
            "--perturb",
            choices=CONDITIONS,
            help="write variants of the system's items: most important statement missing, or wrong",
        )
        parser.add_argument(
            "--system-message", type=Path, metavar="FILE", help="a system message of your own"
        )
        parser.add_argument(
            "--template",
            action="append",
            default=[],
            metavar="[STEP=]FILE",
            help="a prompt of your own; of a step (evidence, explanation) by its name; repeatable",
        )
        parser.add_argument(
            "--reply",
            choices=("json", "list"),
            default="json",
            help="how your own template of the step evidence has the model reply (default: json)",
        )
        parser.add_argument("--endpoint", default="default", help="the endpoint to ask")
        parser.add_argument("--replies", default="", metavar="FILE", help="replay recorded replies")
        parser.add_argument(
            "--temperature", type=float, default=0.0, metavar="T", help="of the model's replies"
        )
        parser.add_argument("--max-tokens", type=positive, default=1024, metavar="N")
        parser.add_argument("--limit", type=positive, metavar="N", help="only the first N texts")
        parser.add_argument(
            "--seed", type=int, default=0, metavar="N", help="of every random choice"
        )
        parser.add_argument(
            "--max-cost", type=usd, metavar="USD", help="do not start, and stop, above this cost"
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="only print the calls, tokens and cost"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.filter(slug=options["study"]).first()
        if study is None:
            raise CommandError(f"no study {options['study']!r}")
        try:
            check_open(study)
            generator, planned = self._wanted(study, options)
            if options["dry_run"]:
                self._forecast(generator, planned, options)
                return
            self._generate(study, generator, planned, options)
        except ValidationError as error:
            first = error.errors()[0]
            raise CommandError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from error
        except (ValueError, OSError, Unusable, ImportFailure) as error:
            raise CommandError(str(error)) from error

    def _wanted(
        self, study: Study, options: dict[str, Any]
    ) -> tuple[TextGenerator[Any], Sequence[PlannedText]]:
        """The generator, and the texts to generate."""
        system, seed, condition = options["system"], options["seed"], options["perturb"]
        names = ("endpoint", "replies", "temperature", "max_tokens")
        parameters = {name: options[name] for name in names} | _own_texts(options)
        if condition:
            generator = self._generator(Perturber, parameters | {"condition": condition}, options)
            planned = variants(study, system=system, condition=condition, seed=seed)
        else:
            evidence = options["evidence"]
            own = {"evidence": evidence, "reply": options["reply"]}
            generator = self._generator(Explainer, parameters | own, options)
            planned = explanations(
                study, system=system, family=options["family"], evidence=evidence, seed=seed
            )
        if controls := sources_of_controls(study).count():
            sources = "1 source" if controls == 1 else f"{controls} sources"
            self.stdout.write(f"{sources} of controls left out")
        if not planned:
            raise GenerationRefused(f"system: {system!r} has no texts left to write")
        return generator, planned[: options["limit"]]

    def _generator(
        self, kind: type[TextGenerator[Any]], parameters: dict[str, Any], options: dict[str, Any]
    ) -> TextGenerator[Any]:
        resolved = kind.resolve_parameters(kind.Parameters.model_validate(parameters))
        if problem := kind.prompt_problem(resolved, TASK_TYPES[0]):
            raise GenerationRefused(problem)
        backend = SCRIPTED if options["replies"] else CHAT
        return kind(resolved, model=options["model"], backend=backend)

    def _forecast(
        self, generator: TextGenerator[Any], planned: Sequence[PlannedText], options: dict[str, Any]
    ) -> None:
        expected = forecast(generator, planned, max_cost=options["max_cost"])
        cost = "unknown" if expected.usd is None else in_usd(expected.usd)
        self.stdout.write(
            f"{options['system']}: {expected.answers:,} texts, {expected.calls:,} calls, tokens "
            f"{expected.tokens_in:,} in, {expected.tokens_out:,} out, cost {cost}"
        )

    def _generate(
        self,
        study: Study,
        generator: TextGenerator[Any],
        planned: Sequence[PlannedText],
        options: dict[str, Any],
    ) -> None:
        quiet = not sys.stderr.isatty()
        with tqdm(total=len(planned), desc=options["system"], unit="text", disable=quiet) as bar:
            result = generate_texts(
                study=study,
                generator=generator,
                planned=planned,
                seed=options["seed"],
                max_cost=options["max_cost"],
                on_progress=bar.update,
            )
        cost = "" if result.spent is None else f", {in_usd(result.spent)}"
        self.stdout.write(f"{options['system']}: {result.texts} of {len(planned)} texts{cost}")
        self.stdout.write(f"  replies: {result.file}")
        check_complete(
            made=result.texts,
            wanted=len(planned),
            what="texts",
            failures=result.failures,
            stopped=result.stopped,
        )


def _own_texts(options: Mapping[str, Any]) -> dict[str, Any]:
    """The system message and templates of the command's files."""
    texts: dict[str, Any] = {}
    if options["system_message"]:
        texts["system"] = options["system_message"].read_text(encoding="utf-8")
    for value in options["template"]:
        step, equals, file = value.partition("=")
        text = Path(file if equals else value).read_text(encoding="utf-8")
        if equals and not isinstance(texts.get("template", {}), str):
            texts["template"] = {**texts.get("template", {}), step: text}
        elif equals or "template" in texts:
            raise ValueError("template: give one text, or one for each step by its name")
        else:
            texts["template"] = text
    return texts

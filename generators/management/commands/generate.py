"""manage.py generate STUDY --system NAME --model MODEL: texts for sources, or variants of texts."""

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from annotation.management.studies import study_by_slug
from annotation.models import Study
from annotation.models.changes import logged_by_name
from generators.conversations import forecast
from generators.generation import check_open, generate_texts
from generators.generator import TextGenerator
from generators.kinds import BY_NAME, OF_SOURCES, kind_for
from generators.perturbations import CONDITIONS
from generators.planned_texts import Order, PlannedText
from generators.text_statistics import in_words, text_statistics
from judges.management.model_options import (
    add_model_options,
    backend_of,
    failing_plainly,
    forecast_in_words,
    model_parameters,
)


class Command(BaseCommand):
    """Have a chat model write the texts that a study is about."""

    help = (
        "Have a chat model write an explanation with citations for each claim of a study, a "
        "response to each query, or variants of the items of a system. Texts that exist already "
        "are left out."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's slug")
        parser.add_argument(
            "--system",
            default="",
            metavar="NAME",
            help="the name of the system that writes the texts",
        )
        parser.add_argument(
            "--statistics",
            action="store_true",
            help="only print what each system has written: lengths, citations, evidence, cost",
        )
        parser.add_argument("--family", default="", help="the model family of the system")
        parser.add_argument(
            "--kind",
            choices=OF_SOURCES,
            default="",
            help="what to write; by default what the sources ask for, by a claim or a query",
        )
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
            "--reply",
            choices=("json", "list"),
            default="json",
            help="how your own template of the step evidence has the model reply (default: json)",
        )
        parser.add_argument(
            "--citations",
            choices=("required", "free"),
            default="required",
            help="whether an explanation that cites none of its passages is a failure "
            "(default: required)",
        )
        add_model_options(parser, things="texts", max_tokens=1024)

    @logged_by_name
    def handle(self, *args: Any, **options: Any) -> None:
        study = study_by_slug(options["study"])
        if options["statistics"]:
            self.stdout.write("\n".join(in_words(text_statistics(study))) or "no texts yet")
            return
        if not options["system"]:
            raise CommandError("the following arguments are required: --system")
        with failing_plainly():
            check_open(study)
            generator, planned = self._wanted(study, options)
            if options["dry_run"]:
                expected = forecast(generator, planned, max_cost=options["max_cost"])
                words = forecast_in_words(options["system"], expected, things="texts")
                self.stdout.write(words)
                return
            self._generate(study, generator, planned, options)

    def _wanted(
        self, study: Study, options: dict[str, Any]
    ) -> tuple[TextGenerator[Any], Sequence[PlannedText]]:
        """The generator, and the texts to generate."""
        name = options["perturb"] or options["kind"]
        kind = BY_NAME[name] if name else kind_for(study)
        own = {name: options[name] for name in ("evidence", "reply", "citations")}
        generator = kind.generator_of(
            model_parameters(options) | own, model=options["model"], backend=backend_of(options)
        )
        order = Order(options["system"], options["family"], options["seed"])
        planned = kind.planned(study, order, generator)
        for sources in planned.left_out_in_words():
            self.stdout.write(f"{sources} left out")
        return generator, planned.texts[: options["limit"]]

    def _generate(
        self,
        study: Study,
        generator: TextGenerator[Any],
        planned: Sequence[PlannedText],
        options: dict[str, Any],
    ) -> None:
        with tqdm(total=len(planned), desc=options["system"], unit="text", disable=None) as bar:
            result = generate_texts(
                study=study,
                generator=generator,
                planned=planned,
                seed=options["seed"],
                max_cost=options["max_cost"],
                on_progress=bar.update,
            )
        self.stdout.write(result.in_words(options["system"], len(planned), "texts"))
        result.refuse_missing(len(planned), "texts")

"""manage.py propose_controls STUDY --round R: control questions for a person to check."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.management.studies import study_by_slug
from annotation.models.changes import logged_by_name
from set_up.controls.proposals import JustMet, TooFew, propose_controls

POOLS = {"one-passage": "one_passage", "one-part": "one_part"}


class Command(BaseCommand):
    """Propose positive and negative controls made of a study's normal units."""

    help = (
        "Propose controls from normal units that no worker has seen. They are used once a "
        "person has validated them on the study's page of controls."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's slug")
        parser.add_argument("--round", required=True, help="the round that they are for")
        parser.add_argument("--positive", type=int, default=0, metavar="N", help="how many")
        parser.add_argument("--negative", type=int, default=0, metavar="N", help="how many")
        parser.add_argument("--seed", type=int, required=True, help="of the draw; it is stored")
        parser.add_argument(
            "--pool",
            choices=POOLS,
            default="one-passage",
            help="units whose selected evidence is one passage (default), or any unit whose "
            "right answer names one part",
        )

    @logged_by_name
    def handle(self, *args: Any, **options: Any) -> None:
        study = study_by_slug(options["study"])
        round_ = study.rounds.filter(name=options["round"]).first()
        if round_ is None:
            names = ", ".join(study.rounds.values_list("name", flat=True)) or "none"
            raise CommandError(f"--round: no such round: {options['round']} (it has: {names})")
        positive, negative = options["positive"], options["negative"]
        if min(positive, negative) < 0 or positive + negative == 0:
            raise CommandError("--positive, --negative: say how many, together at least one")
        try:
            units = propose_controls(
                study=study,
                round_=round_,
                positive=positive,
                negative=negative,
                seed=options["seed"],
                pool=POOLS[options["pool"]],  # type: ignore[arg-type]
            )
        except (TooFew, JustMet) as refusal:
            raise CommandError(f"nothing proposed: {refusal or 'try again'}") from refusal
        for unit in units:
            self.stdout.write(f"{unit.role:<9} {unit.key}")
        self.stdout.write(f"{len(units)} proposed for round {round_.name}, to be validated")

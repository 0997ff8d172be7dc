"""Fit a judge's threshold on answers that are known to be right."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.models import Study
from judges.calibration.calibrate import MEASURES, Calibrated, NotCalibrated, calibrate
from judges.definitions.versions import BadJudge, UnknownJudge, judge_for


class Command(BaseCommand):
    """`manage.py calibrate STUDY JUDGE`."""

    help = "Fit a judge's threshold on human answers, or on references, as its next version."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's slug")
        parser.add_argument("judge", metavar="JUDGE", help="a judge, or JUDGE@VERSION")
        parser.add_argument(
            "--share", type=float, default=0.5, metavar="S", help="of the sources to fit on"
        )
        parser.add_argument(
            "--seed", type=int, default=0, metavar="N", help="of the split of the sources"
        )
        parser.add_argument("--measure", choices=MEASURES, default="f1")
        parser.add_argument("--json", action="store_true", help="print the fit as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.filter(slug=options["study"]).first()
        if study is None:
            raise CommandError(f"no study {options['study']!r}")
        try:
            found = calibrate(
                study=study,
                judge=judge_for(study, options["judge"]),
                share=options["share"],
                seed=options["seed"],
                measure=options["measure"],
            )
        except (UnknownJudge, BadJudge, NotCalibrated) as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            content = {"judge": str(found.judge), "threshold": found.threshold}
            self.stdout.write(json.dumps(content | found.fit.model_dump(mode="json"), indent=2))
        else:
            self._tell(found)

    def _tell(self, found: Calibrated) -> None:
        fit = found.fit
        people = f"the {fit.consensus} of {fit.raters} people"
        right = people if fit.fitted_on == "humans" else "references (no person has answered)"
        self.stdout.write(
            f"{found.judge}: threshold {found.threshold:.6f}, the best of {fit.candidates} for "
            f"{fit.measure} against {right}.\n"
            f"fitted on {fit.train_sources} sources ({fit.train_questions} questions): "
            f"{fit.measure} {fit.train:.6f}"
        )
        if fit.test is None or fit.before is None:
            self.stdout.write("no source was left to test it on")
            return
        self.stdout.write(f"tested on {fit.test_sources} others ({fit.test_questions} questions):")
        for name, value in fit.test.items():
            self.stdout.write(f"  {name} {value:.6f} (by {fit.judge} {fit.before[name]:.6f})")

"""manage.py calibrate STUDY JUDGE: fit a judge's threshold on right answers."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.management.studies import study_by_slug
from annotation.models.changes import logged_by_name
from judges.calibration import MEASURES, Calibration, NotCalibrated, calibrate
from judges.definitions.versions import BadJudge, UnknownJudge, judge_for


class Command(BaseCommand):
    """`manage.py calibrate STUDY JUDGE`."""

    help = "Fit a judge's threshold on human answers or on references, as its next version."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's slug")
        parser.add_argument("judge", metavar="JUDGE", help="a judge, or JUDGE@VERSION")
        parser.add_argument(
            "--share", type=float, default=0.5, metavar="S", help="the share of sources to fit on"
        )
        parser.add_argument(
            "--seed", type=int, default=0, metavar="N", help="the seed of the split of the sources"
        )
        parser.add_argument("--measure", choices=MEASURES, default="f1")
        parser.add_argument("--json", action="store_true", help="print the fit as JSON")

    @logged_by_name
    def handle(self, *args: Any, **options: Any) -> None:
        study = study_by_slug(options["study"])
        try:
            calibration = calibrate(
                study=study,
                judge=judge_for(study, options["judge"]),
                share=options["share"],
                seed=options["seed"],
                measure=options["measure"],
            )
        except (UnknownJudge, BadJudge, NotCalibrated) as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            content = {"judge": str(calibration.judge), "threshold": calibration.threshold}
            self.stdout.write(
                json.dumps(content | calibration.fit.model_dump(mode="json"), indent=2)
            )
        else:
            self._print(calibration)

    def _print(self, calibration: Calibration) -> None:
        fit = calibration.fit
        people = f"the {fit.consensus} of {fit.raters} people"
        right = people if fit.fitted_on == "humans" else "references (no person has answered)"
        self.stdout.write(
            f"{calibration.judge}: threshold {calibration.threshold:.6f}, "
            f"the best of {fit.candidates} for {fit.measure} against {right}.\n"
            f"fitted on {fit.train_sources} sources ({fit.train_questions} questions): "
            f"{fit.measure} {fit.train:.6f}"
        )
        if fit.test is None or fit.before is None:
            self.stdout.write("no source was left to test on")
            return
        self.stdout.write(f"tested on {fit.test_sources} others ({fit.test_questions} questions):")
        for name, value in fit.test.items():
            self.stdout.write(f"  {name} {value:.6f} (by {fit.judge} {fit.before[name]:.6f})")

"""manage.py probe_judge STUDY NAME: ask a judge the same units again, to see whether it drifts."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from annotation.management.studies import study_by_slug
from annotation.models import Study
from annotation.models.changes import logged_by_name
from judges.definitions.versions import BadJudge, UnknownJudge, judge_for
from judges.models import JudgeRun
from judges.probes.askings import ask_again
from judges.probes.checks import check_run
from judges.probes.drift import Drift
from judges.probes.sets import LONGEST_DAYS, SIZE, ProbeChoice, begin_series, current_set
from judges.probes.words import left_out, reported_models, verdict
from judges.runs.delivery.wait import wait_for
from judges.runs.plans.amounts import positive, usd
from judges.runs.plans.scope import RunRefused


def days(text: str) -> int:
    """Parse a number of days, up to a year."""
    number = int(text)
    if not 0 <= number <= LONGEST_DAYS:
        raise ValueError
    return number


class Command(BaseCommand):
    """`manage.py probe_judge STUDY NAME`."""

    help = (
        "Ask a judge the units of its probe set again and compare the answers with the first ones. "
        "Without a set yet, or with --new, fix one and ask it twice, as the baseline."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's slug")
        parser.add_argument("name", metavar="NAME", help="a judge, or JUDGE@VERSION")
        parser.add_argument("--new", action="store_true", help="fix a new set: a new series")
        parser.add_argument(
            "--units", type=positive, default=SIZE, metavar="N", help=f"of a new set ({SIZE})"
        )
        parser.add_argument(
            "--setting", default="", metavar="SUBSET", help="a new set of all units of a subset"
        )
        parser.add_argument(
            "--seed", type=int, default=0, metavar="N", help="of the draw of a new set's units"
        )
        parser.add_argument(
            "--every",
            type=days,
            default=0,
            metavar="DAYS",
            help="have a new set asked again every so many days (0: only by hand)",
        )
        parser.add_argument(
            "--max-cost", type=usd, metavar="USD", help="of each asking of a new set"
        )
        parser.add_argument("--wait", action="store_true", help="say what came of it")

    @logged_by_name
    def handle(self, *args: Any, **options: Any) -> None:
        study = study_by_slug(options["study"])
        try:
            run = self._ask(study, options)
        except (UnknownJudge, BadJudge, RunRefused) as error:
            raise CommandError(str(error)) from error
        if not options["wait"]:
            self.stdout.write(f"{run.judge}: {run.n_calls} calls planned as {run}.")
            return
        ended = wait_for(run_id=run.pk, on_progress=lambda _: None)
        self.stdout.write(self._outcome(ended))
        if ended.state not in (JudgeRun.State.COMPLETE, JudgeRun.State.PARTIAL):
            raise CommandError(f"{ended} is {ended.state}: {ended.reason}")

    def _ask(self, study: Study, options: dict[str, Any]) -> JudgeRun:
        judge = judge_for(study, options["name"])
        probe_set = None if options["new"] else current_set(study, judge)
        if probe_set is not None:
            return ask_again(probe_set=probe_set)
        choice = ProbeChoice(
            size=options["units"],
            subset=options["setting"],
            seed=options["seed"],
            every_days=options["every"],
            max_cost=options["max_cost"],
        )
        return begin_series(study=study, judge=judge, choice=choice)

    def _outcome(self, run: JudgeRun) -> str:
        check = check_run(run=run, now=timezone.now())
        if check is None:
            assert run.probe_set is not None
            return f"{run.judge}: {run.state}. {run.probe_set.size} units are the baseline."
        drift = Drift.from_json(check.figures)
        parts = [verdict(drift), left_out(drift), reported_models(drift)]
        return f"{run.judge}: {' '.join(filter(None, parts))}"

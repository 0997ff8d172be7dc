"""manage.py judge STUDY NAME…: let judges answer the questions of a study."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from annotation.management.studies import study_by_slug
from annotation.models import Study
from annotation.models.changes import logged_by_name
from judges.calibration import NotCalibrated
from judges.calibration.baselines import make_baselines
from judges.definitions.versions import BadJudge, UnknownJudge, judge_for, method_of
from judges.models import Judge, JudgeRun
from judges.runs.delivery.wait import wait_for
from judges.runs.plans.amounts import in_usd, positive, usd
from judges.runs.plans.left_out import block_sentences, left_out_sentence
from judges.runs.plans.plan import forecast_run, plan_run
from judges.runs.plans.preview import UNITS, shown_prompts
from judges.runs.plans.scope import RunRefused, chosen_blocks, unanswered
from judges.runs.progress import pages_by_outcome, units_left_out
from judges.runs.records.page_archive import no_pages_warning
from judges.runs.states import calls_by_status, calls_in_words


class Command(BaseCommand):
    """`manage.py judge STUDY NAME…`."""

    help = "Let judges answer the questions of a study."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's slug")
        parser.add_argument("names", metavar="NAME", nargs="*", help="a judge, or JUDGE@VERSION")
        parser.add_argument(
            "--baselines",
            action="store_true",
            help="fit the baselines on people's answers, and run them as well",
        )
        parser.add_argument(
            "--setting", metavar="SUBSET", help="a subset of the units (default: the study's)"
        )
        parser.add_argument(
            "--block",
            action="append",
            default=[],
            metavar="KEY",
            help="a block, repeatable (default: all that the judge answers)",
        )
        parser.add_argument("--replicates", type=positive, default=1, metavar="N")
        parser.add_argument(
            "--limit", type=positive, metavar="N", help="only the first N questions"
        )
        parser.add_argument(
            "--seed", type=int, default=0, metavar="N", help="of the judges' random choices"
        )
        parser.add_argument(
            "--max-cost", type=usd, metavar="USD", help="do not plan, and stop, above this cost"
        )
        parser.add_argument("--wait", action="store_true", help="return when the run has ended")
        parser.add_argument(
            "--dry-run", action="store_true", help="only print the calls, tokens and cost"
        )
        parser.add_argument(
            "--preview",
            type=positive,
            nargs="?",
            const=UNITS,
            metavar="N",
            help=f"only print the prompts about the first N units ({UNITS})",
        )

    @logged_by_name
    def handle(self, *args: Any, **options: Any) -> None:
        study = study_by_slug(options["study"])
        scope = {name: options[name] for name in ("replicates", "limit", "max_cost")} | {
            "subset": options["setting"],
            "blocks": options["block"],
        }
        try:
            judges = self._judges(study, options["names"], baselines=options["baselines"])
            if options["preview"]:
                self._preview(study, judges, options["block"], options["preview"])
                return
            for judge in judges:
                if warning := no_pages_warning(method_of(judge)):
                    self.stderr.write(f"{judge}: {warning}")
            if options["dry_run"]:
                self._forecast(study, judges, scope)
                return
            runs = [
                plan_run(study=study, judge=judge, seed=options["seed"], **scope)
                for judge in judges
            ]
        except (UnknownJudge, BadJudge, RunRefused, NotCalibrated) as error:
            raise CommandError(str(error)) from error
        if options["wait"]:
            self._wait(runs)
        else:
            for run in runs:
                planned = f"{run.judge}: {run.n_calls} calls planned as {run}."
                self.stdout.write(f"{planned} {_left_out(run)}".strip())

    def _judges(self, study: Study, names: list[str], *, baselines: bool) -> list[Judge]:
        judges = [judge_for(study, name) for name in names]
        if baselines:
            made = make_baselines(study=study)
            for name, why in made.left_out.items():
                self.stderr.write(f"{name} is left out: {why}.")
            judges += made.judges
        if not judges:
            raise CommandError("name a judge, or give --baselines")
        return judges

    def _forecast(self, study: Study, judges: list[Judge], scope: dict[str, Any]) -> None:
        for judge in judges:
            forecast = forecast_run(study=study, judge=judge, **scope)
            tokens_in, tokens_out = forecast.tokens_in, forecast.tokens_out
            is_known = tokens_in is not None and tokens_out is not None
            tokens = f"{tokens_in:,} in, {tokens_out:,} out" if is_known else "unknown"
            cost = "unknown (no price is configured)"
            if forecast.usd is not None:
                cost = in_usd(forecast.usd)
            line = f"{judge}: {forecast.calls:,} calls, tokens {tokens}, cost {cost}"
            beside = _beside_controls(forecast.beside_controls)
            parts = [forecast.left_out, _examples(forecast.examples), beside]
            self.stdout.write(". ".join([line, " ".join(filter(None, parts))]).removesuffix(". "))

    def _preview(self, study: Study, judges: list[Judge], blocks: list[str], units: int) -> None:
        for judge in judges:
            method = method_of(judge)
            chosen_blocks(study, method, blocks)
            for sentence in block_sentences({} if blocks else unanswered(study, method)):
                self.stdout.write(f"--- {judge}: {sentence}")
            for prompt in shown_prompts(study, judge, blocks=blocks, units=units):
                for filled in prompt.filled:
                    name = f"--- {judge}, {prompt.block}, {filled.unit}"
                    texts = {"": filled.text, **filled.later}
                    for step, text in texts.items():
                        if text:
                            heading = f"{name}, {step}" if step else name
                            self.stdout.write(f"{heading}\n{text}\n")

    def _wait(self, runs: list[JudgeRun]) -> None:
        failed = []
        for run in runs:
            ended = self._wait_with_bar(run)
            summary = self._summary(ended)
            self.stdout.write(summary)
            if ended.state != JudgeRun.State.COMPLETE:
                failed.append(summary)
        if failed:
            raise CommandError("; ".join(failed))

    def _wait_with_bar(self, run: JudgeRun) -> JudgeRun:
        with tqdm(total=run.n_calls, desc=str(run.judge), unit="call", disable=None) as bar:

            def show(done: int) -> None:
                bar.update(done - bar.n)

            return wait_for(run_id=run.pk, on_progress=show)

    def _summary(self, run: JudgeRun) -> str:
        counts = calls_in_words(calls_by_status(run_id=run.pk))
        pages = ", ".join(f"{n} {outcome}" for outcome, n in pages_by_outcome(run))
        links = f"Links: {pages}." if pages else ""
        parts = [f"{run.judge}: {run.state}, {counts}.", links, run.reason, _left_out(run)]
        return " ".join(filter(None, parts))


def _left_out(run: JudgeRun) -> str:
    """What a run does not ask, and why."""
    parts = [left_out_sentence(run.left_out), _examples(units_left_out(run))]
    return " ".join(filter(None, parts))


def _examples(units: int) -> str:
    """What is said of the units that are examples of the judge; empty where none is."""
    if not units:
        return ""
    if units == 1:
        return "1 unit is left out as its example."
    return f"{units} units are left out: its examples, and others of their sources."


def _beside_controls(units: int) -> str:
    """What is said of the units that nobody is asked about; empty where there is none."""
    if not units:
        return ""
    if units == 1:
        return "1 unit whose source is used for a control is left out, as for people."
    return f"{units} units whose sources are used for controls are left out, as for people."

"""manage.py judge_runs STUDY: list, pause, resume, cancel or compare the runs of judges."""

from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.management.studies import study_by_slug
from annotation.models import Study
from annotation.models.changes import logged_by_name
from judges.models import JudgeRun
from judges.runs.comparison import RunComparison, compare_runs
from judges.runs.delivery.wait import wait_for
from judges.runs.plans.amounts import in_usd, positive, usd
from judges.runs.progress import run_progress
from judges.runs.records.texts import readable
from judges.runs.states import NotPossible, cancel_run, pause_run, resume_run

ACTS = ("list", "pause", "resume", "cancel", "compare")


class Command(BaseCommand):
    """`manage.py judge_runs STUDY [ACT] [RUN…]`."""

    help = "List, pause, resume, cancel or compare the runs of a study's judges."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's slug")
        parser.add_argument("act", nargs="?", choices=ACTS, default="list")
        parser.add_argument(
            "numbers", metavar="RUN", nargs="*", type=positive, help="the number of a run"
        )
        parser.add_argument("--max-cost", type=usd, metavar="USD", help="resume: a new cap")
        parser.add_argument(
            "--wait", action="store_true", help="resume: return when the runs have ended"
        )

    @logged_by_name
    def handle(self, *args: Any, **options: Any) -> None:
        study = study_by_slug(options["study"])
        act: str = options["act"]
        if act != "resume" and (options["max_cost"] is not None or options["wait"]):
            raise CommandError("--max-cost and --wait are options of resume")
        runs = _runs(study, act, options["numbers"])
        if act == "list":
            self._list(runs)
        elif act == "compare":
            self.stdout.write("\n".join(_comparison_lines(compare_runs(*runs))))
        elif act == "resume":
            self._change(runs, lambda run_id: _resume(run_id, options))
            if options["wait"]:
                _check_complete(runs)
        else:
            change = pause_run if act == "pause" else cancel_run
            self._change(runs, lambda run_id: change(run_id=run_id))

    def _list(self, runs: Sequence[JudgeRun]) -> None:
        for run in runs:
            self.stdout.write(_summary(run))

    def _change(self, runs: Sequence[JudgeRun], change: Callable[[int], None]) -> None:
        for run in runs:
            try:
                change(run.pk)
            except NotPossible as error:
                raise CommandError(f"run {run.pk}: {error}") from error
            run.refresh_from_db()
        self._list(runs)


def _runs(study: Study, act: str, numbers: Sequence[int]) -> list[JudgeRun]:
    """The runs of those numbers, in that order; `list` without numbers takes all of the study."""
    if act == "compare" and len(numbers) != 2:
        raise CommandError("compare needs the numbers of two runs")
    if act != "list" and not numbers:
        raise CommandError(f"{act} needs the number of a run")
    runs = study.judge_runs.select_related("judge").order_by("pk")
    if not numbers:
        return list(runs)
    by_number = runs.in_bulk(list(numbers))
    for number in numbers:
        if number not in by_number:
            raise CommandError(f"study {study.slug} has no run {number}")
    if act == "compare" and any(by_number[number].is_probe for number in numbers):
        raise CommandError("a probe is compared with the first one by probe_judge --wait")
    return [by_number[number] for number in numbers]


def _resume(run_id: int, options: dict[str, Any]) -> None:
    resume_run(run_id=run_id, max_cost=options["max_cost"])
    if options["wait"]:
        wait_for(run_id=run_id, on_progress=lambda done: None)


def _check_complete(runs: Sequence[JudgeRun]) -> None:
    """CommandError (exit status 1) where a run has ended without all of its answers."""
    unfinished = [run for run in runs if run.state != JudgeRun.State.COMPLETE]
    if unfinished:
        raise CommandError("; ".join(f"run {run.pk} is {run.state}" for run in unfinished))


def _summary(run: JudgeRun) -> str:
    progress = run_progress(run)
    cap = "" if run.max_cost is None else f" of at most {in_usd(run.max_cost)}"
    failures = f", {progress.failures}" if progress.failures else ""
    spent = f", {in_usd(run.spent)}{cap}" if run.spent or cap else ""
    counts = f"{progress.in_words}{failures}{spent}"
    judge = f"{run.judge}, a probe" if run.is_probe else str(run.judge)
    return f"{run.pk}: {judge}, {run.state}, {counts}. {run.reason}".rstrip()


def _comparison_lines(comparison: RunComparison) -> Iterator[str]:
    sides = [f"run {run.pk} of {run.judge}" for run in (comparison.left, comparison.right)]
    yield f"The {sides[0]} and the {sides[1]}"
    for change in comparison.changes:
        yield f"{change.name}: {change.left or '–'} → {change.right or '–'}"
    for prompt in comparison.prompts:
        yield f"Prompt of {prompt.block}:"
        yield from (f"  {line}" for line in prompt.lines)
    yield (
        f"Answered by both: {comparison.n_both}; the same: {comparison.n_same}; different: "
        f"{comparison.n_different}; by only one: {comparison.n_left_only} / "
        f"{comparison.n_right_only}"
    )
    for agreement in comparison.agreement:
        value, reason = agreement.alpha.value, agreement.alpha.undefined
        text = f"undefined: {reason}" if value is None else f"{value:.4f}"
        yield f"α of {agreement.facet} ({agreement.distance}): {text}"
    for answers in comparison.differing:
        number = f" ({answers.replicate + 1})" if answers.replicate else ""
        both = " | ".join(map(readable, (answers.left, answers.right)))
        yield f"{answers.unit}{number}, {answers.block}: {both}"

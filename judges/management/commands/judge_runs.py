"""Look at the runs of a study's judges, and pause, resume, cancel or compare them."""

from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.models import Study
from judges.models import JudgeRun
from judges.runs.amounts import in_usd, positive, usd
from judges.runs.comparison import RunComparison, compare_runs
from judges.runs.progress import run_progress
from judges.runs.states import NotPossible, cancel_run, pause_run, resume_run
from judges.runs.wait import wait_for

ACTS = ("list", "pause", "resume", "cancel", "compare")


class Command(BaseCommand):
    """`manage.py judge_runs STUDY [ACT] [RUN…]`."""

    help = "Look at the runs of a study's judges, and pause, resume, cancel or compare them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's slug")
        parser.add_argument("act", nargs="?", choices=ACTS, default="list")
        parser.add_argument(
            "numbers", metavar="RUN", nargs="*", type=positive, help="the number of a run"
        )
        parser.add_argument(
            "--max-cost", type=usd, metavar="USD", help="resume: another cap than before"
        )
        parser.add_argument(
            "--wait", action="store_true", help="resume: return when the runs have ended"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.filter(slug=options["study"]).first()
        if study is None:
            raise CommandError(f"no study {options['study']!r}")
        act: str = options["act"]
        if act != "resume" and (options["max_cost"] is not None or options["wait"]):
            raise CommandError("--max-cost and --wait go with resume")
        runs = _runs(study, act, options["numbers"])
        if act == "list":
            self._list(runs)
        elif act == "compare":
            self.stdout.write("\n".join(_told(compare_runs(*runs))))
        elif act == "resume":
            self._change(runs, lambda run_id: _resume(run_id, options))
        else:
            change = pause_run if act == "pause" else cancel_run
            self._change(runs, lambda run_id: change(run_id=run_id))

    def _list(self, runs: Sequence[JudgeRun]) -> None:
        for run in runs:
            self.stdout.write(_in_a_line(run))

    def _change(self, runs: Sequence[JudgeRun], change: Callable[[int], None]) -> None:
        for run in runs:
            try:
                change(run.pk)
            except NotPossible as refusal:
                raise CommandError(f"run {run.pk}: {refusal}") from refusal
            run.refresh_from_db()
        self._list(runs)


def _runs(study: Study, act: str, numbers: Sequence[int]) -> list[JudgeRun]:
    """The runs of those numbers, in that order; all of the study to list, where none is named."""
    if act == "compare" and len(numbers) != 2:
        raise CommandError("compare takes the numbers of two runs")
    if act != "list" and not numbers:
        raise CommandError(f"{act} takes the number of a run")
    found = study.judge_runs.select_related("judge").order_by("pk")
    if not numbers:
        return list(found)
    by_number = found.in_bulk(list(numbers))
    for number in numbers:
        if number not in by_number:
            raise CommandError(f"study {study.slug} has no run {number}")
    return [by_number[number] for number in numbers]


def _resume(run_id: int, options: dict[str, Any]) -> None:
    resume_run(run_id=run_id, max_cost=options["max_cost"])
    if options["wait"]:
        wait_for(run_id=run_id, tell=lambda done: None)


def _in_a_line(run: JudgeRun) -> str:
    progress = run_progress(run)
    cap = "" if run.max_cost is None else f" of at most {in_usd(run.max_cost)}"
    counts = f"{progress.answered} of {progress.total} calls answered"
    failures = f", {progress.failures}" if progress.failures else ""
    spent = f", {in_usd(run.spent)}{cap}" if run.spent or cap else ""
    return f"{run.pk}: {run.judge}, {run.state}, {counts}{failures}{spent}. {run.reason}".rstrip()


def _told(found: RunComparison) -> Iterator[str]:
    sides = [f"run {run.pk} of {run.judge}" for run in (found.left, found.right)]
    yield f"The {sides[0]} and the {sides[1]}"
    for change in found.changes:
        yield f"{change.name}: {change.left or '–'} → {change.right or '–'}"
    for prompt in found.prompts:
        yield f"Prompt of {prompt.block}:"
        yield from (f"  {line}" for line in prompt.lines)
    yield (
        f"Answered by both: {found.n_both}; the same: {found.n_same}; different: "
        f"{found.n_different}; by one alone: {found.n_left_only} / {found.n_right_only}"
    )
    for one in found.agreement:
        value = one.alpha.value
        said = f"undefined: {one.alpha.undefined}" if value is None else f"{value:.4f}"
        yield f"α of {one.facet} ({one.distance}): {said}"
    for apart in found.differing:
        again = f" ({apart.replicate + 1})" if apart.replicate else ""
        yield f"{apart.unit}{again}, {apart.block}: {apart.left} | {apart.right}"

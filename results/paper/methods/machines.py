"""Judges: method, model, prompt and settings, as their runs recorded them."""

from collections.abc import Iterator
from typing import Any

from annotation.models import Rater, Study
from estimates.report.cache import Report
from judges.methods.registry import find_method, title_of
from judges.models import Call, Judge, JudgeRun
from judges.runs.states import calls_by_status, failures_in_words
from results.paper.citations import JUDGE_METHODS
from results.paper.paragraphs import Sentence
from results.reading.wording import counted, listed, named

# Digits of a prompt's SHA-256 that tell it from others.
SHORT = 12
# Parameters that decide what a model replies.
SETTINGS = ("temperature", "top_p", "max_tokens", "samples", "reasoning_effort")


def machines(report: Report) -> Iterator[Sentence]:
    """A sentence for each judge of the report, and one for those whose answers were imported."""
    runs = _newest_runs(report.study)
    imported = []
    for name, version in sorted(report.versions.items()):
        run = runs.get((name, version))
        if run is None:
            imported.append(name)
        else:
            yield Sentence(described(run), JUDGE_METHODS.get(run.judge.method, ()))
            yield from _failed(run)
    if imported:
        names = listed(list(map(named, imported)), len(imported))
        yield Sentence(f"Answers of {counted(len(imported), 'judge')} were imported: {names}.")
    if report.study.caution:
        yield Sentence(report.study.caution)
    simulated = report.study.raters.filter(kind=Rater.Kind.SIMULATED).count()
    if simulated:
        raters = counted(simulated, "simulated rater")
        yield Sentence(f"Answers of {raters} are not counted as people’s.")


def _failed(run: JudgeRun) -> Iterator[Sentence]:
    """How many of its calls gave no answer, and why."""
    counts = calls_by_status(run_id=run.pk)
    failed = sum(counts.get(status, 0) for status in Call.FAILED)
    if failed:
        asked = failed + counts.get(Call.Status.ANSWERED, 0)
        why = failures_in_words(counts)
        calls = counted(asked, "call")
        yield Sentence(f"Of its {calls}, {failed} gave no answer and count in no figure ({why}).")


def _newest_runs(study: Study) -> dict[tuple[str, int], JudgeRun]:
    """Name and version -> the run that began last."""
    runs = study.judge_runs.filter(probe_set=None).select_related("judge", "rater")
    runs = runs.order_by("created_at", "pk")
    return {(run.rater.name, run.rater.version): run for run in runs}


def described(run: JudgeRun) -> str:
    """`lexical (version 1) judged by the method “Shared words” (version 2; …).`"""
    judge = run.judge
    asks = f" with the model {judge.model}" if judge.model else ""
    details = [
        f"version {judge.method_version} of the method",
        f"backend {judge.backend}" if judge.backend else "",
        *(f"{key.replace('_', ' ')} {value}" for key, value in _settings(judge)),
        _prompts(run),
        f"{run.replicates} replicates" if run.replicates > 1 else "",
        f"program {run.code_version}" if run.code_version else "",
    ]
    return (
        f"{named(judge.name)} (version {judge.version}) judged by the method "
        f"“{title_of(judge.method)}”{asks} ({'; '.join(filter(None, details))})."
    )


def _settings(judge: Judge) -> Iterator[tuple[str, Any]]:
    """What was set, and the method's own defaults."""
    try:
        fields = find_method(judge.method).Parameters.model_fields
    except KeyError:
        fields = {}  # of a package that is no longer installed
    for key in SETTINGS:
        default = fields[key].default if key in fields else None
        value = judge.parameters.get(key, default)
        if isinstance(value, (int, float, str)):
            yield key, f"{value:g}" if isinstance(value, float) else value


def _prompts(run: JudgeRun) -> str:
    """The beginning of each prompt's hash, with its block where there are several."""
    hashes = {block: str(of.get("hash", ""))[:SHORT] for block, of in run.prompts.items()}
    hashes = {block: short for block, short in hashes.items() if short}
    if not hashes:
        return ""
    parts = [short if len(hashes) == 1 else f"{short} ({block})" for block, short in hashes.items()]
    return (
        f"SHA-256 of the prompt {', '.join(parts)}…"
        if len(parts) == 1
        else f"SHA-256 of the prompts {', '.join(parts)}"
    )

"""Judges that are asked a probe set: recorded replies that change behind the same definition."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from django.utils import timezone

from annotation.models import Question, Study
from judges.backends.scripted import fingerprint
from judges.models import DriftCheck, Judge, JudgeRun
from judges.probes.askings import ask_again
from judges.probes.checks import check_what_ended
from judges.probes.sets import ProbeChoice, begin_series, current_set
from tests.cast import make_study
from tests.judges.scripted_judges import scripted_judge, work_all, write_lines

SLIDER: tuple[tuple[str, dict[str, Any]], ...] = (("slider", {}),)
Values = Mapping[str, float]
NOTHING: Values = MappingProxyType({})


def study_of(units: int, slug: str = "probed") -> Study:
    """A study with a slider and so many units, whose keys are `keys_of`."""
    return make_study(slug, sources=units, blocks=SLIDER)


def keys_of(study: Study) -> list[str]:
    return list(study.units.order_by("pk").values_list("key", flat=True))


def set_right_answers(study: Study, values: Values) -> None:
    for key, value in values.items():
        questions = Question.objects.filter(study=study, unit__key=key)
        questions.update(reference={"value": value})


def reply(key: str, value: float, replicate: int = 0) -> dict[str, Any]:
    """One line of a file of replies."""
    return {"unit": key, "replicate": replicate, "reply": f'{{"value": {value}}}'}


def begun(study: Study, folder: Path, noise: Values = NOTHING, **choice: Any) -> Judge:
    """A judge that says 70 everywhere, with a baseline; noise: what it says at once the second
    time."""
    judge = scripted_judge(study, folder)
    lines = [reply(key, 70) for key in keys_of(study)]
    lines += [reply(key, value, 1) for key, value in noise.items()]
    answers_become(judge, folder, lines)
    work_all(begin_series(study=study, judge=judge, choice=ProbeChoice(**choice)))
    return judge


def answers_become(judge: Judge, folder: Path, lines: Iterable[Mapping[str, Any]]) -> None:
    """As if the model behind the judge's name had been exchanged: its definition stays."""
    number = len(list(folder.glob("answers-*.jsonl")))
    file = write_lines(folder / f"answers-{number}.jsonl", lines)
    parameters = {**judge.parameters, "file": str(file), "sha256": fingerprint(file)}
    Judge.objects.filter(pk=judge.pk).update(parameters=parameters)
    judge.refresh_from_db()


def asked_again(
    study: Study, judge: Judge, folder: Path, changed: Values = NOTHING, but: Iterable[str] = ()
) -> tuple[JudgeRun, DriftCheck | None]:
    """The next asking, at which the judge says 70 but for what has changed, and says nothing about
    some; with what the sweep makes of it."""
    lines = [reply(k, changed.get(k, 70)) for k in keys_of(study) if k not in set(but)]
    answers_become(judge, folder, lines)
    probe_set = current_set(study, judge)
    assert probe_set is not None
    run = work_all(ask_again(probe_set=probe_set))
    check_what_ended(now=timezone.now())
    return run, DriftCheck.objects.filter(run=run).first()

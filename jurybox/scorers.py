"""A judge of Jurybox as a scorer of inspect_ai.

    from jurybox.scorers import judge_scorer

    @task
    def hours():
        return Task(dataset=…, solver=generate(), scorer=judge_scorer("study.yaml"))

inspect_ai has to be installed; nothing else of an installation of Jurybox is needed or touched.
"""

import os
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from inspect_ai.model import Model, get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from jurybox.packages import PACKAGES, program_folder, take_names

GRADER = "grader"
# Fields of a source that metadata of a sample may fill.
_FIELDS = ("claim", "document", "query", "verdict")


def judge_scorer(
    study: str | Path,
    judge: str = "",
    *,
    block: str = "",
    model: str | Model | None = None,
    material: Mapping[str, str] | None = None,
) -> Scorer:
    """A scorer that asks a judge of a study file, with the file's question and instructions.

    study: the study file. judge: the name of a judge that it defines; may be left out where there
    is one. block: the key of its block, where there are several. model: the model to ask, by
    inspect_ai's API; without it the one that plays the role `grader`. material: what a sample's
    metadata holds, such as {"document": "context"}: the fields claim, document, query and verdict
    by the metadata's names.

    A number is scored as it is, with its mean and standard error; a label as an object with 1 for
    it and 0 for the others, whose means are the shares; several facets as one object. Where the
    judge gives no answer the sample is unscored (NaN), with the reason. ValueError where the judge
    cannot be used.
    """
    _prepare()
    from files.errors import ImportFailure
    from judges.sample_judge import judge_of_file

    _refuse_fields(material or {})
    try:
        sample_judge = judge_of_file(Path(study), judge, block=block)
    except ImportFailure as failure:
        raise ValueError(str(failure)) from failure

    # By the judge's name, which is that of the rater where the log is imported.
    @scorer(metrics=_metrics(sample_judge), name=sample_judge.definition.name)  # type: ignore[untyped-decorator]
    def jurybox_judge() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:
            return await _score(sample_judge, state, target, model=model, material=material or {})

        return score

    return jurybox_judge()


async def _score(
    judge: Any,
    state: TaskState,
    target: Target,
    *,
    model: str | Model | None,
    material: Mapping[str, str],
) -> Score:
    from judges.backends.inspect_models import InspectChat

    grader = _grader(model) if judge.asks_model else None
    about = judge.about | ({} if grader is None else {"model": str(grader)})
    completion = state.output.completion
    try:
        source, item = _sample(state, target, material)
    except ValueError as error:
        return Score.unscored(explanation=str(error), answer=completion, metadata=about)
    chat = None if grader is None else InspectChat(grader)
    verdict = await judge.answer(source, item, replicate=state.epoch - 1, chat=chat)
    about |= {
        "answer": verdict.answer,
        "replies": [reply.text for reply in verdict.replies],
        "tokens_in": sum(reply.tokens_in or 0 for reply in verdict.replies),
        "tokens_out": sum(reply.tokens_out or 0 for reply in verdict.replies),
    }
    if verdict.failure:
        return Score.unscored(explanation=verdict.failure, answer=completion, metadata=about)
    last = [reply.text for reply in verdict.replies[-1:]]
    explanation = "\n".join(verdict.reasons or last)
    about["jurybox_values"] = dict(verdict.values)
    value = _value(judge, verdict.values)
    return Score(value=value, answer=completion, explanation=explanation or None, metadata=about)


def _grader(model: str | Model | None) -> Model:
    """The model to ask; it is named and never the one that is evaluated by default."""
    if model is not None:
        return get_model(model)
    try:
        return get_model(role=GRADER, required=True)
    except ValueError as error:
        raise ValueError(
            'name the model to ask: judge_scorer(…, model="openai/gpt-4o"), or '
            f"--model-role {GRADER}=openai/gpt-4o"
        ) from error


def _sample(state: TaskState, target: Target, material: Mapping[str, str]) -> tuple[Any, Any]:
    """The sample as Jurybox imports it from a log, with what its metadata adds."""
    from imports.formats.tools.inspect_logs import sample_item, sample_source

    key = str(state.sample_id)
    content = {
        "id": key,
        "input": state.input if isinstance(state.input, str) else _plain(state.input),
        "target": list(target),
        "messages": _plain(state.messages),
        "output": {"completion": state.output.completion},
    }
    item = sample_item(content, key, str(state.model))
    added = {field: str(state.metadata[name]) for field, name in material.items()
             if state.metadata.get(name)}  # fmt: skip
    return sample_source(content, key).model_copy(update=added), item


def _plain(messages: Any) -> list[dict[str, Any]]:
    return [message.model_dump(mode="json", exclude_none=True) for message in messages]


def _metrics(judge: Any) -> Any:
    """Metrics for the values of a judge: of one number, or by part."""
    facets = judge.facets
    if len(facets) == 1 and facets[0].kind == "number":
        return [mean(), stderr()]
    return {
        part: [mean()] if facet.kind == "label" else [mean(), stderr()]
        for facet in facets
        for part in _parts(facet)
    }


def _parts(facet: Any) -> list[str]:
    """A number is a part; a label is a part that is 1 or 0, since inspect_ai averages values. The
    mean is the label's share."""
    if facet.kind == "number":
        return [facet.name]
    return [f"{facet.name}={label}" for label in facet.labels]


def _value(judge: Any, values: Mapping[str, float | str]) -> Any:
    """The score: a number, or an object of numbers."""
    facets = judge.facets
    if len(facets) == 1 and facets[0].kind == "number":
        return values[facets[0].name]
    return {
        part: values[facet.name]
        if facet.kind == "number"
        else float(part == f"{facet.name}={values[facet.name]}")
        for facet in facets
        for part in _parts(facet)
        if facet.name in values
    }


def _refuse_fields(material: Mapping[str, str]) -> None:
    for field in material:
        if field not in _FIELDS:
            raise ValueError(f"material: {field!r} is none of {', '.join(_FIELDS)}")


@cache
def _prepare() -> None:
    """Load the program as a library: with settings of its own that name no database and no folder,
    and without a change to this process's environment, path or logging. ValueError where modules of
    the evaluation have the names of the program's packages."""
    _refuse_other_modules()
    environment, path = dict(os.environ), list(sys.path)  # to put back
    try:
        take_names()
        from config.without_data import use_no_data

        use_no_data()
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
        from django.apps import apps
        from django.conf import settings

        if settings.configured and "judges" not in settings.INSTALLED_APPS:
            raise ValueError("this evaluation runs a program of its own with Django")
        # Not `django.setup`, which would change what this process logs.
        apps.populate(settings.INSTALLED_APPS)
    finally:
        sys.path[:] = path
        for name in set(os.environ) - set(environment):
            del os.environ[name]
        os.environ.update(environment)


def _refuse_other_modules() -> None:
    folder = program_folder()
    for name in PACKAGES:
        if name not in sys.modules:
            continue
        file = getattr(sys.modules[name], "__file__", None)
        if file is None or folder not in Path(file).resolve().parents:
            reason = f"a module {name!r} of this evaluation has the name of a package of Jurybox"
            raise ValueError(f"{reason}; give it another name")

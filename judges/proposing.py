"""Add a judge to a study from a page: what its file would say, with less trust in who says it."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from annotation.models import Study
from judges.defining import BadJudge, define_judge, method_of
from judges.models import Judge

# Parameters that name a file of the server: for who may write the study's file there, and no page.
FILES = ("file", "replies")


@transaction.atomic
def propose_judge(
    *,
    study: Study,
    name: str,
    method: str,
    backend: str = "",
    model: str = "",
    family: str = "",
    parameters: Mapping[str, Any],
) -> Judge:
    """Define a judge and name it in the study; one of that name there is replaced.

    BadJudge('field: reason') where it cannot be used, or would read a file of the server.
    """
    _refuse_files(model, parameters)
    judge = define_judge(
        name=name,
        method=method,
        backend=backend,
        model=model,
        family=family,
        parameters=parameters,
    )
    try:
        method_of(judge)
    except BadJudge as error:
        raise BadJudge(str(error).removeprefix(f"{judge}: ")) from error
    definition = {
        "name": name,
        "method": method,
        "backend": backend,
        "model": model,
        "family": family,
        "parameters": dict(parameters),
    }
    locked = Study.objects.select_for_update().get(pk=study.pk)
    others = [one for one in locked.judges if _name(one) != name]
    locked.judges = [*others, {field: value for field, value in definition.items() if value}]
    locked.save(update_fields=["judges"])
    return judge


def _refuse_files(model: str, parameters: Mapping[str, Any]) -> None:
    for name in FILES:
        if parameters.get(name):
            raise BadJudge(
                f"parameters.{name}: a file of the server can be named in the study's file alone"
            )
    if model.startswith(("/", "~", ".")) or ".." in model:
        raise BadJudge("model: a folder of the server can be named in the study's file alone")


def _name(entry: Any) -> Any:
    return entry.get("name") if isinstance(entry, Mapping) else entry

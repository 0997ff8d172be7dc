"""Add a judge to a study from a page: what its file would say, with less trust in who says it."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from annotation.models import Study
from judges.backends.local.weights import is_of_a_hub
from judges.definitions.versions import BadJudge, Definition, define_judge, method_for, method_of
from judges.methods.contract import Method
from judges.models import Judge


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

    BadJudge('field: reason') where it cannot be used, or would read a file of the server. A hub
    may be asked on the way, so no transaction is open until the judge is there.
    """
    definition = Definition(name, method, backend, model, family, parameters)
    _refuse_files(method_for(definition), definition)
    judge = define_judge(
        name=name,
        method=method,
        backend=backend,
        model=model,
        family=family,
        parameters=parameters,
        study=study,
    )
    try:
        method_of(judge)
    except BadJudge as error:
        raise BadJudge(str(error).removeprefix(f"{judge}: ")) from error
    _name_in_study(study, definition)
    return judge


@transaction.atomic
def _name_in_study(study: Study, definition: Definition) -> None:
    locked = Study.objects.select_for_update().get(pk=study.pk)
    others = [one for one in locked.judges if _name(one) != definition.name]
    given = {field: value for field, value in vars(definition).items() if value}
    locked.judges = [*others, given]
    locked.save(update_fields=["judges"])


def _refuse_files(method: type[Method[Any]], definition: Definition) -> None:
    """BadJudge where the definition names a file or folder of the server; a path is refused
    before anybody looks whether it is there."""
    for name in method.files:
        if definition.parameters.get(name):
            raise BadJudge(
                f"parameters.{name}: a file of the server can be named in the study's file alone"
            )
    for field in method.models_here:
        model = definition.value_of(field)
        if model and not is_of_a_hub(str(model)):
            raise BadJudge(
                f"{field}: name a model of the hub; a folder of the server can be named in the "
                "study's file alone"
            )


def _name(entry: Any) -> Any:
    return entry.get("name") if isinstance(entry, Mapping) else entry

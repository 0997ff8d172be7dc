"""Add a judge to a study from a page.

The same as in the study's file, but without its trust: researchers may name no file of the server.
"""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from annotation.models import Study, User, log_change
from judges.backends.local.weights import is_on_hub
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
    by: User | None = None,
) -> Judge:
    """Define a judge and add it to the study; it replaces one of the same name there.

    BadJudge('field: reason') where it cannot be used, or would read a file of the server. Pinning a
    model may wait for the hub, so no transaction is open before the judge exists.
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
    _add_to_study(study, definition)
    log_change(study=study, by=by, action="judge.defined", subject=str(judge))
    return judge


@transaction.atomic
def _add_to_study(study: Study, definition: Definition) -> None:
    locked = Study.objects.select_for_update().get(pk=study.pk)
    others = [entry for entry in locked.judges if _name(entry) != definition.name]
    fields = {field: value for field, value in vars(definition).items() if value}
    locked.judges = [*others, fields]
    locked.save(update_fields=["judges"])


def _refuse_files(method: type[Method[Any]], definition: Definition) -> None:
    """BadJudge where the definition names a file or folder of the server.

    Paths are refused without a look at the disk, so that the answer does not reveal which exist.
    """
    for name in method.files:
        if definition.parameters.get(name):
            raise BadJudge(
                f"parameters.{name}: only the study's file can name a file of the server"
            )
    for field in method.models_here:
        model = definition.value_of(field)
        if model and not is_on_hub(str(model)):
            raise BadJudge(
                f"{field}: name a model on the hub; only the study's file can name a folder of "
                "the server"
            )


def _name(entry: Any) -> Any:
    return entry.get("name") if isinstance(entry, Mapping) else entry

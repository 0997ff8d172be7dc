"""Add a judge to a study from a page.

The same as in the study's file, but without its trust: researchers may name no file of the server.
"""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from annotation.importing.errors import ImportFailure
from annotation.models import Study, User, log_change
from judges.definitions.trust import refuse_untrusted
from judges.definitions.versions import BadJudge, Definition, define_judge, method_of
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
    _refuse_untrusted(definition, study)
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


def _refuse_untrusted(definition: Definition, study: Study) -> None:
    """BadJudge('field: reason') where the definition is not to be taken from a page."""
    try:
        refuse_untrusted({"judges": [vars(definition)]}, standing=study.judges)
    except ImportFailure as failure:
        field = failure.field.removeprefix(f"judges.{definition.name}.").removeprefix("judges[0].")
        field = "parameters" if field == "judges" else field
        raise BadJudge(f"{field}: {failure.reason}") from failure


def _name(entry: Any) -> Any:
    return entry.get("name") if isinstance(entry, Mapping) else entry

"""Add a judge to a study from a page: a new definition, or that of another study.

The same as in the study's file, but without its trust: researchers may name no file of the server.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from annotation.models import Member, Study, User, log_change
from files.errors import ImportFailure
from imports.study_file.judge_entries import JudgeEntry
from judges.definitions.trust import refuse_untrusted
from judges.definitions.versions import (
    BUILT_IN,
    BadJudge,
    Definition,
    define_judge,
    known_names,
    method_of,
)
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
    refuse_from_page(definition, study)
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


def judges_elsewhere(*, study: Study, user: User) -> QuerySet[Judge]:
    """The judges of other studies that the user may read."""
    readable = Member.objects.filter(user=user).exclude(study=study).order_by().values("study")
    judges = Judge.objects.filter(study__in=readable).select_related("study")
    return judges.order_by("study__slug", "name", "-version")


def named_with_study(judge: Judge) -> str:
    """The judge as it is named outside its study."""
    return str(judge) if judge.study is None else f"{judge.study.slug}/{judge}"


def take_over(*, study: Study, judge: Judge, name: str, by: User) -> Judge:
    """Define a judge of another study in this one, without its examples: what they show is of the
    other study. BadJudge where it cannot be used here, or the study has a judge of that name."""
    if not judges_elsewhere(study=study, user=by).filter(pk=judge.pk).exists():
        raise BadJudge("judge: there is no such judge in another study that you can read")
    if name in known_names(study):
        raise BadJudge(f"name: the study has a judge {name!r} already; give it another name")
    if members := method_of(judge).voters():
        named = ", ".join(members)
        raise BadJudge(f"judge: a jury stays with its members ({named}); define one of judges here")
    taken = propose_judge(
        study=study,
        name=name,
        method=judge.method,
        backend=judge.backend,
        model=judge.model,
        family=judge.family,
        parameters=_without_examples(judge.parameters),
        by=by,
    )
    detail = {"from": named_with_study(judge)}
    log_change(study=study, by=by, action="judge.taken_over", subject=str(taken), detail=detail)
    return taken


def copied_judges(entries: Sequence[JudgeEntry]) -> list[JudgeEntry]:
    """The judges of a study as a copy of it names them: built-in ones, and definitions without
    their examples. Versions that nothing defines any more stay behind."""
    built_in = [definition.name for definition in BUILT_IN]
    return [
        {**entry, "parameters": _without_examples(entry.get("parameters", {}))}
        if isinstance(entry, dict)
        else entry
        for entry in entries
        if isinstance(entry, dict) or entry in built_in
    ]


def _without_examples(parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in parameters.items() if name != "examples"}


@transaction.atomic
def _add_to_study(study: Study, definition: Definition) -> None:
    locked = Study.objects.select_for_update().get(pk=study.pk)
    others = [entry for entry in locked.judges if _name(entry) != definition.name]
    fields = {field: value for field, value in vars(definition).items() if value}
    locked.judges = [*others, fields]
    locked.save(update_fields=["judges"])


def refuse_from_page(definition: Definition, study: Study) -> None:
    """BadJudge('field: reason') where the definition is not to be taken from a page."""
    try:
        refuse_untrusted({"judges": [vars(definition)]}, standing=study.judges)
    except ImportFailure as failure:
        field = failure.field.removeprefix(f"judges.{definition.name}.").removeprefix("judges[0].")
        field = "parameters" if field == "judges" else field
        raise BadJudge(f"{field}: {failure.reason}") from failure


def _name(entry: Any) -> Any:
    return entry.get("name") if isinstance(entry, Mapping) else entry

"""The judges that a study's file defines or names, before any of them has a version."""

from collections.abc import Mapping
from typing import Any

from annotation.models import Rater, Study
from judges.definitions.families import imported_judges
from judges.definitions.raters import NameTaken
from judges.definitions.versions import (
    BUILT_IN,
    BadJudge,
    Definition,
    judge_for,
    method_for,
    method_of,
    refuse_circle,
    resolved,
    study_definitions,
)
from judges.methods.contract import Method
from judges.models import Judge


def study_method(study: Study, name: str) -> Method[Any]:
    """The method of a judge of a study, by its name. Nothing is defined, and no model is looked for
    on the hub.

    BadJudge or UnknownJudge where the judge cannot be used, with the words of a run.
    """
    own = {definition.name: definition for definition in (*BUILT_IN, *study_definitions(study))}
    if name not in own:
        return method_of(judge_for(study, name))
    here = {"kind": Rater.Kind.JUDGE, "origin": Rater.Origin.HERE}
    others = study.raters.filter(name=name).exclude(**here)
    if others.exists() and not Judge.objects.known_to(study).filter(name=name).exists():
        raise NameTaken(name)
    _refuse_circles(own, (name,), study)
    return _unsaved_method(own[name], study)


def judge_exists(study: Study, reference: str) -> bool:
    """Whether a jury of the study can have a member `name` or `name@version`."""
    name, _, version = reference.partition("@")
    judges = Judge.objects.known_to(study).filter(name=name)
    if version:
        return judges.filter(version=version).exists() if version.isdecimal() else False
    defined = {definition.name for definition in (*BUILT_IN, *study_definitions(study))}
    imported = imported_judges(study).filter(name=name)
    return name in defined or imported.exists() or judges.exists()


def _refuse_circles(own: Mapping[str, Definition], defining: tuple[str, ...], study: Study) -> None:
    for member in _unsaved_method(own[defining[-1]], study).voters():
        refuse_circle(member, defining)
        if member in own:
            _refuse_circles(own, (*defining, member), study)


def _unsaved_method(definition: Definition, study: Study) -> Method[Any]:
    method = method_for(definition)
    backend = definition.backend or next(iter(method.backends), "")
    parameters, model = resolved(method, definition, backend, study, from_hub=False)
    try:
        return method(parameters, model=model, backend=backend)
    except ValueError as error:
        raise BadJudge(str(error)) from error

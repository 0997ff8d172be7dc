"""Define judges: a definition that has not been seen before becomes a new version."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max
from pydantic import ValidationError

from annotation.models import Rater, Study
from annotation.models.rater_names import RESERVED
from judges.definitions.families import imported_judges
from judges.methods.contract import BadModel, Method
from judges.methods.embedding import Embedding
from judges.methods.lexical import Lexical
from judges.methods.registry import method as method_named
from judges.models import Judge
from tasktypes.contract import Schema

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+:-]{0,79}")
_REFERENCE = re.compile(r"(?P<name>[^@]+)(?:@(?P<version>[1-9][0-9]{0,8}))?")
_TRIES = 5


class UnknownJudge(ValueError):
    """There is no judge of that name or version."""


class BadJudge(ValueError):
    """A definition that cannot be used; the message names the field."""


@dataclass(frozen=True)
class Definition:
    """What makes a judge, before it has a version."""

    name: str
    method: str
    backend: str = ""
    model: str = ""
    family: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def value_of(self, name: str) -> Any:
        """What stands in a field, or in a parameter (`parameters.…`); None where nothing does."""
        group, _, parameter = name.partition(".")
        return self.parameters.get(parameter) if parameter else getattr(self, group)


# Judges that need nothing set: they come into being when they are first asked for.
BUILT_IN = (
    Definition(name=Lexical.name, method=Lexical.name),
    Definition(name=Embedding.name, method=Embedding.name),
)


def judge(reference: str) -> Judge:
    """The judge `name` (its newest version) or `name@version`.

    Of a built-in judge the name alone means its own definition, whatever versions a study has
    made of it: a threshold that was fitted in one is no other's default.
    """
    name, version = _parsed(reference)
    built_in = next((_define(one) for one in BUILT_IN if one.name == name), None)
    if built_in is not None and version is None:
        return built_in
    found = Judge.objects.filter(name=name)
    if version is not None:
        found = found.filter(version=version)
    newest = found.order_by("-version").first()
    if newest is None:
        known = ", ".join(known_names()) or "none"
        raise UnknownJudge(f"no judge {reference!r} (known: {known})")
    return newest


def judge_for(study: Study, reference: str) -> Judge:
    """The judge of that name in a study, whose own definition comes first."""
    return _judge_for(study, reference)


def _judge_for(study: Study, reference: str, asking: tuple[str, ...] = ()) -> Judge:
    name, version = _parsed(reference)
    own = named_in(study, name, asking=asking) if version is None else None
    return own or judge(reference)


def named_in(study: Study, name: str, *, asking: tuple[str, ...] = ()) -> Judge | None:
    """The judge that a name alone means in a study which defines or names it; so it does the
    built-in ones. None for any other.

    asking: the judges that hear the judge, and are being defined because of that.
    """
    definitions = (*study_definitions(study), *BUILT_IN)
    own = next((_define(one, study, asking) for one in definitions if one.name == name), None)
    return judge(name) if own is None and name in study.judges else own


def study_definitions(study: Study) -> list[Definition]:
    """The judges that the study's own configuration defines; plain names define nothing."""
    return [_definition(entry) for entry in study.judges if isinstance(entry, Mapping)]


def known_names() -> list[str]:
    """The names of all judges there are, those of the built-in ones included."""
    stored = Judge.objects.order_by().values_list("name", flat=True).distinct()
    return sorted({*stored, *(definition.name for definition in BUILT_IN)})


def define_judge(
    *,
    name: str,
    method: str,
    backend: str = "",
    model: str = "",
    parameters: Mapping[str, Any] | None = None,
    family: str = "",
    study: Study | None = None,
) -> Judge:
    """The judge with exactly this definition: the row that is there, or the next version.

    study: where the judges that it hears are to be found; None: wherever there are any.
    BadJudge('field: reason') where no judge can be made of it.
    """
    return _define(Definition(name, method, backend, model, family, parameters or {}), study)


def method_of(judge: Judge) -> Method[Any]:
    """The judge's method, ready to answer; BadJudge where it cannot be made ready."""
    try:
        chosen = method_named(judge.method)
        parameters = chosen.Parameters.model_validate(judge.parameters)
        return chosen(parameters, model=judge.model, backend=judge.backend)
    except (ValueError, KeyError, OSError) as error:
        raise BadJudge(f"{judge}: {_said(error)}") from error


def rater_of(judge: Judge, study: Study) -> Rater:
    """The judge as a rater of a study."""
    rater, _ = Rater.objects.get_or_create(
        study=study,
        name=judge.name,
        version=judge.version,
        defaults={"kind": Rater.Kind.JUDGE, "family": judge.family},
    )
    if rater.kind != Rater.Kind.JUDGE or rater.origin != Rater.Origin.HERE:
        raise BadJudge(
            f"name: the study has an imported or human rater {judge.name!r} already; "
            "give the judge another name"
        )
    return rater


def _parsed(reference: str) -> tuple[str, int | None]:
    match = _REFERENCE.fullmatch(reference)
    if match is None:
        raise UnknownJudge(f"{reference!r} is neither NAME nor NAME@VERSION")
    return match["name"], int(match["version"]) if match["version"] else None


def _definition(entry: Mapping[str, Any]) -> Definition:
    try:
        return Definition(**entry)
    except TypeError as error:
        raise BadJudge(f"judges: {error}") from error


def _define(
    definition: Definition, study: Study | None = None, asking: tuple[str, ...] = ()
) -> Judge:
    chosen = method_for(definition)
    backend = definition.backend or next(iter(chosen.backends), "")
    settled, model = _settled(chosen, definition, backend)
    asking = (*asking, definition.name)
    settled = chosen.hearing(settled, lambda reference: _versioned(reference, study, asking))
    parameters = settled.model_dump(mode="json")
    content: dict[str, Any] = {
        "method": chosen.name,
        "method_version": chosen.version,
        "backend": backend,
        "model": model,
        "family": definition.family,
        "parameters": parameters,
    }
    fingerprint = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    return _stored(definition.name, fingerprint, content)


def method_for(definition: Definition) -> type[Method[Any]]:
    """The method that a definition names; BadJudge where that cannot be, by name or backend."""
    if not _NAME.fullmatch(definition.name):
        raise BadJudge(f"name: {definition.name!r} is not made of letters, digits and . _ + : -")
    if definition.name.lower() in RESERVED:
        raise BadJudge(f"name: {definition.name!r} has a meaning of its own in reports")
    try:
        chosen = method_named(definition.method)
    except KeyError as error:
        raise BadJudge(f"method: {_said(error)}") from error
    if definition.backend and definition.backend not in chosen.backends:
        possible = ", ".join(chosen.backends) or "none"
        raise BadJudge(f"backend: {chosen.name} cannot ask {definition.backend!r} ({possible})")
    return chosen


def _versioned(reference: str, study: Study | None, asking: tuple[str, ...]) -> str:
    """NAME@VERSION of a judge that others hear; as it was given where it is an imported one, or
    one that is nowhere yet."""
    if reference in asking:
        raise BadJudge(f"parameters: {' hears '.join((*asking, reference))}")
    if "@" in reference:
        return reference
    if study is not None and imported_judges(study).filter(name=reference).exists():
        return reference
    try:
        found = judge(reference) if study is None else _judge_for(study, reference, asking)
    except UnknownJudge:
        return reference
    return str(found)


def _settled(chosen: type[Method[Any]], definition: Definition, backend: str) -> tuple[Schema, str]:
    """The parameters and the model as the judge keeps them."""
    model = definition.model or chosen.default_models.get(backend, "")
    try:
        parameters = chosen.Parameters.model_validate(definition.parameters)
        settled, model = chosen.settled_with(parameters, model=model, backend=backend)
    except ValidationError as error:
        first = error.errors()[0]
        field_name = ".".join(("parameters", *map(str, first["loc"])))
        raise BadJudge(f"{field_name}: {first['msg']}") from error
    except BadModel as error:
        raise BadJudge(f"model: {error}") from error
    except (ValueError, OSError) as error:
        raise BadJudge(f"parameters.{error}") from error
    return settled, model


def _stored(name: str, fingerprint: str, content: dict[str, Any]) -> Judge:
    """Two processes may define at once: the loser of the race finds the winner's row."""
    for _ in range(_TRIES):
        found = Judge.objects.filter(name=name, fingerprint=fingerprint).first()
        if found is not None:
            return found
        newest = Judge.objects.filter(name=name).aggregate(Max("version"))["version__max"] or 0
        try:
            with transaction.atomic():
                return Judge.objects.create(
                    name=name, version=newest + 1, fingerprint=fingerprint, **content
                )
        except IntegrityError:
            continue
    raise BadJudge(f"name: {name} is being defined by somebody else; try again")


def _said(error: Exception) -> str:
    """The message of an error; a KeyError would put it in quotes."""
    return str(error.args[0]) if isinstance(error, KeyError) else str(error)

"""Define judges: a definition that is new becomes the next version of its name."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max
from pydantic import ValidationError

from annotation.models import Study
from annotation.rater_names import BASELINE, RESERVED, is_baseline
from judges.backends.local.weights import is_hub_name
from judges.definitions.examples import check_prompts, taken_example
from judges.definitions.families import imported_judges
from judges.methods.baseline import Baseline
from judges.methods.contract import Method
from judges.methods.embedding import Embedding
from judges.methods.lexical import Lexical
from judges.methods.options import BadModel
from judges.methods.registry import backends_of, find_method
from judges.models import Judge
from tasktypes.schemas import Schema

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+:-]{0,79}")
_REFERENCE = re.compile(r"(?P<name>[^@]+)(?:@(?P<version>[1-9][0-9]{0,8}))?")
_TRIES = 5


class UnknownJudge(ValueError):
    """There is no judge of that name or version."""


class BadJudge(ValueError):
    """A definition that cannot be used; the message names the field."""


@dataclass(frozen=True)
class Definition:
    """The fields of a judge, before it has a version."""

    name: str
    method: str
    backend: str = ""
    model: str = ""
    family: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def value_of(self, name: str) -> Any:
        """The value of a field, or of a parameter (`parameters.…`); None where it is not set."""
        group, _, parameter = name.partition(".")
        return self.parameters.get(parameter) if parameter else getattr(self, group)


# Judges that need no configuration; their rows are created on first use.
BUILT_IN = (
    Definition(name=Lexical.name, method=Lexical.name),
    Definition(name=Embedding.name, method=Embedding.name),
)


def judge_for(study: Study, reference: str, defining: tuple[str, ...] = ()) -> Judge:
    """The judge `name` or `name@version` of a study: one of its own, or a built-in one.

    The name alone means what the study defines by it, else the built-in judge as it comes, else the
    study's newest version. UnknownJudge where the study has none. defining: the juries that are
    being defined and need this judge's version.
    """
    name, version = _parsed(reference)
    judges = Judge.objects.known_to(study).filter(name=name)
    if version is None:
        own = next((d for d in study_definitions(study) if d.name == name), None)
        if own is not None:
            return _define(own, study, defining)
    built_in = next((_define(d, None) for d in BUILT_IN if d.name == name), None)
    if version is not None:
        judges = judges.filter(version=version)
    elif built_in is not None:
        return built_in
    newest = judges.order_by("-version").first()
    if newest is None:
        names = ", ".join(known_names(study))
        raise UnknownJudge(f"no judge {reference!r} (known: {names})")
    return newest


def study_definitions(study: Study) -> list[Definition]:
    """The judges that the study's configuration defines; entries that are plain names do not."""
    return [_definition(entry) for entry in study.judges if isinstance(entry, Mapping)]


def known_names(study: Study) -> list[str]:
    """The names of the study's own judges and of the built-in ones."""
    stored = study.judge_versions.order_by().values_list("name", flat=True)
    defined = (definition.name for definition in (*study_definitions(study), *BUILT_IN))
    return sorted({*stored, *defined})


def define_judge(
    *,
    study: Study,
    name: str,
    method: str,
    backend: str = "",
    model: str = "",
    parameters: Mapping[str, Any] | None = None,
    family: str = "",
) -> Judge:
    """The study's judge with exactly this definition: the existing row, or a new version.

    BadJudge('field: reason') where the definition cannot be used.
    """
    return _define(Definition(name, method, backend, model, family, parameters or {}), study)


def method_of(judge: Judge) -> Method[Any]:
    """The judge's method, ready to answer; BadJudge where it cannot be used."""
    try:
        method = find_method(judge.method)
        parameters = method.Parameters.model_validate(judge.parameters)
        parameters = method.with_taken_examples(parameters, _refuse_open)
        return method(parameters, model=judge.model, backend=judge.backend)
    except (ValueError, KeyError, OSError) as error:
        raise BadJudge(f"{judge}: {_message(error)}") from error


def _refuse_open(example: Any) -> Any:
    raise ValueError("examples: what was taken from another study stays there; define it anew")


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


def _define(definition: Definition, study: Study | None, defining: tuple[str, ...] = ()) -> Judge:
    """study: None for a built-in one."""
    if definition in BUILT_IN:
        study = None
    method = method_for(definition)
    backend = definition.backend or next(iter(method.backends), "")
    own_parameters, model = resolved(method, definition, backend, study)
    defining = (*defining, definition.name)
    own_parameters = method.with_pinned_voters(
        own_parameters, lambda reference: _versioned(reference, study, defining)
    )
    parameters = own_parameters.model_dump(mode="json")
    content: dict[str, Any] = {
        "method": method.name,
        "method_version": method.version,
        "backend": backend,
        "model": model,
        "family": definition.family,
        "parameters": parameters,
    }
    fingerprint = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    return _get_or_create(study, definition.name, fingerprint, content)


def method_for(definition: Definition) -> type[Method[Any]]:
    """The method that a definition names; BadJudge for a wrong name, method or backend."""
    if not _NAME.fullmatch(definition.name):
        raise BadJudge(f"name: {definition.name!r} may only contain letters, digits and . _ + : -")
    if definition.name.lower() in RESERVED:
        raise BadJudge(f"name: {definition.name!r} has a special meaning in reports")
    try:
        method = find_method(definition.method)
    except KeyError as error:
        raise BadJudge(f"method: {_message(error)}") from error
    if is_baseline(definition.name) != (method is Baseline):
        raise BadJudge(f"name: of {BASELINE}… and of these alone the method is {Baseline.name}")
    if definition.backend and definition.backend not in backends_of(method):
        possible = ", ".join(backends_of(method)) or "none"
        raise BadJudge(f"backend: {method.name} cannot ask {definition.backend!r} ({possible})")
    return method


def refuse_circle(reference: str, defining: tuple[str, ...]) -> None:
    """BadJudge where a jury is a member of itself. defining: the juries that have led here."""
    if reference in defining:
        circle = " → ".join((*defining, reference))
        raise BadJudge(f"parameters: a jury cannot be its own member ({circle})")


def _versioned(reference: str, study: Study | None, defining: tuple[str, ...]) -> str:
    """NAME@VERSION of a jury's member; unchanged for an imported judge, or one that does not exist
    yet."""
    refuse_circle(reference, defining)
    if "@" in reference or study is None:
        return reference
    if imported_judges(study).filter(name=reference).exists():
        return reference
    try:
        return str(judge_for(study, reference, defining))
    except UnknownJudge:
        return reference


def resolved(
    method: type[Method[Any]],
    definition: Definition,
    backend: str,
    study: Study | None = None,
    *,
    from_hub: bool = True,
) -> tuple[Schema, str]:
    """The parameters and the model as the judge's row keeps them.

    study: whose blocks the judge's own prompts have to suit. from_hub: False leaves models as they
    are that may have to be looked for on the hub, and examples as they are.
    """
    model = definition.model or method.default_models.get(backend, "")
    try:
        parameters = method.Parameters.model_validate(definition.parameters)
        if study is not None:
            if asked := study.text_of_judges:
                parameters = method.with_text(parameters, asked.question)
            check_prompts(method, parameters, study)
        if from_hub or not _is_from_hub(method, parameters, model):
            parameters, model = method.resolve_model(parameters, model=model, backend=backend)
        if from_hub:
            take = partial(taken_example, study=study, judge=definition.name, method=method)
            parameters = method.with_taken_examples(parameters, take)
    except ValidationError as error:
        first = error.errors()[0]
        field_name = ".".join(("parameters", *map(str, first["loc"])))
        raise BadJudge(f"{field_name}: {first['msg']}") from error
    except BadModel as error:
        raise BadJudge(f"model: {error}") from error
    except (ValueError, OSError) as error:
        raise BadJudge(f"parameters.{error}") from error
    return parameters, model


def _is_from_hub(method: type[Method[Any]], parameters: Schema, model: str) -> bool:
    own = {"model": model, **{f"parameters.{name}": value for name, value in parameters}}
    named = (field for field, mark in method.server_names().items() if mark.kind == "model")
    return any(is_hub_name(str(own.get(field))) for field in named)


def _get_or_create(
    study: Study | None, name: str, fingerprint: str, content: dict[str, Any]
) -> Judge:
    """The judge with that fingerprint, created as the next version where there is none.

    A study numbers its own judges beyond the built-in ones of that name; a built-in one comes after
    all, so that NAME@VERSION is one judge in every study. Two processes may do so at once. The
    constraints let one of them create the row; the other one finds it on its next try.
    """
    known = Judge.objects.known_to(study).filter(name=name)
    numbered = Judge.objects.filter(name=name) if study is None else known
    for _ in range(_TRIES):
        judge = known.filter(fingerprint=fingerprint).first()
        if judge is not None:
            return judge
        newest = numbered.aggregate(Max("version"))["version__max"] or 0
        content |= {"study": study, "name": name, "version": newest + 1}
        try:
            with transaction.atomic():
                return Judge.objects.create(fingerprint=fingerprint, **content)
        except IntegrityError:
            continue
    raise BadJudge(f"name: {name} is being defined by another process; try again")


def _message(error: Exception) -> str:
    """The message of an error; a KeyError would put it in quotes."""
    return str(error.args[0]) if isinstance(error, KeyError) else str(error)

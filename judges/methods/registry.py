"""All judge methods: ours, one line each, and those of other installed packages."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from judges.backends.factory import CHAT, installed_backends
from judges.methods.baseline import Baseline
from judges.methods.contract import Method
from judges.methods.embedding import Embedding
from judges.methods.fingract import FinGrAct
from judges.methods.geval import GEval
from judges.methods.jury import Jury
from judges.methods.lexical import Lexical
from judges.methods.nli import Nli
from judges.methods.prometheus import Prometheus
from judges.methods.scripted import Scripted
from judges.methods.unieval import UniEval
from judges.methods.vital import Vital
from judges.methods.zero_shot import ZeroShot
from jurybox.plugins import Plugins, load_plugins
from tasktypes.schemas import Schema

METHODS: tuple[type[Method[Any]], ...] = (
    Lexical,
    Scripted,
    ZeroShot,
    GEval,
    Prometheus,
    FinGrAct,
    Vital,
    Jury,
    Baseline,
    Embedding,
    Nli,
    UniEval,
)

_OURS = {method.name: method for method in METHODS}
# What a method must say of itself.
_SAID = ("title", "description", "serves", "Parameters")


@cache
def installed_methods() -> Plugins:
    """The methods of other packages."""
    return load_plugins("jurybox.methods", Method, ours=_OURS, objection=_objection)


def every_method() -> tuple[type[Method[Any]], ...]:
    """Ours, and then those of other packages."""
    return (*METHODS, *installed_methods().kinds.values())


def find_method(name: str) -> type[Method[Any]]:
    """The method of that name; KeyError with the known names where there is none."""
    known = _OURS if name in _OURS else {**_OURS, **installed_methods().kinds}
    try:
        return known[name]
    except KeyError:
        raise KeyError(f"no judge method {name!r} (known: {', '.join(known)})") from None


def title_of(name: str) -> str:
    """The title of a method; its name where its package is no longer installed."""
    try:
        return find_method(name).title
    except KeyError:
        return name


def backends_of(method: type[Method[Any]]) -> tuple[str, ...]:
    """The backends that a method can use. A chat model can also be asked by those of other
    packages."""
    others = installed_backends().kinds if CHAT in method.backends else {}
    return tuple(dict.fromkeys((*method.backends, *others)))


def _objection(name: str, method: type[Method[Any]]) -> str:
    lacking = [member for member in _SAID if not getattr(method, member, None)]
    if lacking:
        return f"it does not say its {', '.join(lacking)}"
    if method.name != name:
        return f"it calls itself {method.name!r}"
    if endless := unbounded(method.Parameters):
        return f"its parameters {', '.join(endless)} need a least and a largest value (ge, le)"
    return ""


# A number in parameters has ends: a delay or a limit without one would let a definition hold a
# worker that all studies share.
_LEAST = ("minimum", "exclusiveMinimum", "const", "enum")
_LARGEST = ("maximum", "exclusiveMaximum", "const", "enum")


def unbounded(schema: type[Schema]) -> list[str]:
    """The parameters with a number, however deep within them, that has no end."""
    described = schema.model_json_schema()
    parts = described.get("$defs", {})
    return [
        name
        for name, part in described.get("properties", {}).items()
        if any(_is_endless(node) for node in _nodes(part, parts, frozenset()))
    ]


def _is_endless(node: dict[str, Any]) -> bool:
    is_number = node.get("type") in ("integer", "number")
    return is_number and not all(any(key in node for key in end) for end in (_LEAST, _LARGEST))


def _nodes(value: Any, parts: dict[str, Any], seen: frozenset[str]) -> Iterator[dict[str, Any]]:
    """Every schema within a schema, through its references."""
    if isinstance(value, list):
        for part in value:
            yield from _nodes(part, parts, seen)
    elif isinstance(value, dict):
        yield value
        name = str(value.get("$ref", "")).rpartition("/")[2]
        if name in parts and name not in seen:
            yield from _nodes(parts[name], parts, seen | {name})
        for part in value.values():
            yield from _nodes(part, parts, seen)

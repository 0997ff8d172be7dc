"""The judge methods, what can be set of them, and of chat endpoints."""

from typing import Any

from docs.generate import schemas
from docs.generate.markdown import code, codes, folded
from docs.generate.markdown import table as as_table
from endpoints.endpoint import Endpoint
from judges.methods.contract import Method
from judges.methods.conversation import ChatParameters
from judges.methods.local_model import ModelParameters
from judges.methods.registry import METHODS
from tasktypes.registry import TASK_TYPES

# Filled in when a judge is defined, and never by a person.
FILLED_IN = ("replies_sha256", "embedding_revision", "fit", "file_sha256", "sha256", "heard")


def methods() -> str:
    """One section for each method: what it does, what it answers, and its own parameters."""
    return "\n\n".join(_section(method) for method in METHODS)


def table() -> str:
    """One row for each method."""
    rows = [[_link(method), method.title, _served(method), _asked(method)] for method in METHODS]
    return as_table(["method", "title", "answers", "asks"], rows)


def _link(method: type[Method[Any]]) -> str:
    return f"[{code(method.name)}](judge-methods.md#{method.name})"


def chat_parameters() -> str:
    """What every method that asks a chat model takes."""
    return folded("Parameters of chat judges", schemas.fields(ChatParameters, without=FILLED_IN))


def local_parameters() -> str:
    """What every method that runs a model on this machine takes."""
    return folded("Parameters of local models", schemas.fields(ModelParameters, without=FILLED_IN))


def endpoints() -> str:
    """What can be set of a chat endpoint."""
    return folded("Keys of an endpoint", schemas.fields(Endpoint))


def _section(method: type[Method[Any]]) -> str:
    about = [f"Answers {_served(method)}.", f"Asks {_asked(method)}."]
    if method.default_models:
        about.append(f"Model, unless another is named: {_models(method)}.")
    parts = [f"## `{method.name}`", f"**{method.title}.** {method.description}", " ".join(about)]
    return "\n\n".join([*parts, *_parameters(method)])


def _served(method: type[Method[Any]]) -> str:
    if len(method.serves) == len(TASK_TYPES):
        return "every task type"
    return codes(kind.slug for kind in method.serves)


def _asked(method: type[Method[Any]]) -> str:
    backends = [name for name in method.backends if name != "scripted" or len(method.backends) == 1]
    return codes(backends) or "no model"


def _models(method: type[Method[Any]]) -> str:
    return "; ".join(f"{code(model)} ({name})" for name, model in method.default_models.items())


def _parameters(method: type[Method[Any]]) -> list[str]:
    shared = [
        base for base in (ChatParameters, ModelParameters) if issubclass(method.Parameters, base)
    ]
    own = _own(method, shared[0] if shared else None)
    more = {ChatParameters: "#chat-models", ModelParameters: "#models-on-this-machine"}
    parts = []
    if _left(method, own):
        parts.append(folded("Parameters", schemas.fields(method.Parameters, without=own)))
    for base in shared:
        parts.append(f"And [what all of these take](judges.md{more[base]}).")
    return parts


def _own(method: type[Method[Any]], base: Any) -> set[str]:
    """The fields to leave out: those that the method shares with its kind, default included."""
    left_out = set(FILLED_IN)
    for name, field in (base.model_fields if base else {}).items():
        own = method.Parameters.model_fields[name]
        if own.default == field.default:
            left_out.add(name)
    return left_out


def _left(method: type[Method[Any]], left_out: set[str]) -> bool:
    return bool(set(method.Parameters.model_fields) - left_out)

"""The client of the REST API, from its docstrings."""

import inspect

from docs.generate.markdown import block
from jurybox import client


def sections() -> str:
    """A section for each class with its methods, one for the functions, and the exceptions."""
    parts = []
    for kind in (client.Client, client.Study):
        methods = [name for name in vars(kind) if not name.startswith("_")]
        parts += [_part("##", kind.__name__, kind)]
        parts += [_part("###", f"{kind.__name__}.{name}", getattr(kind, name)) for name in methods]
    named = [(name, getattr(client, name)) for name in client.__all__]
    functions = [_part("###", name, each) for name, each in named if inspect.isfunction(each)]
    rest = [
        _part("###", name, each)
        for name, each in named
        if inspect.isclass(each) and name not in ("Client", "Study")
    ]
    return "\n\n".join([*parts, "## Functions", *functions, "## What they return and raise", *rest])


def _part(level: str, name: str, thing: object) -> str:
    about = inspect.getdoc(thing) or ""
    if inspect.isfunction(thing):
        about = f"{_call(name, thing)}\n\n{about}"
    return f"{level} `{name}`\n\n{block('text', about)}"


def _call(name: str, function: object) -> str:
    """The call without the types, which an editor shows."""
    assert callable(function)
    shown: list[str] = []
    star = False
    for each in inspect.signature(function).parameters.values():
        if each.kind is each.KEYWORD_ONLY and not star:
            shown, star = [*shown, "*"], True
        default = "" if each.default is each.empty else f"={each.default!r}"
        stars = "**" if each.kind is each.VAR_KEYWORD else ""
        shown.append(f"{stars}{each.name}{default}")
    return f"{name}({', '.join(name for name in shown if name != 'self')})"

"""The functions of `agreement`, from their docstrings."""

import inspect

import agreement
from docs.generate.markdown import block


def sections() -> str:
    """A section for each function and each value that one returns."""
    names = [name for name in agreement.__all__ if callable(getattr(agreement, name))]
    functions = sorted(name for name in names if name[0].islower())
    classes = sorted(name for name in names if name[0].isupper())
    return "\n\n".join(
        [
            "## Functions",
            *map(_function, functions),
            "## What they return and take",
            *map(_class, classes),
        ]
    )


def _function(name: str) -> str:
    function = getattr(agreement, name)
    parameters = inspect.signature(function).parameters.values()
    shown = [str(each).partition(":")[0].partition("=")[0].strip() for each in parameters]
    star = next((i for i, each in enumerate(parameters) if each.kind is each.KEYWORD_ONLY), None)
    if star is not None and not any(each.startswith("*") for each in shown):
        shown.insert(star, "*")
    call = f"{name}({', '.join(shown)})"
    return f"### `{name}`\n\n`{call}`\n\n{block('text', inspect.getdoc(function) or '')}"


def _class(name: str) -> str:
    return f"### `{name}`\n\n{block('text', inspect.getdoc(getattr(agreement, name)) or '')}"

"""Functions and client: a line for each name, with its whole docstring folded below it.

mkdocstrings fills in the docstring when the site is built.
"""

import inspect
from types import ModuleType

import agreement
import jurybox.client
from docs.generate.markdown import code, folded

OPTIONS = "    options:\n      show_root_heading: true\n      show_root_toc_entry: true"


def functions() -> str:
    """The public names of `agreement`."""
    return _listed(agreement)


def client() -> str:
    """The public names of the client."""
    return _listed(jurybox.client)


def _listed(module: ModuleType) -> str:
    return "\n\n".join(_entry(module, name) for name in sorted(module.__all__))


def _entry(module: ModuleType, name: str) -> str:
    return folded(_title(module, name), f"::: {module.__name__}.{name}\n{OPTIONS}")


def _title(module: ModuleType, name: str) -> str:
    """The name and the first sentence of its docstring."""
    first = (inspect.getdoc(getattr(module, name)) or "").partition("\n\n")[0]
    sentence = " ".join(first.split()).partition(". ")[0].removesuffix(".")
    return f"{code(name)}: {sentence}" if sentence else code(name)

"""Functions and client: a line for each name, with its whole docstring folded below it.

mkdocstrings fills in the docstring when the site is built.
"""

import inspect
from collections import defaultdict
from collections.abc import Iterable
from types import ModuleType

import agreement
import jurybox.client
from docs.generate.markdown import code, codes, folded

OPTIONS = "    options:\n      show_root_heading: true\n      show_root_toc_entry: true"


def functions() -> str:
    """The public names of `agreement`, folded by folder under titles that name them all."""
    folders: dict[str, list[str]] = defaultdict(list)
    for name in sorted(agreement.__all__):
        folders[_folder(getattr(agreement, name))].append(name)
    return "\n\n".join(
        folded(f"{title}: {codes(names)}", _listed(agreement, names))
        for title, names in sorted(folders.items())
    )


def client() -> str:
    """The public names of the client."""
    return _listed(jurybox.client, sorted(jurybox.client.__all__))


def _folder(member: object) -> str:
    """The folder of `agreement` where it is defined, as a title; constants have none."""
    _package, _dot, path = getattr(member, "__module__", "").partition(".")
    return path.partition(".")[0].replace("_", " ").capitalize() or "Constants"


def _listed(module: ModuleType, names: Iterable[str]) -> str:
    return "\n\n".join(_entry(module, name) for name in names)


def _entry(module: ModuleType, name: str) -> str:
    return folded(_title(module, name), f"::: {module.__name__}.{name}\n{OPTIONS}")


def _title(module: ModuleType, name: str) -> str:
    """The name and the first sentence of its docstring."""
    first = (inspect.getdoc(getattr(module, name)) or "").partition("\n\n")[0]
    sentence = " ".join(first.split()).partition(". ")[0].removesuffix(".")
    return f"{code(name)}: {sentence}" if sentence else code(name)

"""What the fields of a schema mean, as far as that is written anywhere.

A meaning is a field's `description`, or what the docstring of its class (or of one of the
classes above it) says after the field's name: `seed: of the draw. limit: the first so many.`
"""

import inspect
import re
from collections.abc import Iterable

from pydantic import BaseModel


def meanings_of(model: type[BaseModel]) -> dict[str, str]:
    """What each field means, as sentences without a full stop; fields of which nothing is said are
    absent."""
    names = {field.alias or name: field for name, field in model.model_fields.items()}
    meanings: dict[str, str] = {}
    for ancestor in reversed(model.__mro__):
        if issubclass(ancestor, BaseModel) and ancestor is not BaseModel:
            meanings |= _written(inspect.cleandoc(ancestor.__dict__.get("__doc__") or ""), names)
    meanings |= {name: field.description for name, field in names.items() if field.description}
    return {name: sentence(meaning) for name, meaning in meanings.items()}


def _written(doc: str, names: Iterable[str]) -> dict[str, str]:
    """What a docstring says after names of fields, several of which may share a meaning."""
    choice = "|".join(map(re.escape, names))
    pattern = re.compile(rf"(?:^|(?<=\s))`?((?:{choice})(?:`?, `?(?:{choice}))*)`?: ", re.DOTALL)
    pieces = pattern.split(" ".join(doc.split()))
    return {
        name: meaning
        for group, meaning in zip(pieces[1::2], pieces[2::2], strict=True)
        for name in re.split(r"`?, `?", group)
    }


def sentence(text: str) -> str:
    """The text in one line, with a capital and without a full stop."""
    text = " ".join(text.split()).rstrip(".;,").replace("``", "`")
    return text[:1].upper() + text[1:]

"""What a study file, or the definition of a judge, may not hold that does not come from the command
line: whoever writes one in a browser, sends it to the API or uploads it is a stranger to the
server, and reads none of its files."""

import json
import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from files.errors import ImportFailure
from imports.study_file.parts import JudgePart
from imports.uploads import STUDY_FILE, refuse_other_files
from judges.backends.factory import find_backend
from judges.backends.local.weights import is_hub_name
from judges.methods.registry import find_method
from judges.methods.server_names import OfServer

# Parts within one another, of a file; and characters as JSON, of one definition.
DEEPEST, LONGEST = 50, 1_000_000
# What the databases and JSON take for a whole number.
_LARGEST = 2**63
_COMMAND = "only a study file of the command line (apply_study) can name {} of the server"

# A name that a definition gives to something of the server: (method, field, the name).
ServerName = tuple[str, str, str]


def refuse_untrusted(
    keys: Mapping[str, Any], *, files: Collection[str] = (), standing: Iterable[Any] = ()
) -> None:
    """ImportFailure where the keys of a study file that a stranger wrote name a file or a folder of
    the server, or hold what nobody can store.

    files: the uploads that it may name. standing: the entries of the study's judges as they are
    now; what those name already, they may go on naming. Nothing is looked for on the disk, so that
    a refusal does not tell what is there.
    """
    refuse_unfit(keys)
    refuse_other_files(keys, files)
    known = {name for entry in standing for name in names_of_server(entry)}
    judges = keys.get("judges")
    for position, entry in enumerate(judges if isinstance(judges, list | tuple) else ()):
        if not isinstance(entry, str):
            _refuse_entry(_definition(entry, f"judges[{position}]"), known)


def names_of_server(entry: Any) -> list[ServerName]:
    """What an entry of a study's judges names of the server, a file or perhaps a folder."""
    return [] if isinstance(entry, str) else list(_names(_definition(entry, "judges")))


def refuse_unfit(keys: Mapping[str, Any]) -> None:
    """ImportFailure where values are nested too deeply, or are numbers that no database takes."""
    waiting: list[tuple[str, Any, int]] = [(str(name), value, 1) for name, value in keys.items()]
    while waiting:
        top, value, depth = waiting.pop()
        if depth > DEEPEST:
            raise ImportFailure(STUDY_FILE, top, f"more than {DEEPEST} parts within one another")
        if isinstance(value, Mapping):
            waiting += [(top, part, depth + 1) for part in (*value.keys(), *value.values())]
        elif isinstance(value, list | tuple | set | frozenset):
            waiting += [(top, part, depth + 1) for part in value]
        elif isinstance(value, float) and not math.isfinite(value):
            raise ImportFailure(STUDY_FILE, top, f"{value} is no number that can be used")
        elif isinstance(value, int) and abs(value) >= _LARGEST:
            raise ImportFailure(STUDY_FILE, top, "a number is too large")


def _refuse_entry(part: JudgePart, known: Collection[ServerName]) -> None:
    where = f"judges.{part.name}"
    if len(json.dumps(part.parameters)) > LONGEST:
        raise ImportFailure(STUDY_FILE, f"{where}.parameters", f"longer than {LONGEST} characters")
    for name in _names(part):
        _, field, _ = name
        if name not in known:
            raise ImportFailure(STUDY_FILE, f"{where}.{field}", _reason(part, field))


def _definition(entry: Any, where: str) -> JudgePart:
    try:
        return JudgePart.model_validate(entry)
    except ValidationError as error:
        raise ImportFailure.of(STUDY_FILE, error, within=where) from error


def _names(part: JudgePart) -> Iterator[ServerName]:
    try:
        marked = _marked(part)
    except KeyError:
        return  # refused where the judge is defined
    for field, mark in marked.items():
        group, _, parameter = field.partition(".")
        value = part.parameters.get(parameter) if parameter else getattr(part, group)
        if value and not (mark.kind == "model" and is_hub_name(str(value))):
            yield part.method, field, str(value)


def _marked(part: JudgePart) -> dict[str, OfServer]:
    """The fields that may name something of the server, for its method or its backend."""
    backend = find_backend(part.backend)
    opened = {"model": OfServer("model")} if backend is not None and backend.opens_model else {}
    return opened | find_method(part.method).server_names()


def _reason(part: JudgePart, field: str) -> str:
    if _marked(part)[field].kind == "file":
        return _COMMAND.format("a file")
    return f"name a model on the hub; {_COMMAND.format('a folder')}"

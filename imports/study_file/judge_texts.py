"""Texts of judges that stand in files of their own beside the study's file, such as prompts."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from files.errors import ImportFailure
from files.readers.streams import opened, refuse_nul

FILE = "file"


def with_judge_texts(content: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """The study file with `{file: NAME}` within a judge's parameters replaced by the file's text.

    ImportFailure naming the file where it cannot be read.
    """
    judges = content.get("judges")
    if not isinstance(judges, list):
        return dict(content)
    return {**content, "judges": [_with_texts(judge, path.parent) for judge in judges]}


def texts_of_judges(content: Mapping[str, Any]) -> Iterator[Any]:
    """The values of the judges' parameters, any of which `with_judge_texts` may fill in."""
    judges = content.get("judges")
    for judge in judges if isinstance(judges, list) else ():
        parameters = judge.get("parameters") if isinstance(judge, Mapping) else None
        yield from parameters.values() if isinstance(parameters, Mapping) else ()


def _with_texts(judge: Any, folder: Path) -> Any:
    parameters = judge.get("parameters") if isinstance(judge, Mapping) else None
    if not isinstance(parameters, Mapping):
        return judge
    filled = {name: _filled(value, folder) for name, value in parameters.items()}
    return {**judge, "parameters": filled}


def _filled(value: Any, folder: Path) -> Any:
    if isinstance(value, Mapping):
        if set(value) == {FILE} and isinstance(value[FILE], str):
            return _text(folder / value[FILE])
        return {name: _filled(part, folder) for name, part in value.items()}
    return [_filled(part, folder) for part in value] if isinstance(value, list) else value


def _text(file: Path) -> str:
    with opened(file) as stream:
        raw = stream.read()
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ImportFailure(str(file), "encoding", "not UTF-8") from error
    refuse_nul(str(file), text)
    return text

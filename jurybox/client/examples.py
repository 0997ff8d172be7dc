"""The example studies that come with the program, to begin with."""

from importlib.resources import files
from pathlib import Path

from jurybox.client.problems import ClientError
from jurybox.client.records import read_records, read_study_file
from jurybox.client.rows import Row


def example_study(name: str = "demo") -> Row:
    """The keys of an example study with its records. Change what you like, first of all `slug`.
    ClientError lists the names where there is no such example."""
    return read_study_file(_file(name, "study.yaml"))


def example_answers(name: str = "demo") -> list[Row]:
    """Answers to an example study, made up by a program: lines for `Study.add_answers`."""
    return read_records(_file(name, "answers.jsonl"))


def _file(name: str, file: str) -> Path:
    folder = _folder()
    names = sorted(each.parent.name for each in folder.glob(f"*/{file}"))
    if name not in names:
        raise ClientError(f"No example {name!r} with {file}. There are: {', '.join(names)}.")
    return folder / name / file


def _folder() -> Path:
    """The folder `examples` of an installed program, or of a checkout."""
    return Path(str(files("jurybox.examples") / "demo" / "study.yaml")).parents[1]

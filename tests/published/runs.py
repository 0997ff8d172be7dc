"""Run the commands of a case and read off its figures. Nothing of it stays in the database."""

import json
import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.management import call_command
from django.db import transaction

from tests.published.cases import Case, Figure, Step, repeated

_PRINTED = re.compile(r"(?P<number>-?\d+(?:\.(?P<decimals>\d+))?)(?P<unit>.*)")


@dataclass(frozen=True)
class Outcome:
    """A figure as it was published and as it comes out here, printed alike."""

    figure: Figure
    ours: str

    @property
    def is_equal(self) -> bool:
        return self.ours == self.figure.published


def run_case(case: Case, data: Path) -> list[list[Outcome]]:
    """The outcomes of each step, from the files in a folder of published data."""
    with TemporaryDirectory() as made, _undone():
        if case.prepare is not None:
            case.prepare(data / case.key, Path(made))
        return [_run(step, data, Path(made)) for step in case.steps]


@contextmanager
def _undone() -> Iterator[None]:
    """Whatever is written meanwhile is taken back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _run(step: Step, data: Path, made: Path) -> list[Outcome]:
    out = StringIO()
    for command in step.commands:
        out = StringIO()
        name, *arguments = (part.format(data=data, made=made) for part in shlex.split(command))
        call_command(name, *arguments, stdout=out, stderr=StringIO())
    document = json.loads(out.getvalue())
    assert repeated(document["estimates"]) == []
    return [
        Outcome(figure, printed_like(figure.published, figure.pick(document)))
        for figure in step.figures
    ]


def printed_like(published: str, value: float | str) -> str:
    """A number with the decimals and the unit of the published one."""
    if isinstance(value, str):
        return value
    match = _PRINTED.fullmatch(published)
    assert match is not None, published
    return f"{value:.{len(match['decimals'] or '')}f}{match['unit']}"

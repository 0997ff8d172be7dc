"""What the commands that read any tables share: how these are read, as far as somebody says it."""

from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from files.errors import ImportFailure
from files.reading.model import Axis, Holds, Reading
from files.reading.proposals import Stated
from files.reading.reading_files import reading_in


def add_reading_arguments(parser: ArgumentParser) -> None:
    """`--reading`, and what states parts of one."""
    parser.add_argument(
        "--reading",
        type=Path,
        metavar="FILE",
        help="how the files are read, as --show-reading prints it (YAML or JSON)",
    )
    parser.add_argument(
        "--column",
        dest="held",
        action="append",
        default=[],
        metavar="NAME=HOLDS",
        help=f"what a column holds: {', '.join(Holds)}",
    )
    parser.add_argument(
        "--group-by",
        dest="groups",
        action="append",
        default=[],
        metavar="NAME",
        help="an own column that results are grouped by, of texts, units or raters",
    )
    parser.add_argument(
        "--names", choices=list(Axis), help="what the names of the files, folders or sheets say"
    )
    parser.add_argument(
        "--decide",
        dest="decided",
        action="append",
        default=[],
        metavar="QUESTION=CHOICE",
        help="the answer to a question that was open",
    )
    parser.add_argument(
        "--repeated",
        choices=("first", "last", "none", "all"),
        default="",
        help="which of a rater's answers to one question counts",
    )


def reading_of(options: Mapping[str, Any]) -> Reading | None:
    """The reading of `--reading`; ImportFailure where the file holds none."""
    if not options["reading"]:
        return None
    reading = reading_in(options["reading"])
    told = options["repeated"]
    return reading.model_copy(update={"repeated": told}) if told else reading


def stated_by(options: Mapping[str, Any]) -> Stated:
    """What the options state; `human` and `judge` are those of the command."""
    return Stated(
        columns={name: _holds(holds) for name, holds in pairs("--column", options["held"])},
        names=Axis(options["names"]) if options["names"] else None,
        humans=tuple(options.get("human") or ()),
        judges=tuple(options.get("judge") or ()),
        decided=dict(pairs("--decide", options["decided"])),
        groups=tuple(options["groups"]),
        repeated=options["repeated"] or None,
    )


def pairs(option: str, texts: Sequence[str]) -> list[tuple[str, str]]:
    """Both sides of the last `=` of each: names of columns may have one, too."""
    pairs = [text.rpartition("=") for text in texts]
    for (name, _, _), text in zip(pairs, texts, strict=True):
        if not name:
            raise ImportFailure(option, "option", f"{text[:40]!r} is not of the form NAME=VALUE")
    return [(name, value) for name, _, value in pairs]


def _holds(text: str) -> Holds:
    try:
        return Holds(text)
    except ValueError as error:
        reason = f"{text[:40]!r} is none of {', '.join(Holds)}"
        raise ImportFailure("--column", "option", reason) from error

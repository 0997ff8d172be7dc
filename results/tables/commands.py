"""The command line that gives a page's numbers again."""

import shlex
from collections.abc import Sequence
from dataclasses import fields

from estimates.data.options import Options

# Options of a report that a page may ask for otherwise than by default, as its command has them.
FLAGS = {"excluded": "--excluded", "none_apart": "--none-apart", "everything": "--all"}
NAMED = {
    name: f"--{name.replace('_', '-')}"
    for name in (
        "only", "without", "resample", "resamples", "seed", "consensus", "epsilon",
        "tie_tolerance",
    )
}  # fmt: skip


def command_line(
    slug: str, options: Options, *form: str, part: dict[str, str] | None = None
) -> str:
    """`report STUDY …` with the options that are not the default ones. form: what is printed, such
    as `--latex`. part: the part of the study that tables are narrowed to, as key and name."""
    parts = [f"{key}={name}" for key, name in (part or {}).items()]
    words = [slug, *form, *(["--part", *parts] if parts else []), *_options(options)]
    return f"manage.py report {' '.join(map(shlex.quote, words))}"


def _options(options: Options) -> Sequence[str]:
    words: list[str] = []
    for field in fields(Options):
        value = getattr(options, field.name)
        if value == field.default:
            continue
        if field.name in FLAGS:
            words.append(FLAGS[field.name])
        elif field.name in NAMED:
            words += [NAMED[field.name], str(value)]
    return words

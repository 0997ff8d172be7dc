"""What the commands that import files share: skipping records, and saying which."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, OutputWrapper

from files.skipped import SkippedRecords

# The others are listed with --json and written with --skipped.
SHOWN = 10


def add_skip_arguments(parser: ArgumentParser, *, strict: bool = False) -> None:
    """`--strict` (`--no-strict` for a command that is strict), `--skipped` and `--json`."""
    if strict:
        parser.add_argument(
            "--no-strict",
            dest="strict",
            action="store_false",
            help="skip records that cannot be used, instead of refusing the file",
        )
    else:
        parser.add_argument(
            "--strict", action="store_true", help="refuse the import at the first unusable record"
        )
    parser.add_argument(
        "--skipped",
        metavar="FILE.jsonl",
        type=Path,
        help="write the records that were skipped to this file, each with the reason",
    )
    parser.add_argument(
        "--json", action="store_true", help="print counts, and everything skipped, as JSON"
    )


@contextmanager
def skipped_records(
    options: Mapping[str, Any], files: Sequence[Path | None]
) -> Iterator[SkippedRecords]:
    """The records that a command skips, as its options say. `files` are those that it reads."""
    strict, copies = options["strict"], options["skipped"]
    if copies is None:
        yield SkippedRecords(strict=strict)
        return
    if copies.resolve() in [file.resolve() for file in files if file is not None]:
        raise CommandError(f"--skipped: {copies} is one of the files to import")
    try:
        out = copies.open("w", encoding="utf-8")
    except OSError as error:
        raise CommandError(f"--skipped: {copies}: {error.strerror}") from error
    with out:
        yield SkippedRecords(strict=strict, copies=out)


def write_outcome(
    out: OutputWrapper,
    options: Mapping[str, Any],
    skipped: SkippedRecords,
    *,
    lines: Sequence[str],
    values: Mapping[str, Any],
) -> None:
    """What the import did: lines and the first skipped records, or values and all of them."""
    if options["json"]:
        outcome = {**values, **skipped.counts, "skipped": skipped.as_json()}
        out.write(json.dumps(outcome, ensure_ascii=False, indent=1))
        return
    for line in lines:
        out.write(line)
    for line in _in_words(skipped):
        out.write(f"  {line}")


def _in_words(skipped: SkippedRecords) -> Iterator[str]:
    for name, number in skipped.counts.items():
        yield f"{name.replace('_', ' ')}: {number}"
    for record in skipped.listed[:SHOWN]:
        yield f"  {record}"
    if (rest := len(skipped.listed) - SHOWN) > 0:
        yield f"  … and {rest} more (--json lists all of them, --skipped FILE keeps them)"

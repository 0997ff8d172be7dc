"""`python -m tests.published DATA [--out FILE]`: published data sets through import and report.

Prints, or writes, the page of docs that says what is reproduced. What is imported is removed
again. Exit status 1 where a figure differs and no reason for it is known.
"""

import argparse
import os
import sys
from pathlib import Path

import django
from tqdm import tqdm


def reproduce(data: Path, out: Path | None) -> str:
    """Write the page; what is wrong, in one line, and empty where nothing is."""
    from tests.published import CASES
    from tests.published.page import page_of, section_of
    from tests.published.runs import run_case

    missing = sorted({case.key for case in CASES if not (data / case.key).is_dir()})
    if missing:
        return f"{data}: no folder {', '.join(missing)}"
    sections, wrong = [], []
    for case in tqdm(CASES, unit="data set", disable=None, leave=False):
        outcomes = run_case(case, data)
        sections.append(section_of(case, outcomes))
        figures = [outcome for step in outcomes for outcome in step]
        wrong += [figure for figure in figures if not figure.is_equal and not figure.figure.note]
    page = page_of(sections)
    if out:
        out.write_text(page, encoding="utf-8")
    else:
        sys.stdout.write(page)
    return "".join(f"{w.figure.what}: {w.ours}, not {w.figure.published}" for w in wrong[:1])


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.published", description=__doc__)
    parser.add_argument("data", type=Path, help="folder with one folder per data set")
    parser.add_argument("--out", type=Path, help="a file to be written instead of printing")
    arguments = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    if wrong := reproduce(arguments.data, arguments.out):
        sys.exit(wrong)


if __name__ == "__main__":
    main()

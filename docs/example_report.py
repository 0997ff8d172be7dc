"""Writes docs/reports/example.html, the page of a check of examples/check/results.json.

`python -m docs.example_report`; `make docs` runs it.
"""

from pathlib import Path

import django
from django.conf import settings

ROOT = Path(__file__).resolve().parent.parent
RESULTS, PAGE = ROOT / "examples/check/results.json", ROOT / "docs/reports/example.html"


def example_report() -> str:
    """The page as the code makes it now."""
    from label_table.check import check_files
    from label_table.page import as_html
    from label_table.results import read_results

    return as_html([(check, ()) for check in check_files(read_results([RESULTS]))])


if __name__ == "__main__":
    settings.configure(PROGRAM="jurybox", USE_I18N=False)
    django.setup()
    PAGE.write_text(example_report(), encoding="utf-8")

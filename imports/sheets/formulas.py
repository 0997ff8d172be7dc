"""Texts that a spreadsheet would take for formulas."""

import unicodedata

# A line break or a tab ends the cell in some programs, and what follows begins another.
_BREAKS = ("\t", "\r", "\n")
_SIGNS = ("=", "+", "-", "@")


def is_risky(text: str) -> bool:
    """Whether a spreadsheet may compute it: blanks before the sign are skipped, and a full-width
    sign counts as the plain one."""
    if text.startswith(_BREAKS):
        return True
    begin = text.lstrip()[:1]
    return unicodedata.normalize("NFKC", begin).startswith(_SIGNS)


def harmless(text: str) -> str:
    """The text as a cell of a CSV file: after an apostrophe where it may be taken for a formula."""
    return f"'{text}" if is_risky(text) else text

"""Names and codes by which tables call the people who answered."""

import re
from collections.abc import Collection

from files.columns.names import PERSON, PROLIFIC, identifies_somebody, words_of

_NUMBER = re.compile(r"\d|\b[A-Z]\b")
# `a1`, `R02`, `VP41`: what people are called by, and not texts, questions, systems or turns.
_CODE = re.compile(r"(a|r|p|w|e|h|u|ann|vp)[ _-]?\d{1,4}", re.IGNORECASE)


def name_people(values: Collection[str]) -> bool:
    """Whether values are names such as `annotator_1`."""
    told = [v for v in values if len(v) < 40 and words_of(v) & PERSON and _NUMBER.search(v)]
    return len(values) > 1 and len(told) >= 0.9 * len(values)


def are_accounts(values: Collection[str]) -> bool:
    """Whether values are ids of crowdworkers."""
    told = [v for v in values if identifies_somebody(v) or PROLIFIC.fullmatch(v)]
    return len(values) > 1 and len(told) == len(values)


def may_name_people(values: Collection[str]) -> bool:
    """The same, or codes of one series: `a1`, `a2`, `a3`."""
    codes = [match[1].casefold() for v in values if (match := _CODE.fullmatch(v))]
    is_series = len(codes) == len(values) > 1 and len({*codes}) == 1
    return is_series or are_accounts(values) or name_people(values)

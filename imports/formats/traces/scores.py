"""Scores as tools name and give them, in the names and values that a study takes."""

import hashlib
import math
import re

from annotation.rater_names import BETWEEN, refuse_reserved
from imports.formats.rated_outputs import Score

# A longer text is a remark rather than a label.
LONGEST_LABEL = 80
_LONGEST_CRITERION, _LONGEST_RATER = 40, 200


def score_of(
    rater: str,
    kind: str,
    criterion: str,
    value: float | str,
    reason: object = None,
    *,
    passed: object = None,
) -> Score:
    """A score by a rater and a criterion of any names. passed: true or false where the tool says
    that, too."""
    words = str(reason or "").strip()
    said = passed if isinstance(passed, bool) else None
    return Score(rater_of(rater), kind, criterion_of(criterion), value, reason=words, passed=said)


def plain_value(value: object) -> float | str | None:
    """A number or a label; yes and no of JSON are 1 and 0. None where it is neither."""
    if isinstance(value, bool | int | float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, str) and 0 < len(value.strip()) <= LONGEST_LABEL and "\n" not in value:
        return value.strip()
    return None


def criterion_of(name: str) -> str:
    """A name that makes a facet: of small letters, digits and underscores. What cannot be told
    from that, or is too long, ends in a digest of the name."""
    plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    if re.match("[a-z]", plain) and len(plain) <= _LONGEST_CRITERION:
        return plain
    digest = hashlib.sha256(name.encode()).hexdigest()[:6]
    return f"score_{plain}"[: _LONGEST_CRITERION - 7].rstrip("_") + f"_{digest}"


def rater_of(name: str) -> str:
    """A name that reports can show."""
    plain = name.strip().replace(BETWEEN, "-")[:_LONGEST_RATER] or "unnamed"
    try:
        refuse_reserved(plain)
    except ValueError:
        return f"{plain} (in the file)"
    return plain

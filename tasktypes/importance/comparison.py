"""Labels beside the right ones, and a whole answer in a line."""

from collections import Counter
from collections.abc import Sequence

from django.utils.translation import gettext as _

from tasktypes.facets import RatingValue
from tasktypes.importance.form import ABOUT_CLAIMS, ABOUT_NUGGETS
from tasktypes.importance.schema import Answer
from tasktypes.pages.choices import Text
from tasktypes.pages.comparison import Compared, listed, part_name

# What labels are called, by facet.
_WORDS: dict[str, dict[str, Text]] = {
    **{facet: dict(offered) for facet, (_legend, offered) in ABOUT_CLAIMS.items()},
    "nugget": dict(ABOUT_NUGGETS[1]),
}


def compared_parts(own: Sequence[RatingValue], right: Sequence[RatingValue]) -> list[Compared]:
    """The ratings of an answer beside those of the right one, in the order of the answer."""
    wanted = {(rating.facet, rating.element): rating.value for rating in right}
    return [
        _compared(rating, wanted[rating.facet, rating.element])
        for rating in own
        if (rating.facet, rating.element) in wanted
    ]


def _compared(rating: RatingValue, right: object) -> Compared:
    part = part_name(rating.facet, rating.element)
    if rating.facet == "order":
        same = rating.value == right
        note = _("Our position: %(position)g. The order is a matter of judgement.")
        return Compared(part, "open", note="" if same else note % {"position": right})
    if rating.value == right:
        return Compared(part, "right")
    words = _WORDS[rating.facet][str(right)]
    if rating.facet == "importance" and "vital" not in (rating.value, right):
        note = _("We chose “%(label)s”. Both are right.") % {"label": words}
        return Compared(part, "right", note=note)
    return Compared(part, "wrong", right=words)


def in_short(answer: Answer) -> str:
    """How many claims and facts have which label, and the order."""
    labels: dict[str, list[str | None]] = {
        "importance": [claim.importance for claim in answer.claims],
        "support": [claim.support for claim in answer.claims],
        "nugget": [nugget.support for nugget in answer.nuggets],
    }
    parts = [_counted(facet, values) for facet, values in labels.items()]
    if answer.order:
        numbers = ", ".join(str(claim + 1) for claim in answer.order)
        parts.append(_("order %(numbers)s") % {"numbers": numbers})
    return listed(filter(None, parts))


def _counted(facet: str, values: Sequence[str | None]) -> str:
    counts = Counter(value for value in values if value is not None)
    return ", ".join(f"{counts[v]} × {word}" for v, word in _WORDS[facet].items() if counts[v])

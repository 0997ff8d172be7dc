"""Ranks beside the right ones, and an order in a line."""

from collections.abc import Iterator, Sequence

from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from tasktypes.pages.comparison import Compared, part_name
from tasktypes.ranking.ranks import competition
from tasktypes.ranking.schema import Payload


def compared_ranks(
    payload: Payload, key: str, own: Sequence[int], right: Sequence[int]
) -> Iterator[Compared]:
    """Every text by one criterion, in the order shown; own, right: ranks by item of the unit."""
    own, right = competition(own), competition(right)
    for shown in payload.candidates:
        item, part = shown.item, part_name(key, shown.item)
        if own[item] == right[item]:
            yield Compared(part, "right")
        else:
            rank = _("rank %(rank)d") % {"rank": right[item]}
            note = _note(payload, own, right, item)
            yield Compared(part, "wrong", right=rank, note=note)


def _note(payload: Payload, own: Sequence[int], right: Sequence[int], item: int) -> str:
    """The rank given, and the texts that it was swapped with."""
    given = _("Your rank: %(rank)d.") % {"rank": own[item]}
    swapped = [
        shown.letter
        for shown in payload.candidates
        if (own[shown.item], right[shown.item]) == (right[item], own[item])
    ]
    if not swapped:
        return given
    letters = get_text_list(swapped, _("and"))
    return f"{given} {_('Swapped with %(letters)s.') % {'letters': letters}}"


def in_order(payload: Payload, ranks: Sequence[int]) -> str:
    """The letters shown, the best first, those with the same rank joined: `B, A = C`."""
    places: dict[int, list[str]] = {}
    for shown in payload.candidates:
        places.setdefault(ranks[shown.item], []).append(shown.letter)
    return ", ".join(" = ".join(places[rank]) for rank in sorted(places))

"""Every kind of background work, by name."""

from collections.abc import Mapping

from desk.data.adjudication.work import ADD_CONTESTED, BESIDE_GOLD, DRAW_AUDIT, FRAME, RANKING
from desk.data.background.kinds import Kind
from desk.data.exclusions.work import APPLY, PREVIEW, UNDO

KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (PREVIEW, APPLY, UNDO, RANKING, ADD_CONTESTED, FRAME, DRAW_AUDIT, BESIDE_GOLD)
}

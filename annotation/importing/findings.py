"""What an import found: how much came in, and what was odd about it, by name."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Self

from tasktypes.material import Item, Source

# Counts are always whole; the list of what was odd is cut, for a study's row has to stay small.
LONGEST_LIST = 1000


class Findings:
    """Counts, and for everything odd where it was found."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.subsets: Counter[str] = Counter()
        self.odd: dict[str, list[str]] = {}

    @classmethod
    def of(cls, imported: Mapping[str, Any]) -> Self:
        """Findings that go on where an earlier import of the same study ended."""
        found = cls()
        found.counts.update(imported.get("counts", {}))
        found.subsets.update(imported.get("subsets", {}))
        found.odd = {name: list(places) for name, places in imported.get("odd", {}).items()}
        return found

    def count(self, what: str, number: int = 1) -> None:
        self.counts[what] += number

    def note(self, what: str, where: str) -> None:
        """Count something odd and list where it is."""
        self.counts[what] += 1
        listed = self.odd.setdefault(what, [])
        if len(listed) < LONGEST_LIST:
            listed.append(where)

    def look_at(self, source: Source, item: Item) -> None:
        """Note what is odd about an item's citations, where there is anything to cite."""
        if not source.passages:
            return
        if not item.cited:
            self.note("items_without_citation", item.key)
        for k in item.cited:
            if k not in source.passage_indices:
                self.note("citations_outside_passages", f"{item.key} [{k}]")
        for number, sentence in enumerate(item.sentences):
            if len(set(sentence.citations)) > 1:
                self.note("sentences_citing_several", f"{item.key} sentence {number}")

    def as_json(self) -> dict[str, Any]:
        """`counts`, `subsets` (units in each) and `odd` (name to places, cut if long)."""
        return {"counts": dict(self.counts), "subsets": dict(self.subsets), "odd": self.odd}

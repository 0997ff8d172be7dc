"""The findings of an import: counts and oddities, by name."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Self

from tasktypes.texts.material import Item, Source

# Counts are complete; lists of oddities are cut, since they are stored in the study's row.
LONGEST_LIST = 1000


class Findings:
    """Counts, and the places of everything odd."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.subsets: Counter[str] = Counter()
        self.odd: dict[str, list[str]] = {}

    @classmethod
    def of(cls, imported: Mapping[str, Any]) -> Self:
        """Findings that continue those of an earlier import into the same study."""
        findings = cls()
        findings.counts.update(imported.get("counts", {}))
        findings.subsets.update(imported.get("subsets", {}))
        findings.odd = {name: list(places) for name, places in imported.get("odd", {}).items()}
        return findings

    def count(self, name: str, number: int = 1) -> None:
        self.counts[name] += number

    def note(self, name: str, where: str) -> None:
        """Count something odd and list its place."""
        self.counts[name] += 1
        self.list_places(name, [where])

    def list_places(self, name: str, places: Sequence[str]) -> None:
        """List places, as far as the list is long enough."""
        listed = self.odd.setdefault(name, [])
        listed.extend(places[: max(0, LONGEST_LIST - len(listed))])

    def add(self, others: "Findings") -> None:
        """Add those of a part of the import, such as a record."""
        self.counts.update(others.counts)
        self.subsets.update(others.subsets)
        for name, places in others.odd.items():
            self.list_places(name, places)

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

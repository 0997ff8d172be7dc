"""The findings of an import: counts and oddities, by name."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Self

from tasktypes.texts.material import Item, Source
from tasktypes.texts.shapes import SHAPES, shapes

# Counts are complete; lists of oddities are cut, since they are stored in the study's row.
LONGEST_LIST = 1000
# Outputs that hold what Markdown shows better, and those with a shape of that name.
SHAPED, WITH_SHAPE = "texts_with_marks", "texts_with_{}"


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
        """Note what an item's text looks like, and what is odd about its citations, where there is
        anything to cite."""
        self.look_at_text(item)
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

    def look_at_text(self, item: Item) -> None:
        """Count what the text holds that Markdown shows better than plain letters do."""
        found = shapes(item.text)
        self.counts.update({WITH_SHAPE.format(name): 1 for name in found})
        if found:
            self.count(SHAPED)

    def as_json(self) -> dict[str, Any]:
        """`counts`, `subsets` (units in each) and `odd` (name to places, cut if long)."""
        return {"counts": dict(self.counts), "subsets": dict(self.subsets), "odd": self.odd}


def word_on_texts(counts: Mapping[str, int], text_form: str) -> str:
    """What the outputs look like, as a question how to show them; empty where they are running text
    alone, or are not shown as plain letters."""
    if text_form != "plain" or not counts.get(SHAPED):
        return ""
    found = [name for name in SHAPES if counts.get(WITH_SHAPE.format(name))]
    listed = " or ".join(filter(None, [", ".join(found[:-1]), found[-1]]))
    shown = "Markdown with formulas" if "formulas" in found else "Markdown"
    number, of = counts[SHAPED], counts.get("items", counts[SHAPED])
    verb = "holds" if number == 1 else "hold"
    return f"{number} of {of} texts {verb} {listed}: shown as {shown}?"

"""What is to be written for a study: one text for each source, or for each item of a system."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from annotation.importing.material.records import Entry
from annotation.models import Item as ItemRow
from annotation.models import Study
from judges.generators.perturbations import Condition, Original
from judges.generators.text import Written
from judges.methods.contract import Ask
from tasktypes.citations import cited
from tasktypes.material import Item, Sentence, Source
from tasktypes.registry import TASK_TYPES
from tasktypes.sentences import split


@dataclass(frozen=True)
class Piece:
    """A text that is to be written, and the item that it will be; `item` has no text yet."""

    source: Source
    ask: Ask
    key: str
    system: str
    family: str = ""
    evidence_source: str = ""
    condition: str = ""
    perturbed_from: str = ""

    def entry(self, where: str, written: Written) -> Entry:
        """The finished text as an import takes it in; ValueError where it is no item."""
        sentences = tuple(
            Sentence(text=text, citations=cited(text)) for text in split(written.text)
        )
        item = Item(
            key=self.key,
            system=self.system,
            system_family=self.family,
            evidence_source=self.evidence_source,
            condition=self.condition,
            perturbed_from=self.perturbed_from,
            sentences=sentences,
        )
        source = self.source
        if written.given:
            source = _with_selection(source, written.given)
        return Entry(where, source, (item,))


def explanations(
    study: Study, *, system: str, family: str, evidence: str, seed: int
) -> list[Piece]:
    """An explanation for every source that this system has none of yet, by that evidence."""
    standing = set(study.items.filter(system=system).values_list("key", flat=True))
    pieces = []
    for row in study.sources.order_by("pk"):
        key = f"{row.key}/{system}/{evidence}"
        if key not in standing:
            source = row.material
            payload = source.model_dump(mode="json")
            ask = _ask(row.pk, source.key, payload, seed)
            pieces.append(Piece(source, ask, key, system, family, evidence))
    return pieces


def variants(study: Study, *, system: str, condition: Condition, seed: int) -> list[Piece]:
    """A variant of every unperturbed item of a system that has none of that condition yet."""
    standing = set(study.items.filter(condition=condition).values_list("key", flat=True))
    items = study.items.filter(system=system, perturbed_from=None).exclude(condition=condition)
    pieces = []
    for row in items.select_related("source").order_by("pk"):
        key = f"{row.key}/{condition}"
        if key not in standing:
            source = row.source.material
            original = Original(
                query=source.query, claim=source.claim, verdict=source.verdict, text=_text(row)
            )
            ask = _ask(row.pk, row.key, original.model_dump(mode="json"), seed)
            own = (system, row.system_family, row.evidence_source, condition, row.key)
            pieces.append(Piece(source, ask, key, *own))
    return pieces


def _ask(row_id: int, unit: str, payload: dict[str, object], seed: int) -> Ask:
    # A generator looks at no task type; an ask has one.
    return Ask(row_id, unit, "", TASK_TYPES[0], payload, seed=_seed(seed, unit))


def _seed(seed: int, unit: str) -> int:
    """A seed of its own for every text, the same in every database."""
    digest = hashlib.sha256(f"{seed}\n{unit}".encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1


def _text(row: ItemRow) -> str:
    return " ".join(sentence.text for sentence in row.material.sentences)


def _with_selection(source: Source, given: Sequence[int]) -> Source:
    """The source with just those of its passages selected."""
    passages = tuple(p.model_copy(update={"selected": p.index in given}) for p in source.passages)
    return source.model_copy(update={"passages": passages})

"""The texts to generate for a study: one for each source, or for each item of a system."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from annotation.models import Item as ItemRow
from annotation.models import Source as SourceRow
from annotation.models import Study, Unit
from generators.generator import GeneratedText
from generators.perturbations import Condition, Original
from imports.material.records import MaterialEntry
from judges.methods.asks import Ask
from tasktypes.registry import TASK_TYPES
from tasktypes.schemas import Schema
from tasktypes.texts.citations import cited
from tasktypes.texts.material import Item, Source
from tasktypes.texts.sentences import cut


@dataclass(frozen=True)
class PlannedText:
    """A text to generate, with the fields of the item that it will be."""

    source: Source
    ask: Ask
    key: str
    system: str
    family: str = ""
    evidence_source: str = ""
    condition: str = ""
    perturbed_from: str = ""

    def about(self, written: Schema | None) -> dict[str, Any]:
        """For the journal: the source, what a text cites, and how long it and its evidence are."""
        if not isinstance(written, GeneratedText):
            return {"source": self.source.key}
        cites = list(cited(written.text))
        return {"source": self.source.key, "cited": cites, "lengths": self._lengths(written)}

    def _lengths(self, generated: GeneratedText) -> dict[str, int]:
        evidence = [p.text for p in self.source.passages if p.index in generated.given]
        return {
            "claim_words": len(self.source.claim.split()),
            "evidence_passages": len(evidence),
            "evidence_words": sum(len(text.split()) for text in evidence),
            "text_words": len(generated.text.split()),
        }

    def entry(self, where: str, generated: GeneratedText) -> MaterialEntry:
        """The generated text as a record to import; ValueError where it makes no valid item."""
        item = Item(
            key=self.key,
            system=self.system,
            system_family=self.family,
            evidence_source=self.evidence_source,
            condition=self.condition,
            perturbed_from=self.perturbed_from,
            sentences=cut(generated.text),
        )
        source = self.source
        if generated.given:
            source = _with_selection(source, generated.given)
        return MaterialEntry(where, source, (item,))


def explanations(
    study: Study, *, system: str, family: str, evidence: str, seed: int
) -> list[PlannedText]:
    """An explanation for every source that has none yet by this system and evidence."""
    existing = set(study.items.filter(system=system).values_list("key", flat=True))
    planned = []
    for row in study.sources.exclude(pk__in=sources_of_controls(study)).order_by("pk"):
        key = f"{row.key}/{system}/{evidence}"
        if key not in existing:
            source = row.material
            payload = source.model_dump(mode="json")
            ask = _ask(row.pk, source.key, payload, seed)
            planned.append(PlannedText(source, ask, key, system, family, evidence))
    return planned


def variants(study: Study, *, system: str, condition: Condition, seed: int) -> list[PlannedText]:
    """A variant of every unperturbed item of a system that has none of that condition yet."""
    existing = set(study.items.filter(condition=condition).values_list("key", flat=True))
    items = study.items.filter(system=system, perturbed_from=None).exclude(condition=condition)
    items = items.exclude(source__in=sources_of_controls(study))
    planned = []
    for row in items.select_related("source").order_by("pk"):
        key = f"{row.key}/{condition}"
        if key not in existing:
            source = row.source.material
            original = Original(
                query=source.query, claim=source.claim, verdict=source.verdict, text=_text(row)
            )
            ask = _ask(row.pk, row.key, original.model_dump(mode="json"), seed)
            fields = (system, row.system_family, row.evidence_source, condition, row.key)
            planned.append(PlannedText(source, ask, key, *fields))
    return planned


def sources_of_controls(study: Study) -> QuerySet[SourceRow]:
    """The sources of controls that a file lists. They get no more texts: whoever met one would know
    the answer to the control."""
    controls = study.units.filter(role__in=Unit.CONTROLS, check_state=Unit.Check.NOT_NEEDED)
    return study.sources.filter(units__in=controls).distinct()


def _ask(row_id: int, unit: str, payload: dict[str, object], seed: int) -> Ask:
    # An ask needs a task type, but generators ignore it.
    return Ask(row_id, unit, "", TASK_TYPES[0], payload, seed=seed_of(seed, unit))


def seed_of(seed: int, unit: str) -> int:
    """A seed for each conversation. By a key, not an id, so that it is the same everywhere."""
    digest = hashlib.sha256(f"{seed}\n{unit}".encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1


def _text(row: ItemRow) -> str:
    return row.material.text


def _with_selection(source: Source, indices: Sequence[int]) -> Source:
    """The source with exactly the passages of these indices selected."""
    passages = tuple(p.model_copy(update={"selected": p.index in indices}) for p in source.passages)
    return source.model_copy(update={"passages": passages})

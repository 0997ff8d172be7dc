"""The texts to generate for a study: one for each source, or for each item of a system."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from annotation.models import Item as ItemRow
from annotation.models import Source as SourceRow
from annotation.models import Study, Unit
from generators.generator import GeneratedText
from generators.perturbations import Condition, Original
from generators.rankings import NOTHING, Ranked, key_statements
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
    ranked: Ranked | None = None
    """Of a variant: what was known of its most important statement."""

    def about(self, written: Schema | None) -> dict[str, Any]:
        """For the journal: the source, whose text it is, what it cites, and how long it and its
        evidence are."""
        names = ("system", "evidence_source", "condition")
        about = {"source": self.source.key, **{name: getattr(self, name) for name in names}}
        if self.ranked is not None:
            about["statement_by"] = self.ranked.by
        if not isinstance(written, GeneratedText):
            return about
        return {**about, "cited": list(cited(written.text)), "lengths": self._lengths(written)}

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
        return MaterialEntry(where, source, (item,), item_metadata=self._metadata(generated))

    def _metadata(self, generated: GeneratedText) -> dict[str, dict[str, str]]:
        """Of a variant: the statement that it is about, and who said that it matters most."""
        if self.ranked is None:
            return {}
        statement = self.ranked.statement or generated.statement
        return {self.key: {"statement": statement, "statement_by": self.ranked.by}}


@dataclass(frozen=True)
class Order:
    """Who is to write: the system's name and its model family. seed: of every random choice."""

    system: str
    family: str = ""
    seed: int = 0


@dataclass(frozen=True)
class PlannedTexts:
    """The texts that are left to write, and what gets none: number of sources by what they are or
    lack, as in "2 sources without a query"."""

    texts: tuple[PlannedText, ...]
    left_out: Mapping[str, int]

    def left_out_in_words(self) -> list[str]:
        return [
            f"{n} source {why}" if n == 1 else f"{n} sources {why}"
            for why, n in self.left_out.items()
        ]


def texts_of_sources(
    study: Study,
    order: Order,
    *,
    lacks: Callable[[Source], str],
    payload: Callable[[SourceRow], dict[str, Any]] = lambda row: row.material.model_dump(
        mode="json"
    ),
    evidence: str = "",
) -> PlannedTexts:
    """A text for every source that lacks nothing and has none yet by this system.

    payload: what the generator is given of it. evidence: whose, for explanations.
    """
    existing = set(study.items.filter(system=order.system).values_list("key", flat=True))
    planned, left_out = [], _controls(study)
    for row in study.sources.exclude(pk__in=sources_of_controls(study)).order_by("pk"):
        key = "/".join(filter(None, (row.key, order.system, evidence)))
        source = row.material
        if reason := lacks(source):
            left_out[reason] = left_out.get(reason, 0) + 1
        elif key not in existing:
            ask = _ask(row.pk, source.key, payload(row), order.seed)
            text = PlannedText(source, ask, key, order.system, order.family, evidence)
            planned.append(text)
    return PlannedTexts(tuple(planned), left_out)


def variants(study: Study, order: Order, condition: Condition) -> PlannedTexts:
    """A variant of every unperturbed item of a system that has none of that condition yet."""
    existing = set(study.items.filter(condition=condition).values_list("key", flat=True))
    items = study.items.filter(system=order.system, perturbed_from=None)
    items = items.exclude(condition=condition).exclude(source__in=sources_of_controls(study))
    rows = [
        row
        for row in items.select_related("source").order_by("pk")
        if f"{row.key}/{condition}" not in existing
    ]
    known, planned = key_statements(study, rows), []
    for row in rows:
        key, source = f"{row.key}/{condition}", row.source.material
        ranked = known.get(row.pk, NOTHING)
        original = Original(
            query=source.query,
            claim=source.claim,
            verdict=source.verdict,
            text=_text(row),
            ranked=ranked.statement,
        )
        ask = _ask(row.pk, row.key, original.model_dump(mode="json"), order.seed)
        fields = (row.system, row.system_family, row.evidence_source, condition, row.key)
        planned.append(PlannedText(source, ask, key, *fields, ranked))
    return PlannedTexts(tuple(planned), _controls(study))


def _controls(study: Study) -> dict[str, int]:
    number = sources_of_controls(study).count()
    return {"of controls": number} if number else {}


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

"""Studies whose files list neither errors nor claims: two mills, and two answers on bridges."""

from pathlib import Path
from typing import Any

from django.utils import timezone

from annotation.models import Block, Item, Preparation, Source, Study, User
from imports.preparation.lists import accept, propose
from imports.preparation.targets import Target
from imports.preparation.units import Applied
from tests.imports.small_files import import_lines

ERROR = {"sentence": "It burnt.", "reason": "It flooded.", "correction": "It flooded in May."}
PASSAGES = [{"index": 0, "text": "The mill flooded in May.", "selected": True}]
ROUND = {"name": "main", "counts": True, "batch": {"normal": 1}, "expected_minutes": 5}
PLAIN = "The claim is false. The mill flooded."
LINKED = "The claim is false, see https://mills.example/7."


def claims_without_errors(folder: Path, blocks: Any = None, **study: Any) -> Study:
    """Two claims on mills, with an explanation without a link and one with a link for each."""
    opening = {"title": "Mills", "blocks": blocks or [{"task_type": "actionability"}]}
    records: list[dict[str, Any]] = [{"study": opening | {"rounds": [ROUND]} | study}]
    for number in range(2):
        source = {"key": f"mill-{number}", "claim": f"Mill {number} burnt.", "verdict": "false",
                  "passages": PASSAGES}  # fmt: skip
        items = [
            {"key": f"mill-{number}/plain", "system": "Alder", "text": PLAIN},
            {"key": f"mill-{number}/linked", "system": "Birch", "text": LINKED},
        ]
        records += [{"source": source, "items": [item]} for item in items]
    return import_lines(folder, records)


def responses_without_claims(folder: Path, claims: str = "prepared", slug: str = "s") -> Study:
    """An answer about a bridge, and a variant of it with the year wrong."""
    options = {"parts": ["importance", "support"], "claims": claims}
    opening = {"title": "Bridges", "blocks": [{"task_type": "importance", "options": options}]}
    source = {"key": "bridge", "query": "When was the bridge built?",
              "document": "It was built in 1911 and painted green."}  # fmt: skip
    right = {"key": "bridge/a", "system": "Alder", "text": "It was built in 1911, and is green."}
    wrong = right | {"key": "bridge/a/wrong", "text": "It was built in 1812, and is green.",
                     "condition": "wrong", "perturbed_from": "bridge/a"}  # fmt: skip
    records = [{"study": opening | {"rounds": [ROUND]}}]
    return import_lines(
        folder,
        [*records, *({"source": source, "items": [i]} for i in (right, wrong))],
        slug=slug,
    )


def target(study: Study, key: str) -> Target:
    """The item of that key, or the source."""
    item = Item.objects.filter(study=study, key=key).first()
    return Target(item.source, item) if item else Target(Source.objects.get(study=study, key=key))


def proposed(study: Study, key: str, entries: Any) -> Preparation:
    """A list that waits for a decision."""
    block: Block = study.blocks.get()
    about = {"block": block, "target": target(study, key), "entries": entries}
    return propose(**about, provenance={"by": "person"})


def accepted(row: Preparation, by: User | None = None) -> Applied:
    return accept(preparation=row, version=row.version, by=by, now=timezone.now())


def unit_keys(study: Study) -> set[str]:
    return set(study.units.values_list("key", flat=True))

"""A unit of the study as a worker would see it under options that may not be saved yet."""

from collections.abc import Iterable

from django.utils.safestring import SafeString

from annotation.models import Block, Question, Study, Unit
from annotation.views.filled_form import draw_form
from set_up.steps.questions import BlockFields
from tasktypes.texts.blocks import blocks

# Of how many texts a sample is chosen, and how much of it is shown.
LOOKED_AT, LONGEST = 50, 3_000


def drawn_sample(study: Study, blocks: Iterable[BlockFields]) -> list[tuple[str, SafeString]]:
    """(title, form) of each block about the first unit; nothing where there is none, and not what
    cannot be asked."""
    unit = study.units.filter(role=Unit.Role.NORMAL).order_by("pk").select_related("source").first()
    if unit is None:
        return []
    items = [row.item.material for row in unit.unit_items.select_related("item")]
    drawn = []
    for number, block in enumerate(blocks):
        try:
            options = block.kind.Options.model_validate(block.options)
            payload = block.kind.payload(unit.source.material, items, unit.focus, options)
        except ValueError:
            continue
        row = Block(task_type_slug=block.kind.slug, key=block.key, options=block.options)
        question = Question(block=row, payload=payload.model_dump(mode="json"))
        shown = draw_form(question, {}, prefix=f"sample{number}", text_form=study.text_form)
        drawn.append((block.kind.title, shown))
    return drawn


def sample_text(study: Study) -> str:
    """The first of the study's texts that holds a list, a table, code or formulas, else one with
    lines, else the first: what a form of texts does is seen by it."""
    texts = [item.text for item in study.items.order_by("pk")[:LOOKED_AT]]
    texts += study.sources.order_by("pk").values_list("document", flat=True)[:LOOKED_AT]
    found = max(texts, key=_structure, default="")
    return found if len(found) <= LONGEST else found[:LONGEST] + "…"


def _structure(text: str) -> tuple[bool, bool, bool]:
    return any(block.whole for block in blocks(text)), "\n" in text, bool(text)


def form_files(blocks: Iterable[BlockFields]) -> dict[str, list[str]]:
    """The style sheets and scripts that the forms need, each once."""
    kinds = [block.kind for block in blocks]
    return {
        "styles": list(dict.fromkeys(file for kind in kinds for file in kind.styles)),
        "scripts": list(dict.fromkeys(file for kind in kinds for file in kind.scripts)),
    }

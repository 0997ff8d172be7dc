"""Prompts: templates with named slots, and fences that keep data and instructions apart.

The templates are `string.Template`s: `$name` or `${name}` is a slot, `$$` a dollar sign, and braces
are just braces. What a slot is filled with is never searched for slots.

Lines, one rule for every text that comes from the material: a text of one line stands behind its
label. A text with lines is shown with all of them, each indented by four spaces, and begins on a
line of its own. So no line of a text begins where the next entry or heading would, and what is
indented within the text stays so. Turns of a conversation are indented by eight, as what a turn
calls stands at four. What only names something, such as a verdict, a criterion or a link, is put
on one line (`one_line`). Methods that score texts without a prompt read them as running text.
"""

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from string import Template
from typing import Any

from tasktypes.pages.criteria import Criterion

INDENT = "    "
# In a template: the name of a tag that none of the prompt's data contains.
FENCE = "fence"
FENCE_DESCRIPTION = (
    "a name that occurs in no text of the question, for tags around data: `<$fence>`, `</$fence>`"
)


@dataclass(frozen=True)
class Slot:
    """A named place in a prompt. fill: what stands there for a payload.

    is_data: the text comes from the material, and so belongs within the fence.
    """

    name: str
    description: str
    fill: Callable[[Any], str]
    is_data: bool = True

    def of(self, part: Callable[[Any], Any]) -> "Slot":
        """The same slot for a larger subject, of which it needs a part."""
        return replace(self, fill=lambda subject: self.fill(part(subject)))


def setting(name: str, description: str, fill: Callable[[Any], str]) -> Slot:
    """A slot for what the study sets, such as a question or a scale, and for the reply's format."""
    return Slot(name, description, fill, is_data=False)


def filled(
    template: str,
    slots: Sequence[Slot],
    subject: Any,
    values: Mapping[str, str] | None = None,
) -> str:
    """The template with every slot that it names filled in; `values` replace those of slots."""
    names, values = slots_in(template), values or {}
    named = [slot for slot in slots if slot.name in names]
    texts = {
        slot.name: values[slot.name] if slot.name in values else slot.fill(subject)
        for slot in named
    }
    if FENCE in names:
        texts[FENCE] = fence_for(texts[slot.name] for slot in named if slot.is_data)
    return Template.pattern.sub(lambda match: _put(match, texts), template)


def _put(match: re.Match[str], texts: Mapping[str, str]) -> str:
    """What stands in place of a slot; lines behind a label begin below it."""
    name = match["named"] or match["braced"]
    if name is None:
        return "$"
    follows = match.string[: match.start()].rpartition("\n")[2]
    return f"\n{texts[name]}" if follows and texts[name].startswith(INDENT) else texts[name]


def fence_for(data: Iterable[str]) -> str:
    """A tag's name that occurs in none of the texts: the same texts always have the same one."""
    text = "\n".join(data)
    name, digest = "", hashlib.sha256(text.encode("utf-8", "surrogatepass"))
    while not name or name in text.lower():
        digest.update(b"\n")
        name = f"data-{digest.hexdigest()[:12]}"
    return name


def check_template(template: str, slots: Collection[Slot]) -> None:
    """ValueError where a template names a slot that there is not, or has a lone dollar sign."""
    if not Template(template).is_valid():
        raise ValueError("a $ stands alone; write $$ for a dollar sign")
    known_names = [FENCE, *(slot.name for slot in slots)]
    unknown = [f"${name}" for name in slots_in(template) if name not in known_names]
    if unknown:
        listed = ", ".join(f"${name}" for name in sorted(known_names))
        raise ValueError(f"there is no slot {', '.join(unknown)} (known: {listed})")


@lru_cache(maxsize=256)
def slots_in(template: str) -> tuple[str, ...]:
    """The names of the slots in a template, each once."""
    return tuple(Template(template).get_identifiers())


def one_line(text: str) -> str:
    """A text as one line of a prompt, where a line break would look like the next entry."""
    return " ".join(text.split())


def in_lines(text: str, indent: str = INDENT) -> str:
    """A text with its lines, each of them indented; one of a single line is that line."""
    lines = text.rstrip().splitlines()
    if len([line for line in lines if line.strip()]) < 2:
        return one_line(text)
    while not lines[0].strip():
        del lines[0]
    return "\n".join(f"{indent}{line}".rstrip() for line in lines)


def entry(label: str, text: str, indent: str = INDENT) -> str:
    """`label text`, one of several entries: lines of a text stand below its label."""
    shown = in_lines(text, indent)
    return f"{label}\n{shown}" if "\n" in shown else f"{label} {shown}"


def criteria_text(criteria: Iterable[Criterion]) -> str:
    """A line for each criterion with its question, definition and example."""
    return "\n".join(map(_criterion, criteria))


def _criterion(criterion: Criterion) -> str:
    parts = [f"- {criterion.key}: {one_line(criterion.question)}"]
    parts += [one_line(criterion.definition)] if criterion.definition else []
    parts += [f"For example: {one_line(criterion.example)}"] if criterion.example else []
    return " ".join(parts)


def numbered(texts: Iterable[str], *, start: int = 0) -> str:
    """An entry `0: text` for each text."""
    return "\n".join(entry(f"{i}:", text) for i, text in enumerate(texts, start))


def labelled(**texts: str) -> str:
    """An entry `Name: text` for each text there is."""
    return "\n".join(entry(f"{name}:", text) for name, text in texts.items() if text)

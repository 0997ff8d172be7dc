"""What a text holds that Markdown shows better than plain letters do."""

import re

from tasktypes.texts.blocks import blocks

# In this order they are named.
SHAPES = ("lists", "tables", "code", "headings", "emphasis", "formulas")
_OF_BLOCKS = {"item": "lists", "table": "tables", "code": "code", "heading": "headings"}
_CODE = re.compile(r"(?<!`)`[^`\n]+`(?!`)")
_EMPHASIS = re.compile(r"\*\*(?=\S)[^*\n]+(?<=\S)\*\*")
# `$5 and $6` are amounts: between dollar signs a formula has one of its own marks.
_FORMULA = re.compile(
    r"\\\([^\n]{1,300}?\\\)|(?<![\\$\w])\$(?=\S)[^$\n]*[\\^_][^$\n]*(?<=\S)\$(?!\d)"
)
_INLINE = {"code": _CODE, "emphasis": _EMPHASIS, "formulas": _FORMULA}
# What is looked for within lines; a page of a book says early what it is made of.
_LOOKED_AT = 20_000


def shapes(text: str) -> tuple[str, ...]:
    """The names in `SHAPES` of what the text holds; none of running text."""
    begun = text[:_LOOKED_AT]
    found = {name for name, pattern in _INLINE.items() if pattern.search(begun)}
    for block in blocks(begun):
        if block.kind == "formula":
            found.add("formulas")
        elif name := _OF_BLOCKS.get(block.kind):
            found.add(name)
    return tuple(name for name in SHAPES if name in found)

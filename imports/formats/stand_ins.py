"""Sources and items with stand-ins for texts that a file of answers does not contain."""

from tasktypes.texts.material import NO_TEXT, Item, Sentence, Source


def source_named(key: str, **texts: str) -> Source:
    """A source known by its key; `texts` are those that the file has (claim, document, query)."""
    nonempty = {name: text for name, text in texts.items() if text}
    return Source.model_validate({"key": key, **(nonempty or {"document": NO_TEXT})})


def item_named(key: str, *, system: str = "", text: str = "") -> Item:
    """An item known by its key, as one sentence."""
    return Item(key=key, system=system, sentences=(Sentence(text=text or NO_TEXT),))

"""IDs that stand with one text as a rule, and with several in a few places."""

from collections.abc import Mapping

from files.reading.doubts import Option
from files.reading.layouts.sketch import Sketch
from files.reading.model import ABOUT, Axis, Holds
from files.reading.sentence import listed

# With more, several outputs of one ID are what the files mean.
_MOST = 0.1


def put_repeated_ids(sketch: Sketch) -> None:
    """Decide whether texts that share an ID, as hardly any do, are outputs of their own."""
    texts = [n for n in sketch.of(Holds.TEXT) if not sketch.holds[n].at]
    keys = [n for n in sketch.of(Holds.SOURCE, Holds.OUTPUT) if not sketch.holds[n].at]
    if len(texts) != 1 or not keys or sketch.pairs:
        return
    found = _repeated(sketch, keys, texts[0])
    if not found:
        return
    ids = [*dict.fromkeys("/".join(key) for key in found)]
    taken = sketch.doubts.decide(
        "repeated-ids",
        f"{listed(ids)} in {listed(keys)} {'stands' if len(ids) == 1 else 'stand'} with several "
        f"texts in `{texts[0]}`, others with one. What are these?",
        Option("outputs", "each text is an output of its own"),
        Option("left-out", "a mistake: all rows with these texts are left out"),
    )
    if taken == "left-out":
        sketch.left_out |= {
            texts[0]: tuple(dict.fromkeys(t for each in found.values() for t in each))
        }
    elif outputs := sketch.of(Holds.OUTPUT):
        sketch.put(outputs[0], Holds.KEPT if sketch.of(Holds.SOURCE) else Holds.SOURCE)


def _repeated(sketch: Sketch, keys: list[str], text: str) -> Mapping[tuple[str, ...], list[str]]:
    """ID -> its texts, of the few with several."""
    systems = [n for n in sketch.of(Holds.SYSTEM) if not sketch.holds[n].at]
    by_file = any(name.says is Axis.SYSTEM for name in sketch.names)
    outputs = [n for n in keys if sketch.holds[n].holds is Holds.OUTPUT]
    told = outputs or [*keys, *systems]
    found: dict[tuple[object, ...], dict[str, str]] = {}
    rows = zip(
        sketch.sample.files, sketch.sample.keys(told), sketch.sample.cells(text), strict=True
    )
    for number, key, cell in rows:
        if cell and all(key):
            group = (number if by_file else 0, *key)
            found.setdefault(group, {}).setdefault(" ".join(cell.split()), cell)
    several = {key: texts for key, texts in found.items() if len(texts) > 1}
    if len(several) > _MOST * len(found):
        return {}
    return {tuple(map(str, key[1:])): [*texts.values()] for key, texts in several.items()}


def keep_other_texts(sketch: Sketch) -> None:
    """Keep a text as an own column where one ID of a source stands with several: a source has one
    text, and its import would be refused."""
    keys = [n for n in sketch.of(Holds.SOURCE) if not sketch.holds[n].at]
    texts = [n for n in sketch.of(*ABOUT) if not sketch.holds[n].at]
    for name in texts if keys else ():
        if several := _with_several(sketch, keys, name):
            sketch.put(name, Holds.KEPT, of="unit" if sketch.pairs else "output")
            said = f"`{name}` says several things about one {' and '.join(f'`{k}`' for k in keys)}"
            text = f"{said}, such as {several}: it is kept beside, and is no text to be shown."
            sketch.remarks.append(("source-texts", text))


def _with_several(sketch: Sketch, keys: list[str], text: str) -> str:
    """The first ID that stands with several texts; empty where none does."""
    first: dict[tuple[object, ...], str] = {}
    by_file = any(name.says is Axis.SOURCE for name in sketch.names)
    rows = zip(
        sketch.sample.files, sketch.sample.keys(keys), sketch.sample.cells(text), strict=True
    )
    for number, key, cell in rows:
        if cell and all(key):
            own = (number if by_file else 0, *key)
            if first.setdefault(own, cell) != cell:
                return "/".join(key)
    return ""

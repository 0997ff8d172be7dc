"""IDs that stand with one text as a rule, and with several in a few places."""

from collections.abc import Mapping

from files.reading.doubts import Option
from files.reading.layouts.sketch import Sketch
from files.reading.model import Axis, Holds
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

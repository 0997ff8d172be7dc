"""How tables of different columns belong together: texts, systems and judges in a second file."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from files.columns.words import ASIDE
from files.reading.doubts import Option
from files.reading.evidence.profiles import Content
from files.reading.layouts.keys.further_keys import put_further_key
from files.reading.layouts.keys.key_names import names_key
from files.reading.layouts.sketch import Sketch, says
from files.reading.model import Axis, Holds, Join
from files.reading.relations.joined_answers import put_joined
from files.reading.sentence import listed

_MET = 0.5
_KEYS = (Holds.SOURCE, Holds.OUTPUT)
_MOST_SYSTEMS = 60


@dataclass
class Related:
    """Tables in the order in which they are read. joins: of those that add to the first of their
    run. left: tables of which nothing is read, with the reason. systems: name by spelling."""

    sketches: list[Sketch] = field(default_factory=list)
    joins: dict[int, Join] = field(default_factory=dict)
    left: list[tuple[Sketch, str]] = field(default_factory=list)
    systems: dict[str, str] = field(default_factory=dict)

    def before(self, other: Sketch, sketch: Sketch) -> None:
        """Put a table in front of another one."""
        self.sketches.insert(self.sketches.index(other), sketch)

    def after(self, other: Sketch, sketch: Sketch, join: Join) -> None:
        """Join a table to another one."""
        self.sketches.insert(self.sketches.index(other) + 1, sketch)
        self.joins[id(sketch)] = join


def _by_key(found: Related, main: Sketch, sketch: Sketch) -> bool:
    """A key of the first table stands in a column here, once in each row."""
    pair = _linked(main, sketch)
    if not pair:
        return _by_several_keys(found, main, sketch)
    ours, theirs = pair
    if main.holds[ours].holds is not Holds.SYSTEM and _is_code(sketch, theirs):
        main.put(ours, Holds.SYSTEM)
        put_further_key(main)
    if main.holds[ours].holds is Holds.SYSTEM:
        return _tells_systems(found, main, sketch, theirs)
    if not sketch.profile(theirs).is_unique and not sketch.of(Holds.ANSWER):
        return False
    if sketch.of(Holds.ANSWER) and not sketch.profile(theirs).is_unique:
        return False
    put_joined(main, sketch, [theirs])
    _name_blinded(main, sketch)
    _key_blinded(main, sketch, ours)
    found.after(main, sketch, Join(by="key", columns=((ours, theirs),)))
    return True


def _by_several_keys(found: Related, main: Sketch, sketch: Sketch) -> bool:
    """The keys of the first table, such as the document and the system, stand in columns here, and
    together once in each row."""
    ours = [n for n in main.of(*_KEYS, Holds.SYSTEM) if not main.holds[n].at]
    if len(ours) < 2 or any(Axis.RATER not in sketch.holds[n].at for n in sketch.of(Holds.ANSWER)):
        return False
    theirs: list[str] = []
    for name in ours:
        own = {*main.profile(name).values}
        met = {
            other: len(own & {*sketch.profile(other).values}) / max(1, len(own))
            for other in sketch.sample.names
            if other not in theirs
        }
        best = max(met, key=lambda other: (met[other], other == name), default="")
        if not best or met[best] < _MET:
            return False
        theirs.append(best)
    rows = sketch.sample.keys(theirs)
    if len({*rows}) < len(rows):
        return False
    put_joined(main, sketch, theirs)
    found.after(main, sketch, Join(by="key", columns=tuple(zip(ours, theirs, strict=True))))
    return True


def _name_blinded(main: Sketch, sketch: Sketch) -> None:
    """Decide the column of a joined table that tells the outputs of one source apart: nothing but
    the system does."""
    if sketch.of(Holds.ANSWER, Holds.SYSTEM) or main.of(Holds.SYSTEM):
        return
    sample = sketch.sample
    own = [n for n in sketch.of(Holds.SOURCE, Holds.KEPT) if sample.comes_again([n]) > 1.2]
    sources = [n for n in own if sketch.profile(n).may_be_key and names_key(n)][:1]
    fit = [n for n in own if n not in sources and _may_name(sketch, n) and not sketch.holds[n].at]
    fit = [n for n in fit if sources and sample.is_key([*sources, n])]
    if len(fit) == 1:
        sketch.put(fit[0], Holds.SYSTEM)


def _key_blinded(main: Sketch, sketch: Sketch, ours: str) -> None:
    """Where a key to blinded outputs tells the source and the system of each, their IDs are those
    of outputs; and what told the source before does not, where it has more outputs than there are
    systems."""
    systems = [n for n in sketch.of(Holds.SYSTEM) if not sketch.holds[n].at]
    own = [n for n in main.of(Holds.SOURCE) if not main.holds[n].at]
    if len(own) != 1 or main.of(Holds.OUTPUT) not in ([], [ours]) or not systems:
        return
    one, sample = own[0], main.sample
    if main.of(Holds.OUTPUT):
        outputs = len({*sample.keys([one, ours])}) / len({*sample.cells(one)})
        if outputs <= len({*sketch.sample.keys(systems)}):
            return
    elif not (sample.determines([one], ours) and sample.determines([ours], one)):
        return
    for name in sketch.of(Holds.SOURCE, Holds.KEPT):
        again = sketch.profile(name).may_be_key and sketch.sample.comes_again([name]) > 1.2
        if again and names_key(name) and sketch.sample.is_key([name, *systems]):
            main.put(one, Holds.KEPT if main.of(Holds.OUTPUT) else Holds.OUTPUT)
            sketch.put(name, Holds.SOURCE)
            return


def _is_code(sketch: Sketch, key: str) -> bool:
    """Whether a table says of each key which system it is, one of each."""
    systems = [n for n in sketch.of(Holds.SYSTEM) if n != key]
    systems = systems or [n for n in sketch.of(Holds.KEPT) if n != key and _may_name(sketch, n)]
    few = 1 < len(sketch.sample) <= _MOST_SYSTEMS
    return few and any(sketch.profile(n).is_unique for n in systems)


def _may_name(sketch: Sketch, name: str) -> bool:
    """Whether cells may be names of systems."""
    profile = sketch.profile(name)
    kinds = (Content.LABELS, Content.CODES)
    return profile.content in kinds and profile.numeric < 0.5 and not says(name, ASIDE)


def _linked(main: Sketch, sketch: Sketch) -> tuple[str, str] | None:
    """The columns with the same values, of which one is a key of the first table."""
    kinds = (Holds.SOURCE, Holds.OUTPUT, Holds.SYSTEM, Holds.KEPT)
    ours = [n for kind in kinds for n in main.of(kind) if main.profile(n).may_be_key]
    best: tuple[float, str, str] | None = None
    for name in ours:
        own = {*main.profile(name).values}
        if len(own) < 2:
            continue
        for other in sketch.sample.names:
            profile = sketch.profile(other)
            if not profile.may_be_key or len(profile.values) < 2:
                continue
            met = len(own & {*profile.values}) / len(own)
            is_key = main.holds[name].holds in _KEYS
            fit = met + (0.3 if is_key else 0) + (0.2 if name == other else 0)
            enough = met >= _MET and (profile.is_unique or sketch.of(Holds.ANSWER))
            plain = profile.numeric > 0.9 and not is_key and name != other
            if enough and not plain and (best is None or fit > best[0]):
                best = fit, name, other
    return (best[1], best[2]) if best else None


def _tells_systems(found: Related, main: Sketch, sketch: Sketch, key: str) -> bool:
    """The key to blinded systems: their names by what the first table calls them."""
    others = [n for n in sketch.sample.names if n != key and _may_name(sketch, n)]
    others.sort(key=lambda n: not sketch.profile(n).is_unique)
    if not others or len(sketch.sample) > _MOST_SYSTEMS:
        return False
    named = [n for n in others if sketch.holds[n].holds is Holds.SYSTEM] or others
    cells = zip(sketch.sample.cells(key), sketch.sample.cells(named[0]), strict=True)
    codes = {code: name for code, name in cells if code and name}
    found.systems.update(codes)
    unnamed = [s for n in main.of(Holds.SYSTEM) for s in main.profile(n).values if s not in codes]
    rest = f"; without a name there: {listed([*dict.fromkeys(unnamed)])}" if unnamed else ""
    found.left.append((sketch, f"the systems' names are taken from it{rest}"))
    return True


def _by_text(found: Related, main: Sketch, sketch: Sketch) -> bool:
    """A text of the first table stands here."""
    for ours in _texts(main):
        own = {*main.profile(ours).values}
        for theirs in _texts(sketch):
            profile = sketch.profile(theirs)
            met = len(own & {*profile.values})
            if len(own) > 2 and met >= _MET * len(own) and profile.is_unique:
                put_joined(main, sketch, [theirs])
                found.after(main, sketch, Join(by="text", columns=((ours, theirs),)))
                return True
    return False


def _by_order(found: Related, main: Sketch, sketch: Sketch) -> bool:
    """As many rows, of which one table has the texts and the other one the answers."""
    if not (main.sample.whole and sketch.sample.whole and len(main.sample) == len(sketch.sample)):
        return False
    if len(main.sample.tables) > 1 or len(sketch.sample.tables) > 1 or len(main.sample) < 2:
        return False
    has_texts = [bool(s.of(Holds.TEXT, Holds.DOCUMENT)) for s in (main, sketch)]
    has_answers = [bool(s.of(Holds.ANSWER)) for s in (main, sketch)]
    keyed = [bool(s.of(*_KEYS)) for s in (main, sketch)]
    if has_texts[0] == has_texts[1] or all(has_answers):
        return False
    is_first = has_texts[0] or (keyed[0] and not keyed[1])
    first, second = (main, sketch) if is_first else (sketch, main)
    taken = main.doubts.decide(
        "order",
        f"`{first.table.name}` and `{second.table.name}` have {len(main.sample)} rows each and no "
        "key in common. Are they in the same order?",
        Option("same", "the rows are in the same order"),
        Option("other", "they do not belong together"),
    )
    if taken == "other":
        return False
    second.numbered_raters = False
    for name in second.of(*_KEYS):
        second.put(name, Holds.KEPT)
    found.sketches[found.sketches.index(main)] = first
    found.after(first, second, Join(by="order"))
    return True


def _texts(sketch: Sketch) -> Iterable[str]:
    return [n for n in sketch.sample.names if sketch.profile(n).content is Content.TEXTS]


# In which order they are tried.
BY_ROWS = (_by_key, _by_text, _by_order)

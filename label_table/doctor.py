"""What a table of labels supports, and what not, in sentences."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from estimates.scorecard.labels import POSITIVE, Labels
from label_table.columns import JOINED
from label_table.labels import HUMAN, JUDGE, LabelTable
from label_table.provenance import Maker, provenance_lines
from label_table.scales import Scale
from results.reading.people import FEW_UNITS
from results.reading.wording import counted, listed, percent, plain

# People that the test of a judge against single people needs, and labels that are listed.
LEAST_PEOPLE, MOST_LISTED = 3, 6


@dataclass(frozen=True)
class TableFinding:
    """One sentence. lacks: the table does not support something, or less than it might."""

    text: str
    lacks: bool = False


def examine(table: LabelTable, scale: Scale, makers: Mapping[str, Maker]) -> Sequence[TableFinding]:
    """Every sentence, what there is first. makers: rater -> who made its labels."""
    findings = [
        _read_as(table),
        *_size(table),
        *_people(table),
        *(TableFinding(*said) for said in provenance_lines(table, makers)),
        *(line for name in table.of_kind(JUDGE) for line in _judge(table, scale, name)),
        *_labels(table, scale),
        *(TableFinding(note) for note in table.notes),
        *(TableFinding(line, lacks=True) for line in table.left_out),
        *(() if table.read.tool else _unused(table)),
    ]
    spaced = [replace(each, text=plain(each.text)) for each in findings]
    return sorted(spaced, key=lambda finding: finding.lacks)


def _read_as(table: LabelTable) -> TableFinding:
    """How columns were taken, so that nobody has to guess."""
    if table.read.tool:
        return TableFinding(f"Read as results of {table.read.tool}, a unit for each output.")
    columns = table.columns
    roles = ("unit", "source", "system", "criterion", "rater", "label", "kind")
    named = [f"{role} {_some(getattr(columns, role))}" for role in roles if getattr(columns, role)]
    if not columns.is_long:
        sets = (("people", columns.humans), ("judges", columns.judges))
        named += [f"{who} {', '.join(names)}" for who, names in sets if names]
    form = "one label per row" if columns.is_long else "one unit per row"
    return TableFinding(f"Read as {form}: {'; '.join(named)}.")


def _some(columns: str) -> str:
    """The first ones of several columns."""
    names = columns.split(JOINED)
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return JOINED.join(names[:MOST_LISTED]) + more


def _size(table: LabelTable) -> Iterator[TableFinding]:
    people, judges = table.of_kind(HUMAN), table.of_kind(JUDGE)
    sources = len({unit.source for unit in table.units.values()})
    of_sources = f" of {counted(sources, 'source')}" if sources < len(table.units) else ""
    named = f" ({', '.join(judges[:MOST_LISTED])})" if judges else ""
    yield TableFinding(
        f"{counted(len(table.units), 'unit')}{of_sources}, {counted(len(table.labels), 'label')}, "
        f"{counted(len(people), 'person', 'people')} and {counted(len(judges), 'judge')}{named}."
    )
    if not judges:
        yield TableFinding("No judge is in the table: there is no scorecard.", lacks=True)


def _people(table: LabelTable) -> Iterator[TableFinding]:
    """How many people labelled a unit, and what follows."""
    people = {*table.of_kind(HUMAN)}
    each = Counter(label.unit for label in table.labels if label.rater in people)
    if not people:
        yield TableFinding("No person is in the table: nothing can be said of judges.", lacks=True)
        return
    counts = [each[unit] for unit in table.units]
    low, high = min(counts), max(counts)
    mean = sum(counts) / len(counts)
    some = counted(high, "person", "people") if low == high else f"{low} to {high} people"
    average = f", {mean:.2f} on average" if low < high else ""
    yield TableFinding(f"Each unit has labels of {some}{average}.")
    shared = sum(count >= 2 for count in counts)
    if not shared:
        yield TableFinding(
            "No unit has two people's labels: whether people agree cannot be said.", lacks=True
        )
    elif shared < FEW_UNITS:
        yield TableFinding(
            f"Only {counted(shared, 'unit has', 'units have')} two people's labels or more; "
            f"{FEW_UNITS} are the least for a verdict on people.",
            lacks=True,
        )
    elif shared < len(counts):
        alone = len(counts) - shared
        yield TableFinding(
            f"{counted(alone, 'unit has', 'units have')} fewer than two people's labels and "
            "tell nothing of their agreement.",
            lacks=True,
        )
    if len(people) < LEAST_PEOPLE and table.of_kind(JUDGE):
        yield TableFinding(
            f"Fewer than {LEAST_PEOPLE} people: a judge cannot be tested against single people.",
            lacks=True,
        )


def _judge(table: LabelTable, scale: Scale, name: str) -> Iterator[TableFinding]:
    """What a judge shares with people."""
    own = {label.unit for label in table.labels if label.rater == name}
    people = {label.unit for label in table.labels if table.raters[label.rater] == HUMAN}
    both, alone = len(own & people), len(own - people)
    if people and not both:
        yield TableFinding(f"{name} and people share no unit: they cannot be compared.", lacks=True)
    elif people:
        more = f", and {alone:,} that no person did" if alone else ""
        yield TableFinding(f"{name} labelled {counted(both, 'unit')} that people did{more}.")
        if alone and scale.nominal and name not in scale.judges:
            yield TableFinding(
                f"People's rate on all units of {name} can be corrected for its errors."
            )
    missing = len(table.units) - len(own)
    if missing:
        share = percent(missing / len(table.units))
        yield TableFinding(
            f"{name} has no label on {missing:,} of {counted(len(table.units), 'unit')} "
            f"({share}): its figures leave these out.",
            lacks=True,
        )
    if name in scale.judges:
        yield TableFinding(
            f"{name} gives scores on a scale of its own: they can rank units as people do, and "
            "cannot agree with them.",
            lacks=True,
        )


def _labels(table: LabelTable, scale: Scale) -> Iterator[TableFinding]:
    """What the labels are, and who says what nobody else does."""
    given: dict[str, Counter[str]] = {HUMAN: Counter(), JUDGE: Counter()}
    for label in table.labels:
        if scale.measure(label.rater) is scale.people:
            kind = HUMAN if table.raters[label.rater] != JUDGE else JUDGE
            given[kind][str(scale.value(label))] += 1
    every = given[HUMAN] or given[JUDGE]
    if not scale.nominal:
        numbers = [float(value) for value in every]
        span, level = f"{min(numbers):g} to {max(numbers):g}", scale.people.block.facets[0].distance
        yield TableFinding(f"Labels are numbers from {span}, compared as {level} (--level).")
        return
    total = every.total()
    shares = [f"{label} {percent(n / total)}" for label, n in every.most_common()]
    yield TableFinding(f"Labels: {listed(shares, MOST_LISTED)}.")
    if len(scale.people.block.facets[0].labels) == 2:
        yield from _positive(scale.people.block.facets[0].labels)
    if len(every) == 1:
        yield TableFinding("People give but one label: α is undefined.", lacks=True)
    for one, other, who, others in (
        (JUDGE, HUMAN, "judges", "people"),
        (HUMAN, JUDGE, "people", "judges"),
    ):
        odd = sorted(given[one].keys() - given[other].keys())
        if odd and given[other]:
            said = ", ".join(odd[:MOST_LISTED])
            yield TableFinding(
                f"Label sets differ: {who} say {said}, {others} never do.", lacks=True
            )


def _positive(names: Sequence[str]) -> Iterator[TableFinding]:
    """Which of two labels rates are of, where the word does not say it."""
    positive = Labels(tuple(names)).positive
    if names[positive].casefold() not in POSITIVE:
        yield TableFinding(
            f"Rates take {names[positive]} for yes and {names[1 - positive]} for no."
        )


def _unused(table: LabelTable) -> Iterator[TableFinding]:
    columns = table.columns
    names = dict.fromkeys(name for each in table.read.tables for name in each.names)
    grouped = {key.partition(".")[2] for key in table.read.reading.group_by}
    rest = [name for name in names if name not in columns.used | grouped]
    if rest:
        yield TableFinding(f"Columns not used: {', '.join(rest[:20])}.")

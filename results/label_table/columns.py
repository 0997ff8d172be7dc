"""What the columns of a table of labels hold: as stated, by their names, or by their contents."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from annotation.importing.errors import ImportFailure
from annotation.importing.formats.scales import MOST_POINTS

UNIT = (
    "unit",
    "unit_id",
    "item",
    "item_id",
    "id",
    "example",
    "example_id",
    "sample",
    "sample_id",
    "text_id",
    "uid",
)
UNIT_AFTER = ("question_id", "task_id", "record_id", "key", "index", "idx")
SOURCE = (
    "source",
    "source_id",
    "cluster",
    "document_id",
    "doc_id",
    "article_id",
    "conversation_id",
)
SYSTEM = ("system", "system_id", "generator")
MODEL = ("model", "model_id", "model_name")  # a judge's column may have this name, too
RATER = (
    "rater",
    "rater_id",
    "annotator",
    "annotator_id",
    "worker",
    "worker_id",
    "coder",
    "coder_id",
)
RATER_AFTER = ("labeler", "labeller", "evaluator", "grader", "judge", "user", "user_id")
LABEL = (
    "label",
    "value",
    "rating",
    "score",
    "answer",
    "annotation",
    "vote",
    "verdict",
    "response",
    "grade",
)
LABEL_AFTER = ("judgment", "judgement", "category", "decision")
KIND = ("kind", "rater_kind", "rater_type")
CUSTOMARY: Mapping[str, tuple[str, ...]] = {
    "unit": (*UNIT, *UNIT_AFTER),
    "source": SOURCE,
    "system": SYSTEM,
    "rater": (*RATER, *RATER_AFTER),
    "label": (*LABEL, *LABEL_AFTER),
    "kind": KIND,
}
MACHINE = re.compile(
    r"(^|_)(judge|llm|ai|model|machine|auto|automatic|predicted|prediction|unieval|prometheus|nli)"
    r"(_|\d|$)|gpt|claude|gemini|llama|mistral|mixtral|qwen|deepseek|gemma|command_r|o[134]_mini"
)
PERSON = re.compile(
    r"(^|_)(human|person|people|annotator|rater|coder|expert|worker|labell?er|reviewer|gold)"
    r"(_|\d|$)|^a\d+$"
)
# A label is a word or a number, not a text.
LONGEST_LABEL = 40
# Columns with half of their values in common may hold labels of one kind.
SHARED = 0.5
MISSING = frozenset({"", "na", "n/a", "nan", "null"})

Cells = Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Columns:
    """The columns by what they hold; empty: none does. In a long table `rater` and `label` are
    columns, and humans and judges names of raters; in a wide one these are columns. Without a unit
    column every row is a unit of its own."""

    unit: str = ""
    source: str = ""
    system: str = ""
    rater: str = ""
    label: str = ""
    kind: str = ""
    humans: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()

    @property
    def is_long(self) -> bool:
        """Whether a row is one label."""
        return bool(self.rater)


def looks_like_machine(name: str) -> bool:
    """Whether a column or a rater of that name is probably a judge."""
    return MACHINE.search(_plain(name)) is not None


def is_missing(text: str) -> bool:
    """Whether a cell says that there is no label."""
    return text.strip().casefold() in MISSING


def told_columns(
    path: Path, names: Sequence[str], rows: Sequence[Cells], stated: Columns
) -> Columns:
    """The columns of a table, those stated first. ImportFailure, with what was tried and how to
    name them, where they cannot be told."""
    _refuse_unknown(path, names, stated)
    columns = {role: getattr(stated, role) or _customary(names, role) for role in CUSTOMARY}
    wide = any(name in names for name in (*stated.humans, *stated.judges))
    if columns["rater"] and columns["label"] and not (wide and not stated.rater):
        columns["unit"] = columns["unit"] or _unit_by_contents(names, rows, columns)
        if not columns["unit"]:
            raise _untold(path, names, "no column of units")
        return Columns(**columns, humans=stated.humans, judges=stated.judges)
    if stated.rater or stated.label:
        lacking = "label" if stated.rater else "rater"
        raise _untold(path, names, f"no column of {lacking}s beside {stated.rater or stated.label}")
    for option, given in (("--human", stated.humans), ("--judge", stated.judges)):
        for name in given:
            if name not in names:
                raise ImportFailure(f"{path}:1", option, _no_such(name, names))
    about = {role: columns[role] for role in ("unit", "source", "system")}
    about["system"] = about["system"] or _models(names, rows, stated)
    humans, judges = _label_columns(names, rows, set(filter(None, about.values())), stated)
    if len(humans) + len(judges) < 2:
        raise _untold(path, names, "no two columns of labels")
    return Columns(**about, humans=humans, judges=judges)


def _customary(names: Sequence[str], role: str) -> str:
    by_plain = {_plain(name): name for name in reversed(names)}
    return next((by_plain[name] for name in CUSTOMARY[role] if name in by_plain), "")


def _unit_by_contents(
    names: Sequence[str], rows: Sequence[Cells], columns: Mapping[str, str]
) -> str:
    """The one other column of a long table in which values come several times, never twice with
    one rater."""
    rater, taken = columns["rater"], {*columns.values()}
    fitting = []
    for name in names:
        pairs = {(row[name], row[rater]) for row in rows}
        values = {row[name] for row in rows}
        if name not in taken and len(pairs) == len(rows) > len(values) and "" not in values:
            fitting.append(name)
    return fitting[0] if len(fitting) == 1 else ""


def _label_columns(
    names: Sequence[str], rows: Sequence[Cells], taken: Collection[str], stated: Columns
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """People's columns and judges', in the order of the table."""
    values = {name: _labels_in(name, rows) for name in names if name not in taken}
    free = [name for name in values if values[name]]
    machines = {name for name in free if looks_like_machine(name)} - {*stated.humans}
    judges = {*stated.judges} or machines
    humans = {*stated.humans}
    if not humans:
        others = [name for name in free if name not in judges | machines]
        spoken = {name for name in others if PERSON.search(_plain(name))}
        humans = spoken | {name for name in others if _is_alike(name, values, rows)}
    ordered = [name for name in names if name in humans], [name for name in names if name in judges]
    return tuple(ordered[0]), tuple(ordered[1])


def _models(names: Sequence[str], rows: Sequence[Cells], stated: Columns) -> str:
    """A column called `model` that names systems: no other column has any of its words."""
    for name in names:
        if _plain(name) in MODEL and name not in (*stated.humans, *stated.judges):
            own = _labels_in(name, rows)
            others = (_labels_in(other, rows) for other in names if other != name)
            if own and not any(map(is_number, own)) and not any(own & theirs for theirs in others):
                return name
    return ""


def _labels_in(name: str, rows: Sequence[Cells]) -> frozenset[str]:
    """The different labels of a column; none where it holds texts, or too many of them."""
    values = frozenset(row[name].strip() for row in rows if not is_missing(row[name]))
    if any(len(value) > LONGEST_LABEL for value in values):
        return frozenset()
    few = len(values) <= MOST_POINTS
    return values if few or all(map(is_number, values)) else frozenset()


def _is_alike(name: str, values: Mapping[str, frozenset[str]], rows: Sequence[Cells]) -> bool:
    """Whether another column has mostly the same labels; a column that numbers the rows has none
    that come twice."""
    own = values[name]
    if len(own) > MOST_POINTS or len(own) >= max(len(rows), 3):
        return False
    others = (theirs for other, theirs in values.items() if other != name)
    return any(len(own & theirs) >= SHARED * len(own | theirs) for theirs in others if theirs)


def is_number(text: str) -> bool:
    """Whether the text is a finite number."""
    try:
        return abs(float(text)) < float("inf")
    except ValueError:
        return False


def _refuse_unknown(path: Path, names: Sequence[str], stated: Columns) -> None:
    """A column that was named, and that the table does not have."""
    for role in CUSTOMARY:
        name = getattr(stated, role)
        if name and name not in names:
            raise ImportFailure(f"{path}:1", f"--{role}", _no_such(name, names))
    both = {*stated.humans} & {*stated.judges}
    if both:
        raise ImportFailure(str(path), "--judge", f"{min(both)!r} is named as a person as well")


def _no_such(name: str, names: Sequence[str]) -> str:
    return f"no column {name!r} (the file has: {', '.join(names)})"


def _untold(path: Path, names: Sequence[str], lacking: str) -> ImportFailure:
    """What was looked for, and how to say it."""
    reason = (
        f"{lacking} can be told among {', '.join(names)}; tried names such as unit, item, id; "
        "rater, annotator with label, rating; human_1, gpt-4o, and columns with equal labels. "
        "Name them: --unit ID --human A B --judge C, or --unit ID --rater WHO --label WHAT"
    )
    return ImportFailure(f"{path}:1", "columns", reason)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")

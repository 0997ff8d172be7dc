"""Whose labels they are: a person's, several people's together, a model's, or nobody knows."""

from collections.abc import Iterator, Mapping
from enum import StrEnum

from files.columns.names import PERSON, SUMMARY, words_of
from files.errors import ImportFailure
from files.reading.model import Axis
from label_table.columns import answer_columns
from label_table.labels import HUMAN, JUDGE, LabelTable
from results.reading.wording import counted, percent


class Maker(StrEnum):
    """Who made the labels of a rater."""

    PERSON = "person"
    PEOPLE = "people"  # several together, such as a majority
    MODEL = "model"
    UNKNOWN = "unknown"


def makers_stated(made_by: Mapping[str, str]) -> Mapping[str, Maker]:
    """Rater or column -> maker; ImportFailure for a maker that is none."""
    for name, maker in made_by.items():
        if maker not in [*Maker]:
            reason = f"{name}={maker[:40]} says none of {', '.join(Maker)}"
            raise ImportFailure("--made-by", "option", reason)
    return {name: Maker(maker) for name, maker in made_by.items()}


def told_makers(table: LabelTable, stated: Mapping[str, Maker]) -> Mapping[str, Maker]:
    """Rater -> maker. People whose labels a model made are judges from here on: figures against
    people are not theirs. ImportFailure where no person is left."""
    columns = {
        column.at[Axis.RATER]: column.column
        for column in answer_columns(table.read.reading, table.asked.criterion)
        if Axis.RATER in column.at
    }
    found = {}
    for name in table.raters:
        own = columns.get(name, name)
        told = stated.get(name, stated.get(own, stated.get(table.columns.label)))
        found[name] = told or _by_looks(table, name, own)
    made = [name for name in table.of_kind(HUMAN) if found[name] is Maker.MODEL]
    table.raters |= dict.fromkeys(made, JUDGE)
    if made and not table.of_kind(HUMAN):
        reason = (
            "made by a model: there are no figures against people; give labels that people made "
            "(--human), or check it as a judge beside them"
        )
        raise ImportFailure(table.name, ", ".join(made), reason)
    return found


def _by_looks(table: LabelTable, name: str, column: str) -> Maker:
    if table.raters[name] == JUDGE:
        return Maker.MODEL
    words = words_of(column)
    if words & SUMMARY:
        return Maker.PEOPLE
    recorded = bool(table.read.tool or table.columns.kind)
    named = table.columns.is_long or bool(words & PERSON) or name in table.read.stated.humans
    return Maker.PERSON if recorded or named else Maker.UNKNOWN


def provenance_lines(table: LabelTable, makers: Mapping[str, Maker]) -> Iterator[tuple[str, bool]]:
    """(sentence, whether something is lacking) on whose labels are taken for people's."""
    people = {*table.of_kind(HUMAN)}
    if not people:
        return
    of = [makers.get(label.rater, Maker.UNKNOWN) for label in table.labels if label.rater in people]
    known = sum(maker is not Maker.UNKNOWN for maker in of)
    share = percent(known / len(of)) if of else "0 %"
    merged = [name for name in people if makers.get(name) is Maker.PEOPLE]
    unknown = sorted(name for name in people if makers.get(name) is Maker.UNKNOWN)
    text = f"Of people’s {counted(len(of), 'label')} the file says of {share} that people gave them"
    if unknown:
        flag = f"--made-by {unknown[0]}=person, people or model"
        yield f"{text}; of {', '.join(unknown[:6])} it does not ({flag}).", True
    else:
        yield f"{text}.", False
    for name in sorted(merged):
        yield (
            f"{name} holds several people’s labels together: their own agreement is not in it.",
            True,
        )

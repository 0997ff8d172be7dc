"""Which scores stand beside each other: by the names of their criteria, and where people judged by
one criterion alone, every judge beside that."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from files.errors import ImportFailure
from files.reading.proposals import Stated
from imports.formats.rated_outputs import RatedOutput, Score

HUMAN = "human"


@dataclass
class Compared:
    """What of a tool's scores is compared. moved: (rater, criterion) of a judge -> the criterion
    and the name under which it is. notes: what is to be known of that."""

    criteria: Sequence[str]
    stated: Stated
    moved: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def place(self, score: Score) -> tuple[str, str]:
        """The criterion and the rater's name that a score stands under; nothing where it is left
        out."""
        here = score.criterion, score.rater
        if score.kind != HUMAN:
            moved = self.moved.get((score.rater, score.criterion))
            criterion, name = moved or here
            known = not self.stated.judges or bool({name, score.rater} & {*self.stated.judges})
        else:
            criterion, name = here
            known = not self.stated.humans or name in self.stated.humans
        return (criterion, name) if known and criterion in self.criteria else ("", "")


def compared(outputs: Sequence[RatedOutput], stated: Stated) -> Compared:
    """What is compared of the scores of outputs. ImportFailure for a rater who is not there."""
    people: dict[str, set[str]] = {}
    judges: dict[str, set[str]] = {}
    for output in outputs:
        for score in output.scores:
            kind = people if score.kind == HUMAN else judges
            kind.setdefault(score.criterion, set()).add(score.rater)
    if not (people or judges):
        raise ImportFailure(str(outputs[0].where.file), "scores", "none in these files")
    found = Compared([*dict.fromkeys([*people, *judges])], stated)
    if len(people) == 1:
        _beside(found, next(iter(people)), judges)
    elif people:
        found.criteria = [*people]
        _told_apart(found, [name for name in judges if name not in people])
    _refuse_absent(found, people, judges, str(outputs[0].where.file))
    return found


def _beside(found: Compared, criterion: str, judges: dict[str, set[str]]) -> None:
    """Every judge beside people's only criterion, by its own name where that is the only one."""
    found.criteria = [criterion]
    pairs = [(rater, own) for own, raters in judges.items() for rater in sorted(raters)]
    times = [rater for rater, _ in pairs]
    for rater, own in pairs:
        name = rater if times.count(rater) == 1 or own == criterion else f"{rater} {own}"
        found.moved[rater, own] = criterion, name
    others = [name for (_, own), (_, name) in found.moved.items() if own != criterion]
    if others:
        said = ", ".join(others[:6])
        found.notes.append(f"Compared with people's {criterion} (--judge chooses): {said}.")


def _told_apart(found: Compared, without_people: Sequence[str]) -> None:
    if without_people:
        said = ", ".join(without_people[:6])
        found.notes.append(f"No person judged by {said}: left out.")


def _refuse_absent(
    found: Compared, people: dict[str, set[str]], judges: dict[str, set[str]], file: str
) -> None:
    names = {
        "--human": (found.stated.humans, set[str]().union(*people.values())),
        "--judge": (
            found.stated.judges,
            {name for _, name in found.moved.values()}.union(*judges.values()),
        ),
    }
    for option, (stated, there) in names.items():
        for name in stated:
            if name not in there:
                reason = f"no rater {name!r} (there are: {', '.join(sorted(there)) or 'none'})"
                raise ImportFailure(file, option, reason)

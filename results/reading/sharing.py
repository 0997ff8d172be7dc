"""What is said of how many units people share, and of what results can say because of that."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from agreement.raters.alternative import LEAST_UNITS
from annotation.models import Study
from annotation.rounds.sharing import FirstMet, Sharing, Spread
from results.reading.wording import counted, listed, named

# So many of a crowd have to be connected: who comes last may find little to share.
MOST_OF_A_CROWD = 0.9
REMEDIES = {
    Study.Batches.COMPOSED: "Ask for more answers per unit, or let each person do more.",
    Study.Batches.FIXED: (
        "Ask for more answers per unit, or let each batch be composed for its worker."
    ),
    Study.Batches.TEAM: (
        "Ask for more answers per unit, or let everybody answer some sources first (a calibration)."
    ),
}


# A square with an odd number of systems has each of them first twice.
REMAINDER = 2
SEVERITY = ", so how strict people are can be told from what they read."


class Said(NamedTuple):
    """A sentence, and whether it is a warning."""

    text: str
    warns: bool = False


def said_of_sharing(
    sharing: Sharing, batches: str, names: Mapping[int, str] | None = None
) -> list[Said]:
    """What people share and what that lets results say. batches: as of a Study. names: of people
    who are known."""
    return [
        *_of_units(sharing, Study.Batches(batches), names or {}),
        *_beside_judges(sharing),
        *_of_systems(sharing),
    ]


def _of_units(sharing: Sharing, batches: Study.Batches, names: Mapping[int, str]) -> Iterator[Said]:
    if sharing.shared is None:
        alone = sharing.n_people == 1
        yield Said(
            f"{'One person answers everything' if alone else 'Each unit is answered by one person'}"
            ": agreement between people cannot be computed. Ask for at least 2 answers per unit.",
            warns=True,
        )
        return
    tell = _of_members if batches == Study.Batches.TEAM else _of_crowd
    connected = len(sharing.groups[0]) >= _needed(sharing, batches)
    yield Said(f"{tell(sharing, sharing.shared)}{SEVERITY if connected else '.'}")
    if not connected:
        yield Said(f"{_apart(sharing, names)} {REMEDIES[batches]}", warns=True)


def _needed(sharing: Sharing, batches: Study.Batches) -> float:
    """How many people have to be connected before something is said of all."""
    return sharing.n_people * (1 if batches == Study.Batches.TEAM else MOST_OF_A_CROWD)


def _of_members(sharing: Sharing, shared: Spread) -> str:
    return (
        f"{counted(sharing.n_people, 'person', 'people')} answer {_range(sharing.units)} "
        f"{'unit' if sharing.units.most == 1 else 'units'} each. Each shares "
        f"{_range(shared)} with each of {_others(_range(sharing.partners))}"
    )


def _of_crowd(sharing: Sharing, shared: Spread) -> str:
    """Of somebody in the middle: only some of a large crowd were looked at."""
    units, partners = sharing.units.middle, sharing.partners.middle
    return (
        f"A person answers about {counted(units, 'unit')} and shares about {shared.middle:,} with "
        f"each of about {_others(f'{partners:,}')}"
    )


def _others(number: str) -> str:
    return f"{number} {'other' if number == '1' else 'others'}"


def _apart(sharing: Sharing, names: Mapping[int, str]) -> str:
    alone = [named(names[of[0]]) for of in sharing.groups if len(of) == 1 and of[0] in names]
    if alone and len(sharing.groups) == len(alone) + 1:
        they, verb = ("they are", "share") if len(alone) > 1 else ("that person is", "shares")
        return (
            f"{listed(alone)} {verb} no unit with others: how strict {they} cannot be told from "
            "the texts."
        )
    most = len(sharing.groups[0])
    return (
        f"People fall into groups of {most if most == 2 else f'at most {most}'} that share no unit "
        "with each other: how strict a group is cannot be told from its texts."
    )


def _beside_judges(sharing: Sharing) -> Iterator[Said]:
    if sharing.units.middle < LEAST_UNITS:
        yield Said(
            f"A judge is compared with single people who answer {LEAST_UNITS} units or more; most "
            "here answer fewer."
        )


def _of_systems(sharing: Sharing) -> Iterator[Said]:
    if sharing.systems is None:
        return
    if sharing.systems.least == sharing.n_systems:
        yield Said(f"Each person meets outputs of all {sharing.n_systems} systems.")
    else:
        yield Said(
            f"A person meets outputs of {_range(sharing.systems)} of the {sharing.n_systems} "
            "systems.",
            warns=sharing.systems.least < 2,
        )


def said_of_order(first: FirstMet) -> Said:
    """Whether systems are met first equally often."""
    times = sorted(first.times.values())
    if first.is_even:
        often = str(times[0]) if times[0] == times[-1] else f"{times[0]} or {times[-1]}"
        return Said(f"Every system is the first of a source equally often ({often} times).")
    if first.remainder <= REMAINDER:
        return Said(
            "Every system is the first of a source about equally often "
            f"({times[0]} to {times[-1]} times), since sources do not divide evenly by systems."
        )
    rarest, commonest = (pick(first.times, key=first.times.__getitem__) for pick in (min, max))
    return Said(
        f"Not every system is the first of a source equally often: {times[0]} times "
        f"({named(rarest)}) to {times[-1]} ({named(commonest)})."
    )


def _range(spread: Spread) -> str:
    if spread.least == spread.most:
        return f"{spread.least:,}"
    return f"{spread.least:,} to {spread.most:,}"

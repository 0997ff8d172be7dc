"""Whether parts of names, or cells, are names of systems."""

import re
from collections.abc import Sequence

from files.columns.names import MACHINE, words_of
from files.columns.words import BASELINES, SYSTEMS

_TOKEN = re.compile(r"[^\W_]+")
# Others may be anything: `Ours`, `Dolubex-3`.
_KNOWN = 0.4


def system_words(name: str) -> frozenset[str]:
    """Its words, and those with a number in them: `seq2seq`, `t5`."""
    return words_of(name) | {*_TOKEN.findall(name.casefold())}


def are_systems(names: Sequence[str], beside: str = "") -> bool:
    """Whether names are those of systems, by those that are widely known, or by what stands beside
    them."""
    words = MACHINE | SYSTEMS | BASELINES
    told = sum(bool(system_words(name) & words) for name in names)
    return told >= _KNOWN * len(names) or bool(words_of(beside) & SYSTEMS)
